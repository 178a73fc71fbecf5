/* grapnel chart history NAME */
#include "cli/chart/columns.h"
#include "cli/chart/helm_flags.h"
#include "cli/chart/release_print.h"
#include "cli/output.h"
#include "doc/at.h"

static const struct cli_flag flags[] = {
    {"max", CLI_INT, "COUNT", "at most so many revisions", 0, "", "256", false},
    {"show-rollback-revision", CLI_SWITCH, "", "tell in the table what rollbacks went back to", 0,
     "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, cli_format_flag, cli_cluster_of_helm,
                                                     NULL};

static int64_t rollback_of(const struct chart_record *r)
{
    return doc_int_at(r->root, "info/rollback_revision", 0);
}

static void add_row(struct cli_columns *rows, const struct chart_record *r, bool with_rollback)
{
    AUTO(buf_done) struct buf revision = {0}, time = {0}, chart = {0}, back = {0};

    buf_addf(&revision, "%lld", (long long)r->revision);
    cli_go_time(chart_record_time_text(r, "last_deployed"), CLI_GO_ANSIC, &time);
    cli_chart_label(r, &chart);
    cli_columns_add(rows, buf_view(&revision));
    cli_columns_add(rows, buf_view(&time));
    cli_columns_add(rows, chart_status_name(r->status));
    cli_columns_add(rows, buf_view(&chart));
    cli_columns_add(rows, chart_record_app_version(r));
    if (rollback_of(r))
        buf_addf(&back, "%lld", (long long)rollback_of(r));
    if (with_rollback)
        cli_columns_add(rows, buf_view(&back));
    cli_columns_add(rows, chart_record_description(r));
}

static void print_table(const struct chart_records *history, size_t from, bool with_rollback,
                        struct buf *out)
{
    static const char headers[][12] = {"REVISION",    "UPDATED",  "STATUS",     "CHART",
                                       "APP VERSION", "ROLLBACK", "DESCRIPTION"};
    AUTO(cli_columns_done) struct cli_columns rows = {.count = ARRAY_LEN(headers) - !with_rollback};

    for (size_t i = 0; i < ARRAY_LEN(headers); i++)
        if (with_rollback || strcmp(headers[i], "ROLLBACK") != 0)
            cli_columns_add(&rows, str_of(headers[i]));
    for (size_t i = from; i < history->len; i++)
        add_row(&rows, &history->v[i], with_rollback);
    cli_columns_print(&rows, out);
}

static struct doc_node *revision_tree(struct doc_set *set, const struct chart_record *r)
{
    AUTO(buf_done) struct buf chart = {0};
    struct doc_node *map = doc_new_map(set);
    str time = chart_record_time_text(r, "last_deployed");

    cli_chart_label(r, &chart);
    doc_set_int(set, map, STR("revision"), r->revision);
    if (time.len)
        doc_set_string(set, map, STR("updated"), time);
    doc_set_string(set, map, STR("status"), chart_status_name(r->status));
    doc_set_string(set, map, STR("chart"), buf_view(&chart));
    doc_set_string(set, map, STR("app_version"), chart_record_app_version(r));
    if (rollback_of(r))
        doc_set_int(set, map, STR("rollback_revision"), rollback_of(r));
    doc_set_string(set, map, STR("description"), chart_record_description(r));
    return map;
}

static void print_history(const struct cli *cli, const struct chart_records *history,
                          struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *list = doc_new_list(set);
    size_t max = (size_t)cli_int(cli, "max");
    size_t from = max && history->len > max ? history->len - max : 0;
    str format = cli_text(cli, "output");

    if (str_eq(format, STR("table"))) {
        print_table(history, from, cli_switch(cli, "show-rollback-revision"), out);
        return;
    }
    for (size_t i = from; i < history->len; i++)
        doc_append(list, revision_tree(set, &history->v[i]));
    cli_print_tree(list, str_eq(format, STR("json")), out);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_releases_done) struct cli_releases open = {0};
    AUTO(chart_records_done) struct chart_records history = {0};
    AUTO(buf_done) struct buf out = {0};
    str name;

    if (cli_release_name(cli, &name, e) < 0 || cli_releases_open(cli, false, &open, e) < 0 ||
        chart_store_history(open.store, name, open.cancel, &history, e) < 0)
        return -1;
    if (!history.len)
        return err_set(e, ERR_NOT_FOUND, "release: not found");
    print_history(cli, &history, &out);
    return cli_print_raw(buf_view(&out), e);
}

const struct cli_command cli_chart_history = {
    .name = "chart history",
    .aliases = "chart hist",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Show the revisions of a release",
    .arguments = "NAME",
    .about = "Shows the revisions of a release that the cluster still has, the oldest first: when "
             "each was made, what became of it, and of which chart it was.",
    .flags = flag_tables,
    .examples = "$ grapnel chart history web\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run,
};
