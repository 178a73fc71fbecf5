/* The step engine alone: microseconds for a step that does nothing, 1,000 of them in a chain, in
 * levels of ten and in one level; and a run of steps that wait against the time of its longest
 * path. The median of several runs. */
#include "bench/pair.h"
#include "run/run.h"

enum { STEPS = 1000, RUNS = 7, WAIT_MS = 60, WAIT_WIDTH = 50, WAIT_LEVELS = 6 };

static int do_nothing(void *ctx, const struct run_attempt *a, struct err *e)
{
    (void)ctx, (void)a, (void)e;
    return 0;
}

static int wait_a_little(void *ctx, const struct run_attempt *a, struct err *e)
{
    (void)ctx;
    return cancel_sleep(a->cancel, WAIT_MS, e);
}

/* Seconds; each step needs the one `width` before it. */
static double run_once(size_t count, size_t width, run_step_fn *step)
{
    static size_t needs[STEPS];
    static struct run_step steps[STEPS];
    static struct run_result results[STEPS];
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, CLOCK_NEVER);
    struct run_plan plan = {.steps = steps, .count = count, .cancel = cancel, .step = step};
    double start;

    for (size_t i = 0; i < count; i++) {
        needs[i] = i < width ? 0 : i - width;
        steps[i] = (struct run_step){
            .name = STR("s"), .needs = &needs[i], .need_count = i >= width, .timeout_ms = 300000};
    }
    start = pair_now();
    if (run_steps(&plan, results) < 0)
        start = -1e9; /* a failed run meets no bar */
    run_results_done(results, count);
    return pair_now() - start;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(size_t count, size_t width, run_step_fn *step)
{
    double seconds[RUNS];

    for (size_t i = 0; i < RUNS; i++)
        seconds[i] = run_once(count, width, step);
    qsort(seconds, RUNS, sizeof(seconds[0]), by_size);
    return seconds[RUNS / 2];
}

int main(void)
{
    static const struct {
        const char *name;
        size_t width;
    } rows[] = {{"steps/1,000 no-ops in a chain", 1},
                {"steps/1,000 no-ops, ten a level", 10},
                {"steps/1,000 no-ops in one level", STEPS}};
    double path = WAIT_LEVELS * WAIT_MS / 1000.0;
    bool is_met = true;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        is_met &= pair_value(rows[i].name, median(STEPS, rows[i].width, do_nothing) * 1e6 / STEPS,
                             "us a step", 20);
    is_met &= pair_value("steps/300 that wait, against their longest path",
                         median((size_t)WAIT_LEVELS * WAIT_WIDTH, WAIT_WIDTH, wait_a_little) / path,
                         "times", 1.05);
    return !is_met;
}
