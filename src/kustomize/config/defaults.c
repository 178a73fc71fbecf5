#include "kustomize/config/config.h"

#include "res/defaults.h"

static void fill(struct kustomize_specs *specs, enum res_fields what)
{
    size_t count;
    const struct res_field_spec *rows = res_default_fields(what, &count);

    kustomize_specs_borrow(specs, rows, count);
}

/* The default rows of transformers (res/defaults.h), constant. */
static void kustomize_config_default_fields(struct kustomize_config *c)
{
    fill(&c->name_prefix, RES_NAME_FIELDS);
    fill(&c->name_suffix, RES_NAME_FIELDS);
    fill(&c->ns, RES_NAMESPACE_FIELDS);
    fill(&c->common_labels, RES_LABEL_FIELDS);
    fill(&c->template_labels, RES_TEMPLATE_LABEL_FIELDS);
    fill(&c->volume_claim_labels, RES_CLAIM_LABEL_FIELDS);
    fill(&c->common_annotations, RES_ANNOTATION_FIELDS);
    fill(&c->images, RES_IMAGE_FIELDS);
    fill(&c->replicas, RES_REPLICA_FIELDS);
}

void kustomize_config_defaults(struct kustomize_config *c)
{
    kustomize_config_default_fields(c);
    c->has_default_refs = true;
}
