/* The order of the output (kustomize spec 14). The root's thread. */
#pragma once
#include "kustomize/shared.h"

/* Are the root's sortOptions as they should be? */
int kustomize_sort_check(struct kustomize_build *b, const struct kustomization *k,
                         struct err *e) MUST_CHECK;
void kustomize_sort(struct kustomize_build *b, const struct kustomization *k,
                    struct kustomize_resmap *m);
/* The order of the output by kinds, texts in the set of b; false: it is that of the list. */
bool kustomize_sort_order(struct kustomize_build *b, const struct kustomization *k,
                          struct res_order *ret);
/* What is compared by bytes, in place of what is in key. */
void kustomize_sort_key(const struct res_order *order, const struct res_id *id, struct buf *key);
/* By sortOptions that are as they should be. */
void kustomize_sort_by(struct kustomize_build *b, const struct kustomize_sort_options *o,
                       struct kustomize_resmap *m);
