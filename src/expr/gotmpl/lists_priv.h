/* What the functions of lists share. */
#pragma once
#include "expr/gotmpl/fn_priv.h"

/* False after failing with "Cannot WHAT type KIND" for what is no list. */
bool list_check(struct tmpl_call *c, struct tmpl_value v, const char *what);
