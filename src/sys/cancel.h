/* Cancellation: a tree of flags that threads wait on. A run has one; each attempt has a child with
 * a deadline. Cancelling a parent cancels its children; the first reason stays.
 *
 * Owned by whoever made it, which must outlive its children and waiters. All functions from any
 * thread. */
#pragma once
#include "base/err.h"
#include "sys/clock.h"

struct cancel;

/* parent may be NULL; deadline CLOCK_NEVER: none. A passed deadline counts as cancelled with
 * ERR_TIMEOUT. */
struct cancel *cancel_new(struct cancel *parent, clock_ms deadline);
void cancel_free(struct cancel *c); /* NULL is fine */
AUTO_PTR(struct cancel, cancel_free)
void cancel_trigger(struct cancel *c, enum err_kind kind, const char *reason); /* reason copied */
bool cancel_is_set(struct cancel *c); /* NULL: never; a passed deadline counts */
clock_ms
cancel_deadline(struct cancel *c); /* the earliest of it and its ancestors; CLOCK_NEVER for NULL */
/* 0 while not cancelled, else -1 with kind ERR_CANCELED or ERR_TIMEOUT and the reason. */
int cancel_check(struct cancel *c, struct err *e);
/* Sleeps until deadline or cancellation: 0 when the time has passed, -1 (e set) when cancelled. */
int cancel_sleep_until(struct cancel *c, clock_ms deadline, struct err *e);
int cancel_sleep(struct cancel *c, int64_t ms, struct err *e);
/* An eventfd that becomes readable when c is cancelled by a trigger (not by a deadline); owned by
 * c. For poll loops. */
int cancel_fd(struct cancel *c);
/* Calls fn(ctx) once when c is triggered, on the triggering thread with no lock held (at once when
 * it already is); cancel_unwatch returns after fn can no longer run. */
typedef void cancel_fn(void *ctx);
struct cancel_watch;
struct cancel_watch *cancel_watch(struct cancel *c, cancel_fn *fn, void *ctx);
void cancel_unwatch(struct cancel *c, struct cancel_watch *watch); /* NULL is fine */
