#include "run/decide.h"

#include "base/mem.h"

static size_t *zeroed(size_t count) { return mem_zalloc(MAX(count, (size_t)1) * sizeof(size_t)); }

bool run_state_init(struct run_state *s, const struct run_step *steps, size_t count)
{
    AUTO(run_cycle_done) struct run_cycle cycle = {0};
    AUTO(mem_free) void *memory = zeroed(count);
    size_t *level = memory;

    *s = (struct run_state){.steps = steps, .count = count};
    s->marks = mem_zalloc(MAX(count, (size_t)1) * sizeof(*s->marks));
    s->order = zeroed(count);
    if (run_levels(steps, count, level, &s->level_count, &cycle) < 0)
        return false;
    s->level_start = zeroed(s->level_count + 1);
    run_order(level, count, s->level_count, s->order, s->level_start);
    return true;
}

void run_state_done(struct run_state *s)
{
    mem_free(s->marks);
    mem_free(s->order);
    mem_free(s->level_start);
    *s = (struct run_state){0};
}

bool run_state_has_ended(const struct run_state *s) { return s->level == s->level_count; }

static void end_step(struct run_state *s, size_t step, enum run_status status, bool satisfies)
{
    s->marks[step].status = status;
    s->marks[step].satisfies = satisfies;
    if (status == RUN_FAILED && s->steps[step].on_error == RUN_FAIL)
        s->is_stopped = true;
    s->open--;
}

static void skip(struct run_state *s, struct run_action why, struct run_actions *actions)
{
    why.type = RUN_DO_SKIP;
    vec_push(actions, why);
    end_step(s, why.step, RUN_SKIPPED, why.skip == RUN_SKIP_GIVEN);
}

/* The first need in listed order that did not succeed; false when all did. */
static bool find_unmet(const struct run_state *s, size_t step, size_t *ret)
{
    const struct run_step *def = &s->steps[step];

    for (size_t i = 0; i < def->need_count; i++) {
        if (!s->marks[def->needs[i]].satisfies) {
            *ret = def->needs[i];
            return true;
        }
    }
    return false;
}

/* The table of khook spec 9.2, first match wins. */
static void open_step(struct run_state *s, size_t step, bool is_canceled, bool was_stopped,
                      struct run_actions *actions)
{
    size_t need;

    if (s->steps[step].skip_reason.len)
        skip(s, (struct run_action){.step = step, .skip = RUN_SKIP_GIVEN}, actions);
    else if (is_canceled)
        skip(s, (struct run_action){.step = step, .skip = RUN_SKIP_CANCELED}, actions);
    else if (was_stopped)
        skip(s, (struct run_action){.step = step, .skip = RUN_SKIP_STOPPED}, actions);
    else if (find_unmet(s, step, &need))
        skip(s, (struct run_action){.step = step, .skip = RUN_SKIP_NEED, .need = need}, actions);
    else
        vec_push(actions, {.type = RUN_DO_QUEUE, .step = step});
}

/* Opens levels until one has something to run: a level of skipped steps ends as it begins. */
static void open_levels(struct run_state *s, bool is_canceled, struct run_actions *actions)
{
    while (s->level < s->level_count) {
        size_t begin = s->level_start[s->level], end = s->level_start[s->level + 1];
        bool was_stopped = s->is_stopped;

        s->open = end - begin;
        for (size_t i = begin; i < end; i++)
            open_step(s, s->order[i], is_canceled, was_stopped, actions);
        if (s->open)
            return;
        s->level++;
    }
}

static void end_attempts(struct run_state *s, size_t step, bool ok, struct run_actions *actions)
{
    vec_push(actions, {.type = ok ? RUN_DO_OK : RUN_DO_FAIL, .step = step});
    end_step(s, step, ok ? RUN_OK : RUN_FAILED, ok);
}

static void start_attempt(struct run_state *s, size_t step, struct run_actions *actions)
{
    struct run_mark *mark = &s->marks[step];

    mark->status = RUN_RUNNING;
    vec_push(actions, {.type = RUN_DO_ATTEMPT, .step = step, .attempt = ++mark->attempts});
}

void run_decide(struct run_state *s, enum run_input input, size_t step, bool is_canceled,
                struct run_actions *actions)
{
    switch (input) {
    case RUN_IN_BEGIN:
        open_levels(s, is_canceled, actions);
        return;
    case RUN_IN_TAKEN:
        if (is_canceled)
            skip(s, (struct run_action){.step = step, .skip = RUN_SKIP_CANCELED}, actions);
        else
            start_attempt(s, step, actions);
        break;
    case RUN_IN_OK:
        end_attempts(s, step, true, actions);
        break;
    case RUN_IN_ERROR:
        if (is_canceled || s->marks[step].attempts > s->steps[step].retries)
            end_attempts(s, step, false, actions);
        else
            vec_push(actions, {.type = RUN_DO_PAUSE, .step = step});
        break;
    case RUN_IN_PAUSED:
        if (is_canceled)
            end_attempts(s, step, false, actions);
        else
            start_attempt(s, step, actions);
        break;
    }
    if (s->open == 0) {
        s->level++;
        open_levels(s, is_canceled, actions);
    }
}

void run_skip_text(const struct run_state *s, const struct run_action *action, struct buf *out)
{
    switch (action->skip) {
    case RUN_SKIP_GIVEN:
        buf_add_str(out, s->steps[action->step].skip_reason);
        return;
    case RUN_SKIP_CANCELED:
        buf_add_str(out, STR("run canceled"));
        return;
    case RUN_SKIP_STOPPED:
        buf_add_str(out, STR("a previous step failed with onError=fail"));
        return;
    case RUN_SKIP_NEED:
        buf_addf(out, "needs \"%.*s\" which did not succeed", STR_ARG(s->steps[action->need].name));
        return;
    }
}
