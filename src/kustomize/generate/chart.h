/* Charts among the generators (kustomize spec 16), rendered by the chart engine. The
 * level's thread. */
#pragma once
#include "kustomize/shared.h"

struct chart_download;

/* An entry of helmCharts; what it makes is appended. */
int kustomize_chart(struct kustomize_build *b, struct kustomize_resmap *m,
                    const struct kustomize_chart *chart, struct err *e) MUST_CHECK;

/* ---- chart_pull.c: charts that are not in the chart home. ERR_NOT_FOUND: no repo is given, or it
 * has no such chart; ERR_UNAVAILABLE: offline. */

/* Into memory; *ret must be {0}. */
int kustomize_chart_fetch(struct kustomize_build *b, const struct kustomize_chart *c,
                          struct chart_download *ret, struct err *e) MUST_CHECK;
/* Into the folder dir, made when it is not there, as dir/NAME. */
int kustomize_chart_pull(struct kustomize_build *b, const struct kustomize_chart *c,
                         const char *dir, struct err *e) MUST_CHECK;
