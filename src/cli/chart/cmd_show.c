/* grapnel chart show chart|values|readme|crds|all */
#include "cli/chart/flags.h"
#include "cli/output.h"
#include "doc/emit.h"
#include "expr/jsonpath/jsonpath.h"

enum part { CHART = 1, VALUES = 2, README = 4, CRDS = 8, ALL = 15 };

static const struct cli_flag values_flags[] = {
    {"jsonpath", CLI_TEXT, "TEMPLATE", "print what the template finds in the values", 0, "", "",
     false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {cli_chart_source_flags, cli_chart_access_flags,
                                                     cli_chart_trust_flags, NULL};
static const struct cli_flag *const values_tables[] = {
    values_flags, cli_chart_source_flags, cli_chart_access_flags, cli_chart_trust_flags, NULL};

static const struct chart_file *find_readme(const struct chart *c)
{
    static const char names[][11] = {"readme.md", "readme.txt", "readme"};

    for (size_t i = 0; i < c->file_count; i++)
        for (size_t k = 0; k < ARRAY_LEN(names); k++)
            if (str_eq_nocase(c->files[i].name, str_of(names[k])))
                return &c->files[i];
    return NULL;
}

static void show_crds(struct doc_set *set, const struct chart *c, struct buf *out)
{
    AUTO(chart_files_done) struct chart_files crds = {0};

    chart_collect_crds(set, c, &crds);
    for (size_t i = 0; i < crds.len; i++)
        buf_addf(out, "%s%.*s\n", str_starts(crds.v[i].text, STR("---")) ? "" : "---\n",
                 STR_ARG(crds.v[i].text));
}

static void show(struct doc_set *set, const struct chart *c, enum part part, struct buf *out)
{
    const char *divider = part == ALL ? "---\n" : "";
    const struct chart_file *readme = find_readme(c);

    if (part & CHART) {
        doc_emit(chart_metadata_json(set, c), DOC_EMIT_SORTED, out);
        buf_add_char(out, '\n');
    }
    if (part & VALUES && c->values_text.p)
        buf_addf(out, "%s%.*s\n", divider, STR_ARG(c->values_text));
    if (part & README && readme)
        buf_addf(out, "%s%.*s\n", divider, STR_ARG(readme->text));
    if (part & CRDS)
        show_crds(set, c, out);
}

static int print_path(const struct chart *c, str template, struct err *e)
{
    AUTO(jsonpath_free) struct jsonpath *path = jsonpath_compile(template, e);
    AUTO(buf_done) struct buf out = {0};

    if (!path)
        return err_wrap(e, "error parsing jsonpath %.*s", STR_ARG(template));
    if (jsonpath_print(path, c->values, JSONPATH_ALLOW_MISSING, &out, e) < 0)
        return -1;
    return cli_print_raw(buf_view(&out), e);
}

static int show_part(struct cli *cli, enum part part, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct chart *c;

    if (cli->arguments.len != 1)
        return err_set(e, ERR_USAGE, "\"%s %s\" requires 1 argument", cli->program,
                       cli_command_name(cli->command, cli->program));
    c = cli_chart_load(cli, set, cli->arguments.v[0], e);
    if (!c)
        return -1;
    if (part == VALUES && cli_text(cli, "jsonpath").len)
        return print_path(c, cli_text(cli, "jsonpath"), e);
    show(set, c, part, &out);
    return cli_print_raw(buf_view(&out), e);
}

static int run_chart(struct cli *cli, struct err *e) { return show_part(cli, CHART, e); }
static int run_values(struct cli *cli, struct err *e) { return show_part(cli, VALUES, e); }
static int run_readme(struct cli *cli, struct err *e) { return show_part(cli, README, e); }
static int run_crds(struct cli *cli, struct err *e) { return show_part(cli, CRDS, e); }
static int run_all(struct cli *cli, struct err *e) { return show_part(cli, ALL, e); }

#define ABOUT_CHART                                                                             \
    "\n\nCHART is a path, REPO/NAME of `chart repo add`, a name with --repo, or the URL of an " \
    "archive, https:// or oci://."

const struct cli_command cli_chart_show_chart = {
    .name = "chart show chart",
    .aliases = "chart inspect chart",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Print what a chart's Chart.yaml says",
    .arguments = "CHART",
    .about = "Prints the metadata of a chart as YAML." ABOUT_CHART,
    .flags = flag_tables,
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run_chart,
};
const struct cli_command cli_chart_show_values = {
    .name = "chart show values",
    .aliases = "chart inspect values",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Print a chart's default values",
    .arguments = "CHART",
    .about = "Prints values.yaml as it is, comments and all." ABOUT_CHART,
    .flags = values_tables,
    .examples = "$ grapnel chart show values infra/web >prod.yaml\n"
                "$ grapnel chart show values infra/web --jsonpath '{.image.tag}'\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run_values,
};
const struct cli_command cli_chart_show_readme = {
    .name = "chart show readme",
    .aliases = "chart inspect readme",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Print a chart's read-me file",
    .arguments = "CHART",
    .about = "Prints README.md, README.txt or README of a chart." ABOUT_CHART,
    .flags = flag_tables,
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run_readme,
};
const struct cli_command cli_chart_show_crds = {
    .name = "chart show crds",
    .aliases = "chart inspect crds",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Print a chart's custom resource definitions",
    .arguments = "CHART",
    .about = "Prints the files in crds/ of a chart and its subcharts." ABOUT_CHART,
    .flags = flag_tables,
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run_crds,
};
const struct cli_command cli_chart_show_all = {
    .name = "chart show all",
    .aliases = "chart inspect all,chart inspect",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Print everything about a chart",
    .arguments = "CHART",
    .about = "Prints metadata, default values, read-me file and custom resource definitions of a "
             "chart." ABOUT_CHART,
    .flags = flag_tables,
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run_all,
};
