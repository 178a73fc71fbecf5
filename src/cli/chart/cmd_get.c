/* grapnel chart get all|hooks|manifest|metadata|notes|values NAME */
#include "cli/chart/helm_flags.h"
#include "cli/chart/release_print.h"
#include "cli/go_template.h"
#include "cli/output.h"
#include "doc/emit.h"

static const struct cli_flag *const plain_flags[] = {cli_revision_flag, cli_cluster_of_helm, NULL};
static const struct cli_flag *const formatted_flags[] = {cli_revision_flag, cli_format_flag,
                                                         cli_cluster_of_helm, NULL};

static const struct cli_flag template_flag[] = {
    {"template", CLI_TEXT, "TEXT", "Go template to print it through: {{ .Release.Name }}", 0, "",
     "", false},
    {.name = ""},
};
static const struct cli_flag *const all_flags[] = {template_flag, cli_revision_flag,
                                                   cli_cluster_of_helm, NULL};

static const struct cli_flag all_flag[] = {
    {"all", CLI_SWITCH, "", "the chart's defaults too", 'a', "", "", false},
    {.name = ""},
};
static const struct cli_flag *const values_flags[] = {all_flag, cli_revision_flag, cli_format_flag,
                                                      cli_cluster_of_helm, NULL};

typedef int add_fn(const struct cli *cli, const struct chart_record *r, struct buf *out,
                   struct err *e);

static int get(const struct cli *cli, add_fn *add, struct err *e)
{
    AUTO(cli_releases_done) struct cli_releases open = {0};
    AUTO(chart_record_done) struct chart_record r = {0};
    AUTO(buf_done) struct buf out = {0};

    if (cli_release_get(cli, &open, &r, e) < 0 || add(cli, &r, &out, e) < 0)
        return -1;
    return cli_print_raw(buf_view(&out), e);
}

/* ---- plain texts */

static int add_all(const struct cli *cli, const struct chart_record *r, struct buf *out,
                   struct err *e)
{
    str template = cli_text(cli, "template");
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    if (template.len)
        return cli_go_template(template, cli_release_dot(r, set), out, e);
    return cli_release_summary(r, CLI_SUMMARY_CHART | CLI_SUMMARY_VALUES | CLI_SUMMARY_MANIFEST,
                               STR_NONE, out, e);
}

static int add_hooks(const struct cli *cli UNUSED, const struct chart_record *r, struct buf *out,
                     struct err *e UNUSED)
{
    cli_release_hooks(r, out);
    return 0;
}

static int add_manifest(const struct cli *cli UNUSED, const struct chart_record *r, struct buf *out,
                        struct err *e UNUSED)
{
    buf_add_str(out, chart_record_manifest(r));
    buf_add_char(out, '\n');
    return 0;
}

static int add_notes(const struct cli *cli UNUSED, const struct chart_record *r, struct buf *out,
                     struct err *e UNUSED)
{
    str notes = chart_record_notes(r);

    if (notes.len)
        buf_addf(out, "NOTES:\n%.*s\n", STR_ARG(notes));
    return 0;
}

/* ---- values */

static int add_values(const struct cli *cli, const struct chart_record *r, struct buf *out,
                      struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    bool is_all = cli_switch(cli, "all");
    const struct doc_node *values =
        is_all ? chart_record_values(r, set, e) : chart_record_config(r);
    str format = cli_text(cli, "output");

    if (is_all && !values)
        return -1;
    if (!str_eq(format, STR("json"))) {
        if (str_eq(format, STR("table")))
            buf_add_cstr(out, is_all ? "COMPUTED VALUES:\n" : "USER-SUPPLIED VALUES:\n");
        doc_emit(values, DOC_EMIT_SORTED, out);
        return 0;
    }
    doc_emit_json(values, DOC_JSON_HTML | DOC_JSON_SORTED, out);
    buf_add_char(out, '\n');
    return 0;
}

/* ---- metadata */

/* "2026-01-02T03:04:05Z": without the fraction, in its own zone. */
static void add_deployed_at(const struct chart_record *r, struct buf *out)
{
    cli_go_time(chart_record_time_text(r, "last_deployed"), STR("2006-01-02T15:04:05Z07:00"), out);
}

static void add_pairs(const char *title, const struct doc_node *map, struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *sorted = map ? doc_copy(set, map) : doc_new_map(set);
    struct doc_iter it;
    const char *divider = "";

    doc_sort_keys(sorted);
    buf_add_cstr(out, title);
    for (it = doc_children(sorted); doc_next(&it); divider = ",") {
        str value = doc_text(it.value, STR(""));

        buf_addf(out, "%s%.*s=%.*s", divider, STR_ARG(it.key), STR_ARG(value));
    }
    buf_add_char(out, '\n');
}

static void metadata_table(const struct chart_record *r, struct buf *out)
{
    const struct doc_node *metadata = chart_record_metadata(r);
    struct doc_iter it = doc_children(doc_get_lit(metadata, "dependencies"));
    str name = chart_record_chart_name(r), version = chart_record_chart_version(r),
        app = chart_record_app_version(r), status = chart_status_name(r->status);
    const char *divider = "DEPENDENCIES: ";

    buf_addf(out, "NAME: %.*s\nCHART: %.*s\nVERSION: %.*s\nAPP_VERSION: %.*s\n", STR_ARG(r->name),
             STR_ARG(name), STR_ARG(version), STR_ARG(app));
    add_pairs("ANNOTATIONS: ", doc_get_lit(metadata, "annotations"), out);
    add_pairs("LABELS: ", r->all_labels, out);
    if (!it.left)
        buf_add_cstr(out, divider);
    for (; doc_next(&it); divider = ",") {
        str dependency = doc_text(doc_get_lit(it.value, "name"), STR(""));

        buf_addf(out, "%s%.*s", divider, STR_ARG(dependency));
    }
    buf_addf(out, "\nNAMESPACE: %.*s\nREVISION: %lld\nSTATUS: %.*s\nDEPLOYED_AT: ", STR_ARG(r->ns),
             (long long)r->revision, STR_ARG(status));
    add_deployed_at(r, out);
    buf_addf(out, "\nAPPLY_METHOD: %s\n",
             str_eq(chart_record_apply_method(r), STR("ssa")) ? "server-side apply"
                                                              : "client-side apply");
}

static struct doc_node *metadata_tree(const struct chart_record *r, struct doc_set *set)
{
    static const char members[][13] = {"annotations", "dependencies"};
    const struct doc_node *metadata = chart_record_metadata(r);
    struct doc_node *map = doc_new_map(set);
    AUTO(buf_done) struct buf at = {0};

    doc_set_string(set, map, STR("name"), r->name);
    doc_set_string(set, map, STR("chart"), chart_record_chart_name(r));
    doc_set_string(set, map, STR("version"), chart_record_chart_version(r));
    doc_set_string(set, map, STR("appVersion"), chart_record_app_version(r));
    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        const struct doc_node *value = doc_get(metadata, str_of(members[i]));

        if (doc_len(value))
            doc_set_field(set, map, str_of(members[i]), doc_copy(set, value));
        if (i == 0 && doc_len(r->all_labels)) {
            struct doc_node *labels =
                doc_set_field(set, map, STR("labels"), doc_copy(set, r->all_labels));

            doc_sort_keys(labels);
        }
    }
    doc_set_string(set, map, STR("namespace"), r->ns);
    doc_set_int(set, map, STR("revision"), r->revision);
    doc_set_string(set, map, STR("status"), chart_status_name(r->status));
    add_deployed_at(r, &at);
    doc_set_string(set, map, STR("deployedAt"), buf_view(&at));
    if (chart_record_apply_method(r).len)
        doc_set_string(set, map, STR("applyMethod"), chart_record_apply_method(r));
    return map;
}

static int add_metadata(const struct cli *cli, const struct chart_record *r, struct buf *out,
                        struct err *e UNUSED)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    str format = cli_text(cli, "output");

    if (str_eq(format, STR("table")))
        metadata_table(r, out);
    else
        cli_print_tree(metadata_tree(r, set), str_eq(format, STR("json")), out);
    return 0;
}

/* ---- rows */

#define GET(word, flag_rows, line, text)                                                      \
    static int run_##word(struct cli *cli, struct err *e) { return get(cli, add_##word, e); } \
    const struct cli_command cli_chart_get_##word = {                                         \
        .name = "chart get " #word,                                                           \
        .names = CLI_GRAPNEL | CLI_HELM,                                                      \
        .summary = line,                                                                      \
        .arguments = "NAME",                                                                  \
        .about = text,                                                                        \
        .flags = flag_rows,                                                                   \
        .examples = "$ grapnel chart get " #word " web --revision 3\n",                       \
        .max_arguments = -1,                                                                  \
        .fails_with_one = true,                                                               \
        .run = run_##word,                                                                    \
    };

GET(all, all_flags, "Print everything about a release",
    "Prints what a release was made of: its chart, the values that were given and those that came "
    "of them, hooks, manifest and notes. --template prints what a Go template makes of .Release, "
    "whose members are Name, Namespace, Version, Info, Chart.Metadata, Chart.Values, Config, "
    "Manifest, Hooks, Labels and ApplyMethod.")
GET(hooks, plain_flags, "Print the hooks of a release",
    "Prints the manifests of a release's hooks, each behind the template that it came from.")
GET(manifest, plain_flags, "Print the manifest of a release",
    "Prints the manifest that a release was installed with, as it is kept in its record.")
GET(metadata, formatted_flags, "Print what is known about a release",
    "Prints name, chart, versions, labels, dependencies and status of a release.")
GET(notes, plain_flags, "Print the notes of a release",
    "Prints the notes that the chart wrote for those who installed it.")
GET(values, values_flags, "Print the values of a release",
    "Prints the values that were given to a release; with --all those that its templates saw.")
