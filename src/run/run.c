#include "run/run.h"

#include "base/duration.h"
#include "base/mem.h"
#include "run/decide.h"
#include "sys/thread.h"

/* Threads are started only when a step waits and none is idle, so a thousand steps that do nothing
 * cost a few threads, and a thousand that wait at once have one each. */
struct engine {
    const struct run_plan *plan;
    struct run_result *results;
    pthread_mutex_t lock;      /* all below, and the telling of events */
    pthread_cond_t work, boss; /* a step is queued; more threads are wanted or all is over */
    struct run_state state;
    clock_ms *begin;                 /* of each step's first attempt */
    size_t *queue, queued, queue_at; /* each step is queued once */
    size_t idle;
    bool is_over;
};

static void tell(struct engine *g, struct run_event event)
{
    event.of = g->plan->steps[event.step].retries + 1;
    if (g->plan->event)
        g->plan->event(g->plan->ctx, &event);
}

static void finish(struct engine *g, size_t step)
{
    const struct run_mark *mark = &g->state.marks[step];
    struct run_result *result = &g->results[step];

    result->status = mark->status;
    result->attempts = mark->attempts;
    result->satisfies = mark->satisfies;
    if (mark->attempts)
        /* what ran took some time: 0 is kept for what did not */
        result->duration_ms = MAX(clock_now() - g->begin[step], (int64_t)1);
    if (mark->status == RUN_OK) {
        mem_free(TAKE(result->error));
    }
    tell(g, (struct run_event){
                .type = RUN_EVENT_DONE, .step = step, .attempt = mark->attempts, .result = result});
}

static void finish_skipped(struct engine *g, const struct run_action *action)
{
    AUTO(buf_done) struct buf reason = {0};

    run_skip_text(&g->state, action, &reason);
    g->results[action->step].skip_reason = buf_take(&reason);
    finish(g, action->step);
}

/* Wakes a thread for each queued step; the calling one takes one itself when it is free. */
static void wake(struct engine *g, bool caller_is_free)
{
    size_t wanted = g->queued - g->queue_at;

    wanted -= MIN(wanted, (size_t)caller_is_free);
    for (size_t i = 0; i < MIN(wanted, g->idle); i++)
        pthread_cond_signal(&g->work);
    if (wanted > g->idle)
        pthread_cond_signal(&g->boss);
}

static void carry_out(struct engine *g, const struct run_action *action)
{
    switch (action->type) {
    case RUN_DO_QUEUE:
        g->queue[g->queued++] = action->step;
        break;
    case RUN_DO_SKIP:
        finish_skipped(g, action);
        break;
    case RUN_DO_OK:
    case RUN_DO_FAIL:
        finish(g, action->step);
        break;
    case RUN_DO_ATTEMPT:
    case RUN_DO_PAUSE:
        break; /* of the thread that asked */
    }
}

/* Tells the decisions what came of step; true with *own when the calling thread has more to do with
 * it. */
static bool feed(struct engine *g, enum run_input input, size_t step, struct run_action *own)
{
    struct run_actions actions = {0};
    bool goes_on = false;

    run_decide(&g->state, input, step, cancel_is_set(g->plan->cancel), &actions);
    for (size_t i = 0; i < actions.len; i++) {
        carry_out(g, &actions.v[i]);
        if (actions.v[i].type == RUN_DO_ATTEMPT || actions.v[i].type == RUN_DO_PAUSE) {
            *own = actions.v[i];
            goes_on = true;
        }
    }
    vec_done(&actions);
    if (run_state_has_ended(&g->state)) {
        g->is_over = true;
        pthread_cond_broadcast(&g->work);
        pthread_cond_signal(&g->boss);
    } else {
        wake(g, !goes_on);
    }
    return goes_on;
}

/* An attempt that ran out of time says so, after how long, and what was outstanding (khook spec
 * 9.3). */
static char *failure_text(const struct run_step *step, struct cancel *c, const struct buf *missing,
                          const struct err *e)
{
    AUTO(err_done) struct err why = {0};
    AUTO(buf_done) struct buf text = {0};

    if (cancel_check(c, &why) == 0 || why.kind != ERR_TIMEOUT)
        return mem_strdup(err_text(e));
    buf_add_str(&text, STR("timed out after "));
    duration_format_ms(step->timeout_ms, &text);
    if (missing->len)
        buf_addf(&text, "; still outstanding: %.*s", STR_ARG(buf_view(missing)));
    if (!missing->len || e->kind != ERR_TIMEOUT)
        buf_addf(&text, ": %s", err_text(e));
    return buf_take(&text);
}

/* Without the lock. Fills the result's error or note, which nobody else reads before the end. */
static int attempt(struct engine *g, const struct run_action *action)
{
    const struct run_step *step = &g->plan->steps[action->step];
    struct run_result *result = &g->results[action->step];
    clock_ms deadline = step->timeout_ms > 0 ? clock_after(step->timeout_ms) : CLOCK_NEVER;
    AUTO(cancel_free) struct cancel *c = cancel_new(g->plan->cancel, deadline);
    AUTO(buf_done) struct buf note = {0}, missing = {0};
    AUTO(err_done) struct err e = {0};
    struct run_attempt a = {.step = action->step,
                            .number = action->attempt,
                            .of = step->retries + 1,
                            .cancel = c,
                            .note = &note,
                            .outstanding = &missing};
    int rc = g->plan->step(g->plan->ctx, &a, &e);

    mem_free(TAKE(result->error));
    mem_free(TAKE(result->note));
    if (rc < 0)
        result->error = failure_text(step, c, &missing, &e);
    if (note.len)
        result->note = buf_take(&note);
    return rc;
}

static enum run_input run_attempt(struct engine *g, const struct run_action *action)
{
    struct run_event event = {
        .type = RUN_EVENT_RUNNING, .step = action->step, .attempt = action->attempt};
    int rc;

    if (action->attempt == 1)
        g->begin[action->step] = clock_now();
    tell(g, event);
    pthread_mutex_unlock(&g->lock);
    rc = attempt(g, action);
    pthread_mutex_lock(&g->lock);
    if (rc == 0)
        return RUN_IN_OK;
    event.type = RUN_EVENT_ATTEMPT_FAILED;
    event.error = g->results[action->step].error;
    tell(g, event);
    return RUN_IN_ERROR;
}

static enum run_input run_pause(struct engine *g, const struct run_action *action)
{
    AUTO(err_done) struct err cut_short = {0};
    int64_t ms = g->plan->steps[action->step].retry_delay_ms;

    pthread_mutex_unlock(&g->lock);
    if (ms > 0 && cancel_sleep(g->plan->cancel, ms, &cut_short) < 0)
        err_done(&cut_short); /* the decision looks at the cancel itself */
    pthread_mutex_lock(&g->lock);
    return RUN_IN_PAUSED;
}

static void run_step(struct engine *g, size_t step)
{
    enum run_input input = RUN_IN_TAKEN;
    struct run_action own;

    while (feed(g, input, step, &own))
        input = own.type == RUN_DO_ATTEMPT ? run_attempt(g, &own) : run_pause(g, &own);
}

static void work(void *ctx)
{
    struct engine *g = ctx;

    LOCK_SCOPE(&g->lock);
    for (;;) {
        if (g->queue_at < g->queued) {
            run_step(g, g->queue[g->queue_at++]);
        } else if (g->is_over) {
            return;
        } else {
            g->idle++;
            pthread_cond_wait(&g->work, &g->lock);
            g->idle--;
        }
    }
}

struct threads {
    struct thread **v;
    size_t len, cap;
};

/* One more thread, the lock let go meanwhile. When the system has none left, those that run do the
 * work, and without any the caller does. */
static void add_thread(struct engine *g, struct threads *threads, size_t *limit)
{
    AUTO(err_done) struct err e = {0};
    struct thread *t;

    pthread_mutex_unlock(&g->lock);
    t = thread_start("step", work, g, &e);
    if (!t && threads->len == 0)
        work(g);
    pthread_mutex_lock(&g->lock);
    if (t)
        vec_push(threads, t);
    else
        *limit = threads->len;
}

static void lead(struct engine *g, struct threads *threads)
{
    size_t limit = g->plan->parallelism > 0 ? (size_t)g->plan->parallelism : g->plan->count;
    struct run_action own;

    LOCK_SCOPE(&g->lock);
    feed(g, RUN_IN_BEGIN, 0, &own);
    while (!g->is_over) {
        if (g->queued - g->queue_at > g->idle && threads->len < limit)
            add_thread(g, threads, &limit);
        else
            pthread_cond_wait(&g->boss, &g->lock);
    }
}

static void engine_init(struct engine *g, const struct run_plan *plan, struct run_result *results)
{
    *g = (struct engine){.plan = plan, .results = results};
    if (!run_state_init(&g->state, plan->steps, plan->count))
        assert(!"the plan has a cycle: run_levels first");
    g->begin = mem_zalloc((plan->count + 1) * sizeof(*g->begin));
    g->queue = mem_zalloc((plan->count + 1) * sizeof(*g->queue));
    pthread_mutex_init(&g->lock, NULL);
    thread_cond_init(&g->work);
    thread_cond_init(&g->boss);
}

static void engine_done(struct engine *g)
{
    pthread_cond_destroy(&g->boss);
    pthread_cond_destroy(&g->work);
    pthread_mutex_destroy(&g->lock);
    mem_free(g->queue);
    mem_free(g->begin);
    run_state_done(&g->state);
}
AUTO_VALUE(struct engine, engine_done)

int run_steps(const struct run_plan *plan, struct run_result *results)
{
    AUTO(engine_done) struct engine g;
    struct threads threads = {0};
    bool ok = true;

    engine_init(&g, plan, results);
    lead(&g, &threads);
    for (size_t i = 0; i < threads.len; i++)
        thread_join(threads.v[i]);
    vec_done(&threads);
    for (size_t i = 0; i < plan->count; i++)
        ok = ok && results[i].satisfies;
    return ok && !cancel_is_set(plan->cancel) ? 0 : -1;
}

void run_results_done(struct run_result *results, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        mem_free(results[i].error);
        mem_free(results[i].skip_reason);
        mem_free(results[i].note);
        results[i] = (struct run_result){0};
    }
}
