/* grapnel chart lint */
#include "base/log.h"
#include "chart/lint/lint.h"
#include "chart/unpack.h"
#include "cli/chart/flags.h"
#include "cli/output.h"
#include "sys/file.h"

static const struct cli_flag flags[] = {
    {"strict", CLI_SWITCH, "", "warnings are failures too", 0, "", "", false},
    {"quiet", CLI_SWITCH, "", "print warnings and errors only", 0, "", "", false},
    {"with-subcharts", CLI_SWITCH, "", "look at the charts in charts/ too", 0, "", "", false},
    {"kube-version", CLI_TEXT, "VERSION", "Kubernetes version that the chart sees", 0, "", "",
     false},
    {"namespace", CLI_TEXT, "NAME", "namespace that the chart sees", 'n', "", "", false},
    {"skip-schema-validation", CLI_SWITCH, "", "do not judge values by the chart's schemas", 0, "",
     "", false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, cli_chart_values_flags, NULL};

struct linter {
    const struct cli *cli;
    struct chart_lint_options options;
    struct buf out;
    size_t total, failed;
};
static void linter_done(struct linter *l) { buf_done(&l->out); }
AUTO_VALUE(struct linter, linter_done)

static void note(void *ctx, str place, str message)
{
    (void)ctx;
    log_warn("the chart refuses", LOG_STR("message", message), LOG_STR("at", place));
}

/* An archive is looked at in a folder that goes again. */
static int open_folder(const char *path, struct buf *folder, struct buf *temp, struct err *e)
{
    AUTO(buf_done) struct buf bytes = {0};

    if (!str_ends(str_of(path), STR(".tgz")) && !str_ends(str_of(path), STR(".tar.gz"))) {
        str trimmed = str_trim_right(str_of(path), "/");
        buf_add_str(folder, trimmed.len ? trimmed : str_of(path));
        return 0;
    }
    if (file_temp_dir("lint", temp, e) < 0 || file_read(path, CHART_MAX_BYTES, &bytes, e) < 0)
        return -1;
    return chart_unpack(buf_view(&bytes), buf_cstr(temp), folder, e);
}

static int look(struct linter *l, const char *path, struct chart_findings *findings, struct err *e)
{
    AUTO(buf_done) struct buf folder = {0}, temp = {0};
    AUTO(err_done) struct err ignored = {0};
    int rc = open_folder(path, &folder, &temp, e);

    if (rc == 0)
        rc = chart_lint(buf_cstr(&folder), &l->options, findings, e);
    if (temp.len && file_remove_tree(buf_cstr(&temp), &ignored) < 0)
        log_warn("a folder is left", LOG_STR("path", buf_view(&temp)));
    return rc;
}

static void print_findings(struct linter *l, const struct chart_findings *findings)
{
    static const char names[][8] = {"INFO", "WARNING", "ERROR"};
    bool is_quiet = cli_switch(l->cli, "quiet");

    for (size_t i = 0; i < findings->list.len; i++) {
        const struct chart_finding *f = &findings->list.v[i];

        if (!is_quiet || f->severity > CHART_LINT_INFO)
            buf_addf(&l->out, "[%s] %.*s: %.*s\n", names[f->severity], STR_ARG(f->path),
                     STR_ARG(f->text));
    }
}

static void lint_one(struct linter *l, const char *path)
{
    AUTO(chart_findings_done) struct chart_findings findings = {0};
    AUTO(err_done) struct err e = {0};
    enum chart_severity limit =
        cli_switch(l->cli, "strict") ? CHART_LINT_WARNING : CHART_LINT_ERROR;
    bool is_bad = look(l, path, &findings, &e) < 0;

    l->total++;
    l->failed += is_bad || findings.worst >= limit;
    if (cli_switch(l->cli, "quiet") && !is_bad && findings.worst == CHART_LINT_INFO)
        return;
    buf_addf(&l->out, "==> Linting %s\n", path);
    if (is_bad)
        buf_addf(&l->out, "Error %s\n", err_text(&e));
    print_findings(l, &findings);
    buf_add_char(&l->out, '\n');
}

struct paths {
    struct arena arena;
    struct str_vec list;
    const char *root;
};
static void paths_done(struct paths *p)
{
    arena_done(&p->arena);
    str_vec_done(&p->list);
}
AUTO_VALUE(struct paths, paths_done)

/* Charts anywhere in charts/: what has a Chart.yaml, and archives. */
static int add_subchart(void *ctx, const struct file_entry *entry, struct err *e)
{
    struct paths *p = ctx;
    str path = str_of(entry->path);

    (void)e;
    if (str_eq(str_of(entry->name), STR("Chart.yaml")) && str_contains(path, STR("/")))
        vec_push(&p->list, arena_printf(&p->arena, "%s/%.*s", p->root,
                                        STR_ARG(str_sub(path, 0, path.len - 11))));
    else if (str_ends(path, STR(".tgz")))
        vec_push(&p->list, arena_printf(&p->arena, "%s/%.*s", p->root, STR_ARG(path)));
    return FILE_ON;
}

static int add_paths(const struct cli *cli, struct paths *p, struct err *e)
{
    for (size_t i = 0; i < cli->arguments.len; i++) {
        str path = cli->arguments.v[i];
        AUTO(buf_done) struct buf charts = {0};

        vec_push(&p->list, path);
        buf_addf(&charts, "%.*s/charts", STR_ARG(str_trim_right(path, "/")));
        if (!cli_switch(cli, "with-subcharts") || !file_is_dir(buf_cstr(&charts)))
            continue;
        p->root = arena_cstr(&p->arena, buf_view(&charts));
        if (file_walk(p->root, add_subchart, p, e) < 0)
            return -1;
    }
    return 0;
}

static int print_summary(struct linter *l, struct err *e)
{
    bool is_quiet = cli_switch(l->cli, "quiet");
    AUTO(buf_done) struct buf summary = {0};

    buf_addf(&summary, "%zu chart(s) linted, %zu chart(s) failed", l->total, l->failed);
    if (!l->failed && !is_quiet)
        buf_addf(&l->out, "%s\n", buf_cstr(&summary));
    if (cli_print(buf_view(&l->out), e) < 0)
        return -1;
    return l->failed ? err_set(e, ERR_INVALID, "%s", buf_cstr(&summary)) : 0;
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(chart_user_values_done) struct chart_user_values given = {0};
    AUTO(linter_done) struct linter l = {.cli = cli};
    AUTO(paths_done) struct paths paths = {0};
    const struct doc_node *values;

    if (!cli->arguments.len)
        return err_set(e, ERR_USAGE, "\"%s %s\" requires at least 1 argument", cli->program,
                       cli_command_name(cli->command, cli->program));
    cli_chart_values(cli, &given);
    values = chart_user_values_read(set, &given, e);
    if (!values || add_paths(cli, &paths, e) < 0)
        return -1;
    l.options =
        (struct chart_lint_options){.values = values,
                                    .kube_version = cli_text(cli, "kube-version"),
                                    .ns = cli_chart_namespace(cli),
                                    .skips_schema = cli_switch(cli, "skip-schema-validation"),
                                    .note = note};
    for (size_t i = 0; i < paths.list.len; i++)
        lint_one(&l, paths.list.v[i].p);
    return print_summary(&l, e);
}

const struct cli_command cli_chart_lint = {
    .name = "chart lint",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Look for mistakes in charts",
    .arguments = "PATH [PATH ...]",
    .about =
        "Judges Chart.yaml, values.yaml and its schema, what the templates print with the given "
        "values, dependencies and crds/. Errors end with status 1, with --strict warnings too. "
        "What required and fail say is only a warning here.",
    .flags = flag_tables,
    .examples = "$ grapnel chart lint ./web -f prod.yaml --strict\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run,
};
