/* grapnel chart template */
#include "base/heap.h"
#include "base/map.h"
#include "chart/kube_version.h"
#include "chart/name.h"
#include "cli/chart/operation_flags.h"
#include "cli/output.h"
#include "sys/file.h"

static const struct cli_flag flags[] = {
    {"show-only", CLI_LIST, "PATH", "print only what these templates made", 's', "", "", false},
    {"api-versions", CLI_LIST, "VERSION", "API versions that the chart sees besides those built in",
     'a', "", "", false},
    {"kube-version", CLI_TEXT, "VERSION", "Kubernetes version that the chart sees", 0, "", "",
     false},
    {"generate-name", CLI_SWITCH, "", "leave out NAME: the release is called release-name", 'g', "",
     "", false},
    {"name-template", CLI_TEXT, "TEMPLATE", "template of the release's name", 0, "", "", false},
    {"include-crds", CLI_SWITCH, "", "print the files in crds/ too", 0, "", "", false},
    {"skip-tests", CLI_SWITCH, "", "leave test hooks out", 0, "", "", false},
    {"output-dir", CLI_TEXT, "DIR", "write a file for each template below this folder", 0, "", "",
     false},
    {"release-name", CLI_SWITCH, "", "and below the release's name", 0, "", "", false},
    {"is-upgrade", CLI_SWITCH, "", "set .Release.IsUpgrade instead of .Release.IsInstall", 0, "",
     "", false},
    {"dry-run", CLI_WORD, "WHERE",
     "no cluster is asked; or the server: what it can do, what lookup finds, what is in the way", 0,
     "client server true", "client", false},
    {"validate", CLI_SWITCH, "", "the older name of --dry-run=server", 0, "", "", false},
    {"replace", CLI_SWITCH, "", "taken for helm's sake: names are never in use here", 0, "", "",
     false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags,
                                                     cli_wait_flags,
                                                     cli_apply_flags,
                                                     cli_release_flags,
                                                     cli_chart_values_flags,
                                                     cli_chart_source_flags,
                                                     cli_chart_access_flags,
                                                     cli_chart_trust_flags,
                                                     cli_cluster_of_helm,
                                                     NULL};

/* Values of a flag, each a list with ',' between. */
static void list_words(const struct cli *cli, const char *flag, struct str_vec *out)
{
    AUTO(str_vec_done) struct str_vec given = {0};

    cli_list(cli, flag, &given);
    for (size_t i = 0; i < given.len; i++)
        for (str rest = given.v[i]; rest.p;)
            vec_push(out, str_cut(rest, ',', &rest));
}

static int read_name(const struct cli *cli, struct arena *arena, str *ret, struct err *e)
{
    bool has_name = cli->arguments.len == 2;

    if (!cli->arguments.len)
        return err_set(e, ERR_USAGE, "a chart is needed: [NAME] CHART");
    if (has_name && (cli_switch(cli, "generate-name") || cli_given(cli, "name-template")))
        return err_set(e, ERR_USAGE, "cannot set --%s and also specify a name",
                       cli_given(cli, "name-template") ? "name-template" : "generate-name");
    *ret = has_name ? cli->arguments.v[0] : CHART_DEFAULT_RELEASE;
    if (cli_given(cli, "name-template") &&
        chart_name_from_template(arena, cli_text(cli, "name-template"), ret, e) < 0)
        return -1;
    return chart_check_release_name(*ret, e);
}

static int print(const struct cli *cli, const struct chart_release *release, struct err *e)
{
    AUTO(buf_done) struct buf out = {0}, chosen = {0};
    AUTO(str_vec_done) struct str_vec only = {0};
    unsigned print_flags = 0;

    if (cli_switch(cli, "include-crds"))
        print_flags |= CHART_PRINT_CRDS;
    if (cli_switch(cli, "no-hooks"))
        print_flags |= CHART_PRINT_NO_HOOKS;
    if (cli_switch(cli, "skip-tests"))
        print_flags |= CHART_PRINT_NO_TESTS;
    chart_release_print(release, print_flags, &out);
    cli_list(cli, "show-only", &only);
    if (only.len && chart_print_only(buf_view(&out), &only, &chosen, e) < 0)
        return -1;
    return cli_print_raw(buf_view(only.len ? &chosen : &out), e);
}

/* ---- --output-dir */

struct writer {
    struct map written; /* paths: what comes later is appended */
    struct arena arena;
    struct buf lines;
};
static void writer_done(struct writer *w)
{
    map_done(&w->written);
    arena_done(&w->arena);
    buf_done(&w->lines);
}
AUTO_VALUE(struct writer, writer_done)

static int write_one(struct writer *w, str dir, str path, str text, struct err *e)
{
    str full = arena_printf(&w->arena, "%.*s/%.*s", STR_ARG(dir), STR_ARG(path));
    const char *parent = arena_cstr(&w->arena, str_sub(full, 0, (size_t)str_rfind_char(full, '/')));
    struct buf *content = map_get(&w->written, full);

    if (!content) {
        content = ARENA_NEW(&w->arena, struct buf);
        map_put(&w->written, full, content);
    }
    buf_addf(content, "---\n# Source: %.*s\n%.*s\n", STR_ARG(path), STR_ARG(text));
    buf_addf(&w->lines, "wrote %.*s\n", STR_ARG(full));
    return file_mkdirs(parent, 0755, e) < 0 ? -1 : file_replace(full.p, buf_view(content), NULL, e);
}

static bool is_printed(const struct cli *cli, const struct chart_manifest *hook)
{
    return !cli_switch(cli, "no-hooks") && !(cli_switch(cli, "skip-tests") && chart_is_test(hook));
}

static int write_files(const struct cli *cli, const struct chart_release *release, str name,
                       struct writer *w, struct err *e)
{
    str dir = cli_text(cli, "output-dir"), below = dir;

    if (cli_switch(cli, "release-name"))
        below = arena_printf(&w->arena, "%.*s/%.*s", STR_ARG(dir), STR_ARG(name));
    for (size_t i = 0; i < release->crds.len && cli_switch(cli, "include-crds"); i++)
        if (write_one(w, dir, release->crds.v[i].name, release->crds.v[i].text, e) < 0)
            return -1;
    for (size_t i = 0; i < release->manifests.len; i++)
        if (write_one(w, below, release->manifests.v[i].path, release->manifests.v[i].text, e) < 0)
            return -1;
    for (size_t i = 0; i < release->hooks.len; i++)
        if (is_printed(cli, &release->hooks.v[i]) &&
            write_one(w, below, release->hooks.v[i].path, release->hooks.v[i].text, e) < 0)
            return -1;
    return 0;
}

static int write_release(const struct cli *cli, const struct chart_release *release, str name,
                         struct err *e)
{
    AUTO(writer_done) struct writer w = {0};
    struct map_iter it = {0};
    int rc = write_files(cli, release, name, &w, e);

    while (map_next(&w.written, &it))
        buf_done(it.value);
    buf_add_char(&w.lines, '\n');
    return rc < 0 ? -1 : cli_print(buf_view(&w.lines), e);
}

/* Failures of the templates or of what they print, not of the chart or its values. */
static bool is_of_rendering(const struct err *e)
{
    static const char marks[][29] = {"YAML parse error on ", "executing \"", "execution error at (",
                                     "parse error at (", "chart requires kubeVersion: "};

    for (size_t i = 0; i < ARRAY_LEN(marks); i++)
        if (str_find(str_of(err_text(e)), str_of(marks[i])) >= 0)
            return true;
    return false;
}

/* With --debug, what was rendered is shown though it cannot be read as YAML. */
static int failed(const struct cli *cli, str outputs, struct err *e)
{
    AUTO(err_done) struct err other = {0};
    AUTO(buf_done) struct buf out = {0};

    if (!is_of_rendering(e))
        return -1;
    if (cli_switch(cli, "debug")) {
        outputs = str_trim(outputs);
        buf_addf(&out, "%.*s\n", STR_ARG(outputs));
        return cli_print_raw(buf_view(&out), &other) < 0 ? err_wrap(e, "%s", err_text(&other)) : -1;
    }
    err_set(&other, e->kind, "%s\n\nUse --debug flag to render out invalid YAML", err_text(e));
    err_done(e);
    err_move(e, &other);
    return -1;
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(cli_operation_done) struct cli_operation o = {0};
    AUTO(chart_release_done) struct chart_release release = {0};
    AUTO(str_vec_done) struct str_vec apis = {0};
    AUTO(arena_done) struct arena arena = {0};
    AUTO(buf_done) struct buf outputs = {0};
    struct chart_kube_version version;
    str name = STR_NONE;

    heap_expect_megabytes();
    if (cli_given(cli, "validate") && cli_given(cli, "dry-run"))
        return err_set(e, ERR_USAGE, CLI_NOT_TOGETHER, "validate dry-run", "dry-run validate");
    if (read_name(cli, &arena, &name, e) < 0 || cli_operation_open(cli, name, &o, e) < 0)
        return -1;
    o.op.leaves_crds = !cli_switch(cli, "include-crds") && o.op.dry_run == CHART_DRY_CLIENT;
    if (o.op.kube_version.len &&
        chart_kube_version_parse(&arena, o.op.kube_version, &version, e) < 0)
        return -1;
    if (cli_operation_load(cli, vec_last(&cli->arguments), &o, e) < 0)
        return -1;
    list_words(cli, "api-versions", &apis);
    o.op.api_versions = apis.v;
    o.op.api_version_count = apis.len;
    o.op.outputs = cli_switch(cli, "debug") ? &outputs : NULL;
    if (chart_template(&o.op, cli_switch(cli, "is-upgrade"), &release, e) < 0)
        return failed(cli, buf_view(&outputs), e);
    if (cli_text(cli, "output-dir").len)
        return write_release(cli, &release, name, e);
    return print(cli, &release, e);
}

const struct cli_command cli_chart_template = {
    .name = "chart template",
    .names = CLI_GRAPNEL | CLI_HELM,
    .summary = "Print the manifests of a chart",
    .arguments = "[NAME] CHART",
    .about =
        "Renders a chart, a folder or a .tgz archive, and prints its manifests in the order they "
        "would be installed in. The output is that of helm v4.3.1's template, byte for byte.\n\n"
        "No cluster is asked: lookup finds nothing, and the Kubernetes version and API versions "
        "are those of --kube-version and --api-versions. With --dry-run=server they are the "
        "cluster's, lookup finds what is there, and objects that are in the way are an error. "
        "Flags of install that only matter where something is sent are taken and change nothing. "
        "Links that lead out of the chart's folder "
        "are followed with a warning, or refused (--strict-links). CHART is a path, REPO/NAME of "
        "`chart repo add`, a name with --repo, or the "
        "URL of an archive, https:// or oci://.",
    .flags = flag_tables,
    .examples = "$ grapnel chart template web ./charts/web -f prod.yaml | kubectl apply -f -\n"
                "$ grapnel chart template web ./charts/web --set image.tag=1.4 -s "
                "templates/deployment.yaml\n",
    .max_arguments = 2,
    .fails_with_one = true,
    .run = run,
};
