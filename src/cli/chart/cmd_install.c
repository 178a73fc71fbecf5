/* grapnel chart install [NAME] CHART */
#include "chart/name.h"
#include "cli/chart/operation_flags.h"
#include "sys/clock.h"

static const struct cli_flag flags[] = {
    {"generate-name", CLI_SWITCH, "", "leave out NAME: one is made of the chart and the time", 'g',
     "", "", false},
    {"name-template", CLI_TEXT, "TEMPLATE", "template of the release's name", 0, "", "", false},
    {"replace", CLI_SWITCH, "", "take a name whose release failed or was uninstalled", 0, "", "",
     false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags,
                                                     cli_wait_flags,
                                                     cli_apply_flags,
                                                     cli_release_flags,
                                                     cli_dry_run_flags,
                                                     cli_chart_values_flags,
                                                     cli_chart_source_flags,
                                                     cli_chart_access_flags,
                                                     cli_chart_trust_flags,
                                                     cli_format_flag,
                                                     cli_cluster_of_helm,
                                                     NULL};

/* "CHART-UNIXTIME": the last part of the reference up to its first dot. */
static str generate_name(struct arena *arena, str chart)
{
    str base = str_trim_right(chart, "/");

    base = str_cut(str_from(base, (size_t)(str_rfind_char(base, '/') + 1)), '.', NULL);
    if (!base.len)
        base = STR("chart");
    return arena_printf(arena, "%.*s-%lld", STR_ARG(base), (long long)(clock_wall_ms() / 1000));
}

static int name_and_chart(const struct cli *cli, struct arena *arena, str *ret_name, str *ret_chart,
                          struct err *e)
{
    bool generates = cli_switch(cli, "generate-name"), has_name = cli->arguments.len == 2;
    bool has_template = cli_given(cli, "name-template");

    if (!cli->arguments.len)
        return err_set(e, ERR_USAGE, "a chart is needed: [NAME] CHART");
    *ret_chart = vec_last(&cli->arguments);
    if (has_name && (generates || has_template))
        return err_set(e, ERR_USAGE, "cannot set --%s and also specify a name",
                       generates ? "generate-name" : "name-template");
    if (has_name)
        *ret_name = cli->arguments.v[0];
    else if (has_template)
        return chart_name_from_template(arena, cli_text(cli, "name-template"), ret_name, e);
    else if (generates)
        *ret_name = generate_name(arena, *ret_chart);
    else
        return err_set(e, ERR_USAGE, "must either provide a name or specify --generate-name");
    return 0;
}

static int install(struct cli *cli, struct err *e)
{
    AUTO(cli_operation_done) struct cli_operation o = {0};
    AUTO(chart_record_done) struct chart_record r = {0};
    AUTO(arena_done) struct arena arena = {0};
    str name = STR_NONE, chart = STR_NONE;

    if (name_and_chart(cli, &arena, &name, &chart, e) < 0 ||
        cli_operation_open(cli, name, &o, e) < 0 || cli_operation_load(cli, chart, &o, e) < 0 ||
        chart_install(&o.op, &r, e) < 0)
        return -1;
    return cli_operation_print(cli, NULL, &r, e);
}

static int run(struct cli *cli, struct err *e)
{
    return install(cli, e) < 0 ? cli_operation_failed("INSTALLATION FAILED", e) : 0;
}

const struct cli_command cli_chart_install = {
    .name = "chart install",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Install a chart as a release",
    .arguments = "[NAME] CHART",
    .about =
        "Renders a chart with what the cluster can do and installs it: CRDs first, then hooks and "
        "objects in helm's order. What was done is recorded in the cluster as helm v4.3.1 records "
        "it: either tool can go on with the release.\n\n"
        "Objects are applied by the server as manager helm, or created with --server-side=false. "
        "One that exists must carry the release's metadata, or --take-ownership be given. --wait "
        "waits for all objects, without it only for hooks. A failed install leaves its record and "
        "objects unless --rollback-on-failure is given; an interrupted one is marked failed. While "
        "it runs it holds a lease: the release of a killed install is taken over by the next one "
        "after 30 s, or after `chart unlock`.\n\n"
        "--post-renderer PROGRAM reads the manifests from standard input and prints what is "
        "installed instead. --dry-run=server asks the cluster and changes nothing, --dry-run alone "
        "does not even ask.",
    .flags = flag_tables,
    .examples = "$ grapnel chart install web ./charts/web -n prod --create-namespace --wait\n"
                "$ grapnel chart install db oci://registry.example.com/charts/db --version ^2 -f "
                "db.yaml --rollback-on-failure\n",
    .max_arguments = 2,
    .fails_with_one = true,
    .run = run,
};
