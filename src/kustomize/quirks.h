/* What becomes of some YAML on its way through upstream, which writes every resource and reads it
 * again. The thread that owns the set of the nodes. */
#pragma once
#include "kustomize/shared.h"

/* Trees just read from text become what upstream makes of them; nothing with --compat fixed. */
void kustomize_apply_quirks(struct kustomize_build *b, struct doc_set *set, str text,
                            struct doc_list *roots);
/* Folded texts become what they are when upstream has written them and read them again: when the
 * build ends, before a JSON patch, for the hash, and in the configuration of a transformer. The
 * functions for resources do nothing with --compat fixed. */
bool kustomize_has_folded(const struct doc_node *n);
void kustomize_refold(struct doc_set *set, struct doc_node *n);
void kustomize_refold_resource(const struct kustomize_build *b, struct kustomize_resource *r);
/* Annotations lose their style when upstream writes or takes out its own ones among them: no folded
 * texts any more. */
void kustomize_unfold_annotations(const struct kustomize_build *b,
                                  const struct kustomize_resource *r);
