/* Manifests, blobs and tags of registries. */
#include "base/sha256.h"
#include "doc/parse.h"
#include "fetch/registry_priv.h"
#include "http/url.h"

enum { MAX_TAG_PAGE = 4 << 20, MOST_TAG_PAGES = 1000, MOST_TAGS = 100000 };

#define ACCEPTED                                             \
    "application/vnd.oci.image.manifest.v1+json, "           \
    "application/vnd.oci.image.index.v1+json, "              \
    "application/vnd.docker.distribution.manifest.v2+json, " \
    "application/vnd.docker.distribution.manifest.list.v2+json"

void registry_manifest_done(struct registry_manifest *m)
{
    buf_done(&m->text);
    buf_done(&m->media_type);
    buf_done(&m->digest);
    *m = (struct registry_manifest){0};
}

static struct registry_call call_of(const struct registry_name *name, const char *method,
                                    const char *actions, const struct buf *target)
{
    return (struct registry_call){.method = method,
                                  .host = name->host,
                                  .target = buf_view(target),
                                  .repository = name->path,
                                  .actions = actions};
}

static int differs(const struct registry_name *name, str got, str want, struct err *e)
{
    return err_set(e, ERR_CONFLICT, "%.*s/%.*s: digest mismatch: %.*s is not %.*s",
                   STR_ARG(name->host), STR_ARG(name->path), STR_ARG(got), STR_ARG(want));
}

static int ask_manifest(struct registry *r, const struct registry_name *name, const char *method,
                        str reference, struct http_response *answer, struct err *e)
{
    AUTO(buf_done) struct buf target = {0};
    struct registry_call call;

    buf_addf(&target, "/v2/%.*s/manifests/%.*s", STR_ARG(name->path), STR_ARG(reference));
    call = call_of(name, method, "pull", &target);
    call.accept = ACCEPTED;
    call.max_body = REGISTRY_MAX_MANIFEST;
    if (registry_send(r, &call, answer, e) < 0)
        return -1;
    return registry_expect(r, &call, answer, 200, 200, e);
}

/* A digest that the answer names must be the body's, whoever of both is wrong. */
int registry_get_manifest(struct registry *r, const struct registry_name *name, str reference,
                          struct registry_manifest *ret, struct err *e)
{
    AUTO(http_response_done) struct http_response answer = {0};
    str said;

    if (ask_manifest(r, name, "GET", reference, &answer, e) < 0)
        return -1;
    sha256_digest(buf_view(&answer.body), &ret->digest);
    said = http_response_header(&answer, "docker-content-digest");
    if (registry_is_digest(reference) && !str_eq(reference, buf_view(&ret->digest)))
        return differs(name, buf_view(&ret->digest), reference, e);
    if (registry_is_digest(said) && !str_eq(said, buf_view(&ret->digest)))
        return differs(name, buf_view(&ret->digest), said, e);
    buf_add_str(&ret->media_type,
                str_trim(str_cut(http_response_header(&answer, "content-type"), ';', NULL)));
    buf_add_str(&ret->text, buf_view(&answer.body));
    return 0;
}

int registry_resolve(struct registry *r, const struct registry_name *name, str tag, struct buf *ret,
                     struct err *e)
{
    AUTO(http_response_done) struct http_response answer = {0};
    AUTO(registry_manifest_done) struct registry_manifest manifest = {0};
    str said;

    if (ask_manifest(r, name, "HEAD", tag, &answer, e) < 0)
        return -1;
    said = http_response_header(&answer, "docker-content-digest");
    if (registry_is_digest(said)) {
        buf_add_str(ret, said);
        return 0;
    }
    if (registry_get_manifest(r, name, tag, &manifest, e) < 0)
        return -1;
    buf_add_str(ret, buf_view(&manifest.digest));
    return 0;
}

static int check_descriptor(const struct registry_descriptor *blob, size_t limit, struct err *e)
{
    if (!registry_is_digest(blob->digest))
        return err_set(e, ERR_INVALID, "digest \"%.*s\" is not supported: sha256 is",
                       STR_ARG(str_sub(blob->digest, 0, 100)));
    if (blob->size < 0)
        return err_set(e, ERR_INVALID, "blob %.*s has no size", STR_ARG(blob->digest));
    if ((uint64_t)blob->size > limit)
        return err_set(e, ERR_LIMIT, "blob %.*s has %lld bytes: more than %zu",
                       STR_ARG(blob->digest), (long long)blob->size, limit);
    return 0;
}

int registry_get_blob(struct registry *r, const struct registry_name *name,
                      const struct registry_descriptor *blob, size_t limit, struct buf *out,
                      struct err *e)
{
    AUTO(http_response_done) struct http_response answer = {0};
    AUTO(buf_done) struct buf target = {0}, digest = {0};
    struct registry_call call;

    if (check_descriptor(blob, limit, e) < 0)
        return -1;
    buf_addf(&target, "/v2/%.*s/blobs/%.*s", STR_ARG(name->path), STR_ARG(blob->digest));
    call = call_of(name, "GET", "pull", &target);
    call.max_body = (size_t)blob->size + 1;
    if (registry_send(r, &call, &answer, e) < 0 ||
        registry_expect(r, &call, &answer, 200, 200, e) < 0)
        return -1;
    if (answer.body.len != (size_t)blob->size)
        return err_set(e, ERR_CONFLICT, "blob %.*s: size mismatch: %zu is not %lld",
                       STR_ARG(blob->digest), answer.body.len, (long long)blob->size);
    sha256_digest(buf_view(&answer.body), &digest);
    if (!str_eq(buf_view(&digest), blob->digest))
        return differs(name, buf_view(&digest), blob->digest, e);
    buf_add_str(out, buf_view(&answer.body));
    return 0;
}

/* ---- tags */

/* The target of `Link: </v2/…?last=x>; rel="next"`, in out; nothing when this was the last page. */
static int next_page(const struct http_response *answer, const struct registry_name *name,
                     struct buf *out, struct err *e)
{
    str rest = http_response_header(answer, "link"), url;
    struct http_url parsed, base = {.scheme = STR("https"), .host = name->host, .path = STR("/")};
    AUTO(buf_done) struct buf whole = {0};

    buf_clear(out);
    if (!str_drop_prefix(&rest, STR("<")))
        return 0;
    url = str_cut(rest, '>', &rest);
    if (!str_contains(rest, STR("rel=\"next\"")) && !str_contains(rest, STR("rel=next")))
        return 0;
    base.path = STR("/v2/tags/");
    http_url_resolve(&base, url, &whole);
    if (http_url_parse(buf_view(&whole), &parsed, e) < 0)
        return err_wrap(e, "next page of tags");
    buf_add_str(out, parsed.path);
    if (parsed.query.len)
        buf_addf(out, "?%.*s", STR_ARG(parsed.query));
    return 0;
}

static int add_tags(str body, struct arena *arena, struct str_vec *ret, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *root = doc_parse_json_flags(set, body, DOC_LAST_WINS, "tags", e);
    struct doc_iter it = doc_children(doc_get_lit(root, "tags"));

    if (!root)
        return -1;
    while (doc_next(&it)) {
        if (ret->len >= MOST_TAGS)
            return err_set(e, ERR_LIMIT, "more than %d tags", MOST_TAGS);
        if (registry_is_tag(doc_string(it.value, STR_NONE)))
            vec_push(ret, arena_dup(arena, doc_string(it.value, STR_NONE)));
    }
    return 0;
}

int registry_get_tags(struct registry *r, const struct registry_name *name, struct arena *arena,
                      struct str_vec *ret, struct err *e)
{
    AUTO(http_response_done) struct http_response answer = {0};
    AUTO(buf_done) struct buf target = {0};

    buf_addf(&target, "/v2/%.*s/tags/list", STR_ARG(name->path));
    for (int page = 0; target.len; page++) {
        struct registry_call call = call_of(name, "GET", "pull", &target);

        call.max_body = MAX_TAG_PAGE;
        if (page == MOST_TAG_PAGES)
            return err_set(e, ERR_LIMIT, "more than %d pages of tags", MOST_TAG_PAGES);
        if (registry_send(r, &call, &answer, e) < 0 ||
            registry_expect(r, &call, &answer, 200, 200, e) < 0 ||
            add_tags(buf_view(&answer.body), arena, ret, e) < 0 ||
            next_page(&answer, name, &target, e) < 0)
            return -1;
    }
    return 0;
}

int registry_ping(struct registry *r, str host, struct err *e)
{
    AUTO(http_response_done) struct http_response answer = {0};
    struct registry_call call = {
        .method = "GET", .host = host, .target = STR("/v2/"), .actions = "pull"};

    if (registry_send(r, &call, &answer, e) < 0)
        return -1;
    return registry_expect(r, &call, &answer, 200, 200, e);
}
