/* The children of maps in the order in which they are written: a stack of pointers, so that nested
 * maps share one block. */
#pragma once
#include "doc/node.h"

struct order {
    struct doc_node **v;
    size_t len, cap;
};

typedef int order_compare(const struct doc_node *a, const struct doc_node *b);

int order_by_bytes(const struct doc_node *a, const struct doc_node *b);
/* As kustomize and sigs.k8s.io/yaml sort keys: letters after others, digits by their number
 * (kustomize spec 19). */
int order_natural(const struct doc_node *a, const struct doc_node *b);
/* Pushes the children of map, sorted and stable, and returns the index of the first. The caller
 * sets len back. */
size_t order_push(struct order *o, const struct doc_node *map, order_compare *compare);
void order_done(struct order *o);
