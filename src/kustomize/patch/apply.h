/* Applying one patch to one resource (kustomize spec 10). The level's thread; pure apart from the
 * resource. */
#pragma once
#include "kustomize/transform.h"

struct kustomize_merge_options {
    bool allow_name_change, allow_kind_change;
};
/* A strategic merge patch: name, kind (unless the options allow them to change), namespace and
 * apiVersion are put back afterwards. A resource of which nothing is left is marked for
 * kustomize_resmap_drop_empty. */
int kustomize_apply_merge(struct kustomize_build *b, struct kustomize_resmap *m,
                          struct kustomize_resource *r, const struct doc_node *patch,
                          const struct kustomize_merge_options *options, struct err *e) MUST_CHECK;
/* The operations of a JSON patch; patch_set owns them. */
int kustomize_apply_operations(struct kustomize_build *b, struct kustomize_resmap *m,
                               struct kustomize_resource *r, const struct doc_set *patch_set,
                               const struct doc_node *operations, struct err *e) MUST_CHECK;
