#include "chart/oci.h"

#include "base/mem.h"
#include "chart/oci_priv.h"
#include "chart/repo/cache.h"
#include "doc/parse.h"
#include "expr/semver/semver.h"
#include "sys/file.h"

enum { MAX_PEM = 4 << 20, MOST_MANIFESTS = 32 };

void chart_oci_pulled_done(struct chart_oci_pulled *p)
{
    buf_done(&p->archive);
    buf_done(&p->prov);
    buf_done(&p->name);
    buf_done(&p->version);
    buf_done(&p->reference);
    buf_done(&p->digest);
    buf_done(&p->archive_digest);
    *p = (struct chart_oci_pulled){0};
}

/* ---- the client */

static int read_pem(str path, struct buf *ret, struct err *e)
{
    AUTO(buf_done) struct buf name = {0};

    buf_add_str(&name, path);
    return path.len ? file_read(buf_cstr(&name), MAX_PEM, ret, e) : 0;
}

void chart_oci_use_cache(struct chart_oci *oci, const struct chart_dirs *dirs) { oci->dirs = dirs; }

struct chart_oci *chart_oci_new(const struct chart_access *access, const char *registry_config,
                                struct err *e)
{
    AUTO(buf_done) struct buf ca = {0}, cert = {0}, key = {0};
    struct registry_options options = {.username = access->username,
                                       .password = access->password,
                                       .config = registry_config,
                                       .is_plain_http = access->is_plain_http,
                                       .cancel = access->cancel};
    struct registry *registry;
    struct chart_oci *oci;

    if (read_pem(access->ca_file, &ca, e) < 0 || read_pem(access->cert_file, &cert, e) < 0 ||
        read_pem(access->key_file, &key, e) < 0)
        return NULL;
    options.tls = (struct http_tls){.ca_pem = buf_view(&ca),
                                    .cert_pem = buf_view(&cert),
                                    .key_pem = buf_view(&key),
                                    .insecure = access->is_insecure};
    registry = registry_new(&options, e);
    if (!registry)
        return NULL;
    oci = NEW(struct chart_oci);
    oci->registry = registry;
    return oci;
}

void chart_oci_free(struct chart_oci *oci)
{
    if (!oci)
        return;
    registry_free(oci->registry);
    mem_free(oci);
}

/* ---- references and versions */

void chart_oci_tag_of(str version, struct buf *out)
{
    for (size_t i = 0; i < version.len; i++)
        buf_add_char(out, version.p[i] == '+' ? '_' : version.p[i]);
}

static void version_of(str tag, struct buf *out)
{
    for (size_t i = 0; i < tag.len; i++)
        buf_add_char(out, tag.p[i] == '_' ? '+' : tag.p[i]);
}

int chart_oci_name_parse(str reference, struct buf *text, struct registry_name *ret, struct err *e)
{
    str rest = reference;
    ssize_t slash;

    if (!str_drop_prefix(&rest, STR("oci://")))
        return err_set(e, ERR_INVALID, "invalid chart URL format: %.*s", STR_ARG(reference));
    slash = str_rfind_char(str_cut(rest, '@', NULL), '/');
    buf_add_str(text, str_sub(rest, 0, (size_t)(slash + 1)));
    chart_oci_tag_of(str_from(rest, (size_t)(slash + 1)), text);
    return registry_name_parse(buf_view(text), ret, e);
}

static int newer_first(const void *a, const void *b)
{
    AUTO(err_done) struct err e = {0};
    const str *left = a, *right = b;
    struct semver l, r;
    int order;

    if (semver_parse(*left, SEMVER_STRICT, &l, &e) < 0 ||
        semver_parse(*right, SEMVER_STRICT, &r, &e) < 0)
        return 0; /* only versions are sorted */
    order = semver_compare(&r, &l);
    return order ? order : str_cmp(*right, *left); /* build parts: some order that stays */
}

static bool is_version(str text)
{
    AUTO(err_done) struct err ignored = {0};
    struct semver v;

    return semver_parse(text, SEMVER_STRICT, &v, &ignored) == 0;
}

static int list_versions(struct chart_oci *oci, const struct registry_name *name,
                         struct arena *arena, struct str_vec *ret, struct err *e)
{
    AUTO(str_vec_done) struct str_vec tags = {0};

    if (registry_get_tags(oci->registry, name, arena, &tags, e) < 0)
        return -1;
    for (size_t i = 0; i < tags.len; i++) {
        AUTO(buf_done) struct buf version = {0};

        version_of(tags.v[i], &version);
        if (is_version(buf_view(&version)))
            vec_push(ret, arena_dup(arena, buf_view(&version)));
    }
    vec_sort(ret, newer_first);
    return 0;
}

int chart_oci_tags(struct chart_oci *oci, str reference, struct arena *arena, struct str_vec *ret,
                   struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    struct registry_name name = {0};

    if (chart_oci_name_parse(reference, &text, &name, e) < 0)
        return -1;
    return list_versions(oci, &name, arena, ret, e);
}

/* Helm spec 11: an entry that is the request's text, else the newest that satisfies it. */
static int pick(const struct str_vec *versions, str wanted, str *ret, struct err *e)
{
    AUTO(semver_constraint_free) struct semver_constraint *c = NULL;

    for (size_t i = 0; i < versions->len && wanted.len; i++)
        if (str_eq(versions->v[i], wanted)) {
            *ret = versions->v[i];
            return 0;
        }
    c = semver_constraint_parse(wanted.len ? wanted : STR("*"), e);
    if (!c)
        return -1;
    for (size_t i = 0; i < versions->len; i++) {
        struct semver v;

        if (semver_parse(versions->v[i], SEMVER_STRICT, &v, e) < 0)
            return -1;
        if (semver_matches(c, &v, false)) {
            *ret = versions->v[i];
            return 0;
        }
    }
    return err_set(e, ERR_NOT_FOUND,
                   "could not locate a version matching provided version string %.*s",
                   STR_ARG(wanted));
}

static int choose_listed(struct chart_oci *oci, const struct registry_name *name, str reference,
                         str version, struct buf *ret, struct err *e)
{
    AUTO(arena_done) struct arena arena = {0};
    AUTO(str_vec_done) struct str_vec versions = {0};
    str found = STR_NONE;

    if (list_versions(oci, name, &arena, &versions, e) < 0)
        return -1;
    if (!versions.len)
        return err_set(e, ERR_NOT_FOUND, "unable to locate any tags in provided repository: %.*s",
                       STR_ARG(reference));
    if (pick(&versions, version, &found, e) < 0)
        return -1;
    buf_add_str(ret, found);
    return 0;
}

/* Appends the version that a reference without a digest means. */
static int choose(struct chart_oci *oci, const struct registry_name *name, str reference,
                  str version, struct buf *ret, struct err *e)
{
    AUTO(buf_done) struct buf tagged = {0};

    version_of(name->tag, &tagged);
    if (name->tag.p && version.len && !str_eq(version, buf_view(&tagged)) &&
        !str_eq(version, name->tag))
        return err_set(e, ERR_INVALID, "chart reference and version mismatch: %.*s is not %.*s",
                       STR_ARG(version), STR_ARG(name->tag));
    if (!name->tag.p && !is_version(version))
        return choose_listed(oci, name, reference, version, ret, e);
    buf_add_str(ret, name->tag.p ? buf_view(&tagged) : version);
    return 0;
}

int chart_oci_choose(struct chart_oci *oci, str reference, str version, struct buf *ret,
                     struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    struct registry_name name = {0};

    if (chart_oci_name_parse(reference, &text, &name, e) < 0)
        return -1;
    return choose(oci, &name, reference, version, ret, e);
}

/* ---- manifests */

static struct registry_descriptor descriptor_of(const struct doc_node *n)
{
    int64_t size = -1;

    doc_to_int64(doc_get_lit(n, "size"), &size);
    return (struct registry_descriptor){doc_string(doc_get_lit(n, "mediaType"), STR_NONE),
                                        doc_string(doc_get_lit(n, "digest"), STR_NONE), size};
}

static const struct doc_node *layer_of(const struct doc_node *manifest, str media_type)
{
    struct doc_iter it = doc_children(doc_get_lit(manifest, "layers"));

    while (doc_next(&it))
        if (str_eq(descriptor_of(it.value).media_type, media_type))
            return it.value;
    return NULL;
}

static bool is_chart(const struct doc_node *manifest)
{
    return str_eq(descriptor_of(doc_get_lit(manifest, "config")).media_type, CHART_OCI_CONFIG);
}

static struct doc_node *get_manifest(struct chart_oci *oci, const struct registry_name *name,
                                     str reference, struct doc_set *set, struct buf *ret_digest,
                                     struct err *e)
{
    AUTO(registry_manifest_done) struct registry_manifest m = {0};
    struct doc_node *root;

    if (registry_get_manifest(oci->registry, name, reference, &m, e) < 0)
        return NULL;
    buf_clear(ret_digest);
    buf_add_str(ret_digest, buf_view(&m.digest));
    root = doc_parse_json_flags(set, buf_view(&m.text), DOC_LAST_WINS, "manifest", e);
    if (root && !doc_is_map(root))
        err_set(e, ERR_INVALID, "manifest is no map");
    return doc_is_map(root) ? root : NULL;
}

/* An index is followed to its first manifest of a chart. */
static struct doc_node *enter_index(struct chart_oci *oci, const struct registry_name *name,
                                    const struct doc_node *index, struct doc_set *set,
                                    struct buf *ret_digest, struct err *e)
{
    struct doc_iter it = doc_children(doc_get_lit(index, "manifests"));

    for (int i = 0; i < MOST_MANIFESTS && doc_next(&it); i++) {
        str digest = descriptor_of(it.value).digest;
        struct doc_node *manifest;

        if (!registry_is_digest(digest))
            continue;
        manifest = get_manifest(oci, name, digest, set, ret_digest, e);
        if (!manifest || is_chart(manifest))
            return manifest;
    }
    err_set(e, ERR_NOT_FOUND, "the index has no manifest with a config of mediatype %.*s",
            STR_ARG(CHART_OCI_CONFIG));
    return NULL;
}

static const struct doc_node *archive_layer(const struct doc_node *manifest, struct err *e)
{
    const struct doc_node *layer = layer_of(manifest, CHART_OCI_CONTENT);

    if (!is_chart(manifest)) {
        err_set(e, ERR_INVALID, "could not load config with mediatype %.*s",
                STR_ARG(CHART_OCI_CONFIG));
        return NULL;
    }
    if (!layer)
        layer = layer_of(manifest, STR("application/tar+gzip"));
    if (!layer)
        err_set(e, ERR_INVALID, "manifest does not contain a layer with mediatype %.*s",
                STR_ARG(CHART_OCI_CONTENT));
    return layer;
}

static int take_layers(struct chart_oci *oci, const struct registry_name *name,
                       const struct doc_node *manifest, bool wants_prov,
                       struct chart_oci_pulled *ret, struct err *e)
{
    const struct doc_node *archive = archive_layer(manifest, e);
    const struct doc_node *prov = layer_of(manifest, CHART_OCI_PROV);
    struct registry_descriptor blob = descriptor_of(archive);
    str digest = blob.digest;

    if (!archive)
        return -1;
    ret->is_recalled = oci->dirs && str_drop_prefix(&digest, STR("sha256:")) &&
                       chart_cache_get(oci->dirs, digest, "chart", &ret->archive);
    if (!ret->is_recalled &&
        registry_get_blob(oci->registry, name, &blob, CHART_OCI_MAX_ARCHIVE, &ret->archive, e) < 0)
        return -1;
    buf_add_str(&ret->archive_digest, blob.digest);
    if (!wants_prov || !prov)
        return 0;
    blob = descriptor_of(prov);
    return registry_get_blob(oci->registry, name, &blob, CHART_OCI_MAX_PROV, &ret->prov, e);
}

/* A digest says what is meant; a version beside it must be the same thing. */
static int check_digest(struct chart_oci *oci, const struct registry_name *name, str version,
                        struct err *e)
{
    AUTO(buf_done) struct buf tag = {0}, digest = {0};

    if (!version.len)
        return 0;
    chart_oci_tag_of(version, &tag);
    if (!registry_is_tag(buf_view(&tag)))
        return err_set(e, ERR_INVALID, "beside a digest, the version must be exact: \"%.*s\"",
                       STR_ARG(version));
    if (registry_resolve(oci->registry, name, buf_view(&tag), &digest, e) < 0)
        return -1;
    if (!str_eq(buf_view(&digest), name->digest))
        return err_set(e, ERR_CONFLICT, "chart reference digest mismatch: %s is not %.*s",
                       buf_cstr(&digest), STR_ARG(name->digest));
    return 0;
}

static void add_name(const struct registry_name *name, struct chart_oci_pulled *ret)
{
    ssize_t slash = str_rfind_char(name->path, '/');

    buf_add_str(&ret->name, str_from(name->path, (size_t)(slash + 1)));
    buf_addf(&ret->reference, "%.*s/%.*s", STR_ARG(name->host), STR_ARG(name->path));
}

/* What is asked for at the registry, a tag or digest, is put into out. */
static int settle(struct chart_oci *oci, const struct registry_name *name, str reference,
                  str version, struct chart_oci_pulled *ret, struct buf *out, struct err *e)
{
    add_name(name, ret);
    if (name->digest.p) {
        if (check_digest(oci, name, version, e) < 0)
            return -1;
        buf_add_str(out, name->digest);
        buf_addf(&ret->reference, "@%.*s", STR_ARG(name->digest));
        return 0;
    }
    if (choose(oci, name, reference, version, &ret->version, e) < 0)
        return -1;
    chart_oci_tag_of(buf_view(&ret->version), out);
    buf_addf(&ret->reference, ":%s", buf_cstr(out));
    return 0;
}

int chart_oci_pull(struct chart_oci *oci, str reference, str version, bool wants_prov,
                   struct chart_oci_pulled *ret, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf text = {0}, wanted = {0};
    struct registry_name name = {0};
    struct doc_node *manifest;

    if (chart_oci_name_parse(reference, &text, &name, e) < 0 ||
        settle(oci, &name, reference, version, ret, &wanted, e) < 0)
        return -1;
    manifest = get_manifest(oci, &name, buf_view(&wanted), set, &ret->digest, e);
    if (manifest && doc_get_lit(manifest, "manifests") && !is_chart(manifest))
        manifest = enter_index(oci, &name, manifest, set, &ret->digest, e);
    return manifest ? take_layers(oci, &name, manifest, wants_prov, ret, e) : -1;
}

int chart_oci_ping(struct chart_oci *oci, str host, struct err *e)
{
    return registry_ping(oci->registry, host, e);
}
