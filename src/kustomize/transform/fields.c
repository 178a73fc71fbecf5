#include "kustomize/transform/fields.h"

#include "doc/kyaml/node.h"
#include "res/scalar.h"

static bool touches_id(const struct kustomize_specs *specs)
{
    static const char paths[][19] = {"metadata", "metadata/name", "metadata/namespace", "kind",
                                     "apiVersion"};

    for (size_t i = 0; i < specs->len; i++) {
        str path = specs->v[i].path;

        str_drop_prefix(&path, STR("/"));
        for (size_t j = 0; j < ARRAY_LEN(paths); j++)
            if (str_eq(path, str_of(paths[j])))
                return true;
    }
    return false;
}

int kustomize_visit_each(struct kustomize_resmap *m, const struct kustomize_specs *specs,
                         enum doc_type made, void (*begin)(void *ctx), res_field_fn *visit,
                         void *ctx, struct err *e)
{
    AUTO(res_field_plan_free)
    struct res_field_plan *plan = res_field_plan_new(specs->v, specs->len);
    bool renames = touches_id(specs);
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));) {
        begin(ctx);
        if (res_field_plan_visit(plan, r->set, r->root, &r->id, made, visit, ctx, e) < 0)
            return -1;
        if (renames)
            kustomize_resmap_refresh(m, r);
    }
    return 0;
}

static int expect_scalar(const struct doc_node *n, struct err *e)
{
    return doc_is_scalar(n) ? 0 : doc_expect(n, DOC_STRING, e);
}

int kustomize_set_string(struct doc_set *set, struct doc_node *n, str text, struct err *e)
{
    struct doc_node *now;

    if (expect_scalar(n, e) < 0)
        return -1;
    now = doc_new_string(set, text);
    now->style = n->style;
    now->is_int = n->style == DOC_PLAIN; /* bare */
    doc_replace(n, now);
    return 0;
}

int kustomize_set_scalar(struct doc_set *set, struct doc_node *n, str text, struct err *e)
{
    if (expect_scalar(n, e) < 0)
        return -1;
    if (!text.len)
        return 0;
    doc_replace(n, res_scalar_new_loose(set, text, res_scalar_loose_style(set, n)));
    return 0;
}
