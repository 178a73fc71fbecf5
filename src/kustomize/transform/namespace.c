#include "doc/kyaml/node.h"
#include "kustomize/config/crds.h"
#include "kustomize/transform/fields.h"

/* namespace (kustomize spec 8). */
struct mover {
    struct kustomize_build *b;
    const struct kustomize_namespace_args *args;
    /* The specs, without those that are not meant literally: metadata/namespace, since a spec does
     * not know scopes, and those of subjects, of which not all change. */
    struct res_field_plan *of_core, *of_others, *of_bindings;
};

static int set_namespace(const struct mover *v, struct doc_set *set, struct doc_node *field,
                         struct err *e)
{
    if (v->args->unset_only && doc_text(field, STR_NONE).len)
        return 0;
    return kustomize_set_string(set, field, v->args->ns, e);
}

static int visit(void *ctx, struct doc_set *set, struct doc_node *field, struct err *e)
{
    const struct mover *v = ctx;

    if (doc_is_scalar(field))
        return set_namespace(v, set, field, e);
    return doc_expect(field, DOC_STRING, e) < 0
               ? err_wrap(e, "namespace field specs must target scalar nodes")
               : 0;
}

/* ---- subjects of role bindings */

static bool is_meant(const struct mover *v, const struct doc_node *subject)
{
    if (v->args->subjects == KUSTOMIZE_SUBJECTS_ALL)
        return str_eq(doc_text(doc_get_lit(subject, "kind"), STR_NONE), STR("ServiceAccount"));
    return str_eq(doc_text(doc_get_lit(subject, "name"), STR_NONE), STR("default"));
}

static int set_subject(const struct mover *v, struct doc_set *set, struct doc_node *subject,
                       struct err *e)
{
    struct doc_node *field = doc_get_lit(subject, "namespace");

    if (!field)
        field = doc_set_field(set, subject, STR("namespace"), doc_new_string(set, STR_NONE));
    return set_namespace(v, set, field, e);
}

static int set_subjects(const struct mover *v, struct kustomize_resource *r, struct err *e)
{
    struct doc_node *subjects = doc_get_lit(r->root, "subjects");
    struct doc_iter it = doc_children(subjects);

    if (v->args->subjects == KUSTOMIZE_SUBJECTS_NONE || doc_is_null(subjects))
        return 0;
    if (doc_expect(subjects, DOC_LIST, e) < 0)
        return err_wrap(e, "setting namespace on (cluster)role binding subjects");
    while (doc_next(&it))
        if (doc_is_map(it.value) && is_meant(v, it.value) &&
            set_subject(v, r->set, it.value, e) < 0)
            return err_wrap(e, "setting namespace on (cluster)role binding subjects");
    return 0;
}

/* ---- resources */

static bool is_binding_kind(str kind)
{
    return str_eq(kind, STR("RoleBinding")) || str_eq(kind, STR("ClusterRoleBinding"));
}

static bool is_of_subjects(const struct res_field_spec *spec)
{
    return is_binding_kind(spec->gvk.kind) && str_eq(spec->path, STR("subjects/namespace"));
}

static struct res_field_plan *plan_of(const struct kustomize_specs *specs, bool with_name,
                                      bool with_subjects)
{
    AUTO(kustomize_specs_done) struct kustomize_specs kept = {0};

    for (size_t i = 0; i < specs->len; i++) {
        str path = specs->v[i].path;

        if (!str_eq(path, STR("metadata/namespace")) &&
            (with_name || !str_eq(path, STR("metadata/name"))) &&
            (with_subjects || !is_of_subjects(&specs->v[i])))
            vec_push(&kept, specs->v[i]);
    }
    return res_field_plan_new(kept.v, kept.len);
}

static int set_own(const struct mover *v, struct kustomize_resource *r, struct err *e)
{
    static const struct res_field_spec own = {.path = STR_INIT("metadata/namespace"),
                                              .create = true};
    struct doc_node *field = doc_at(r->root, "metadata/namespace");

    if (res_is_cluster_scoped(&r->id.gvk))
        return 0;
    if (kustomize_crds_is_cluster(v->b, &r->id.gvk)) {
        if (v->b->is_fixed)
            return 0;
        kustomize_warn_at(
            v->b, r->set, r->root, "KD-7",
            "KD-7: %.*s \"%.*s\" gets a namespace, though its "
            "CustomResourceDefinition says that it has none; --compat fixed looks there",
            STR_ARG(r->id.gvk.kind), STR_ARG(r->id.name));
    }
    if (doc_is_string(field)) /* the usual case, without dividing a path */
        return set_namespace(v, r->set, field, e);
    return res_field_spec_visit(r->set, r->root, &own, DOC_STRING, visit, (void *)v, e);
}

/* The name of a Namespace is one in the core group only. */
static bool is_core_v1(const struct res_gvk *gvk)
{
    return gvk->group.len == 0 && str_eq(gvk->version, STR("v1"));
}

static int move_one(const struct mover *v, struct kustomize_resource *r, struct err *e)
{
    bool is_binding = is_binding_kind(r->id.gvk.kind);
    struct res_field_plan *plan = is_binding               ? v->of_bindings
                                  : is_core_v1(&r->id.gvk) ? v->of_core
                                                           : v->of_others;

    if (set_own(v, r, e) < 0 || (is_binding && set_subjects(v, r, e) < 0))
        return -1;
    if (res_field_plan_visit(plan, r->set, r->root, &r->id, DOC_STRING, visit, (void *)v, e) < 0)
        return err_wrap(e, "namespace transformation failed");
    return 0;
}

static int check_conflict(struct kustomize_resmap *m, const struct kustomize_resource *r,
                          struct err *e)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    AUTO(buf_done) struct buf list = {0};

    kustomize_resmap_by_current_id(m, &r->id, &found);
    if (found.len <= 1)
        return 0;
    for (size_t i = 0; i < found.len; i++) {
        struct doc_place place = doc_place(found.v[i]->set, found.v[i]->root);

        if (i)
            buf_add_cstr(&list, ", ");
        res_id_print(kustomize_resource_original(found.v[i]), &list);
        if (place.line)
            buf_addf(&list, " (%.*s:%u)", STR_ARG(place.origin), place.line);
    }
    return err_set(e, ERR_CONFLICT, "namespace transformation produces ID conflict: %s",
                   buf_cstr(&list));
}

static int move_all(const struct mover *v, struct kustomize_resmap *m, struct err *e)
{
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        if (r->from_chart)
            continue;
        kustomize_resmap_remember(m, r);
        if (move_one(v, r, e) < 0)
            return -1;
        kustomize_resmap_refresh(m, r);
    }
    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        if (!r->from_chart && check_conflict(m, r, e) < 0)
            return -1;
    return 0;
}

int kustomize_namespace(struct kustomize_build *b, struct kustomize_resmap *m,
                        const struct kustomize_namespace_args *args, struct err *e)
{
    AUTO(res_field_plan_free) struct res_field_plan *of_core = plan_of(args->specs, true, true);
    AUTO(res_field_plan_free) struct res_field_plan *of_others = plan_of(args->specs, false, true);
    AUTO(res_field_plan_free)
    struct res_field_plan *of_bindings = plan_of(args->specs, false, false);
    const struct mover v = {b, args, of_core, of_others, of_bindings};

    if (args->ns.len == 0 || move_all(&v, m, e) == 0)
        return 0;
    return kustomize_fail_at(b, b->k ? b->k->ns.node : NULL, e);
}

int kustomize_namespace_one(struct kustomize_build *b, struct kustomize_resource *r, str ns,
                            struct err *e)
{
    const struct kustomize_namespace_args args = {.ns = ns};
    const struct mover v = {b, &args, NULL, NULL, NULL};

    if (set_own(&v, r, e) < 0)
        return -1;
    return is_binding_kind(r->id.gvk.kind) ? set_subjects(&v, r, e) : 0;
}
