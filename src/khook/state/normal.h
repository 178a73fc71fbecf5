/* Blocks in canonical form: what two ways of writing the same thing have in common (khook spec
 * 7.3.1, 7.3.2). Pure. */
#pragma once
#include "khook/spec/fields.h"

/* Appends the block as canonical JSON: keys sorted, constant defaults filled in, then nulls and
 * what equals false, "", [] or {} dropped; free-form content as it is. */
void khook_normal_json(const struct khook_table *table, const struct doc_node *block,
                       struct buf *out);
