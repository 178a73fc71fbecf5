#include "kustomize/config/config.h"

#include "kustomize/config/fieldtree.h"
#include "res/defaults.h"

/* ---- the default rows as specs */

static void add_rows(struct kustomize_specs *to, const struct res_field_row *rows, size_t count)
{
    vec_reserve(to, count);
    for (size_t i = 0; i < count; i++)
        to->v[to->len++] = res_field_row_spec(&rows[i]);
}

static void add_references(struct kustomize_specs *to, const struct res_gvk *target)
{
    struct res_reference_iter it = res_references();

    while (res_next_reference(&it))
        if (it.target == target)
            *vec_add(to) = it.field;
}

void kustomize_config_own_refs(struct kustomize_config *c)
{
    const struct res_gvk *targets;
    const struct res_field_row *vars;
    size_t count;

    if (!c->has_default_refs)
        return;
    c->has_default_refs = false;
    targets = res_reference_targets(&count);
    for (size_t i = 0; i < count; i++) {
        struct kustomize_backref *ref = vec_add(&c->name_reference);

        ref->target = targets[i];
        add_references(&ref->referrers, &targets[i]);
    }
    vars = res_default_var_fields(&count);
    add_rows(&c->var_reference, vars, count);
}

/* ---- the fields of a kind as a tree */

struct growth {
    struct arena *arena;
    struct kustomize_field_tree *tree;
    const struct res_gvk *gvk;
};

static void grow(struct growth *g, const struct res_field_spec *spec, const void *tag)
{
    if (res_gvk_selected(g->gvk, &spec->gvk))
        kustomize_field_tree_add(g->arena, g->tree, spec->path, tag);
}

static void grow_specs(struct growth *g, const struct kustomize_specs *specs, const void *tag)
{
    for (size_t i = 0; i < specs->len; i++)
        grow(g, &specs->v[i], tag);
}

static void grow_rows(struct growth *g, const struct res_field_row *rows, size_t count,
                      const void *tag)
{
    for (size_t i = 0; i < count; i++)
        if (res_field_row_is_of(&rows[i], g->gvk->kind)) {
            struct res_field_spec spec = res_field_row_spec(&rows[i]);

            grow(g, &spec, tag);
        }
}

struct kustomize_field_tree *kustomize_config_refs_tree(const struct kustomize_config *c,
                                                        const struct res_gvk *gvk, struct arena *a)
{
    struct growth g = {a, kustomize_field_tree_new(a), gvk};
    struct res_reference_iter it = res_references_of(gvk->kind);

    while (c->has_default_refs && res_next_reference(&it))
        grow(&g, &it.field, it.target);
    for (size_t i = 0; i < c->name_reference.len; i++)
        grow_specs(&g, &c->name_reference.v[i].referrers, &c->name_reference.v[i].target);
    return g.tree;
}

struct kustomize_field_tree *kustomize_config_vars_tree(const struct kustomize_config *c,
                                                        const struct res_gvk *gvk, struct arena *a)
{
    struct growth g = {a, kustomize_field_tree_new(a), gvk};
    size_t count = 0;
    const struct res_field_row *rows = c->has_default_refs ? res_default_var_fields(&count) : NULL;

    grow_rows(&g, rows, count, NULL);
    grow_specs(&g, &c->var_reference, NULL);
    return g.tree;
}
