/* The verbs: get, create, update, patch, delete, logs, and raw requests. */
#include "doc/emit.h"
#include "doc/parse.h"
#include "kube/client_priv.h"

void kube_object_done(struct kube_object *o)
{
    doc_set_free(o->set);
    *o = (struct kube_object){0};
}

int kube_parse_answer(struct http_response *r, struct kube_object *ret, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    str body = buf_view(&r->body);
    struct doc_node *root;

    if (kube_is_page(body))
        return kube_page_error(r->status, body, e);
    if (body.len)
        arena_adopt(&set->arena, buf_take(&r->body));
    root = doc_parse_json_view(set, body, "the server's answer", e);
    if (!root) {
        e->kind = ERR_IO; /* not what the user wrote is at fault */
        return err_wrap(e, "is this a Kubernetes API server?");
    }
    kube_object_done(ret);
    ret->set = TAKE(set);
    ret->root = root;
    return 0;
}

/* Of an answer that nobody reads: a page of some proxy is no sign that anything was done. */
static int check_answer(str body, struct err *e)
{
    if (kube_is_page(body))
        return kube_page_error(200, body, e);
    if (!str_starts(str_trim(body), STR("{")))
        return err_set(e, ERR_IO,
                       "the server's answer is no JSON object; is this a Kubernetes API server?");
    return 0;
}

static int check_name(const struct kube_ref *ref, struct err *e)
{
    if (ref->name.len == 0)
        return err_set(e, ERR_INVALID, "%.*s without a name", STR_ARG(ref->type->kind));
    if (str_eq(ref->name, STR(".")) || str_eq(ref->name, STR("..")))
        return err_set(e, ERR_INVALID, "\"%.*s\" is not a name", STR_ARG(ref->name));
    return 0;
}

static int send_object(struct kube *k, const struct kube_call *call, struct cancel *cancel,
                       struct kube_object *ret, struct err *e)
{
    AUTO(http_response_done) struct http_response r = {0};

    if (kube_send_ok(k, call, cancel, &r, e) < 0)
        return -1;
    return ret ? kube_parse_answer(&r, ret, e) : check_answer(buf_view(&r.body), e);
}

int kube_get(struct kube *k, const struct kube_ref *ref, struct cancel *cancel,
             struct kube_object *ret, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};
    struct kube_call call = {.method = "GET"};

    if (check_name(ref, e) < 0)
        return -1;
    kube_path(ref, false, &path);
    call.path = buf_view(&path);
    return send_object(k, &call, cancel, ret, e);
}

static void add_options(const struct kube_write_options *options, bool is_apply, struct buf *path)
{
    struct kube_query q = {.out = path};

    if (!options)
        return;
    kube_query_add(&q, "fieldManager", options->field_manager);
    if (options->dry_run)
        kube_query_add(&q, "dryRun", STR("All"));
    if (is_apply && options->force)
        kube_query_add(&q, "force", STR("true"));
    kube_query_add(&q, "fieldValidation", options->field_validation);
}

static int write_object(struct kube *k, struct kube_call *call, struct buf *path,
                        const struct doc_node *object, const struct kube_write_options *options,
                        struct cancel *cancel, struct kube_object *ret, struct err *e)
{
    AUTO(buf_done) struct buf body = {0};

    add_options(options, str_contains(call->content_type, STR("apply-patch")), path);
    doc_emit_json(object, 0, &body);
    if (!ret) /* nobody reads it: what is least to send and to decrypt */
        call->accept = STR("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
                           "application/json");
    call->path = buf_view(path);
    call->body = buf_view(&body);
    return send_object(k, call, cancel, ret, e);
}

int kube_create(struct kube *k, const struct kube_ref *ref, const struct doc_node *object,
                const struct kube_write_options *options, struct cancel *cancel,
                struct kube_object *ret, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};
    struct kube_call call = {.method = "POST"};

    if (ref->subresource.len && check_name(ref, e) < 0)
        return -1;
    /* with a generated name a second one would be made */
    call.is_repeatable =
        !ref->subresource.len && doc_string(doc_at(object, "metadata/name"), STR_NONE).len > 0;
    kube_path(ref, ref->subresource.len == 0, &path);
    return write_object(k, &call, &path, object, options, cancel, ret, e);
}

int kube_update(struct kube *k, const struct kube_ref *ref, const struct doc_node *object,
                const struct kube_write_options *options, struct cancel *cancel,
                struct kube_object *ret, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};
    struct kube_call call = {.method = "PUT", .is_repeatable = true};

    if (check_name(ref, e) < 0)
        return -1;
    kube_path(ref, false, &path);
    return write_object(k, &call, &path, object, options, cancel, ret, e);
}

static str patch_type(enum kube_patch kind)
{
    switch (kind) {
    case KUBE_PATCH_JSON:
        return STR("application/json-patch+json");
    case KUBE_PATCH_MERGE:
        return STR("application/merge-patch+json");
    case KUBE_PATCH_STRATEGIC:
        return STR("application/strategic-merge-patch+json");
    case KUBE_PATCH_APPLY:
        return STR(
            "application/apply-patch+yaml"); /* JSON is YAML; every server version knows it */
    }
    return STR_NONE;
}

/* A patch that names no version of the object, or the first of an object: when others write at the
 * same time, the server's 409 says only that it gave up. In an apply it may also name the fields
 * of others, unless it is forced. */
static bool bears_change(enum kube_patch kind, const struct doc_node *patch,
                         const struct kube_write_options *options)
{
    if (kind == KUBE_PATCH_JSON || doc_at(patch, "metadata/resourceVersion") ||
        doc_at(patch, "metadata/uid"))
        return false;
    return kind != KUBE_PATCH_APPLY || (options && options->force);
}

int kube_patch(struct kube *k, const struct kube_ref *ref, enum kube_patch kind,
               const struct doc_node *patch, const struct kube_write_options *options,
               struct cancel *cancel, struct kube_object *ret, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};
    struct kube_call call = {.method = "PATCH",
                             .content_type = patch_type(kind),
                             .is_repeatable = kind != KUBE_PATCH_JSON, /* it may add to lists */
                             .bears_change = bears_change(kind, patch, options)};

    if (check_name(ref, e) < 0)
        return -1;
    kube_path(ref, false, &path);
    return write_object(k, &call, &path, patch, options, cancel, ret, e);
}

static const char policies[][11] = {
    [KUBE_BACKGROUND] = "Background", [KUBE_FOREGROUND] = "Foreground", [KUBE_ORPHAN] = "Orphan"};

static void delete_body(const struct kube_delete_options *options, struct buf *out)
{
    buf_addf(out, "{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"propagationPolicy\":\"%s\"",
             policies[options->propagation]);
    if (options->uid.len || options->resource_version.len) {
        buf_add_cstr(out, ",\"preconditions\":{");
        if (options->uid.len) {
            buf_add_cstr(out, "\"uid\":");
            doc_json_quote(options->uid, 0, out);
        }
        if (options->resource_version.len) {
            buf_add_cstr(out, options->uid.len ? ",\"resourceVersion\":" : "\"resourceVersion\":");
            doc_json_quote(options->resource_version, 0, out);
        }
        buf_add_char(out, '}');
    }
    buf_add_cstr(out, options->dry_run ? ",\"dryRun\":[\"All\"]}" : "}");
}

int kube_delete(struct kube *k, const struct kube_ref *ref,
                const struct kube_delete_options *options, struct cancel *cancel, struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, body = {0};
    struct kube_call call = {.method = "DELETE", .is_repeatable = true};

    if (check_name(ref, e) < 0)
        return -1;
    kube_path(ref, false, &path);
    /* in the query too: that is what logs and proxies show */
    buf_addf(&path, "?propagationPolicy=%s",
             policies[options ? options->propagation : KUBE_BACKGROUND]);
    delete_body(options ? options : &(struct kube_delete_options){0}, &body);
    call.path = buf_view(&path);
    call.body = buf_view(&body);
    return send_object(k, &call, cancel, NULL, e);
}

int kube_log(struct kube *k, str ns, str pod, str container, int tail_lines, bool previous,
             struct cancel *cancel, struct buf *out, struct err *e)
{
    static const struct kube_type pods = {.version = STR_INIT("v1"),
                                          .plural = STR_INIT("pods"),
                                          .kind = STR_INIT("Pod"),
                                          .namespaced = true};
    struct kube_ref ref = {.type = &pods, .ns = ns, .name = pod, .subresource = STR("log")};
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(buf_done) struct buf path = {0};
    struct kube_query q = {.out = &path};
    struct kube_call call = {.method = "GET", .accept = STR("*/*")};
    char lines[16];

    if (check_name(&ref, e) < 0)
        return -1;
    kube_path(&ref, false, &path);
    kube_query_add(&q, "container", container);
    snprintf(lines, sizeof(lines), "%d", tail_lines);
    if (tail_lines > 0)
        kube_query_add(&q, "tailLines", str_of(lines));
    if (previous)
        kube_query_add(&q, "previous", STR("true"));
    call.path = buf_view(&path);
    if (kube_send_ok(k, &call, cancel, &r, e) < 0)
        return -1;
    buf_add_str(out, buf_view(&r.body));
    return 0;
}

int kube_raw(struct kube *k, const char *method, str path, str content_type, str body,
             struct cancel *cancel, struct buf *ret_body, int *ret_status, struct err *e)
{
    AUTO(http_response_done) struct http_response r = {0};
    struct kube_call call = {
        .method = method, .path = path, .content_type = content_type, .body = body};

    if (!str_starts(path, STR("/")))
        return err_set(e, ERR_INVALID, "path \"%.*s\" must start with '/'", STR_ARG(path));
    if (kube_send(k, &call, cancel, &r, e) < 0)
        return -1;
    *ret_status = r.status;
    buf_add_str(ret_body, buf_view(&r.body));
    return 0;
}

int kube_server_version(struct kube *k, struct cancel *cancel, struct buf *out, struct err *e)
{
    AUTO(kube_object_done) struct kube_object version = {0};
    struct kube_call call = {.method = "GET", .path = STR("/version")};

    if (send_object(k, &call, cancel, &version, e) < 0)
        return -1;
    buf_add_str(out, doc_text(doc_get_lit(version.root, "gitVersion"), STR("unknown")));
    return 0;
}
