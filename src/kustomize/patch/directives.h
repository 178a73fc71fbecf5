/* What upstream's merging loses or does not know (kustomize spec 20, KD-1 and KD-3). Pure apart
 * from the tree. */
#pragma once
#include "kustomize/transform.h"

/* What a patch, or what it was merged into, has that may matter. */
struct kustomize_patch_marks {
    bool has_compound_lists;          /* lists whose keys have parts: ports, ... */
    bool has_list_directive;          /* an item with $patch, which is about its list */
    const struct doc_node *replaced;  /* the first $patch: replace of an item with keys, or NULL */
    const struct doc_node *directive; /* the first "$setElementOrder/…" or its like, or NULL */
};
struct kustomize_patch_marks kustomize_patch_marks(const struct doc_node *patch);
/* Carries out $setElementOrder, $retainKeys and $deleteFromPrimitiveList, which merging has left in
 * the tree as fields, and takes them out (KD-3). */
void kustomize_carry_directives(struct doc_node *root);
