/* Values: merging, coalescing with the defaults of charts (helm spec 4).
 *
 * All trees live in the set given; results share no node with what they were made of. Pure. */
#pragma once
#include "chart/chart.h"

/* src over dst: maps member by member, all else (null too) replaced. */
void chart_merge_over(struct doc_set *set, struct doc_node *dst, const struct doc_node *src);
/* Members that dst lacks come from src; a null of dst removes the member, or stays with
 * keeps_null. dst is changed, src is not. */
void chart_merge_under(struct doc_set *set, struct doc_node *dst, const struct doc_node *src,
                       bool keeps_null);
/* A copy of the values with the defaults of the chart and its subcharts below them. keeps_null: as
 * for import-values. ERR_INVALID: "type mismatch on NAME: …". */
struct doc_node *chart_coalesce(struct doc_set *set, const struct chart *c,
                                const struct doc_node *values, bool keeps_null,
                                struct err *e) MUST_CHECK;
/* The same without keeps_null, and what does not fit together is told in the log, as helm tells it.
 */
struct doc_node *chart_coalesce_warning(struct doc_set *set, const struct chart *c,
                                        const struct doc_node *values, struct err *e) MUST_CHECK;
/* The map at a path of names with '.' between; NULL when there is none. */
struct doc_node *chart_table(const struct doc_node *values, str path);
