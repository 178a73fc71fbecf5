/* Releases of helm and delete steps: what both need of the chart engine (khook spec 10.3, 12). Any
 * thread: each attempt has an operation of its own. */
#pragma once
#include "chart/release/operations.h"
#include "khook/act/action.h"

/* An operation on a release that waits for its objects at most until the cancel's deadline; storage
 * by $HELM_DRIVER, 10 revisions at most, steps told to the log, what is waited for to outstanding
 * (may be NULL). Fields that follow from the step are the caller's. */
int khook_operation(const struct khook_context *ctx, str release, str ns, struct cancel *cancel,
                    struct buf *outstanding, struct chart_operation *ret, struct err *e) MUST_CHECK;
/* The revisions that there are, oldest first. */
int khook_release_history(const struct khook_context *ctx, str release, str ns,
                          struct cancel *cancel, struct chart_records *ret,
                          struct err *e) MUST_CHECK;
/* Removes the release with its history and waits until its objects are gone. ret_found: it was
 * there. */
int khook_release_remove(const struct khook_context *ctx, str release, str ns,
                         struct cancel *cancel, struct buf *outstanding, bool *ret_found,
                         struct err *e) MUST_CHECK;
/* Appends "revision 4, nginx-1.1.0, deployed". */
void khook_release_describe(const struct chart_record *r, struct buf *out);
