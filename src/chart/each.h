/* The same for many, some of them at once. */
#pragma once
#include "base/err.h"
#include "sys/cancel.h"

/* fn for every index below count, 16 at once, on this thread and others. All are done, whatever
 * fails, unless the cancel (or NULL) is triggered; failures are joined in order, a line each. */
typedef int chart_each_fn(void *ctx, size_t i, struct err *e);
int chart_each(size_t count, chart_each_fn *fn, void *ctx, struct cancel *cancel, struct err *e);
/* Puts the message of `more` on a line behind that of e, which keeps its kind; more is emptied. */
void chart_join(struct err *e, struct err *more);
/* The same with another text between the two. */
void chart_join_by(struct err *e, struct err *more, const char *between);
