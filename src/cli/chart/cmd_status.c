/* grapnel chart status NAME */
#include "cli/chart/helm_flags.h"
#include "cli/chart/release_objects.h"
#include "cli/chart/release_print.h"
#include "cli/output.h"

static const struct cli_flag *const flag_tables[] = {cli_revision_flag, cli_format_flag,
                                                     cli_cluster_of_helm, NULL};

static int print(const struct cli *cli, struct cli_releases *open, const struct chart_record *r,
                 struct buf *out, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf tables = {0};
    str format = cli_text(cli, "output");
    struct doc_node *objects;

    if (str_eq(format, STR("table")))
        return cli_release_tables(open->kube, r, open->cancel, &tables, e) < 0
                   ? -1
                   : cli_release_summary(r, 0, buf_view(&tables), out, e);
    if (cli_release_objects(open->kube, r, open->cancel, set, &objects, e) < 0)
        return -1;
    cli_print_tree(cli_release_tree(r, set, objects), str_eq(format, STR("json")), out);
    return 0;
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_releases_done) struct cli_releases open = {0};
    AUTO(chart_record_done) struct chart_record r = {0};
    AUTO(buf_done) struct buf out = {0};

    if (cli_release_get(cli, &open, &r, e) < 0 || print(cli, &open, &r, &out, e) < 0)
        return -1;
    return cli_print_raw(buf_view(&out), e);
}

const struct cli_command cli_chart_status = {
    .name = "chart status",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Show a release and its objects",
    .arguments = "NAME",
    .about = "Shows when a release was last changed and what became of it, its live objects as the "
             "server prints them, the Pods of its workloads, the results of its tests, and its "
             "notes.",
    .flags = flag_tables,
    .examples = "$ grapnel chart status web -n prod\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run,
};
