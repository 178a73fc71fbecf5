/* A run of a spec: apply or destroy, with or without a state record (khook spec 7.5, 9, 18.6).
 *
 * khook_run blocks. Events are those of run/run.h, one at a time; steps are numbered as in the
 * spec. */
#pragma once
#include "khook/act/action.h"
#include "khook/state/state.h"

enum khook_mode { KHOOK_APPLY_RUN, KHOOK_DESTROY_RUN };

struct khook_run {
    enum khook_mode mode;
    const struct khook_context *context;
    int parallelism;       /* 0: no limit */
    struct cancel *cancel; /* signals */
};

/* What is left of a run. steps and results: one for each step of the spec, in its order. */
struct khook_outcome {
    struct run_step *steps;
    struct run_result *results;
    size_t *order; /* level by level */
    size_t count;
    bool is_ok, is_canceled;
    struct arena arena;
};

/* Steps and order, without a cluster: what a display is set up with. */
void khook_outcome_init(struct khook_outcome *o, const struct khook_spec *spec,
                        enum khook_mode mode);
void khook_outcome_done(struct khook_outcome *o);
AUTO_VALUE(struct khook_outcome, khook_outcome_done)

/* 0 when the run came to its end, whatever the steps say (outcome->is_ok); -1 when it could not
 * start or its record could not be used or written. */
int khook_run(const struct khook_run *run, struct khook_outcome *outcome, run_event_fn *event,
              void *event_ctx, struct err *e);
