/* grapnel chart dependency list|update|build */
#include "chart/deps/deps.h"
#include "chart/package.h"
#include "cli/chart/columns.h"
#include "cli/chart/flags.h"
#include "cli/output.h"
#include "sys/clock.h"
#include "sys/file.h"

static const struct cli_flag list_flags[] = {
    {"max-col-width", CLI_INT, "N", "characters of a column at most", 0, "", "80", false},
    {.name = ""},
};
static const struct cli_flag *const list_tables[] = {list_flags, NULL};

static const struct cli_flag fetch_flags[] = {
    {"skip-refresh", CLI_SWITCH, "", "use the indexes that were fetched last", 0, "", "", false},
    {.name = ""},
};
static const struct cli_flag *const fetch_tables[] = {fetch_flags, cli_chart_access_flags,
                                                      cli_chart_trust_flags, NULL};

/* The folder that is meant, without slashes at its end. */
static const char *folder_of(const struct cli *cli, struct buf *out)
{
    str path = cli->arguments.len ? cli->arguments.v[0] : STR(".");
    str trimmed = str_trim_right(path, "/");

    buf_add_str(out, trimmed.len ? trimmed : path);
    return buf_cstr(out);
}

/* ---- list */

static void add_row(struct cli_columns *table, const char *folder, const struct chart *c, size_t i)
{
    const struct chart_dependency *dep = &c->dependencies[i];

    cli_columns_add(table, dep->name);
    cli_columns_add(table, dep->version);
    cli_columns_add(table, dep->repository);
    cli_columns_add(table, str_of(chart_deps_status(folder, c, i)));
}

static int print_list(const struct cli *cli, struct doc_set *set, const char *folder,
                      const struct chart *c, struct err *e)
{
    AUTO(cli_columns_done)
    struct cli_columns table = {.count = 4, .max_width = (size_t)cli_int(cli, "max-col-width")};
    static const char titles[][11] = {"NAME", "VERSION", "REPOSITORY", "STATUS"};
    AUTO(str_vec_done) struct str_vec unknown = {0};
    AUTO(buf_done) struct buf out = {0};

    for (size_t i = 0; i < ARRAY_LEN(titles); i++)
        cli_columns_add(&table, str_of(titles[i]));
    for (size_t i = 0; i < c->dependency_count; i++)
        add_row(&table, folder, c, i);
    cli_columns_print(&table, &out);
    buf_add_char(&out, '\n');
    chart_deps_unknown(set, folder, c, &unknown);
    for (size_t i = 0; i < unknown.len; i++)
        buf_addf(&out, "WARNING: \"%.*s\" is not in Chart.yaml.\n", STR_ARG(unknown.v[i]));
    return cli_print(buf_view(&out), e);
}

static int run_list(struct cli *cli, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf folder = {0}, none = {0};
    const char *path = folder_of(cli, &folder);
    struct chart *c;

    if (!file_exists(path))
        return err_set(e, ERR_NOT_FOUND, "stat %s: no such file or directory", path);
    c = chart_load(set, path, e);
    if (!c)
        return -1;
    if (c->dependency_count)
        return print_list(cli, set, path, c, e);
    buf_addf(&none, "WARNING: no dependencies at %s/charts\n", path);
    return cli_print(buf_view(&none), e);
}

const struct cli_command cli_chart_dependency_list = {
    .name = "chart dependency list",
    .aliases = "chart dependency ls,chart dep list,chart dep ls",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "List the dependencies of a chart and what is in charts/",
    .arguments = "[CHART]",
    .about = "Prints the dependencies in Chart.yaml, each with what is in charts/ for it: ok (an "
             "archive), unpacked (a folder), missing, wrong version, too many matches, misnamed, "
             "corrupt. Then what is in charts/ and is no dependency.",
    .flags = list_tables,
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run_list,
};

/* ---- update, build */

static int run_fetch(struct cli *cli, bool is_build, struct err *e)
{
    AUTO(cli_chart_source_done) struct cli_chart_source from = {0};
    AUTO(buf_done) struct buf folder = {0};
    struct chart_deps_options options = {.source = &from.source,
                                         .skips_refresh = cli_switch(cli, "skip-refresh"),
                                         .now_us = clock_wall_us(),
                                         .line = cli_chart_print_line};
    const char *path = folder_of(cli, &folder);

    cli_chart_source_read(cli, &from);
    if (chart_package_epoch(&options.epoch_s, e) < 0)
        return -1;
    return is_build ? chart_deps_build(path, &options, e) : chart_deps_update(path, &options, e);
}

static int run_update(struct cli *cli, struct err *e) { return run_fetch(cli, false, e); }
static int run_build(struct cli *cli, struct err *e) { return run_fetch(cli, true, e); }

const struct cli_command cli_chart_dependency_update = {
    .name = "chart dependency update",
    .aliases = "chart dependency up,chart dep update,chart dep up",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Fetch the dependencies of a chart, and lock their versions",
    .arguments = "[CHART]",
    .about =
        "Looks for the newest version of each dependency in Chart.yaml that its constraint allows, "
        "fetches all of them into charts/ and deletes other archives there. Chart.lock says which "
        "versions they are; it is written anew when its digest changed. Repositories are URLs, "
        "@NAME or alias:NAME of `chart repo add`, oci:// registries, or file:// folders relative "
        "to the chart.",
    .flags = fetch_tables,
    .examples = "$ grapnel chart dependency update ./web\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run_update,
};
const struct cli_command cli_chart_dependency_build = {
    .name = "chart dependency build",
    .aliases = "chart dep build",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Fetch the dependencies of a chart as Chart.lock has them",
    .arguments = "[CHART]",
    .about = "Fetches the versions in Chart.lock into charts/. A lock that does not belong to the "
             "dependencies in Chart.yaml is refused; without one this is `chart dependency "
             "update`.",
    .flags = fetch_tables,
    .examples = "$ grapnel chart dependency build ./web\n",
    .max_arguments = 1,
    .fails_with_one = true,
    .run = run_build,
};
