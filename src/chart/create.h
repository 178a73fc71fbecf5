/* A chart to start from: `chart create`. */
#pragma once
#include "base/err.h"
#include "base/str.h"

/* Makes the folder path, whose last part is the chart's name, and writes a small chart into it: a
 * Deployment, a Service and what they share. ERR_INVALID for names that charts cannot have,
 * ERR_EXISTS when the folder is not empty. Blocking. */
int chart_create(const char *path, struct err *e) MUST_CHECK;
