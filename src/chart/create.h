/* A chart to start from: `chart create`. */
#pragma once
#include "base/err.h"
#include "base/str.h"

/* Makes the folder path, whose last part is the chart's name, and writes a small chart into it: a
 * Deployment, a Service and what they share. ERR_INVALID for names that charts cannot have,
 * ERR_EXISTS when the folder is not empty. Blocking. */
int chart_create(const char *path, struct err *e) MUST_CHECK;
/* The same from a starter, a folder with a chart in which "<CHARTNAME>" stands for the name in
 * templates and values.yaml; Chart.yaml is made anew. Links in it are left out. */
int chart_create_from(const char *path, const char *starter, struct err *e) MUST_CHECK;
/* May a chart be made at path? *ret_name: its name, borrowed from path. */
int chart_create_check(const char *path, str *ret_name, struct err *e) MUST_CHECK;
