/* grapnel chart uninstall NAME ... */
#include "cli/chart/operation_flags.h"
#include "cli/output.h"

static const struct cli_flag flags[] = {
    {"keep-history", CLI_SWITCH, "", "keep the records, marked uninstalled", 0, "", "", false},
    {"ignore-not-found", CLI_SWITCH, "", "a release that is not there is fine", 0, "", "", false},
    {"cascade", CLI_CHOICE, "HOW", "what becomes of objects' dependents", 0,
     "background foreground orphan", "background", false},
    {"dry-run", CLI_SWITCH, "", "change nothing", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, cli_wait_flags, cli_cluster_of_helm,
                                                     NULL};

static enum kube_propagation cascade_of(const struct cli *cli)
{
    str word = cli_text(cli, "cascade");

    if (str_eq(word, STR("foreground")))
        return KUBE_FOREGROUND;
    return str_eq(word, STR("orphan")) ? KUBE_ORPHAN : KUBE_BACKGROUND;
}

static int uninstall(const struct cli *cli, struct cli_operation *o, str name, struct err *e)
{
    struct chart_uninstall_options options = {.cascade = cascade_of(cli),
                                              .keeps_history = cli_switch(cli, "keep-history"),
                                              .ignores_missing =
                                                  cli_switch(cli, "ignore-not-found")};
    AUTO(chart_record_done) struct chart_record r = {0};
    AUTO(buf_done) struct buf kept = {0}, out = {0};

    o->op.name = name;
    if (chart_uninstall(&o->op, &options, &r, &kept, e) < 0)
        return -1;
    if (kept.len)
        buf_addf(&out, "These resources were kept due to the resource policy:\n%s\n",
                 buf_cstr(&kept));
    buf_addf(&out, "release \"%.*s\" uninstalled\n", STR_ARG(name));
    return cli_print(buf_view(&out), e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_operation_done) struct cli_operation o = {0};

    if (!cli->arguments.len)
        return err_set(e, ERR_USAGE, "\"%s %s\" requires at least 1 argument", cli->program,
                       cli_command_name(cli->command, cli->program));
    if (cli_operation_open(cli, cli->arguments.v[0], &o, e) < 0)
        return -1;
    if (cli_switch(cli, "dry-run"))
        o.op.dry_run = CHART_DRY_SERVER;
    for (size_t i = 0; i < cli->arguments.len; i++)
        if (uninstall(cli, &o, cli->arguments.v[i], e) < 0)
            return -1;
    return 0;
}

const struct cli_command cli_chart_uninstall = {
    .name = "chart uninstall",
    .aliases = "chart delete,chart del,chart un",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Remove a release and its objects",
    .arguments = "NAME ...",
    .about =
        "Deletes the objects of the last revision and the release's records. Objects annotated "
        "helm.sh/resource-policy: keep stay, and so do those that no longer carry the release's "
        "metadata; they are listed. CRDs of crds/, what hooks made, and a namespace made by "
        "--create-namespace stay too. --wait waits until the objects are gone.",
    .flags = flag_tables,
    .examples = "$ grapnel chart uninstall web -n prod --wait\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run,
};
