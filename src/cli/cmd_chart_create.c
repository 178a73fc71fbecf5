/* grapnel chart create */
#include "chart/create.h"
#include "cli/output.h"

static const struct cli_flag *const flag_tables[] = {NULL};

static int run(struct cli *cli, struct err *e)
{
    AUTO(buf_done) struct buf line = {0};

    if (cli->arguments.len != 1)
        return err_set(e, ERR_USAGE, "\"%s %s\" requires 1 argument", cli->program,
                       cli_command_name(cli->command, cli->program));
    if (chart_create(cli->arguments.v[0].p, e) < 0)
        return -1;
    buf_addf(&line, "Creating %.*s\n", STR_ARG(cli->arguments.v[0]));
    return cli_print(buf_view(&line), e);
}

const struct cli_command cli_chart_create = {
    .name = "chart create",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Start a chart",
    .arguments = "NAME",
    .about = "Makes a folder with a small chart in it: a Deployment, a Service, the names and "
             "labels they share, values with a schema. It renders and passes `chart lint` as it "
             "is.",
    .flags = flag_tables,
    .examples = "$ grapnel chart create web && grapnel chart template web\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run,
};
