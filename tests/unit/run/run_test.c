#include "run/run.h"

#include <stdatomic.h>

#include "support/test.h"

/* What a step does: '.' ok, 'f' fails, 'h' waits for its cancel, 'o' the same and says what it
 * waits for, 'e' the same and fails with an error of its own, 's' waits until enough run at once,
 * 'c' cancels the run; one letter an attempt, the last one repeats. */
struct script {
    const char **deeds;
    struct cancel *run;
    atomic_int now, most; /* steps at once */
    int enough;
    struct buf events; /* told under the engine's lock */
};

static int do_step(void *ctx, const struct run_attempt *a, struct err *e)
{
    struct script *s = ctx;
    const char *deeds = s->deeds[a->step];
    char deed = deeds[MIN((size_t)a->number, strlen(deeds)) - 1];
    int now = atomic_fetch_add(&s->now, 1) + 1, most = atomic_load(&s->most), rc = 0;

    while (now > most && !atomic_compare_exchange_weak(&s->most, &most, now))
        ;
    if (deed == 'f')
        rc = err_set(e, ERR_IO, "attempt %d broke", a->number);
    if (deed == 'o')
        buf_add_str(a->outstanding, STR("2 of 3 pods"));
    if (deed == 'h' || deed == 'o' || deed == 'e')
        rc = cancel_sleep(a->cancel, 60000, e);
    if (deed == 'e')
        rc = err_set(e, ERR_DENIED, "denied at last");
    while (deed == 's' && rc == 0 && s->most < s->enough)
        rc = cancel_sleep(a->cancel, 1, e);
    if (deed == 'c') {
        cancel_trigger(s->run, ERR_CANCELED, "canceled by SIGINT");
        rc = cancel_sleep(a->cancel, 60000, e);
    }
    if (rc == 0)
        buf_addf(a->note, "note %d", a->number);
    atomic_fetch_sub(&s->now, 1);
    return rc;
}

static void keep_event(void *ctx, const struct run_event *event)
{
    struct script *s = ctx;
    static const char *const names[] = {"run", "bad", "done"};

    buf_addf(&s->events, "%zu:%s", event->step, names[event->type]);
    if (event->type != RUN_EVENT_DONE)
        buf_addf(&s->events, "%d/%d", event->attempt, event->of);
    buf_add_char(&s->events, ' ');
}

static void script_done(struct script *s)
{
    cancel_free(s->run);
    buf_done(&s->events);
}
AUTO_VALUE(struct script, script_done)

static int play(struct script *s, const char **deeds, const struct run_step *steps, size_t count,
                int parallelism, struct run_result *results)
{
    struct run_plan plan = {.steps = steps,
                            .count = count,
                            .parallelism = parallelism,
                            .step = do_step,
                            .event = keep_event,
                            .ctx = s};

    if (!s->run)
        s->run = cancel_new(NULL, CLOCK_NEVER);
    s->deeds = deeds;
    plan.cancel = s->run;
    return run_steps(&plan, results);
}

TEST(run_retries_and_tells_events_in_order)
{
    static const size_t needs[] = {0};
    static const struct run_step steps[] = {
        {.name = STR_INIT("a"), .retries = 2, .retry_delay_ms = 3, .timeout_ms = 60000},
        {.name = STR_INIT("b"), .needs = needs, .need_count = 1, .skip_reason = STR_INIT("off")},
        {.name = STR_INIT("c"), .needs = needs, .need_count = 1},
    };
    AUTO(script_done) struct script s = {0};
    struct run_result r[3] = {0};

    CHECK_INT(play(&s, (const char *[]){"ff.", ".", "."}, steps, 3, 0, r), 0, "run");
    CHECK_INT(r[0].status, RUN_OK, "a");
    CHECK_INT(r[0].attempts, 3, "attempts");
    CHECK(!r[0].error && r[0].duration_ms >= 6);
    CHECK_STR(str_of(r[0].note), STR("note 3"), "note");
    CHECK_INT(r[1].status, RUN_SKIPPED, "b");
    CHECK_STR(str_of(r[1].skip_reason), STR("off"), "reason");
    CHECK(r[1].satisfies && r[1].attempts == 0);
    CHECK_STR(buf_view(&s.events),
              STR("0:run1/3 0:bad1/3 0:run2/3 0:bad2/3 0:run3/3 0:done 1:done 2:run1/1 2:done "),
              "events");
    run_results_done(r, 3);
}

TEST(run_says_what_was_outstanding_when_time_was_over)
{
    static const struct run_step steps[] = {{.name = STR_INIT("a"), .timeout_ms = 20},
                                            {.name = STR_INIT("b"), .timeout_ms = 60000},
                                            {.name = STR_INIT("c"), .timeout_ms = 20}};
    AUTO(script_done) struct script s = {0};
    struct run_result r[3] = {0};

    CHECK_INT(play(&s, (const char *[]){"h", "f", "o"}, steps, 3, 0, r), -1, "run");
    CHECK_STR(str_of(r[0].error), STR("timed out after 20ms: timed out"), "without");
    CHECK_STR(str_of(r[1].error), STR("attempt 1 broke"), "no time-out");
    CHECK_STR(str_of(r[2].error), STR("timed out after 20ms; still outstanding: 2 of 3 pods"),
              "with");
    run_results_done(r, 3);
}

TEST(run_keeps_an_error_that_comes_after_the_time)
{
    static const struct run_step steps[] = {{.name = STR_INIT("a"), .timeout_ms = 10}};
    AUTO(script_done) struct script s = {0};
    struct run_result r[1] = {0};

    CHECK_INT(play(&s, (const char *[]){"e"}, steps, 1, 0, r), -1, "run");
    CHECK_STR(str_of(r[0].error), STR("timed out after 10ms: denied at last"), "error");
    run_results_done(r, 1);
}

TEST(run_cancel_aborts_attempts_and_skips_the_rest)
{
    static const size_t needs[] = {0};
    static const struct run_step steps[] = {
        {.name = STR_INIT("a"), .retries = 5, .timeout_ms = 60000},
        {.name = STR_INIT("b"), .retries = 5, .timeout_ms = 60000},
        {.name = STR_INIT("c"), .needs = needs, .need_count = 1}};
    AUTO(script_done) struct script s = {0};
    struct run_result r[3] = {0};

    CHECK_INT(play(&s, (const char *[]){"c", "h", "."}, steps, 3, 0, r), -1, "run");
    CHECK_INT(r[0].status, RUN_FAILED, "a");
    CHECK_INT(r[0].attempts, 1, "no retry");
    CHECK_STR(str_of(r[0].error), STR("canceled by SIGINT"), "error");
    if (r[1].status == RUN_FAILED) /* or it had not begun */
        CHECK_INT(r[1].attempts, 1, "no retry");
    CHECK_INT(r[2].status, RUN_SKIPPED, "c");
    CHECK_STR(str_of(r[2].skip_reason), STR("run canceled"), "reason");
    run_results_done(r, 3);
}

TEST(run_cancelled_is_a_failure_even_when_nothing_failed)
{
    static const struct run_step steps[] = {{.name = STR_INIT("a"), .skip_reason = STR_INIT("x")}};
    AUTO(script_done) struct script s = {.run = cancel_new(NULL, CLOCK_NEVER)};
    struct run_result r[1] = {0};

    CHECK_INT(play(&s, (const char *[]){"."}, steps, 1, 0, r), 0, "run");
    run_results_done(r, 1);
    cancel_trigger(s.run, ERR_CANCELED, "x");
    CHECK_INT(play(&s, (const char *[]){"."}, steps, 1, 0, r), -1, "cancelled");
    run_results_done(r, 1);
    CHECK_INT(play(&s, NULL, NULL, 0, 0, NULL), -1, "no steps, cancelled");
}

TEST(run_keeps_to_its_parallelism)
{
    static const int rows[] = {1, 3, 0};
    struct run_step steps[20] = {0};
    const char *deeds[20];

    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        steps[i] = (struct run_step){.name = STR("s"), .timeout_ms = TEST_PATIENCE_MS};
        deeds[i] = "s";
    }
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(script_done) struct script s = {.enough = rows[i] ? rows[i] : 20};
        struct run_result r[20] = {0};

        CHECK_INT(play(&s, deeds, steps, 20, rows[i], r), 0, "run");
        CHECK_INT(s.most, s.enough, "at once");
        run_results_done(r, 20);
    }
}

static int barrier_step(void *ctx, const struct run_attempt *a, struct err *e)
{
    atomic_int *arrived = ctx;

    atomic_fetch_add(arrived, 1);
    while (atomic_load(arrived) < 30) { /* nobody goes on before all have come */
        if (cancel_sleep(a->cancel, 1, e) < 0)
            return -1;
    }
    return 0;
}

TEST(run_without_a_limit_has_all_steps_of_a_level_at_once)
{
    struct run_step steps[30] = {0};
    struct run_result r[30] = {0};
    atomic_int arrived = 0;
    struct run_plan plan = {.steps = steps, .count = 30, .step = barrier_step, .ctx = &arrived};

    for (size_t i = 0; i < ARRAY_LEN(steps); i++)
        steps[i] = (struct run_step){.name = STR("s"), .timeout_ms = TEST_PATIENCE_MS};
    CHECK_INT(run_steps(&plan, r), 0, "run");
    run_results_done(r, 30);
}

static int count_step(void *ctx, const struct run_attempt *a UNUSED, struct err *e UNUSED)
{
    atomic_fetch_add((atomic_int *)ctx, 1);
    return 0;
}

TEST(run_does_many_steps_of_a_chain_and_of_a_level)
{
    enum { COUNT = 2000 };
    static size_t needs[COUNT];
    static struct run_step steps[COUNT];
    static struct run_result r[COUNT];
    atomic_int done = 0;
    struct run_plan plan = {.steps = steps, .count = COUNT, .step = count_step, .ctx = &done};

    for (size_t chained = 0; chained <= 1; chained++) {
        for (size_t i = 0; i < COUNT; i++) {
            needs[i] = i - 1;
            steps[i] = (struct run_step){.name = STR("s"),
                                         .needs = &needs[i],
                                         .need_count = i ? chained : 0,
                                         .timeout_ms = 300000};
        }
        CHECK_INT(run_steps(&plan, r), 0, "run");
        run_results_done(r, COUNT);
    }
    CHECK_INT(done, 2LL * COUNT, "done");
}
