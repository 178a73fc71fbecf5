/* grapnel chart create */
#include "chart/create.h"
#include "cli/chart/flags.h"
#include "cli/output.h"

static const struct cli_flag flags[] = {
    {"starter", CLI_TEXT, "NAME",
     "chart to start from: a folder below helm's folder of starters, or an absolute path", 'p', "",
     "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, NULL};

static int create(const struct cli *cli, struct err *e)
{
    AUTO(chart_dirs_done) struct chart_dirs dirs = {0};
    AUTO(buf_done) struct buf starter = {0};
    const char *path = cli->arguments.v[0].p;
    str from = cli_text(cli, "starter");

    if (!from.len)
        return chart_create(path, e);
    cli_chart_dirs(cli, &dirs);
    if (from.p[0] != '/')
        buf_addf(&starter, "%s/starters/", buf_cstr(&dirs.data_home));
    buf_add_str(&starter, from);
    return chart_create_from(path, buf_cstr(&starter), e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(buf_done) struct buf line = {0};

    if (cli->arguments.len != 1)
        return err_set(e, ERR_USAGE, "\"%s %s\" requires 1 argument", cli->program,
                       cli_command_name(cli->command, cli->program));
    if (create(cli, e) < 0)
        return -1;
    buf_addf(&line, "Creating %.*s\n", STR_ARG(cli->arguments.v[0]));
    return cli_print(buf_view(&line), e);
}

const struct cli_command cli_chart_create = {
    .name = "chart create",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Start a chart",
    .arguments = "NAME",
    .about =
        "Makes a folder with a small chart in it: a Deployment, a Service, the names and "
        "labels they share, values with a schema. It renders and passes `chart lint` as it "
        "is. With --starter it is made from another chart's folder instead, in whose templates "
        "and values.yaml <CHARTNAME> stands for the name; starters are kept in "
        "$HELM_DATA_HOME/starters.",
    .flags = flag_tables,
    .examples = "$ grapnel chart create web && grapnel chart template web\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run,
};
