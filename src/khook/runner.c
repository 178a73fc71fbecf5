#include "khook/runner.h"

#include "base/log.h"
#include "khook/state/hash.h"

struct running {
    const struct khook_run *run;
    const struct khook_spec *spec;
    struct khook_outcome *outcome;
    struct khook_store *store; /* NULL without state */
    struct khook_record before, record;
    bool has_before;
    str *hashes;
    struct cancel *cancel; /* the run's, or the loss of its lease */
    run_event_fn *event;
    void *event_ctx;
};

/* ---- steps as the engine wants them */

static str type_text(const struct khook_step *step) { return khook_type_name(step->type); }

static void needs_forward(struct khook_outcome *o, const struct khook_spec *spec)
{
    for (size_t i = 0; i < o->count; i++) {
        o->steps[i].needs = spec->steps[i].needs;
        o->steps[i].need_count = spec->steps[i].need_count;
    }
}

/* Every edge turned round: a step is torn down before the steps it needs. */
static void needs_backward(struct khook_outcome *o, const struct khook_spec *spec)
{
    size_t *counts = ARENA_ARRAY(&o->arena, size_t, o->count),
           **needs = ARENA_ARRAY(&o->arena, size_t *, o->count);

    for (size_t i = 0; i < o->count; i++)
        for (size_t j = 0; j < spec->steps[i].need_count; j++)
            counts[spec->steps[i].needs[j]]++;
    for (size_t i = 0; i < o->count; i++) {
        needs[i] = ARENA_ARRAY(&o->arena, size_t, counts[i]);
        o->steps[i].needs = needs[i];
    }
    for (size_t i = 0; i < o->count; i++) {
        for (size_t j = 0; j < spec->steps[i].need_count; j++) {
            size_t need = spec->steps[i].needs[j];

            needs[need][o->steps[need].need_count++] = i;
        }
    }
}

static void order_by_level(struct khook_outcome *o)
{
    size_t *level = ARENA_ARRAY(&o->arena, size_t, o->count), levels = 0;
    AUTO(run_cycle_done) struct run_cycle cycle = {0};

    if (run_levels(o->steps, o->count, level, &levels, &cycle) < 0)
        assert(!"a judged spec has no cycle");
    run_order(level, o->count, levels, o->order, ARENA_ARRAY(&o->arena, size_t, levels + 1));
}

void khook_outcome_init(struct khook_outcome *o, const struct khook_spec *spec,
                        enum khook_mode mode)
{
    *o = (struct khook_outcome){.count = spec->step_count};
    o->steps = ARENA_ARRAY(&o->arena, struct run_step, o->count);
    o->results = ARENA_ARRAY(&o->arena, struct run_result, o->count);
    o->order = ARENA_ARRAY(&o->arena, size_t, o->count);
    for (size_t i = 0; i < o->count; i++) {
        const struct khook_step *s = &spec->steps[i];
        const struct khook_executor *x = khook_executor_of(s->type);

        o->steps[i] = (struct run_step){.name = s->name,
                                        .type = type_text(s),
                                        .timeout_ms = s->timeout_ms,
                                        .retry_delay_ms = s->retry_delay_ms,
                                        .retries = (int)s->retries,
                                        .on_error = s->on_error};
        if (s->is_excluded)
            o->steps[i].skip_reason =
                arena_printf(&o->arena, "when condition is false (%.*s)", STR_ARG(s->when));
        else if (mode == KHOOK_DESTROY_RUN && !x->teardown)
            o->steps[i].skip_reason = str_of(x->keeps);
    }
    if (mode == KHOOK_DESTROY_RUN)
        needs_backward(o, spec);
    else
        needs_forward(o, spec);
    order_by_level(o);
}

void khook_outcome_done(struct khook_outcome *o)
{
    run_results_done(o->results, o->count);
    arena_done(&o->arena);
    *o = (struct khook_outcome){0};
}

/* ---- the record */

static str now_text(struct arena *arena)
{
    AUTO(buf_done) struct buf now = {0};

    clock_rfc3339(clock_wall_ms(), 0, &now);
    return arena_dup(arena, buf_view(&now));
}

static void hash_steps(struct running *r)
{
    struct arena *arena = &r->outcome->arena;

    r->hashes = ARENA_ARRAY(arena, str, r->spec->step_count);
    for (size_t i = 0; i < r->spec->step_count; i++) {
        AUTO(buf_done) struct buf hash = {0};

        if (r->spec->steps[i].is_excluded)
            continue;
        khook_step_hash(&r->spec->steps[i], r->run->context->base_dir, &hash);
        r->hashes[i] = arena_dup(arena, buf_view(&hash));
    }
}

static void mark_resumed(struct running *r)
{
    for (size_t i = 0; i < r->spec->step_count; i++)
        if (!r->spec->steps[i].is_excluded &&
            khook_record_resumes(r->has_before ? &r->before : NULL, &r->spec->steps[i],
                                 r->hashes[i]))
            r->outcome->steps[i].skip_reason = STR(KHOOK_RESUMED);
}

/* Loads the record, decides what resumes, takes the lease. */
static int state_begin(struct running *r, struct err *e)
{
    AUTO(buf_done) struct buf spec_hash = {0};
    int rc = khook_store_load(r->store, r->cancel, &r->before, e);

    if (rc < 0)
        return -1;
    r->has_before = rc == 1;
    if (r->run->mode == KHOOK_DESTROY_RUN) {
        if (!r->has_before)
            return 0;
        r->record = r->before;
        r->before = (struct khook_record){0};
        return khook_store_begin(r->store, &r->record, r->cancel, r->cancel, e);
    }
    hash_steps(r);
    mark_resumed(r);
    khook_spec_hash(r->spec, &spec_hash);
    khook_record_seed(r->spec, r->has_before ? &r->before : NULL, r->hashes, buf_view(&spec_hash),
                      now_text(&r->outcome->arena), &r->record);
    return khook_store_begin(r->store, &r->record, r->cancel, r->cancel, e);
}

/* A failing write does not stop the run: the last one decides whether the record holds. */
static void record_save(struct running *r)
{
    AUTO(err_done) struct err e = {0};

    if (khook_store_save(r->store, &r->record, &e) == 0)
        return;
    log_warn("the state record was not written", LOG_STR("error", str_of(err_text(&e))));
}

static bool was_resumed(const struct running *r, size_t step)
{
    return r->outcome->steps[step].skip_reason.len && !r->spec->steps[step].is_excluded;
}

static void on_event(void *ctx, const struct run_event *event)
{
    struct running *r = ctx;
    bool destroys = r->run->mode == KHOOK_DESTROY_RUN;
    bool has_record = r->store && (!destroys || r->has_before);

    if (r->event)
        r->event(r->event_ctx, event);
    if (!has_record)
        return;
    if (destroys && event->type == RUN_EVENT_RUNNING && event->attempt == 1) {
        khook_record_clear(&r->record, r->outcome->steps[event->step].name);
        record_save(r);
    } else if (!destroys && event->type == RUN_EVENT_DONE && !was_resumed(r, event->step)) {
        khook_record_update(&r->record, r->outcome->steps[event->step].name, event->result,
                            now_text(&r->outcome->arena));
        record_save(r);
    }
}

static int state_end(struct running *r, struct err *e)
{
    bool ok = r->outcome->is_ok;

    if (r->run->mode == KHOOK_DESTROY_RUN && ok)
        return khook_store_delete(r->store, NULL, e);
    if (r->run->mode == KHOOK_DESTROY_RUN && !r->has_before)
        return 0;
    r->record.run_status = ok ? STR("ok") : STR("failed");
    r->record.updated_at = now_text(&r->outcome->arena);
    if (khook_store_end(r->store, &r->record, e) == 0)
        return 0;
    if (ok || e->kind == ERR_CONFLICT) /* conflict: another run took the lease over */
        return -1;
    log_warn("the state record was not finished", LOG_STR("error", str_of(err_text(e))));
    err_done(e);
    return 0;
}

/* ---- the run */

/* A step that the record has unfinished with this very hash was in flight when a run was killed. */
static bool may_adopt(const struct running *r, size_t step)
{
    const struct khook_record_step *entry =
        r->has_before ? khook_record_find(&r->before, r->spec->steps[step].name) : NULL;

    return entry && entry->status == RUN_PENDING && entry->input_hash.len &&
           str_eq(entry->input_hash, r->hashes[step]);
}

static int do_step(void *ctx, const struct run_attempt *attempt, struct err *e)
{
    struct running *r = ctx;
    const struct khook_step *step = &r->spec->steps[attempt->step];
    const struct khook_executor *x = khook_executor_of(step->type);
    struct khook_attempt a = {.step = step,
                              .cancel = attempt->cancel,
                              .note = attempt->note,
                              .outstanding = attempt->outstanding};

    if (r->run->mode == KHOOK_DESTROY_RUN)
        return x->teardown(r->run->context, &a, e);
    if (r->hashes) {
        a.input_hash = r->hashes[attempt->step];
        a.may_adopt = attempt->number == 1 && may_adopt(r, attempt->step);
    }
    return x->run(r->run->context, &a, e);
}

static void running_done(struct running *r)
{
    khook_store_free(r->store);
    khook_record_done(&r->before);
    khook_record_done(&r->record);
}
AUTO_VALUE(struct running, running_done)

int khook_run(const struct khook_run *run, struct khook_outcome *outcome, run_event_fn *event,
              void *event_ctx, struct err *e)
{
    const struct khook_spec *spec = run->context->spec;
    AUTO(cancel_free) struct cancel *cancel = cancel_new(run->cancel, CLOCK_NEVER);
    AUTO(running_done)
    struct running r = {.run = run,
                        .spec = spec,
                        .outcome = outcome,
                        .cancel = cancel,
                        .event = event,
                        .event_ctx = event_ctx};
    struct run_plan plan = {.steps = outcome->steps,
                            .count = outcome->count,
                            .parallelism = run->parallelism,
                            .cancel = cancel,
                            .step = do_step,
                            .event = on_event,
                            .ctx = &r};

    if (spec->has_state) {
        r.store = khook_store_new(run->context->kube, spec->state_ns, spec->state_name);
        if (state_begin(&r, e) < 0)
            return -1;
    }
    outcome->is_ok = run_steps(&plan, outcome->results) == 0;
    outcome->is_canceled = cancel_is_set(run->cancel);
    if (outcome->is_canceled)
        outcome->is_ok = false;
    return r.store ? state_end(&r, e) : 0;
}
