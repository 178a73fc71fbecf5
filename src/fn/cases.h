/* Test cases of functions: a ResourceList that goes in and what must come out, one text archive
 * each (the manual's page on functions tells the format). Runs the function, blocking; any thread.
 */
#pragma once
#include "fn/runner.h"

/* Runs a case: 0 when the outcome is the wanted one, 1 with what differs in why, -1 when the text
 * is no case. exec: the function's command line; empty: the case's first argument names a native
 * one. */
int fn_case_run(const struct fn_runner *r, str text, str exec, struct buf *why,
                struct err *e) MUST_CHECK;
