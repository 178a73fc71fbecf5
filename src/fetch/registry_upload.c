/* Uploads to registries. */
#include "base/escape.h"
#include "fetch/registry_priv.h"

static struct registry_call call_of(const struct registry_name *name, const char *method,
                                    str target)
{
    return (struct registry_call){.method = method,
                                  .host = name->host,
                                  .target = target,
                                  .repository = name->path,
                                  .actions = "pull,push"};
}

static int has_blob(struct registry *r, const struct registry_name *name, str digest, struct err *e)
{
    AUTO(http_response_done) struct http_response answer = {0};
    AUTO(buf_done) struct buf target = {0};
    struct registry_call call;

    buf_addf(&target, "/v2/%.*s/blobs/%.*s", STR_ARG(name->path), STR_ARG(digest));
    call = call_of(name, "HEAD", buf_view(&target));
    if (registry_send(r, &call, &answer, e) < 0 ||
        registry_expect(r, &call, &answer, 200, 404, e) < 0)
        return -1;
    return answer.status == 200;
}

/* Begins an upload; where its bytes go is put into out. */
static int begin(struct registry *r, const struct registry_name *name, str digest, struct buf *out,
                 struct err *e)
{
    AUTO(http_response_done) struct http_response answer = {0};
    AUTO(buf_done) struct buf target = {0};
    struct registry_call call;
    str location;

    buf_addf(&target, "/v2/%.*s/blobs/uploads/", STR_ARG(name->path));
    call = call_of(name, "POST", buf_view(&target));
    call.body = STR("");
    if (registry_send(r, &call, &answer, e) < 0 ||
        registry_expect(r, &call, &answer, 202, 202, e) < 0)
        return -1;
    location = http_response_header(&answer, "location");
    if (!str_starts(location, STR("/")) && !str_starts(location, STR("http://")) &&
        !str_starts(location, STR("https://")))
        return err_set(e, ERR_INVALID, "%.*s: an upload without a place to go",
                       STR_ARG(name->host));
    buf_add_str(out, location);
    buf_addf(out, "%sdigest=", str_find_char(location, '?') >= 0 ? "&" : "?");
    escape_percent(digest, "", out);
    return 0;
}

/* One upload from its begin to its end. 1: it failed in a way that passes. */
static int upload(struct registry *r, const struct registry_name *name, str digest, str bytes,
                  struct http_response *answer, struct err *e)
{
    AUTO(buf_done) struct buf target = {0};
    struct registry_call call;
    int rc;

    if (begin(r, name, digest, &target, e) < 0)
        return -1;
    call = call_of(name, "PUT", buf_view(&target));
    call.content_type = STR("application/octet-stream");
    call.body = bytes;
    call.is_once = true;
    rc = registry_send(r, &call, answer, e);
    if (registry_is_passing(rc < 0 ? NULL : answer, e)) {
        if (rc == 0)
            return registry_expect(r, &call, answer, 201, 201, e) < 0;
        return 1;
    }
    return rc < 0 ? -1 : registry_expect(r, &call, answer, 201, 201, e);
}

int registry_put_blob(struct registry *r, const struct registry_name *name, str digest, str bytes,
                      struct err *e)
{
    AUTO(http_response_done) struct http_response answer = {0};
    int rc = has_blob(r, name, digest, e);

    if (rc != 0)
        return rc < 0 ? -1 : 0;
    for (int attempt = 0;; attempt++) {
        rc = upload(r, name, digest, bytes, &answer, e);
        if (rc <= 0)
            return rc;
        if (attempt + 1 == REGISTRY_ATTEMPTS)
            return -1;
        err_done(e);
        if (cancel_sleep(r->cancel, registry_wait_ms(r, &answer, attempt), e) < 0)
            return -1;
    }
}

int registry_put_manifest(struct registry *r, const struct registry_name *name, str reference,
                          str media_type, str text, struct err *e)
{
    AUTO(http_response_done) struct http_response answer = {0};
    AUTO(buf_done) struct buf target = {0};
    struct registry_call call;

    buf_addf(&target, "/v2/%.*s/manifests/%.*s", STR_ARG(name->path), STR_ARG(reference));
    call = call_of(name, "PUT", buf_view(&target));
    call.content_type = media_type;
    call.body = text;
    if (registry_send(r, &call, &answer, e) < 0)
        return -1;
    return registry_expect(r, &call, &answer, 201, 201, e);
}
