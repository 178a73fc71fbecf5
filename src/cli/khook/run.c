#include "cli/khook/run.h"

#include <unistd.h>

#include "base/log.h"
#include "cli/khook/progress.h"
#include "cli/output.h"
#include "khook/results.h"
#include "sys/env.h"
#include "sys/signal.h"

const struct cli_flag cli_run_flags[] = {
    {"parallelism", CLI_INT, "N", "most steps of a level that run at once; 0: no limit", 0, "", "0",
     false},
    {.name = ""},
};

static enum progress_mode mode_of(const struct cli *cli)
{
    const char *term = env_get("TERM");

    if (cli_wants_json(cli) || !isatty(STDOUT_FILENO) || !term || !strcmp(term, "dumb"))
        return PROGRESS_PLAIN;
    return PROGRESS_LIVE;
}

static void say_start(const struct khook_spec *spec, enum khook_mode mode)
{
    int64_t steps = (int64_t)spec->step_count;

    if (mode == KHOOK_APPLY_RUN) {
        log_info("applying spec", LOG_STR("name", spec->name), LOG_NUMBER("steps", steps));
        return;
    }
    log_info("destroying spec", LOG_STR("name", spec->name), LOG_NUMBER("steps", steps));
    log_info("skipIf does not count here: what existed before the first run is removed too");
}

static void on_event(void *ctx, const struct run_event *event) { progress_event(ctx, event); }

/* The terminal gets its cursor line back before the process ends at a second signal. */
static void last_words(void *ctx UNUSED, int signo UNUSED)
{
    static const char newline[] = "\n";

    if (write(STDERR_FILENO, newline, 1) < 0)
        return;
}

static int print_results(const struct cli *cli, const struct khook_spec *spec,
                         const struct khook_outcome *outcome, enum progress_mode mode,
                         struct err *e)
{
    VEC(struct khook_result) rows = {0};
    struct khook_results results = {.name = spec->name, .canceled = outcome->is_canceled};
    AUTO(buf_done) struct buf out = {0};
    int rc;

    for (size_t i = 0; i < outcome->count; i++) {
        size_t step = outcome->order[i];

        vec_push(&rows, khook_result_of(&outcome->steps[step], &outcome->results[step]));
    }
    results.v = rows.v;
    results.len = rows.len;
    if (cli_wants_json(cli)) {
        khook_results_json(&results, &out);
    } else if (mode == PROGRESS_PLAIN) {
        khook_results_table(&results, &out);
    } else {
        for (size_t i = 0; i < results.len; i++)
            if (results.v[i].error.len)
                buf_addf(&out, "\n%.*s: %.*s\n", STR_ARG(results.v[i].name),
                         STR_ARG(results.v[i].error));
    }
    rc = cli_wants_json(cli) ? cli_print_raw(buf_view(&out), e) : cli_print(buf_view(&out), e);
    vec_done(&rows);
    return rc;
}

static int sum_up(const struct khook_outcome *outcome, struct err *e)
{
    size_t failed = 0;

    for (size_t i = 0; i < outcome->count; i++)
        failed += outcome->results[i].status == RUN_FAILED;
    if (outcome->is_ok)
        return 0;
    if (outcome->is_canceled)
        return err_set(e, ERR_CANCELED, "run canceled");
    return err_set(e, ERR_IO, "%zu of %zu step(s) failed", failed, outcome->count);
}

static int run_with_display(struct cli *cli, enum khook_mode mode, struct cli_spec *spec,
                            struct kube *kube, struct cancel *cancel, struct err *e)
{
    struct khook_context context = {
        .kube = kube, .spec = spec->spec, .base_dir = str_of(spec->base_dir)};
    struct khook_run run = {.mode = mode,
                            .context = &context,
                            .parallelism = (int)cli_int(cli, "parallelism"),
                            .cancel = cancel};
    AUTO(khook_outcome_done) struct khook_outcome outcome = {0};
    enum progress_mode display = mode_of(cli);
    AUTO(err_done) struct err unprinted = {0};
    int rc;

    if (display == PROGRESS_LIVE && !cli_given(cli, "log-level"))
        log_set_level(LOG_WARN);
    khook_outcome_init(&outcome, spec->spec, mode);
    say_start(spec->spec, mode);
    {
        AUTO(progress_free)
        struct progress *progress = progress_new(display, cli_wants_color(STDOUT_FILENO),
                                                 outcome.steps, outcome.order, outcome.count);

        rc = khook_run(&run, &outcome, on_event, progress, e);
    }
    if (rc < 0 && !outcome.results[0].status)
        return -1; /* it did not start */
    if (print_results(cli, spec->spec, &outcome, display, rc < 0 ? &unprinted : e) < 0 || rc < 0)
        return -1;
    return sum_up(&outcome, e);
}

int cli_run_spec(struct cli *cli, enum khook_mode mode, struct err *e)
{
    AUTO(cli_spec_done) struct cli_spec spec = {0};
    AUTO(cancel_free) struct cancel *cancel = NULL;
    AUTO(signal_stop) struct signal_guard *signals = NULL;
    AUTO(kube_free) struct kube *kube = NULL;

    if (cli_spec_load(cli, &spec, e) < 0)
        return -1;
    cancel = cancel_new(NULL, CLOCK_NEVER);
    signals = signal_start(cancel, last_words, NULL, e);
    if (!signals)
        return -1;
    kube = cli_kube(cli, e);
    return kube ? run_with_display(cli, mode, &spec, kube, cancel, e) : -1;
}
