#include "kustomize/transform/fields.h"

/* namePrefix and nameSuffix (kustomize spec 7). */
struct affix {
    str text;
    bool is_suffix;
};

static int set_affix(void *ctx, struct doc_set *set, struct doc_node *field, struct err *e)
{
    const struct affix *affix = ctx;
    AUTO(buf_done) struct buf name = {0};

    if (!affix->is_suffix)
        buf_add_str(&name, affix->text);
    buf_add_str(&name, doc_text(field, STR_NONE));
    if (affix->is_suffix)
        buf_add_str(&name, affix->text);
    return kustomize_set_scalar(set, field, buf_view(&name), e);
}

/* Kinds whose names others do not choose; the kind that counts is the original one. */
static bool is_exempt(const struct kustomize_resource *r)
{
    const struct res_gvk *gvk = &kustomize_resource_original(r)->gvk;

    return str_eq(gvk->kind, STR("CustomResourceDefinition")) ||
           str_eq(gvk->kind, STR("Namespace")) ||
           (str_eq(gvk->kind, STR("APIService")) &&
            str_eq(gvk->group, STR("apiregistration.k8s.io")));
}

static int rename_one(struct kustomize_resmap *m, struct kustomize_resource *r,
                      const struct res_field_spec *spec, struct res_field_plan *plan,
                      struct affix *affix, struct err *e)
{
    if (is_exempt(r) || !res_gvk_selected(&kustomize_resource_original(r)->gvk, &spec->gvk))
        return 0;
    if (str_eq(spec->path, STR("metadata/name"))) {
        if (affix->is_suffix)
            kustomize_resource_add_suffix(r, affix->text);
        else
            kustomize_resource_add_prefix(r, affix->text);
        kustomize_resmap_remember(m, r);
    }
    if (res_field_plan_visit(plan, r->set, r->root, &r->id, DOC_STRING, set_affix, affix, e) < 0)
        return -1;
    kustomize_resmap_refresh(m, r);
    return 0;
}

static int rename_all(struct kustomize_resmap *m, struct affix *affix,
                      const struct kustomize_specs *specs, struct err *e)
{
    if (affix->text.len == 0)
        return 0;
    for (size_t i = 0; i < specs->len; i++) {
        AUTO(res_field_plan_free)
        struct res_field_plan *plan = res_field_plan_new(&specs->v[i], 1);
        struct kustomize_resource *r;

        for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
            if (rename_one(m, r, &specs->v[i], plan, affix, e) < 0)
                return -1;
    }
    return 0;
}

int kustomize_prefix(struct kustomize_build *b, struct kustomize_resmap *m, str prefix,
                     const struct kustomize_specs *specs, struct err *e)
{
    struct affix affix = {prefix, false};

    if (rename_all(m, &affix, specs, e) == 0)
        return 0;
    return kustomize_fail_at(b, b->k ? b->k->name_prefix.node : NULL, e);
}

int kustomize_suffix(struct kustomize_build *b, struct kustomize_resmap *m, str suffix,
                     const struct kustomize_specs *specs, struct err *e)
{
    struct affix affix = {suffix, true};

    if (rename_all(m, &affix, specs, e) == 0)
        return 0;
    return kustomize_fail_at(b, b->k ? b->k->name_suffix.node : NULL, e);
}
