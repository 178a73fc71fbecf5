/* JSON Merge Patch (RFC 7386): maps are merged, null removes a field, anything else replaces. Nodes
 * of the patch are copied into the set; nothing fails. A null inside a list stays. As
 * thread-safe as the set. */
#pragma once
#include "doc/node.h"

/* Changes target (no NULL) in place to the patched value. */
void doc_merge_patch(struct doc_set *set, struct doc_node *target, const struct doc_node *patch);
/* The patch that turns from into to; an empty map when they are equal. A null in `to` cannot be
 * expressed: the field is removed instead. */
struct doc_node *doc_merge_patch_between(struct doc_set *set, const struct doc_node *from,
                                         const struct doc_node *to);
