/* Archives of charts (helm spec 17). The same chart and times give the same bytes. Pure apart from
 * loading zlib. */
#pragma once
#include "chart/chart.h"

enum { CHART_FILE_TIMES = -1 };

/* Appends the archive of a chart as it was loaded: Chart.yaml from its metadata, the other files as
 * they are, subcharts as folders. epoch_s: the time of every file, of SOURCE_DATE_EPOCH; or
 * CHART_FILE_TIMES. */
int chart_package(struct doc_set *set, const struct chart *c, int64_t epoch_s, struct buf *out,
                  struct err *e) MUST_CHECK;
/* "NAME-VERSION.tgz" */
void chart_package_name(const struct chart *c, struct buf *out);
/* SOURCE_DATE_EPOCH of the environment, else CHART_FILE_TIMES. ERR_INVALID when it is no number. */
int chart_package_epoch(int64_t *ret, struct err *e) MUST_CHECK;
/* Takes other versions into the metadata; empty: as it is. ERR_INVALID: "invalid semantic version".
 */
int chart_set_versions(struct doc_set *set, struct chart *c, str version, str app_version,
                       struct err *e) MUST_CHECK;
