/* Which subcharts take part: conditions, tags, aliases, imported values (helm spec 3, 4.5). The
 * chart is changed in place, by one thread. */
#pragma once
#include "chart/merge.h"

/* Takes disabled subcharts and entries out of the tree, renames to aliases, and imports values into
 * the defaults of parents. The user's values decide switches and are not changed. */
int chart_resolve(struct doc_set *set, struct chart *c, const struct doc_node *values,
                  struct err *e) MUST_CHECK;
