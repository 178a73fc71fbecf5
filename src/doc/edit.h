/* Writing back what was read, with only the changes spliced in: every line that nobody touched
 * stays as its author wrote it. The functions of doc/node.h, patches and paths note on the nodes
 * what has changed; there is nothing else to do before. Pure; as thread-safe as the set.
 *
 * What is replaced or added is printed as go-yaml v3 prints nodes (DOC_EMIT_KYAML), lists in the
 * way the text indents them; inside flow collections and JSON as JSON or flow text. A removed field
 * or item goes with the comment lines right above it. Sorting keys or using `? ` keys rewrites the
 * collection concerned; a change inside what has an anchor rewrites the aliases that were expanded
 * on reading. The result, read again in the same dialect, gives the edited tree. */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

/* Appends the text of a source (node->source of its roots) as its documents are now. Roots that
 * were made, not read, are appended as further documents; documents that are not among the roots
 * stay. */
void doc_edit_emit(const struct doc_set *set, uint32_t source, struct doc_node *const *roots,
                   size_t count, struct buf *out);
