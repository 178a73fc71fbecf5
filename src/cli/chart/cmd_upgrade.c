/* grapnel chart upgrade NAME CHART */
#include "cli/chart/operation_flags.h"
#include "cli/output.h"

static const struct cli_flag *const flag_tables[] = {cli_upgrade_flags,
                                                     cli_wait_flags,
                                                     cli_apply_flags,
                                                     cli_history_flags,
                                                     cli_release_flags,
                                                     cli_dry_run_flags,
                                                     cli_chart_values_flags,
                                                     cli_chart_source_flags,
                                                     cli_chart_access_flags,
                                                     cli_chart_trust_flags,
                                                     cli_format_flag,
                                                     cli_cluster_of_helm,
                                                     NULL};

/* *ret_installs also after a failure. */
static int upgrade(struct cli *cli, bool *ret_installs, struct err *e)
{
    AUTO(cli_operation_done) struct cli_operation o = {0};
    AUTO(chart_record_done) struct chart_record r = {0};
    AUTO(buf_done) struct buf headline = {0};
    AUTO(err_done) struct err unprinted = {0};
    int rc;

    if (cli->arguments.len != 2)
        return err_set(e, ERR_USAGE, "\"%s %s\" requires 2 arguments: NAME CHART", cli->program,
                       cli_command_name(cli->command, cli->program));
    if (cli_operation_open(cli, cli->arguments.v[0], &o, e) < 0 ||
        cli_operation_load(cli, cli->arguments.v[1], &o, e) < 0)
        return -1;
    rc = chart_upgrade(&o.op, ret_installs, &r, e);
    buf_addf(&headline,
             *ret_installs ? "Release \"%.*s\" does not exist. Installing it now.\n"
                           : "Release \"%.*s\" has been upgraded. Happy Helming!\n",
             STR_ARG(o.op.name));
    if (rc == 0)
        return cli_operation_print(cli, buf_cstr(&headline), &r, e);
    if (*ret_installs && str_eq(cli_text(cli, "output"), STR("table")))
        (void)cli_print(buf_view(&headline), &unprinted); /* e tells what matters */
    return -1;
}

static int run(struct cli *cli, struct err *e)
{
    bool installs = false;

    if (upgrade(cli, &installs, e) == 0)
        return 0;
    return installs ? -1 : cli_operation_failed("UPGRADE FAILED", e);
}

const struct cli_command cli_chart_upgrade = {
    .name = "chart upgrade",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Upgrade a release to another chart or other values",
    .arguments = "NAME CHART",
    .about =
        "Renders the chart, makes the next revision of the release, and changes its objects from "
        "what the deployed revision installed: new ones are created, changed ones applied, those "
        "that are in the old revision only are deleted (unless they are annotated "
        "helm.sh/resource-policy: keep).\n\n"
        "Without values the last revision's are used again; with values only those count, unless "
        "--reuse-values or --reset-then-reuse-values is given. --server-side goes on as the "
        "release was applied before. --rollback-on-failure waits for the objects, and goes back to "
        "the last good revision when they do not become ready or anything else fails.\n\n"
        "--upgrade-crds applies the files of crds/ first, which helm never does.",
    .flags = flag_tables,
    .examples = "$ grapnel chart upgrade web ./charts/web --install --set image.tag=1.5 --wait\n",
    .max_arguments = 2,
    .fails_with_one = true,
    .run = run,
};
