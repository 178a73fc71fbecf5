#include "kustomize/config.h"

#include "res/defaults.h"

void kustomize_config_default_refs(struct kustomize_config *c)
{
    size_t count;
    const struct res_references *targets = res_default_references(&count);
    const struct res_field_spec *vars;

    for (size_t i = 0; i < count; i++) {
        struct kustomize_backref *ref = vec_add(&c->name_reference);

        ref->target = targets[i].target;
        kustomize_specs_borrow(&ref->referrers, targets[i].rows, targets[i].count);
    }
    vars = res_default_var_fields(&count);
    kustomize_specs_borrow(&c->var_reference, vars, count);
}
