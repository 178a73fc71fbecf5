/* What validation found, for people and machines (khook spec 3, 18.2). Pure but for the log; any
 * thread. */
#pragma once
#include "base/diag.h"
#include "base/err.h"

/* The JSON of `validate -o json`, a line end behind it; texts are masked one by one. */
void khook_report_json(const struct diag_list *problems, struct buf *out);
/* Takes the problems over as an error, "invalid spec: …", warnings left out. Returns -1. There must
 * be one error at least. */
int khook_report_error(struct diag_list *problems, struct err *e);
/* Tells the warnings to the log. */
void khook_report_warnings(const struct diag_list *problems);
/* A problem of the command line before anything was read, in the same JSON. */
void khook_report_usage(const struct err *usage, struct buf *out);
