/* grapnel chart search repo */
#include "chart/repo/search.h"
#include "cli/chart/columns.h"
#include "cli/chart/flags.h"
#include "cli/output.h"
#include "doc/emit.h"

static const struct cli_flag flags[] = {
    {"versions", CLI_SWITCH, "", "show every version of each chart", 'l', "", "", false},
    {"regexp", CLI_SWITCH, "", "KEYWORD is a regular expression", 'r', "", "", false},
    {"version", CLI_TEXT, "CONSTRAINT", "only versions that satisfy it", 0, "", "", false},
    {"devel", CLI_SWITCH, "", "pre-releases too: --version '>0.0.0-0'", 0, "", "", false},
    {"fail-on-no-result", CLI_SWITCH, "", "finding nothing is a failure", 0, "", "", false},
    {"max-col-width", CLI_INT, "N", "characters of a column at most", 0, "", "50", false},
    {"output", CLI_CHOICE, "FORMAT", "how to print what was found", 'o', "table json yaml", "table",
     false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, NULL};

static const struct {
    const char *title, *name, *member; /* in the table, in JSON, of the index */
} fields[] = {{"NAME", "name", NULL},
              {"CHART VERSION", "version", "version"},
              {"APP VERSION", "app_version", "appVersion"},
              {"DESCRIPTION", "description", "description"}};

static str field_of(const struct chart_hit *hit, size_t i)
{
    if (!fields[i].member)
        return hit->name;
    return doc_text(doc_get(hit->version->node, str_of(fields[i].member)), STR(""));
}

static void print_nodes(const struct chart_hits *hits, bool is_json, struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *list = doc_new_list(set);

    for (size_t i = 0; i < hits->len; i++) {
        struct doc_node *n = doc_append(list, doc_new_map(set));

        for (size_t k = 0; k < ARRAY_LEN(fields); k++)
            doc_set_string(set, n, str_of(fields[k].name), field_of(&hits->v[i], k));
    }
    if (is_json) {
        doc_emit_json(list, DOC_JSON_HTML, out);
        buf_add_char(out, '\n');
    } else {
        doc_emit(list, DOC_EMIT_SORTED, out);
    }
}

static void print_table(const struct chart_hits *hits, int64_t max_width, struct buf *out)
{
    AUTO(cli_columns_done)
    struct cli_columns table = {.count = ARRAY_LEN(fields), .max_width = (size_t)max_width};

    if (!hits->len) {
        buf_add_cstr(out, "No results found\n");
        return;
    }
    for (size_t k = 0; k < ARRAY_LEN(fields); k++)
        cli_columns_add(&table, str_of(fields[k].title));
    for (size_t i = 0; i < hits->len; i++)
        for (size_t k = 0; k < ARRAY_LEN(fields); k++)
            cli_columns_add(&table, field_of(&hits->v[i], k));
    cli_columns_print(&table, out);
}

static int search(const struct cli *cli, struct doc_set *set, struct chart_hits *ret, struct err *e)
{
    AUTO(cli_chart_source_done) struct cli_chart_source from = {0};
    AUTO(chart_repos_done) struct chart_repos repos = {0};
    AUTO(buf_done) struct buf term = {0};
    struct chart_search what = {.is_regexp = cli_switch(cli, "regexp"),
                                .constraint = cli_text(cli, "version"),
                                .has_all_versions = cli_switch(cli, "versions")};

    if (!what.constraint.len && cli_switch(cli, "devel"))
        what.constraint = STR(">0.0.0-0");
    for (size_t i = 0; i < cli->arguments.len; i++)
        buf_addf(&term, "%s%.*s", i ? " " : "", STR_ARG(cli->arguments.v[i]));
    what.term = buf_view(&term);
    cli_chart_source_read(cli, &from);
    if (chart_repos_load(buf_cstr(&from.dirs.repository_config), &repos, e) < 0)
        return -1;
    if (!repos.list.len)
        return err_set(e, ERR_NOT_FOUND, "no repositories configured");
    return chart_search(&repos, &from.dirs, &what, set, ret, e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(chart_hits_done) struct chart_hits hits = {0};
    AUTO(buf_done) struct buf out = {0};
    str format = cli_text(cli, "output");

    if (search(cli, set, &hits, e) < 0)
        return -1;
    if (!hits.len && cli_switch(cli, "fail-on-no-result"))
        return err_set(e, ERR_NOT_FOUND, "no results found");
    if (str_eq(format, STR("table")))
        print_table(&hits, cli_int(cli, "max-col-width"), &out);
    else
        print_nodes(&hits, str_eq(format, STR("json")), &out);
    return cli_print(buf_view(&out), e);
}

const struct cli_command cli_chart_search_repo = {
    .name = "chart search repo",
    .aliases = "chart search",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Look for charts in the repositories that have names",
    .arguments = "[KEYWORD ...]",
    .about = "Looks for charts whose name, REPO/NAME, description or keywords have the words, in "
             "the indexes that were fetched last (chart repo update), and prints the newest "
             "release of each.",
    .flags = flag_tables,
    .examples = "$ grapnel chart search repo ingress\n"
                "$ grapnel chart search repo infra/web --versions --version '^2'\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run,
};
