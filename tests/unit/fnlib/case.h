/* One run of a native function: items, configuration, what comes out. */
#pragma once
#include "base/buf.h"
#include "fnlib/fnlib.h"
#include "support/test.h"

struct fn_case {
    const gfn_desc *fn;
    const char *config; /* YAML of functionConfig; of a ConfigMap: what is in data; "": none */
    const char *items;  /* documents, "---\n" between them */
    const char *want;   /* the same afterwards; NULL: as before */
    const char *result; /* a text that the results hold, or NULL */
    bool fails;
};
void fn_cases_run(const struct fn_case *cases, size_t count);
