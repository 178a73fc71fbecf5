/* grapnel chart rollback NAME [REVISION] */
#include "cli/chart/operation_flags.h"
#include "cli/output.h"

static const struct cli_flag *const flag_tables[] = {cli_wait_flags,      cli_apply_flags,
                                                     cli_history_flags,   cli_dry_run_flags,
                                                     cli_cluster_of_helm, NULL};

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_operation_done) struct cli_operation o = {0};
    AUTO(chart_record_done) struct chart_record r = {0};
    int64_t revision = 0;

    if (!cli->arguments.len)
        return err_set(e, ERR_USAGE, "\"%s %s\" requires at least 1 argument", cli->program,
                       cli_command_name(cli->command, cli->program));
    if (cli->arguments.len == 2 && (!str_to_int64(cli->arguments.v[1], &revision) || revision < 0))
        return err_set(e, ERR_USAGE, "could not convert revision to a number: \"%.*s\"",
                       STR_ARG(cli->arguments.v[1]));
    if (cli_operation_open(cli, cli->arguments.v[0], &o, e) < 0 ||
        chart_rollback(&o.op, revision, &r, e) < 0)
        return -1;
    return cli_print(STR("Rollback was a success! Happy Helming!\n"), e);
}

const struct cli_command cli_chart_rollback = {
    .name = "chart rollback",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Go back to an earlier revision of a release",
    .arguments = "NAME [REVISION]",
    .about =
        "Makes a new revision that is a copy of an earlier one, the one before the last when no "
        "REVISION is given (or 0), and changes the objects from the last revision to it. Nothing "
        "is rendered again. See `chart history` for the revisions that there are.",
    .flags = flag_tables,
    .examples = "$ grapnel chart rollback web 3 --wait\n",
    .max_arguments = 2,
    .fails_with_one = true,
    .run = run,
};
