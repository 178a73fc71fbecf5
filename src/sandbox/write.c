/* Create, update, patch: from a request's body to a stored state. */
#include "sandbox/write.h"

#include "doc/at.h"
#include "sandbox/addresses.h"
#include "sandbox/apply/fields.h"
#include "sandbox/protobuf/protobuf.h"
#include "sandbox/types/crd.h"
#include "sandbox/types/typed.h"

/* ---- the body */

struct doc_node *sb_body(struct sb_req *r)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *n;

    if (str_contains(r->content_type, STR("cbor"))) {
        sb_fail(r, 415, NULL,
                "the body of the request was in an unknown format - accepted media types include: "
                "application/json, application/yaml, application/vnd.kubernetes.protobuf");
        return NULL;
    }
    if (sb_is_protobuf(r->content_type))
        n = sb_protobuf_decode(r->set, r->body, &e);
    else if (str_contains(r->content_type, STR("yaml")) && !str_starts(str_trim(r->body), STR("{")))
        n = doc_parse(r->set, r->body, DOC_MANIFEST, "body", &e);
    else
        n = doc_parse_json_flags(r->set, r->body, DOC_BORROW, "body", &e);
    if (!n || !doc_is_map(n)) {
        sb_fail(r, e.kind == ERR_UNSUPPORTED ? 415 : 400, NULL,
                "the object provided is unrecognized (must be of type %.*s): %s",
                STR_ARG(r->kind->kind), n ? "it is no object" : err_text(&e));
        return NULL;
    }
    return n;
}

/* apiVersion, kind and namespace of a body agree with the path; absent ones are filled in. */
static int check_type(struct sb_req *r, struct doc_node *n)
{
    str api = sb_api_version(r->kind, &r->arena);
    str have = doc_text(doc_get_lit(n, "apiVersion"), api);
    str kind = doc_text(doc_get_lit(n, "kind"), r->kind->kind);
    struct doc_node *meta = doc_get_lit(n, "metadata");
    str ns = doc_text(doc_get_lit(meta, "namespace"), STR_NONE);

    if (!str_eq(have, api))
        return sb_fail(r, 400, NULL,
                       "the API version in the data (%.*s) does not match the expected API version "
                       "(%.*s)",
                       STR_ARG(have), STR_ARG(api));
    if (!str_eq(kind, r->kind->kind))
        return sb_fail(r, 400, NULL, "%.*s in version \"%.*s\" cannot be handled as a %.*s",
                       STR_ARG(kind), STR_ARG(r->kind->version), STR_ARG(r->kind->kind));
    if (meta && !doc_is_map(meta) && !doc_is_null(meta))
        return sb_fail(r, 400, NULL, "metadata must be an object");
    doc_set_string(r->set, n, STR("apiVersion"), api);
    doc_set_string(r->set, n, STR("kind"), kind);
    if (!r->kind->namespaced) {
        doc_remove(sb_meta(r->set, n), STR("namespace"));
    } else {
        if (ns.len && !str_eq(ns, r->ns))
            return sb_fail(r, 400, NULL,
                           "the namespace of the provided object does not match the namespace sent "
                           "on the request");
        doc_set_string(r->set, sb_meta(r->set, n), STR("namespace"), r->ns);
    }
    return 0;
}

static bool is_dry_run(const struct sb_req *r) { return str_eq(sb_param(r, "dryRun"), STR("All")); }

static int check_options(struct sb_req *r)
{
    str dry = sb_param(r, "dryRun");

    if (sb_has_param(r, "dryRun") && !str_eq(dry, STR("All")))
        return sb_fail(r, 422, "Invalid",
                       "CreateOptions.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: "
                       "\"%.*s\": supported values: \"All\"",
                       STR_ARG(dry));
    return 0;
}

/* ---- create */

static int check_namespace(struct sb_req *r, str name)
{
    const struct sb_res *res = sb_res_of(r->sb, STR_NONE, STR("namespaces"));
    const struct sb_slot *slot;

    if (!r->kind->namespaced || r->sb->o.is_bare)
        return 0;
    slot = sb_find((struct sb_res *)res, STR_NONE, r->ns);
    if (!slot)
        return sb_fail_not_found(r, res->kinds.v[0], r->ns);
    if (slot->brief.is_deleting)
        return sb_fail(r, 403, NULL,
                       "%.*s \"%.*s\" is forbidden: unable to create new content in namespace %.*s "
                       "because it is being terminated",
                       STR_ARG(sb_kind_resource(r->kind, &r->arena)), STR_ARG(name),
                       STR_ARG(r->ns));
    return 0;
}

static int check_name(struct sb_req *r, const struct doc_node *n)
{
    str name = doc_text(doc_at(n, "metadata/name"), STR_NONE);
    AUTO(sb_causes_done) struct sb_causes c = {0};

    if (name.len || doc_text(doc_at(n, "metadata/generateName"), STR_NONE).len)
        return 0;
    sb_cause(&c, "FieldValueRequired", STR("metadata.name"),
             "Required value: name or generateName is required");
    return sb_fail_invalid(r, r->kind, STR_NONE, &c);
}

/* As decoding does: unknown fields go, and what does not fit is refused. */
static int decode(struct sb_req *r, struct doc_node *n)
{
    return r->sb->o.is_bare ? 0 : sb_typed_admit(r, r->kind, n);
}

/* Defaults and checks: the same for a new and a changed object. */
static int admit(struct sb_req *r, struct sb_change *c)
{
    AUTO(sb_causes_done) struct sb_causes causes = {0};
    const struct doc_node *schema = c->kind->schema;
    struct doc_node *now = c->now;

    if (r->sb->o.is_bare)
        return 0;
    if (schema)
        sb_schema_default(schema, r->set, now);
    sb_default(c->kind, r->set, now, c->old);
    sb_validate(c->kind, now, c->old, &causes);
    if (schema)
        sb_schema_validate(c->kind, now, c->old, &causes);
    if (!causes.len)
        sb_addresses_check(r->sb, c->kind->res, now, c->old, &causes);
    if (causes.len)
        return sb_fail_invalid(r, c->kind, doc_text(doc_at(now, "metadata/name"), STR_NONE),
                               &causes);
    return 0;
}

void sb_answer_unstored(struct sb_req *r, int status, const struct doc_node *n)
{
    r->status = status;
    doc_emit_json(n, 0, &r->out);
    buf_add_char(&r->out, '\n');
}

static int sb_finish_create(struct sb_req *r, struct sb_change *c)
{
    const struct sb_slot *there;
    struct doc_node *meta;
    str name;

    (void)sb_meta(r->set, c->now); /* made when it is missing */
    if (c->kind->has_status && !r->sb->o.is_bare && !str_eq(c->kind->kind, STR("Node")))
        doc_remove(c->now, STR("status"));
    if (check_name(r, c->now) < 0)
        return -1;
    sb_meta_new(r->sb, c->kind, r->set, c->now);
    meta = doc_get_lit(c->now, "metadata");
    name = doc_text(doc_get_lit(meta, "name"), STR_NONE);
    if (check_namespace(r, name) < 0)
        return -1;
    if (admit(r, c) < 0)
        return -1;
    there = sb_find(c->kind->res, doc_text(doc_get_lit(meta, "namespace"), STR_NONE), name);
    if (there)
        return sb_fail_exists(r, c->kind, there);
    if (!c->is_apply)
        sb_fields_changed(r->sb, c->kind, r->set, NULL, c->now, c->manager, c->sub);
    if (!r->sb->o.is_bare)
        sb_prepare(r->sb, c->kind, r->set, c->now, NULL);
    doc_remove(meta, STR("resourceVersion"));
    r->result_kind = c->kind->kind;
    r->result_name = arena_dup(&r->arena, name);
    if (is_dry_run(r)) {
        sb_answer_unstored(r, 201, c->now);
        return 0;
    }
    if (str_eq(c->kind->kind, STR("CustomResourceDefinition")))
        sb_crd_apply(r->sb, r->set, c->now);
    sb_answer(r, 201, sb_store(r->sb, c->kind->res, NULL, r->set, c->now)->obj);
    return 0;
}

int sb_do_create(struct sb_req *r)
{
    struct sb_change c = {.kind = r->kind, .manager = sb_manager(r), .sub = STR_NONE};

    if (check_options(r) < 0)
        return -1;
    c.now = sb_body(r);
    if (!c.now || check_type(r, c.now) < 0 || decode(r, c.now) < 0)
        return -1;
    doc_remove(sb_meta(r->set, c.now), STR("managedFields"));
    return sb_finish_create(r, &c);
}

struct sb_slot *sb_internal_create(struct sandbox *sb, struct sb_kind *kind, struct doc_set *set,
                                   struct doc_node *object)
{
    const struct doc_node *meta;

    sb_meta_new(sb, kind, set, object);
    meta = doc_get_lit(object, "metadata");
    if (sb_find(kind->res, doc_text(doc_get_lit(meta, "namespace"), STR_NONE),
                doc_text(doc_get_lit(meta, "name"), STR_NONE)))
        return NULL;
    sb_default(kind, set, object, NULL);
    sb_prepare(sb, kind, set, object, NULL);
    return sb_store(sb, kind->res, NULL, set, object);
}

/* ---- update */

/* What a request to this path may not change comes from the old state. */
static void keep_others(struct sb_req *r, struct sb_change *c)
{
    if (str_eq(c->sub, STR("status"))) {
        struct doc_node *status = doc_get_lit(c->now, "status");
        struct doc_node *base = doc_copy(r->set, c->old);
        struct doc_node *fields = doc_at(c->now, "metadata/managedFields");

        if (status)
            doc_set_field(r->set, base, STR("status"), doc_copy(r->set, status));
        else
            doc_remove(base, STR("status"));
        if (fields)
            doc_set_field(r->set, sb_meta(r->set, base), STR("managedFields"),
                          doc_copy(r->set, fields));
        c->now = base;
        return;
    }
    if (c->kind->has_status && !r->sb->o.is_bare) {
        const struct doc_node *status = doc_get_lit(c->old, "status");

        if (status)
            doc_set_field(r->set, c->now, STR("status"), doc_copy(r->set, status));
        else
            doc_remove(c->now, STR("status"));
    }
}

/* The last finalizer is gone: what was being deleted goes now. */
static bool is_finished(const struct doc_node *n)
{
    return doc_at(n, "metadata/deletionTimestamp") &&
           doc_len(doc_at(n, "metadata/finalizers")) == 0 &&
           doc_len(doc_at(n, "spec/finalizers")) == 0 &&
           doc_int_at(n, "metadata/deletionGracePeriodSeconds", 0) == 0;
}

static int store_change(struct sb_req *r, struct sb_change *c)
{
    const struct sb_obj *obj;

    if (is_finished(c->now)) {
        sb_answer_unstored(r, 200, c->now);
        if (str_eq(c->kind->kind, STR("CustomResourceDefinition")))
            sb_crd_removed(r->sb, c->now);
        sb_drop(r->sb, c->slot, r->set, c->now);
        return 0;
    }
    if (str_eq(c->kind->kind, STR("CustomResourceDefinition")))
        sb_crd_apply(r->sb, r->set, c->now);
    obj = sb_store(r->sb, c->kind->res, c->slot, r->set, c->now)->obj;
    sb_answer(r, 200, obj);
    return 0;
}

int sb_finish_update(struct sb_req *r, struct sb_change *c)
{
    struct doc_node *meta = sb_meta(r->set, c->now);
    str uid = doc_text(doc_get_lit(meta, "uid"), STR_NONE);
    str version = doc_text(doc_get_lit(meta, "resourceVersion"), STR_NONE);
    str name = doc_text(doc_at(c->old, "metadata/name"), STR_NONE);

    r->result_kind = c->kind->kind;
    r->result_name = arena_dup(&r->arena, name);
    if (sb_check_preconditions(r, c->kind, c->old, uid, version) < 0)
        return -1;
    keep_others(r, c);
    sb_meta_keep(r->set, c->now, c->old);
    if (admit(r, c) < 0)
        return -1;
    if (!str_eq(c->sub, STR("status")))
        sb_meta_bump(c->kind, r->set, c->now, c->old);
    if (!c->is_apply)
        sb_fields_changed(r->sb, c->kind, r->set, c->old, c->now, c->manager, c->sub);
    if (!r->sb->o.is_bare)
        sb_prepare(r->sb, c->kind, r->set, c->now, c->old);
    if (is_dry_run(r)) {
        sb_answer_unstored(r, 200, c->now);
        return 0;
    }
    if (sb_same_state(c->now, c->old) && !sb_fields_differ(c->now, c->old)) {
        sb_answer(r, 200, c->slot->obj);
        return 0;
    }
    return store_change(r, c);
}

static int load_old(struct sb_req *r, struct sb_change *c)
{
    c->slot = sb_find(r->kind->res, r->ns, r->name);
    if (!c->slot)
        return sb_fail_not_found(r, r->kind, r->name);
    c->old = sb_load(r->set, r->kind, c->slot->obj);
    return 0;
}

/* Custom resources are not replaced without saying what is. */
static int names_version(struct sb_req *r, const struct doc_node *n)
{
    static const char *const why = "Invalid value: 0: must be specified for an update";
    str field = STR("metadata.resourceVersion");
    AUTO(sb_causes_done) struct sb_causes c = {0};

    if (!r->kind->is_custom || r->sb->o.is_bare ||
        doc_text(doc_at(n, "metadata/resourceVersion"), STR_NONE).len)
        return 0;
    sb_cause(&c, "FieldValueInvalid", field, "%s", why);
    return sb_fail_invalid(r, r->kind, r->name, &c);
}

/* Whether what an update names is to be made. */
static bool creates(const struct sb_req *r)
{
    return r->kind->put_creates && !r->sub.len && !r->sb->o.is_bare &&
           !sb_find(r->kind->res, r->ns, r->name);
}

/* Told as the API server's storage tells it, by the object's key. */
static const char *missing_uid(struct sb_req *r, str uid)
{
    str place = r->kind->res->plural;
    str why;

    if (str_eq(r->kind->kind, STR("Service")))
        place = STR("services/specs");
    else if (str_eq(r->kind->kind, STR("Endpoints")))
        place = STR("services/endpoints");
    why = arena_printf(&r->arena,
                       "StorageError: invalid object, Code: 4, Key: /registry/%.*s%s%.*s/%.*s, "
                       "ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in "
                       "precondition: %.*s, UID in object meta: ",
                       STR_ARG(place), r->ns.len ? "/" : "", STR_ARG(r->ns), STR_ARG(r->name),
                       STR_ARG(uid));
    return arena_cstr(&r->arena, why);
}

/* Whoever names a uid wants that object and no new one. */
static int create_by_update(struct sb_req *r, struct sb_change *c)
{
    str uid = doc_text(doc_at(c->now, "metadata/uid"), STR_NONE);

    if (uid.len)
        return sb_fail_conflict(r, r->kind, r->name, missing_uid(r, uid));
    doc_remove(sb_meta(r->set, c->now), STR("managedFields"));
    return sb_finish_create(r, c);
}

int sb_do_update(struct sb_req *r)
{
    struct sb_change c = {.kind = r->kind, .manager = sb_manager(r), .sub = r->sub};
    str name;

    if (check_options(r) < 0)
        return -1;
    c.now = sb_body(r);
    if (!c.now || check_type(r, c.now) < 0 || decode(r, c.now) < 0)
        return -1;
    name = doc_text(doc_at(c.now, "metadata/name"), STR_NONE);
    if (!str_eq(name, r->name))
        return sb_fail(r, 400, NULL,
                       "the name of the object (%.*s) does not match the name on the URL (%.*s)",
                       STR_ARG(name), STR_ARG(r->name));
    if (creates(r))
        return create_by_update(r, &c);
    if (load_old(r, &c) < 0 || names_version(r, c.now) < 0)
        return -1;
    if (!doc_at(c.now, "metadata/managedFields") && doc_at(c.old, "metadata/managedFields"))
        doc_set_field(r->set, sb_meta(r->set, c.now), STR("managedFields"),
                      doc_copy(r->set, doc_at(c.old, "metadata/managedFields")));
    return sb_finish_update(r, &c);
}

/* ---- patch */

static bool is_apply(const struct sb_req *r)
{
    return str_starts(r->content_type, STR("application/apply-patch+yaml"));
}

/* An apply patch has to say what it is. */
static int names_type(struct sb_req *r, const struct doc_node *config)
{
    str api = doc_text(doc_get_lit(config, "apiVersion"), STR_NONE);
    str kind = doc_text(doc_get_lit(config, "kind"), STR_NONE);

    if ((api.len && kind.len) || r->sb->o.is_bare)
        return 0;
    return sb_fail(r, 400, NULL, "invalid object type: %s%.*s, Kind=%.*s",
                   str_contains(api, STR("/")) ? "" : "/", STR_ARG(api), STR_ARG(kind));
}

static int do_apply(struct sb_req *r)
{
    struct sb_change c = {
        .kind = r->kind, .manager = sb_param(r, "fieldManager"), .sub = r->sub, .is_apply = true};
    struct doc_node *config = sb_body(r);
    str name, ns = doc_text(doc_at(config, "metadata/namespace"), STR_NONE);

    if (!config)
        return -1;
    if (!c.manager.len)
        return sb_fail(r, 422, "Invalid",
                       "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is "
                       "required for apply patch");
    if (names_type(r, config) < 0 || check_type(r, config) < 0)
        return -1;
    name = doc_text(doc_at(config, "metadata/name"), r->name);
    if (!str_eq(name, r->name))
        return sb_fail(r, 400, NULL,
                       "the name of the object (%.*s) does not match the name on the URL (%.*s)",
                       STR_ARG(name), STR_ARG(r->name));
    doc_set_string(r->set, sb_meta(r->set, config), STR("name"), r->name);
    if (doc_at(config, "metadata/managedFields"))
        return sb_fail(r, 400, NULL, "metadata.managedFields must be nil");
    if (!r->sb->o.is_bare && sb_apply_check(r, config, ns) < 0)
        return -1;
    c.slot = sb_find(r->kind->res, r->ns, r->name);
    if (c.slot)
        c.old = sb_load(r->set, r->kind, c.slot->obj);
    else if (r->sub.len)
        return sb_fail_not_found(r, r->kind, r->name);
    c.now = sb_fields_apply(r, c.old, config, c.manager);
    if (!c.now || decode(r, c.now) < 0)
        return -1;
    return c.old ? sb_finish_update(r, &c) : sb_finish_create(r, &c);
}

int sb_do_patch(struct sb_req *r)
{
    struct sb_change c = {.kind = r->kind, .manager = sb_manager(r), .sub = r->sub};

    if (check_options(r) < 0)
        return -1;
    if (is_apply(r))
        return do_apply(r);
    if (sb_check_patch_type(r) < 0 || load_old(r, &c) < 0)
        return -1;
    c.now = sb_patched(r, c.old);
    if (!c.now || check_type(r, c.now) < 0 || decode(r, c.now) < 0)
        return -1;
    if (!doc_text(doc_at(c.now, "metadata/name"), STR_NONE).len)
        return sb_fail(
            r, 400, NULL,
            "the name of the object (%.*s based on URL) was undeterminable: name must be "
            "provided",
            STR_ARG(r->name));
    if (!str_eq(doc_text(doc_at(c.now, "metadata/name"), STR_NONE), r->name))
        return sb_fail(r, 422, NULL, "metadata.name: Invalid value: field is immutable");
    return sb_finish_update(r, &c);
}
