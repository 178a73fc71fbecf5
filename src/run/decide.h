/* What a run does next: pure functions from state and event to actions (khook spec 9.2 to 9.5). No
 * clock, no thread; run.c carries the actions out and tells what came of them. */
#pragma once
#include "run/run.h"

enum run_input {
    RUN_IN_BEGIN,  /* of the run; step does not count */
    RUN_IN_TAKEN,  /* a thread is free for a queued step */
    RUN_IN_OK,     /* the attempt succeeded */
    RUN_IN_ERROR,  /* the attempt failed */
    RUN_IN_PAUSED, /* the pause before the next attempt is over, or was cut short */
};

enum run_do {
    RUN_DO_QUEUE,   /* start the step as soon as a thread is free */
    RUN_DO_ATTEMPT, /* number attempt, on the thread that told the event */
    RUN_DO_PAUSE,   /* retry_delay_ms, on the same thread */
    RUN_DO_OK,      /* the step has ended */
    RUN_DO_FAIL,
    RUN_DO_SKIP,
};

enum run_skip { RUN_SKIP_GIVEN, RUN_SKIP_CANCELED, RUN_SKIP_STOPPED, RUN_SKIP_NEED };

struct run_action {
    enum run_do type;
    size_t step;
    int attempt;        /* RUN_DO_ATTEMPT: from 1 */
    enum run_skip skip; /* RUN_DO_SKIP: why */
    size_t need;        /* RUN_SKIP_NEED: the first that did not succeed, in listed order */
};

struct run_actions {
    struct run_action *v;
    size_t len, cap;
};

struct run_mark {
    enum run_status status;
    int attempts; /* begun */
    bool satisfies;
};

struct run_state {
    const struct run_step *steps; /* borrowed */
    size_t count;
    struct run_mark *marks;
    size_t *order;       /* steps by level, spec order inside */
    size_t *level_start; /* level_count + 1 offsets into order */
    size_t level_count;
    size_t level; /* that runs now; level_count: the run has ended */
    size_t open;  /* its steps that have not ended */
    bool is_stopped;
};

/* false: the needs have a cycle (run_levels says which). */
bool run_state_init(struct run_state *s, const struct run_step *steps, size_t count);
void run_state_done(struct run_state *s);
AUTO_VALUE(struct run_state, run_state_done)
bool run_state_has_ended(const struct run_state *s);
/* Appends what is to be done, in order. is_canceled: of the run, now. */
void run_decide(struct run_state *s, enum run_input input, size_t step, bool is_canceled,
                struct run_actions *actions);
void run_skip_text(const struct run_state *s, const struct run_action *action, struct buf *out);
