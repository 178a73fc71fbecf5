/* Printing trees as go-yaml v3 prints node trees, see doc/emit.h. */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

void kyaml_emit(const struct doc_node *n, bool is_wide, struct buf *out);
/* The same for text that goes between other text: no scalar keeps the empty lines that may follow.
 */
void kyaml_splice(const struct doc_node *n, bool is_wide, struct buf *out);
