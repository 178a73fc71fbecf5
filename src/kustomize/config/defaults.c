#include "kustomize/config/config.h"

#include "res/defaults.h"

/* The default rows of transformers (res/defaults.h). They become specs when a transformer asks:
 * most builds have none. */
static const struct {
    size_t offset;
    enum res_fields fields;
} lists[] = {
    {offsetof(struct kustomize_config, name_prefix), RES_NAME_FIELDS},
    {offsetof(struct kustomize_config, name_suffix), RES_NAME_FIELDS},
    {offsetof(struct kustomize_config, ns), RES_NAMESPACE_FIELDS},
    {offsetof(struct kustomize_config, common_labels), RES_LABEL_FIELDS},
    {offsetof(struct kustomize_config, template_labels), RES_TEMPLATE_LABEL_FIELDS},
    {offsetof(struct kustomize_config, volume_claim_labels), RES_CLAIM_LABEL_FIELDS},
    {offsetof(struct kustomize_config, common_annotations), RES_ANNOTATION_FIELDS},
    {offsetof(struct kustomize_config, images), RES_IMAGE_FIELDS},
    {offsetof(struct kustomize_config, replicas), RES_REPLICA_FIELDS},
};

static void fill(struct kustomize_specs *specs, enum res_fields what)
{
    size_t count;
    const struct res_field_row *rows = res_default_fields(what, &count);

    vec_reserve(specs, count);
    for (size_t i = 0; i < count; i++)
        specs->v[specs->len++] = res_field_row_spec(&rows[i]);
}

struct kustomize_specs kustomize_config_specs(const struct kustomize_config *c,
                                              const struct kustomize_specs *list)
{
    size_t offset = (size_t)((const char *)list - (const char *)c);
    struct kustomize_specs ret = {0};

    for (size_t i = 0; c->has_default_fields && i < ARRAY_LEN(lists); i++)
        if (lists[i].offset == offset)
            fill(&ret, lists[i].fields);
    if (!list->len)
        return ret;
    vec_reserve(&ret, list->len);
    memcpy(ret.v, list->v, list->len * sizeof(*list->v));
    ret.len = list->len;
    return ret;
}

void kustomize_config_own_fields(struct kustomize_config *c)
{
    if (!c->has_default_fields)
        return;
    c->has_default_fields = false;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        fill((struct kustomize_specs *)((char *)c + lists[i].offset), lists[i].fields);
}

void kustomize_config_defaults(struct kustomize_config *c)
{
    c->has_default_fields = true;
    c->has_default_refs = true;
}
