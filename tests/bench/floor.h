/* The floor of YAML work: what parse, sort and emit of block YAML cost when nothing is checked.
 * Understands only what the benchmark inputs hold (block maps and lists, scalars on one line kept
 * as they stand, literal blocks, short flow lists), ends the process on anything else, and is no
 * part of the product: its time is the yardstick for ours. */
#pragma once
#include <stddef.h>

struct floor_tree;
/* text must stay, and be followed by a NUL. */
struct floor_tree *floor_parse(const char *text, size_t len);
size_t floor_bytes(const struct floor_tree *t); /* of nodes */
/* Every document, keys sorted; out must have room for three times the input. Returns the bytes
 * written. */
size_t floor_emit(struct floor_tree *t, char *out);
void floor_free(struct floor_tree *t);
