/* The steps of rendering. */
#pragma once
#include "chart/explain.h"
#include "chart/render.h"
#include "expr/gotmpl/gotmpl.h"

/* Judges the coalesced values by the schemas of the chart and its subcharts. */
int chart_check_schemas(struct doc_set *set, const struct chart *c, const struct doc_node *values,
                        struct err *e) MUST_CHECK;
/* Appends what the chart's own schema says of its table of values, a line each: "- at '/a': …". */
void chart_judge_schema(struct doc_set *set, const struct chart *c, const struct doc_node *values,
                        struct buf *problems);
/* Executes every template that is no partial: appended to *ret as (path, output), sorted. */
int chart_execute(struct doc_set *set, const struct chart *c, const struct doc_node *values,
                  const struct chart_render_options *options, struct chart_files *ret,
                  struct err *e) MUST_CHECK;
/* Splits outputs (texts with a NUL behind them) into documents, hooks apart, in install order. */
int chart_sort_manifests(struct doc_set *set, const struct chart_files *outputs,
                         struct chart_release *ret, struct err *e) MUST_CHECK;
/* Takes the next document off a text; false at its end. */
bool chart_next_document(str *rest, str *ret);
