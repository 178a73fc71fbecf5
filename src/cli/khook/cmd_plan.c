/* grapnel plan -f SPEC */
#include <unistd.h>

#include "cli/khook/flags.h"
#include "cli/output.h"
#include "khook/plan.h"
#include "sys/signal.h"

static const struct cli_flag flags[] = {
    {"diff", CLI_SWITCH, "", "show what would change in each object; values of Secrets are masked",
     0, "", "", false},
    {"offline", CLI_SWITCH, "", "do not contact the cluster: order and summaries only", 0, "", "",
     false},
    {"exit-code", CLI_SWITCH, "", "end with status 3 when a step would change something", 0, "", "",
     false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {cli_spec_flags, flags, cli_cluster_flags,
                                                     cli_output_flags, NULL};

static int print(const struct cli *cli, const struct khook_plan *plan, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};

    if (cli_wants_json(cli)) {
        khook_plan_json(plan, &out);
        return cli_print_raw(buf_view(&out), e);
    }
    khook_plan_text(plan, cli_wants_color(STDOUT_FILENO), &out);
    return cli_print(buf_view(&out), e);
}

static int plan_and_print(struct cli *cli, const struct khook_context *context,
                          struct cancel *cancel, struct err *e)
{
    struct khook_plan_options options = {
        .context = context, .diff = cli_switch(cli, "diff"), .cancel = cancel};
    AUTO(khook_plan_done) struct khook_plan plan = {0};

    if (khook_plan_make(&options, &plan, e) < 0 || print(cli, &plan, e) < 0)
        return -1;
    return cli_switch(cli, "exit-code") && khook_plan_changes(&plan) ? 3 : 0;
}

static int connect(struct cli *cli, struct kube **ret, struct err *e)
{
    if (cli_switch(cli, "offline"))
        return 0;
    *ret = cli_kube(cli, e);
    return *ret ? 0 : err_wrap(e, "no cluster to plan against (plan --offline needs none)");
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_spec_done) struct cli_spec spec = {0};
    AUTO(cancel_free) struct cancel *cancel = NULL;
    AUTO(signal_stop) struct signal_guard *signals = NULL;
    AUTO(kube_free) struct kube *kube = NULL;
    struct khook_context context = {0};

    if (cli_switch(cli, "offline") && cli_switch(cli, "diff"))
        return err_set(e, ERR_USAGE,
                       "--diff asks the cluster, so it does not go together with --offline");
    if (cli_spec_load(cli, &spec, e) < 0)
        return -1;
    cancel = cancel_new(NULL, CLOCK_NEVER);
    signals = signal_start(cancel, NULL, NULL, e);
    if (!signals || connect(cli, &kube, e) < 0)
        return -1;
    context =
        (struct khook_context){.kube = kube, .spec = spec.spec, .base_dir = str_of(spec.base_dir)};
    return plan_and_print(cli, &context, cancel, e);
}

const struct cli_command cli_plan = {
    .name = "plan",
    .names = CLI_GRAPNEL | CLI_KHOOK,
    .summary = "Show what a run would do",
    .arguments = "",
    .about = "Shows the levels of a spec and what each step would do, without changing anything. A "
             "problem with one step is "
             "shown as unknown for that step. With --diff each object that would be made or "
             "changed is compared with the "
             "live one by a dry run on the server.",
    .flags = flag_tables,
    .examples =
        "$ grapnel plan -f bootstrap.yaml --diff\n$ grapnel plan -f bootstrap.yaml --offline\n",
    .max_arguments = 0,
    .run = run,
};
