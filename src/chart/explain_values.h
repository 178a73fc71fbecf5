/* Which source a value of a chart comes from: `chart values --explain`. Pure apart from reading the
 * files named. */
#pragma once
#include "chart/chart.h"
#include "chart/values.h"

struct chart_origin {
    str source;                   /* "prod.yaml", "--set image.tag=2", "values.yaml of web/sub" */
    const struct doc_node *value; /* what that source says */
};
struct chart_origins {
    struct chart_origin *v;
    size_t len, cap;
};
static inline void chart_origins_done(struct chart_origins *o) { vec_done(o); }
AUTO_VALUE(struct chart_origins, chart_origins_done)

/* Appends every source that has a value at path ("image.tag"), the one that counts last, in the
 * order in which they are laid over each other. Texts and nodes live in the set. */
int chart_explain_value(struct doc_set *set, const struct chart *c,
                        const struct chart_user_values *given, str path, struct chart_origins *ret,
                        struct err *e) MUST_CHECK;
