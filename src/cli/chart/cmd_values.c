/* grapnel chart values */
#include "chart/depend.h"
#include "chart/explain_values.h"
#include "chart/merge.h"
#include "cli/chart/flags.h"
#include "cli/output.h"
#include "doc/emit.h"

static const struct cli_flag flags[] = {
    {"explain", CLI_TEXT, "PATH", "tell where the value at image.tag comes from", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags,
                                                     cli_chart_values_flags,
                                                     cli_chart_source_flags,
                                                     cli_chart_access_flags,
                                                     cli_chart_trust_flags,
                                                     NULL};

/* One line, or an indented block. */
static void print_value(const struct doc_node *value, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};
    str line, rest;

    doc_emit(value, DOC_EMIT_SORTED, &text);
    rest = buf_view(&text);
    if (!doc_len(value)) {
        buf_addf(out, " %.*s\n", STR_ARG(str_trim(rest)));
        return;
    }
    buf_add_char(out, '\n');
    while (str_next_line(&rest, &line))
        buf_addf(out, "    %.*s\n", STR_ARG(line));
}

static int explain(struct doc_set *set, const struct chart *c,
                   const struct chart_user_values *given, str path, struct err *e)
{
    AUTO(chart_origins_done) struct chart_origins origins = {0};
    AUTO(buf_done) struct buf out = {0};

    if (chart_explain_value(set, c, given, path, &origins, e) < 0)
        return -1;
    if (!origins.len)
        return err_set(e, ERR_NOT_FOUND, "nothing sets %.*s", STR_ARG(path));
    for (size_t i = origins.len; i--;) {
        buf_addf(&out, "%s %.*s:", i + 1 == origins.len ? "set by" : "over  ",
                 STR_ARG(origins.v[i].source));
        print_value(origins.v[i].value, &out);
    }
    return cli_print(buf_view(&out), e);
}

static int print_all(struct doc_set *set, struct chart *c, const struct doc_node *values,
                     struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *all;

    if (chart_resolve(set, c, values, e) < 0)
        return -1;
    all = chart_coalesce_warning(set, c, values, e);
    if (!all)
        return -1;
    doc_emit(all, DOC_EMIT_SORTED, &out);
    return cli_print(buf_view(&out), e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(chart_user_values_done) struct chart_user_values given = {0};
    const struct doc_node *values;
    struct chart *c;

    if (cli->arguments.len != 1)
        return err_set(e, ERR_USAGE, "\"%s %s\" requires 1 argument", cli->program,
                       cli_command_name(cli->command, cli->program));
    cli_chart_values(cli, &given);
    c = cli_chart_load(cli, set, cli->arguments.v[0], e);
    if (!c)
        return -1;
    if (cli_given(cli, "explain")) /* each source is read alone, and once: it may be a pipe */
        return explain(set, c, &given, cli_text(cli, "explain"), e);
    values = chart_user_values_read(set, &given, e);
    return values ? print_all(set, c, values, e) : -1;
}

const struct cli_command cli_chart_explain = {
    .name = "chart values",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Print the values a chart would be rendered with, or where one comes from",
    .arguments = "CHART",
    .about =
        "Prints the values as the templates of the top chart see them: those given over the "
        "defaults of the chart and its subcharts, without those of subcharts that are switched "
        "off.\n\n"
        "--explain PATH tells which source sets a value, and what it lies over: files and flags "
        "in helm's order, then the values.yaml of the chart, then those of its subcharts.",
    .flags = flag_tables,
    .examples = "$ grapnel chart values ./web -f prod.yaml --explain image.tag\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run,
};
