/* The step engine: order, levels, retries, deadlines, failure policy, cancellation, events (khook
 * spec 8, 9). Nothing here knows khook: steps are names with needs and a function. Decisions are
 * pure functions from state and event to actions (run/decide.h); this file drives them with
 * threads.
 *
 * run_steps blocks until every step has a result. Steps of a level run at once on threads of their
 * own, bounded by parallelism. Events are told one at a time, under a lock, from whatever thread;
 * the listener must not block for long. */
#pragma once
#include "base/err.h"
#include "base/vec.h"
#include "sys/cancel.h"

enum run_on_error { RUN_FAIL, RUN_CONTINUE };
enum run_status { RUN_PENDING, RUN_RUNNING, RUN_OK, RUN_FAILED, RUN_SKIPPED };

struct run_attempt {
    size_t step;             /* index */
    int number, of;          /* from 1 */
    struct cancel *cancel;   /* of this attempt: run cancelled or time over */
    struct buf *note;        /* the step may leave a note for the result ("skipIf: exists") */
    struct buf *outstanding; /* kept up by waits: what is still missing, for the time-out message */
};
/* Carries out one attempt on a thread of its own. */
typedef int run_step_fn(void *ctx, const struct run_attempt *attempt, struct err *e);

struct run_step {
    str name, type;      /* borrowed for the run */
    const size_t *needs; /* indexes of steps, in listed order */
    size_t need_count;
    int64_t timeout_ms, retry_delay_ms;
    int retries;
    enum run_on_error on_error;
    str skip_reason; /* not empty: skipped from the start and counts as success (spec 9.2, rows 1
                        and 2) */
};

struct run_result {
    enum run_status status; /* RUN_OK, RUN_FAILED or RUN_SKIPPED in the end */
    int attempts;
    int64_t duration_ms;
    char *error;       /* owned; NULL when there is none */
    char *skip_reason; /* owned */
    char *note;        /* owned */
    bool satisfies;    /* counts as success for needs */
};

enum run_event_type { RUN_EVENT_RUNNING, RUN_EVENT_ATTEMPT_FAILED, RUN_EVENT_DONE };
struct run_event {
    enum run_event_type type;
    size_t step;
    int attempt, of;
    const char *error;               /* ATTEMPT_FAILED */
    const struct run_result *result; /* DONE */
};
typedef void run_event_fn(void *ctx, const struct run_event *event);

struct run_plan {
    const struct run_step *steps;
    size_t count;
    int parallelism;       /* 0: no limit */
    struct cancel *cancel; /* of the run; may be NULL */
    run_step_fn *step;
    run_event_fn *event; /* may be NULL */
    void *ctx;
};

/* results: count entries, zeroed by the caller, freed with run_results_done. Returns 0 when every
 * step is ok or skipped with satisfies set and the run was not cancelled, else -1 (no err: the
 * results say it). */
int run_steps(const struct run_plan *plan, struct run_result *results);
void run_results_done(struct run_result *results, size_t count);

/* Levels: level[i] of each step from 0, ret_level_count. On a cycle -1: *ret_cycle names the steps
 * on or behind it and one concrete cycle ("a -> b -> a"), khook spec 9.1. Pure. */
struct run_cycle {
    struct str_vec members; /* in spec order; borrowed names */
    struct buf path;
};
void run_cycle_done(struct run_cycle *c);
AUTO_VALUE(struct run_cycle, run_cycle_done)
int run_levels(const struct run_step *steps, size_t count, size_t *level, size_t *ret_level_count,
               struct run_cycle *ret_cycle);
/* Steps level by level, in spec order inside: those of level l are order[start[l]] up to
 * order[start[l + 1] - 1]. order has count entries, start level_count + 1. Linear, pure. */
void run_order(const size_t *level, size_t count, size_t level_count, size_t *order, size_t *start);
