/* Signals of the process, taken by one thread and turned into a cancel (khook spec 9.5).
 *
 * SIGINT, SIGTERM and SIGHUP trigger the cancel; a second one kills the children of sys/proc.h,
 * calls the last function and ends the process at once with 128 + its number. A signal that was
 * ignored when the process started (nohup, a background job) stays ignored. SIGPIPE is ignored for
 * good: writes answer EPIPE. */
#pragma once
#include "sys/cancel.h"

struct signal_guard;
/* Runs on the signal thread just before the process ends; must not wait: restores the
 * terminal. */
typedef void signal_last_fn(void *ctx, int signo);

/* Called on the main thread before any other is started: threads inherit the blocked signals. last
 * may be NULL. */
struct signal_guard *signal_start(struct cancel *run, signal_last_fn *last, void *ctx,
                                  struct err *e) MUST_CHECK;
/* Ends the thread and restores the signal mask; call it on the thread of signal_start. */
void signal_stop(struct signal_guard *g); /* NULL is fine */
AUTO_PTR(struct signal_guard, signal_stop)
