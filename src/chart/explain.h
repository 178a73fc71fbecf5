/* Why a template does not parse, or fails, in the form helm gives it (helm spec 6): the messages of
 * `required` and `fail` alone, with the place of the outermost template, and the chain of includes
 * with a line each. Errors of another kind stay as they are. Pure. */
#pragma once
#include "expr/gotmpl/gotmpl.h"

/* Both change the text of e and return -1. */
int chart_explain_parse(struct err *e);
int chart_explain_failure(const struct tmpl_run *run, struct err *e);
