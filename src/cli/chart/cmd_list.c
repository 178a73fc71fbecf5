/* grapnel chart list */
#include "cli/chart/columns.h"
#include "cli/chart/helm_flags.h"
#include "cli/chart/release_print.h"
#include "cli/output.h"
#include "re/re.h"
#include "res/selector.h"

static const struct cli_flag flags[] = {
    {"all-namespaces", CLI_SWITCH, "", "releases of all namespaces", 'A', "", "", false},
    {"filter", CLI_TEXT, "REGEX", "only names that match", 'f', "", "", false},
    {"selector", CLI_TEXT, "LABELS", "only releases with these labels", 'l', "", "", false},
    {"date", CLI_SWITCH, "", "sort by the time of the last change", 'd', "", "", false},
    {"reverse", CLI_SWITCH, "", "sort the other way round", 'r', "", "", false},
    {"max", CLI_INT, "COUNT", "at most so many; 0: all", 'm', "", "256", false},
    {"offset", CLI_INT, "COUNT", "leave the first ones out", 0, "", "0", false},
    {"short", CLI_SWITCH, "", "print names alone", 'q', "", "", false},
    {"no-headers", CLI_SWITCH, "", "no headers above a table", 0, "", "", false},
    {"time-format", CLI_TEXT, "LAYOUT", "how to print times, as Go writes layouts", 0, "", "",
     false},
    {"deployed", CLI_SWITCH, "", "those that are deployed", 0, "", "", false},
    {"failed", CLI_SWITCH, "", "those that failed", 0, "", "", false},
    {"pending", CLI_SWITCH, "", "those that are worked on", 0, "", "", false},
    {"superseded", CLI_SWITCH, "", "those that a later revision replaced", 0, "", "", false},
    {"uninstalled", CLI_SWITCH, "", "those removed with --keep-history", 0, "", "", false},
    {"uninstalling", CLI_SWITCH, "", "those that are being removed", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, cli_format_flag, cli_cluster_of_helm,
                                                     NULL};

#define BIT(status) (1u << (status))

static unsigned wanted_statuses(const struct cli *cli)
{
    static const struct {
        char flag[13];
        unsigned bits;
    } rows[] = {
        {"deployed", BIT(CHART_DEPLOYED)},
        {"failed", BIT(CHART_FAILED)},
        {"pending",
         BIT(CHART_PENDING_INSTALL) | BIT(CHART_PENDING_UPGRADE) | BIT(CHART_PENDING_ROLLBACK)},
        {"superseded", BIT(CHART_SUPERSEDED)},
        {"uninstalled", BIT(CHART_UNINSTALLED)},
        {"uninstalling", BIT(CHART_UNINSTALLING)},
    };
    unsigned bits = 0;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (cli_switch(cli, rows[i].flag))
            bits |= rows[i].bits;
    return bits ? bits : ~0u;
}

struct chosen {
    const struct chart_record **v;
    size_t len, cap;
};
static void chosen_done(struct chosen *c) { vec_done(c); }
AUTO_VALUE(struct chosen, chosen_done)

/* By name, then namespace, then revision: the newest of a release comes last. */
static int by_name(const void *a, const void *b)
{
    const struct chart_record *x = *(const struct chart_record *const *)a,
                              *y = *(const struct chart_record *const *)b;
    int c = str_cmp(x->name, y->name);

    if (!c)
        c = str_cmp(x->ns, y->ns);
    return c ? c : (x->revision > y->revision) - (x->revision < y->revision);
}

static int by_date(const void *a, const void *b)
{
    int64_t x = chart_record_last_deployed(*(const struct chart_record *const *)a),
            y = chart_record_last_deployed(*(const struct chart_record *const *)b);

    return x != y ? (x > y) - (x < y) : by_name(a, b);
}

static bool is_newest(const struct chosen *all, size_t i)
{
    return i + 1 == all->len || !str_eq(all->v[i]->name, all->v[i + 1]->name) ||
           !str_eq(all->v[i]->ns, all->v[i + 1]->ns);
}

/* Name, then newest, then status and labels: in helm's order. */
static int choose(const struct cli *cli, const struct chart_records *records, struct chosen *ret,
                  struct err *e)
{
    AUTO(res_selector_done) struct res_selector selector = {0};
    AUTO(chosen_done) struct chosen all = {0};
    AUTO(re_free) struct re *filter = NULL;
    unsigned statuses = wanted_statuses(cli);

    if (cli_text(cli, "filter").len && !(filter = re_compile(cli_text(cli, "filter"), 0, e)))
        return -1;
    if (res_label_selector_parse(cli_text(cli, "selector"), &selector, e) < 0)
        return -1;
    for (size_t i = 0; i < records->len; i++)
        if (!filter || re_match(filter, records->v[i].name))
            vec_push(&all, &records->v[i]);
    vec_sort(&all, by_name);
    for (size_t i = 0; i < all.len; i++)
        if ((statuses == BIT(CHART_SUPERSEDED) || is_newest(&all, i)) &&
            statuses & BIT(all.v[i]->status) &&
            res_selector_matches(&selector, all.v[i]->all_labels))
            vec_push(ret, all.v[i]);
    return 0;
}

static void sort_and_cut(const struct cli *cli, struct chosen *c)
{
    size_t offset = MIN((size_t)cli_int(cli, "offset"), c->len);
    size_t max = (size_t)cli_int(cli, "max");

    if (cli_switch(cli, "date"))
        vec_sort(c, by_date);
    if (cli_switch(cli, "reverse"))
        for (size_t i = 0; i < c->len / 2; i++) {
            const struct chart_record *other = c->v[c->len - 1 - i];

            c->v[c->len - 1 - i] = c->v[i];
            c->v[i] = other;
        }
    c->len -= offset;
    if (offset)
        memmove(c->v, c->v + offset, c->len * sizeof(*c->v));
    if (max && c->len > max)
        c->len = max;
}

static void updated(const struct cli *cli, const struct chart_record *r, struct buf *out)
{
    str layout = cli_given(cli, "time-format") ? cli_text(cli, "time-format") : CLI_GO_STRING;
    str time = chart_record_time_text(r, "last_deployed");

    if (time.len)
        cli_go_time(time, layout, out);
    else
        buf_add_char(out, '-');
}

static void print_table(const struct cli *cli, const struct chosen *c, struct buf *out)
{
    static const char headers[][12] = {"NAME",   "NAMESPACE", "REVISION",   "UPDATED",
                                       "STATUS", "CHART",     "APP VERSION"};
    AUTO(cli_columns_done) struct cli_columns rows = {.count = ARRAY_LEN(headers)};

    for (size_t i = 0; i < ARRAY_LEN(headers) && !cli_switch(cli, "no-headers"); i++)
        cli_columns_add(&rows, str_of(headers[i]));
    for (size_t i = 0; i < c->len; i++) {
        AUTO(buf_done) struct buf revision = {0}, time = {0}, chart = {0};

        buf_addf(&revision, "%lld", (long long)c->v[i]->revision);
        updated(cli, c->v[i], &time);
        cli_chart_label(c->v[i], &chart);
        cli_columns_add(&rows, c->v[i]->name);
        cli_columns_add(&rows, c->v[i]->ns);
        cli_columns_add(&rows, buf_view(&revision));
        cli_columns_add(&rows, buf_view(&time));
        cli_columns_add(&rows, chart_status_name(c->v[i]->status));
        cli_columns_add(&rows, buf_view(&chart));
        cli_columns_add(&rows, chart_record_app_version(c->v[i]));
    }
    cli_columns_print(&rows, out);
}

static struct doc_node *release_tree(const struct cli *cli, struct doc_set *set,
                                     const struct chart_record *r)
{
    AUTO(buf_done) struct buf time = {0}, chart = {0};
    struct doc_node *map = doc_new_map(set);

    updated(cli, r, &time);
    cli_chart_label(r, &chart);
    doc_set_string(set, map, STR("name"), r->name);
    doc_set_string(set, map, STR("namespace"), r->ns);
    doc_set_string(set, map, STR("revision"),
                   arena_printf(&set->arena, "%lld", (long long)r->revision));
    doc_set_string(set, map, STR("updated"), buf_view(&time));
    doc_set_string(set, map, STR("status"), chart_status_name(r->status));
    doc_set_string(set, map, STR("chart"), buf_view(&chart));
    doc_set_string(set, map, STR("app_version"), chart_record_app_version(r));
    return map;
}

static void print_chosen(const struct cli *cli, const struct chosen *c, struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *list = doc_new_list(set);
    str format = cli_text(cli, "output");
    bool is_short = cli_switch(cli, "short");

    if (str_eq(format, STR("table")) && !is_short) {
        print_table(cli, c, out);
        return;
    }
    for (size_t i = 0; i < c->len; i++)
        if (str_eq(format, STR("table")))
            buf_addf(out, "%.*s\n", STR_ARG(c->v[i]->name));
        else
            doc_append(list, is_short ? doc_new_string(set, c->v[i]->name)
                                      : release_tree(cli, set, c->v[i]));
    if (!str_eq(format, STR("table")))
        cli_print_tree(list, str_eq(format, STR("json")), out);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_releases_done) struct cli_releases open = {0};
    AUTO(chart_records_done) struct chart_records records = {0};
    AUTO(chosen_done) struct chosen chosen = {0};
    AUTO(buf_done) struct buf out = {0};

    if (cli_releases_open(cli, cli_switch(cli, "all-namespaces"), &open, e) < 0 ||
        chart_store_list(open.store, STR_NONE, open.cancel, &records, e) < 0 ||
        choose(cli, &records, &chosen, e) < 0)
        return -1;
    sort_and_cut(cli, &chosen);
    print_chosen(cli, &chosen, &out);
    return cli_print_raw(buf_view(&out), e);
}

const struct cli_command cli_chart_list = {
    .name = "chart list",
    .aliases = "chart ls",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "List releases",
    .arguments = "",
    .about = "Lists the newest revision of each release in the namespace, whoever installed it: "
             "grapnel and the helm CLI share their records.\n\n"
             "Without a flag for a status all are shown. With --superseded alone every revision "
             "that a later one replaced is.",
    .flags = flag_tables,
    .examples = "$ grapnel chart list -A --failed\n"
                "$ grapnel chart list -l team=web -o json\n",
    .max_arguments = 0,
    .fails_with_one = true,
    .run = run,
};
