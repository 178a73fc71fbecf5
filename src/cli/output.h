/* What people and machines read: results on stdout, masked, and the last line on stderr. The only
 * place that prints. Main thread, or under the lock of the run's events. */
#pragma once
#include "base/buf.h"
#include "base/diag.h"
#include "cli/command.h"

/* Masks and writes to stdout. A reader that went away (EPIPE) is no error; a full disk is: -1. */
int cli_print(str text, struct err *e);
/* The same without masking: structured output whose values were masked one by one (khook spec 2.6).
 */
int cli_print_raw(str text, struct err *e);
/* Masks and writes to stderr: progress, what functions report. */
void cli_say(str text);
/* Writes diagnostics with excerpts to stderr, masked. */
void cli_print_diags(const struct diag_list *list);
/* Ends a failed command: diagnostics with excerpts when e holds some, then the last line "Error:
 * TEXT", masked. */
void cli_print_error(const struct err *e);
/* Colour: a terminal, TERM not dumb, NO_COLOR empty or unset. */
bool cli_wants_color(int fd);
