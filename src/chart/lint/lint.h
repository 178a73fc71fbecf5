/* Looking for mistakes in the folder of a chart (helm spec 19): what `helm lint` tells. Blocking;
 * any thread. */
#pragma once
#include "chart/chart.h"

enum chart_severity { CHART_LINT_INFO, CHART_LINT_WARNING, CHART_LINT_ERROR };
struct chart_finding {
    enum chart_severity severity;
    str path, text; /* "templates/a.yaml"; in the findings' arena */
};
struct chart_findings {
    struct arena arena;
    VEC(struct chart_finding) list;
    enum chart_severity worst;
};
void chart_findings_done(struct chart_findings *findings); /* leaves {0} */
AUTO_VALUE(struct chart_findings, chart_findings_done)

struct chart_lint_options {        /* borrowed */
    const struct doc_node *values; /* the user's, or NULL */
    str kube_version;              /* empty: the newest known */
    str ns;
    bool skips_schema;
    /* Told what required and fail would have said; they do not fail. */
    void (*note)(void *ctx, str place, str message);
    void *ctx;
};
/* -1 when there is nothing to look at: "unable to check Chart.yaml file in chart: …". */
int chart_lint(const char *folder, const struct chart_lint_options *options,
               struct chart_findings *ret, struct err *e) MUST_CHECK;
