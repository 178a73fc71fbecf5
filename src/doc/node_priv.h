/* The index of a large map: open addressing, a power of two of slots. See doc/node.h. */
#pragma once
#include "doc/node.h"

/* The slot of a key, or the empty one where it would go. */
static inline uint32_t index_slot(const struct doc_extra *x, str key, uint32_t hash)
{
    uint32_t mask = x->index_slots - 1;
    uint32_t at = hash & mask;

    while (x->index[at]) {
        const struct doc_node *e = x->index[at];

        if (e->key_hash == hash && str_eq(doc_key(e), key))
            break;
        at = (at + 1) & mask;
    }
    return at;
}
