/* Versions of Kubernetes as charts see them (template spec 15.5). Pure. */
#pragma once
#include "base/arena.h"
#include "base/err.h"

struct chart_kube_version {
    str full;         /* "v1.33.4-gke.1" */
    str shown;        /* "v1.33.4": its numbers, as many as were given */
    str major, minor; /* "1", "33" */
};
/* Of "1.33", "v1.33.4", "1.33.4-gke.1": numbers with whatever behind them. Texts live in the arena.
 * ERR_INVALID: "invalid kube version 'x': could not parse "x" as version". */
int chart_kube_version_parse(struct arena *arena, str text, struct chart_kube_version *ret,
                             struct err *e) MUST_CHECK;
