/* Turning a tree that was read into another one with as few changes as there are, so that
 * doc/edit.h rewrites only the lines that differ (KRM functions spec 5.3, FD-4). Pure apart from
 * the set. */
#pragma once
#include "doc/node.h"

/* Changes `old` until it equals `now`, which stays as it is: keys keep their order, new ones go to
 * the end; items of lists are matched by name, else by value. Styles and comments of what does not
 * change stay. */
void fn_become(struct doc_set *set, struct doc_node *old, const struct doc_node *now);
/* A copy whose maps and lists are written in block style, unless they stand inside flow text. */
struct doc_node *fn_copy_in_blocks(struct doc_set *set, const struct doc_node *n);
