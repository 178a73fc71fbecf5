/* grapnel status -f SPEC */
#include "cli/khook/flags.h"
#include "cli/output.h"
#include "khook/state/hash.h"
#include "khook/state/state.h"
#include "khook/state/status.h"
#include "sys/signal.h"

static const struct cli_flag *const flag_tables[] = {cli_spec_flags, cli_cluster_flags,
                                                     cli_output_flags, NULL};

static int print(const struct cli *cli, const struct cli_spec *spec,
                 const struct khook_record *record, struct err *e)
{
    AUTO(buf_done) struct buf out = {0}, spec_hash = {0}, secret = {0};
    AUTO(arena_done) struct arena arena = {0};
    str *hashes = ARENA_ARRAY(&arena, str, spec->spec->step_count);
    struct khook_status status = {.spec = spec->spec, .hashes = hashes, .record = record};

    for (size_t i = 0; i < spec->spec->step_count; i++) {
        AUTO(buf_done) struct buf hash = {0};

        if (spec->spec->steps[i].is_excluded)
            continue;
        khook_step_hash(&spec->spec->steps[i], str_of(spec->base_dir), &hash);
        hashes[i] = arena_dup(&arena, buf_view(&hash));
    }
    khook_spec_hash(spec->spec, &spec_hash);
    status.spec_hash = buf_view(&spec_hash);
    buf_addf(&secret, "%.*s/%.*s", STR_ARG(spec->spec->state_ns), STR_ARG(spec->spec->state_name));
    status.secret = buf_view(&secret);
    if (cli_wants_json(cli)) {
        khook_status_json(&status, &out);
        return cli_print_raw(buf_view(&out), e);
    }
    khook_status_text(&status, &out);
    return cli_print(buf_view(&out), e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_spec_done) struct cli_spec spec = {0};
    AUTO(cancel_free) struct cancel *cancel = NULL;
    AUTO(signal_stop) struct signal_guard *signals = NULL;
    AUTO(kube_free) struct kube *kube = NULL;
    AUTO(khook_store_free) struct khook_store *store = NULL;
    AUTO(khook_record_done) struct khook_record record = {0};
    int found;

    if (cli_spec_load(cli, &spec, e) < 0)
        return -1;
    if (!spec.spec->has_state)
        return err_set(
            e, ERR_USAGE,
            "the spec keeps no state: add `state: {}` to it to have a record of its runs");
    cancel = cancel_new(NULL, CLOCK_NEVER);
    signals = signal_start(cancel, NULL, NULL, e);
    kube = signals ? cli_kube(cli, e) : NULL;
    if (!kube)
        return -1;
    store = khook_store_new(kube, spec.spec->state_ns, spec.spec->state_name);
    found = khook_store_load(store, cancel, &record, e);
    return found < 0 ? -1 : print(cli, &spec, found ? &record : NULL, e);
}

const struct cli_command cli_status = {
    .name = "status",
    .names = CLI_GRAPNEL | CLI_KHOOK,
    .summary = "Show the record of a spec's last run",
    .arguments = "",
    .about = "Shows the state record of a spec: the status of its last run, of each step, and what "
             "the next apply would take "
             "up. Needs state: in the spec. Without a record it says so and ends with status 0.",
    .flags = flag_tables,
    .examples = "$ grapnel status -f bootstrap.yaml\n",
    .max_arguments = 0,
    .run = run,
};
