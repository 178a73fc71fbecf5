/* Chart values in layers: valuesFrom in order, then values (khook spec 10.3.5). Pure; results live
 * in the set. */
#pragma once
#include "doc/node.h"

/* The content of one values source: a map; an empty text is an empty map. */
struct doc_node *khook_values_parse(struct doc_set *set, str text, const char *origin,
                                    struct err *e) MUST_CHECK;
/* Lays from (copied) over into: maps merge deeply, lists and scalars replace, a null stays as the
 * mark that removes a chart's default. */
void khook_values_merge(struct doc_set *set, struct doc_node *into, const struct doc_node *from);
