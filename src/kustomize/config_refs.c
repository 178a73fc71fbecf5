#include "kustomize/config.h"

#include "res/defaults.h"

static void add_rows(struct kustomize_specs *specs, const struct res_field_spec *rows, size_t count)
{
    vec_reserve(specs, count);
    memcpy(specs->v + specs->len, rows, count * sizeof(*rows));
    specs->len += count;
}

void kustomize_config_default_refs(struct kustomize_config *c)
{
    size_t count;
    const struct res_references *targets = res_default_references(&count);
    const struct res_field_spec *vars;

    for (size_t i = 0; i < count; i++) {
        struct kustomize_backref *ref = vec_add(&c->name_reference);

        ref->target = targets[i].target;
        add_rows(&ref->referrers, targets[i].rows, targets[i].count);
    }
    vars = res_default_var_fields(&count);
    add_rows(&c->var_reference, vars, count);
}
