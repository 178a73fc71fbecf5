/* templates/: does it render, and are the documents fit for a cluster? */
#include "chart/depend.h"
#include "chart/lint/lint_priv.h"
#include "chart/merge.h"
#include "chart/render_priv.h"
#include "chart/yaml.h"
#include "expr/semver/semver.h"
#include "sys/file.h"

enum { NEWEST_MINOR = 37 };

/* ---- documents */

static int minor_of(const struct lint *l)
{
    AUTO(err_done) struct err bad = {0};
    struct semver version;

    if (!l->options->kube_version.len ||
        semver_parse(l->options->kube_version, SEMVER_LENIENT, &version, &bad) < 0)
        return NEWEST_MINOR;
    return (int)MIN(version.minor, (uint64_t)INT32_MAX);
}

static bool needs_selector(str kind)
{
    static const char kinds[][12] = {"Deployment", "ReplicaSet", "DaemonSet", "StatefulSet"};

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (str_eq(kind, str_of(kinds[i])))
            return true;
    return false;
}

static void check_list(struct lint *l, const char *path, const struct doc_node *n)
{
    struct doc_iter it = doc_children(doc_get_lit(n, "items"));

    while (doc_next(&it))
        if (doc_get_lit(doc_at(it.value, "metadata/annotations"), "helm.sh/resource-policy")) {
            lint_add(l, CHART_LINT_ERROR, path,
                     "annotation 'helm.sh/resource-policy' within List objects are ignored");
            return;
        }
}

/* One document that a template printed. */
static void lint_document(struct lint *l, const char *path, const struct doc_node *n, str text)
{
    str kind = doc_text(doc_get_lit(n, "kind"), STR("")),
        name = doc_text(doc_at(n, "metadata/name"), STR("")),
        api_version = doc_text(doc_get_lit(n, "apiVersion"), STR(""));
    AUTO(buf_done) struct buf bad_name = {0}, deprecation = {0};

    if (lint_name(kind, name, &bad_name))
        lint_add(l, CHART_LINT_WARNING, path, "%s", buf_cstr(&bad_name));
    if (lint_deprecation(api_version, kind, minor_of(l), &deprecation))
        lint_add(l, CHART_LINT_WARNING, path, "%s", buf_cstr(&deprecation));
    if (needs_selector(kind) && !str_contains(text, STR("matchLabels")) &&
        !str_contains(text, STR("matchExpressions")))
        lint_add(l, CHART_LINT_ERROR, path,
                 "a %.*s must contain matchLabels or matchExpressions, and \"%.*s\" does not",
                 STR_ARG(kind), STR_ARG(name));
    if (str_eq(kind, STR("List")))
        check_list(l, path, n);
}

/* ---- outputs */

static void check_indent(struct lint *l, const char *path, str text)
{
    str line;

    while (str_next_line(&text, &line)) {
        if (!line.len)
            continue;
        if (line.p[0] == ' ')
            lint_add(l, CHART_LINT_WARNING, path,
                     "document starts with an illegal indent: \"%.*s\", which may cause parsing "
                     "problems",
                     STR_ARG(line));
        return;
    }
}

/* The next document as Kubernetes' reader splits them: lines of "---" and blanks. */
static bool next_document(str *rest, str *ret, str *ret_bad_divider)
{
    str line, text = *rest;
    const char *end = NULL;

    *ret_bad_divider = STR_NONE;
    if (!rest->len)
        return false;
    while (!end && str_next_line(rest, &line)) {
        str behind = line;

        if (!str_drop_prefix(&behind, STR("---")))
            continue;
        if (str_trim(behind).len && str_trim(behind).p[0] != '#')
            *ret_bad_divider = str_trim(behind);
        end = line.p;
    }
    *ret = end ? str_range(text.p, end) : text;
    if (!end)
        *rest = STR_NONE;
    return true;
}

static bool fail_parse(struct lint *l, const char *path, const char *why)
{
    lint_add(l, CHART_LINT_ERROR, path, "unable to parse YAML: %s", why);
    return false;
}

/* False when it is no YAML. */
static bool check_output(struct lint *l, const char *path, str text)
{
    str document, divider, rest = text;

    if (!str_trim(text).len)
        return true;
    check_indent(l, path, text);
    while (next_document(&rest, &document, &divider)) {
        AUTO(err_done) struct err bad = {0};
        struct doc_node *n = chart_parse_yaml(l->set, document, &bad);
        AUTO(buf_done) struct buf why = {0};

        if (bad.kind != ERR_NONE)
            return fail_parse(l, path, err_text(&bad));
        if (!doc_is_null(n))
            lint_document(l, path, n, text);
        buf_addf(&why, "invalid Yaml document separator: %.*s", STR_ARG(divider));
        if (divider.len)
            return fail_parse(l, path, buf_cstr(&why));
    }
    return true;
}

static str extension_of(str name)
{
    str base = str_from(name, (size_t)(str_rfind_char(name, '/') + 1));
    ssize_t dot = str_rfind_char(base, '.');

    return dot < 0 ? STR("") : str_from(base, (size_t)dot);
}

static str output_of(const struct lint *l, const struct chart *c, const struct chart_files *outputs,
                     str name)
{
    str full = arena_printf(&l->set->arena, "%.*s/%.*s", STR_ARG(c->name), STR_ARG(name));

    for (size_t i = 0; i < outputs->len; i++)
        if (str_eq(outputs->v[i].name, full))
            return outputs->v[i].text;
    return STR("");
}

/* False ends the rule, as upstream: nothing more is said of the others. */
static bool check_template(struct lint *l, const struct chart *c, const struct chart_file *f,
                           const struct chart_files *outputs)
{
    str extension = extension_of(f->name);
    const char *path = arena_cstr(&l->set->arena, f->name);
    bool is_yaml = str_eq(extension, STR(".yaml")) || str_eq(extension, STR(".yml"));

    if (!is_yaml && !str_eq(extension, STR(".tpl")) && !str_eq(extension, STR(".txt")))
        lint_add(l, CHART_LINT_ERROR, path,
                 "file extension '%.*s' not valid. Valid extensions are .yaml, .yml, .tpl, or .txt",
                 STR_ARG(extension));
    return !is_yaml || check_output(l, path, output_of(l, c, outputs, f->name));
}

/* ---- rendering */

static int render(struct lint *l, struct chart *c, struct chart_files *outputs, struct err *e)
{
    struct chart_host host = {.ctx = l->options->ctx, .lint = l->options->note};
    struct chart_render_options options = {.release = STR("test-release"),
                                           .ns = l->options->ns,
                                           .kube_version = l->options->kube_version,
                                           .host = &host};
    struct doc_node *values;

    if (chart_resolve(l->set, c, l->options->values, e) < 0)
        return -1;
    values = chart_coalesce(l->set, c, l->options->values, false, e);
    if (!values || (!l->options->skips_schema && chart_check_schemas(l->set, c, values, e) < 0))
        return -1;
    return chart_execute(l->set, c, values, &options, outputs, e);
}

void lint_templates(struct lint *l)
{
    AUTO(chart_files_done) struct chart_files outputs = {0};
    AUTO(buf_done) struct buf path = {0};
    AUTO(err_done) struct err bad = {0};
    struct chart *c;

    lint_path(l, "templates", &path);
    if (!file_exists(buf_cstr(&path))) {
        lint_add(l, CHART_LINT_WARNING, "templates/", "directory does not exist");
        return;
    }
    if (!file_is_dir(buf_cstr(&path))) {
        lint_add(l, CHART_LINT_ERROR, "templates/", "not a directory");
        return;
    }
    c = chart_load(l->set, l->folder, &bad);
    if (c)
        c->kube_version = STR_NONE; /* what a cluster must be is no matter of lint */
    if (!c || render(l, c, &outputs, &bad) < 0) {
        lint_add(l, CHART_LINT_ERROR, "templates/", "%s", err_text(&bad));
        return;
    }
    for (size_t i = 0; i < c->template_count; i++)
        if (!check_template(l, c, &c->templates[i], &outputs))
            return;
}
