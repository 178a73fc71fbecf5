/* The dependencies of a chart's folder (helm spec 16): which versions they are, fetching them into
 * charts/, and what is there. Blocking; one thread at a time for a folder. */
#pragma once
#include "chart/chart.h"
#include "chart/locate.h"

struct chart_deps_options {            /* borrowed */
    const struct chart_source *source; /* access, verification, folders */
    bool skips_refresh;                /* indexes as they were fetched last */
    int64_t now_us;                    /* for Chart.lock */
    int64_t epoch_s;                   /* of archives made of folders; CHART_FILE_TIMES */
    chart_line_fn *line;               /* progress in helm's words */
    void *ctx;
};
/* Resolves the constraints of Chart.yaml, fetches every chart into charts/, deletes other archives
 * there and writes Chart.lock when its digest changed. charts/ changes when everything has arrived.
 * ERR_NOT_FOUND: no repository, chart or version. */
int chart_deps_update(const char *folder, const struct chart_deps_options *options,
                      struct err *e) MUST_CHECK;
/* Fetches what Chart.lock says; without it, as chart_deps_update. ERR_CONFLICT: "the lock file
 * (Chart.lock) is out of sync …". */
int chart_deps_build(const char *folder, const struct chart_deps_options *options,
                     struct err *e) MUST_CHECK;

/* What is in FOLDER/charts for entry i of the chart's dependencies: "ok", "missing", "unpacked",
 * "wrong version", "too many matches", "corrupt", "misnamed", "invalid version". folder may be an
 * archive. */
const char *chart_deps_status(const char *folder, const struct chart *c, size_t i);
/* Appends the paths of what is in FOLDER/charts and is no dependency, sorted, in the set's arena.
 */
void chart_deps_unknown(struct doc_set *set, const char *folder, const struct chart *c,
                        struct str_vec *ret);
