/* The scale subresource: the number of replicas of anything that has one. */
#include "doc/at.h"
#include "sandbox/types/crd.h"
#include "sandbox/write.h"

/* Paths with '/', where replicas, status replicas and the selector stand. */
struct paths {
    char spec[128], status[128], selector[128];
};

static void slashes(str path, char *out, size_t size)
{
    size_t n = 0;

    str_drop_prefix(&path, STR("."));
    for (; n < path.len && n + 1 < size; n++)
        out[n] = path.p[n] == '.' ? '/' : path.p[n];
    out[n] = '\0';
}

static void paths_of(const struct sb_kind *kind, struct paths *p)
{
    const struct doc_node *scale = doc_at(sb_crd_version(kind), "subresources/scale");

    slashes(doc_text(doc_get_lit(scale, "specReplicasPath"), STR("spec.replicas")), p->spec,
            sizeof(p->spec));
    slashes(doc_text(doc_get_lit(scale, "statusReplicasPath"), STR("status.replicas")), p->status,
            sizeof(p->status));
    slashes(doc_text(doc_get_lit(scale, "labelSelectorPath"), STR_NONE), p->selector,
            sizeof(p->selector));
}

/* A label selector as text: "a=b,c=d". */
static void selector_text(const struct doc_node *selector, struct buf *out)
{
    const struct doc_node *labels = doc_get_lit(selector, "matchLabels");
    struct doc_iter it = doc_children(labels ? labels : selector);

    while (doc_next(&it))
        if (doc_is_string(it.value))
            buf_addf(out, "%s%.*s=%.*s", out->len ? "," : "", STR_ARG(it.key),
                     STR_ARG(doc_text(it.value, STR_NONE)));
}

static struct doc_node *scale_of(struct sb_req *r, const struct doc_node *object)
{
    static const char copied[][18] = {"name", "namespace", "uid", "resourceVersion",
                                      "creationTimestamp"};
    AUTO(buf_done) struct buf selector = {0};
    struct doc_node *scale = doc_new_map(r->set);
    struct doc_node *meta, *status;
    struct paths p;

    paths_of(r->kind, &p);
    doc_set_string(r->set, scale, STR("kind"), STR("Scale"));
    doc_set_string(r->set, scale, STR("apiVersion"), STR("autoscaling/v1"));
    meta = doc_ensure_map(r->set, scale, STR("metadata"));
    for (size_t i = 0; i < ARRAY_LEN(copied); i++) {
        const struct doc_node *n = doc_get(doc_get_lit(object, "metadata"), str_of(copied[i]));

        if (n)
            doc_set_field(r->set, meta, str_of(copied[i]), doc_copy(r->set, n));
    }
    doc_set_int(r->set, doc_ensure_map(r->set, scale, STR("spec")), STR("replicas"),
                doc_int_at(object, p.spec, 0));
    status = doc_ensure_map(r->set, scale, STR("status"));
    doc_set_int(r->set, status, STR("replicas"), doc_int_at(object, p.status, 0));
    if (p.selector[0])
        buf_add_str(&selector, doc_text(doc_at(object, p.selector), STR_NONE));
    else
        selector_text(doc_at(object, "spec/selector"), &selector);
    if (selector.len)
        doc_set_string(r->set, status, STR("selector"), buf_view(&selector));
    return scale;
}

static void answer_scale(struct sb_req *r, const struct doc_node *object)
{
    buf_clear(&r->out);
    r->status = 200;
    doc_emit_json(scale_of(r, object), 0, &r->out);
    buf_add_char(&r->out, '\n');
}

/* Sets the number at a path of maps, which are made. */
static void set_at(struct doc_set *set, struct doc_node *n, const char *path, int64_t value)
{
    str rest = str_of(path), key = str_cut(rest, '/', &rest);

    while (n && rest.p) {
        n = doc_ensure_map(set, n, key);
        key = str_cut(rest, '/', &rest);
    }
    if (n)
        doc_set_int(set, n, key, value);
}

static int change_scale(struct sb_req *r, struct sb_slot *slot, const struct doc_node *old,
                        struct doc_node *scale)
{
    struct sb_change c = {.kind = r->kind, .slot = slot, .manager = sb_manager(r), .sub = r->sub};
    str version = doc_text(doc_at(scale, "metadata/resourceVersion"), STR_NONE);
    int64_t replicas;
    struct paths p;

    if (!doc_to_int64(doc_at(scale, "spec/replicas"), &replicas))
        replicas = 0;
    if (replicas < 0)
        return sb_fail(r, 422, "Invalid",
                       "Scale.autoscaling \"%.*s\" is invalid: spec.replicas: Invalid value: %lld: "
                       "must be greater than or equal to 0",
                       STR_ARG(r->name), (long long)replicas);
    paths_of(r->kind, &p);
    c.old = (struct doc_node *)old;
    c.now = doc_copy(r->set, old);
    set_at(r->set, c.now, p.spec, replicas);
    if (version.len)
        doc_set_string(r->set, sb_meta(r->set, c.now), STR("resourceVersion"), version);
    if (sb_finish_update(r, &c) < 0)
        return -1;
    answer_scale(r, sb_load(r->set, r->kind, slot->obj));
    return 0;
}

int sb_do_scale(struct sb_req *r)
{
    struct sb_slot *slot = sb_find(r->kind->res, r->ns, r->name);
    struct doc_node *old, *scale = NULL;

    if (!slot)
        return sb_fail_not_found(r, r->kind, r->name);
    old = sb_load(r->set, r->kind, slot->obj);
    switch (r->verb) {
    case SB_GET:
        answer_scale(r, old);
        return 0;
    case SB_UPDATE:
        scale = sb_body(r);
        break;
    case SB_PATCH:
        scale = sb_check_patch_type(r) < 0 ? NULL : sb_patched(r, scale_of(r, old));
        break;
    case SB_LIST:
    case SB_WATCH:
    case SB_CREATE:
    case SB_DELETE:
    case SB_DELETE_ALL:
    case SB_OTHER:
        return sb_fail(r, 405, NULL,
                       "the server does not allow this method on the requested resource");
    }
    return scale ? change_scale(r, slot, old, scale) : -1;
}
