/* Side by side in one run: A B A B, and the median of the ratios of neighbours, so that a machine
 * that is busy or slow says the same as a quiet one. A row names its bar; below it the program ends
 * with 1. Pairs whose ratios spread by more than 2x are taken once more; still spread, the row says
 * so. */
#pragma once
#include "base/base.h"

/* One run of a side in seconds, or less than 0 when it failed. */
typedef double pair_fn(void *ctx);

struct pair_row {
    const char *name;   /* "yaml/pods against libyaml" */
    bool is_ratio_ours; /* the ratio is ours / theirs and the bar a maximum; else theirs / ours and
                           a minimum */
    double bar;         /* 0: no bar, for information */
};

double pair_now(void); /* seconds of a clock that only goes forward */
double pair_cpu(void); /* seconds of processor time of this process: for work on one thread,
                          undisturbed by neighbours */
double pair_median(double *v, size_t count); /* sorts v; count > 0 */
/* Runs both once unmeasured, then in turn: 7 pairs below 2 s, 3 below 30 s, else 1. Prints the row.
 * False below the bar. */
bool pair_run(const struct pair_row *row, pair_fn *ours, pair_fn *theirs, void *ctx);
/* A row for a value that stands alone, with at most `bar` of it (0: for information). */
bool pair_value(const char *name, double value, const char *unit, double bar);
