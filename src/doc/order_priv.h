/* The children of maps in the order in which they are written: a stack of pointers, so that nested
 * maps share one block. */
#pragma once
#include "doc/node.h"

struct order {
    struct doc_node **v;
    size_t len, cap;
};

enum order_kind {
    ORDER_BYTES,
    ORDER_NATURAL, /* as kustomize and sigs.k8s.io/yaml sort keys: letters after others, digits by
                      their number (kustomize spec 19) */
};

/* Pushes the children of map, sorted, and returns the index of the first. The caller sets len back.
 */
size_t order_push(struct order *o, const struct doc_node *map, enum order_kind kind);
void order_done(struct order *o);
