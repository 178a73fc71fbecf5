#include "chart/lint/lint_priv.h"

#include <stdlib.h>

#include "chart/merge.h"
#include "chart/render_priv.h"
#include "chart/yaml.h"
#include "sys/file.h"

/* ---- values.yaml */

static void lint_values(struct lint *l)
{
    AUTO(buf_done) struct buf path = {0}, text = {0}, problems = {0};
    AUTO(err_done) struct err bad = {0};
    struct doc_node *values, *all;
    struct chart *c;

    lint_path(l, "values.yaml", &path);
    if (!file_exists(buf_cstr(&path))) {
        lint_add(l, CHART_LINT_INFO, "values.yaml", "file does not exist");
        return;
    }
    values = file_read(buf_cstr(&path), CHART_MAX_FILE, &text, &bad) == 0
                 ? chart_read_values(l->set, buf_view(&text), &bad)
                 : NULL;
    if (!values) {
        lint_add(l, CHART_LINT_ERROR, "values.yaml", "unable to parse YAML: %s", err_text(&bad));
        return;
    }
    c = l->options->skips_schema ? NULL : chart_load(l->set, l->folder, &bad);
    if (!c || !c->schema.p)
        return;
    all =
        doc_is_map(l->options->values) ? doc_copy(l->set, l->options->values) : doc_new_map(l->set);
    chart_merge_under(l->set, all, values, false);
    chart_judge_schema(l->set, c, all, &problems);
    if (problems.len)
        lint_add(l, CHART_LINT_ERROR, "values.yaml", "%s", buf_cstr(&problems));
}

/* ---- dependencies */

static void append(struct buf *list, str name)
{
    buf_addf(list, "%s%.*s", list->len ? "," : "", STR_ARG(name));
}

static void lint_dependencies(struct lint *l)
{
    AUTO(buf_done) struct buf unnamed = {0}, missing = {0};
    AUTO(err_done) struct err bad = {0};
    struct chart *c = chart_load(l->set, l->folder, &bad);
    char *full = c ? realpath(l->folder, NULL) : NULL;

    if (!c) {
        lint_add(l, CHART_LINT_ERROR, "", "unable to load chart\n\t%s", err_text(&bad));
        return;
    }
    for (size_t i = 0; i < c->child_count; i++)
        if (!chart_has_dependency(c, c->children[i]->name))
            append(&unnamed, c->children[i]->name);
    for (size_t i = 0; i < c->dependency_count; i++)
        if (!chart_has_child(c, c->dependencies[i].name))
            append(&missing, c->dependencies[i].name);
    if (unnamed.len)
        lint_add(l, CHART_LINT_ERROR, full ? full : l->folder,
                 "chart metadata is missing these dependencies: %s", buf_cstr(&unnamed));
    if (missing.len)
        lint_add(l, CHART_LINT_WARNING, full ? full : l->folder,
                 "chart directory is missing these dependencies: %s", buf_cstr(&missing));
    free(full);
}

/* ---- crds/ */

static void lint_crd(struct lint *l, const char *path, str text)
{
    str document;

    while (chart_next_document(&text, &document)) {
        AUTO(err_done) struct err bad = {0};
        struct doc_node *n = chart_parse_yaml(l->set, document, &bad);

        if (bad.kind != ERR_NONE) {
            lint_add(l, CHART_LINT_ERROR, path, "unable to parse YAML: %s", err_text(&bad));
            return;
        }
        if (doc_is_null(n))
            continue;
        if (!str_starts(doc_text(doc_get_lit(n, "apiVersion"), STR("")),
                        STR("apiextensions.k8s.io")))
            lint_add(l, CHART_LINT_ERROR, path, "apiVersion is not in 'apiextensions.k8s.io'");
        if (!str_eq(doc_text(doc_get_lit(n, "kind"), STR("")), STR("CustomResourceDefinition")))
            lint_add(l, CHART_LINT_ERROR, path, "object kind is not 'CustomResourceDefinition'");
    }
}

static void lint_crds(struct lint *l)
{
    AUTO(buf_done) struct buf path = {0};
    AUTO(err_done) struct err bad = {0};
    struct chart *c;

    lint_path(l, "crds", &path);
    if (!file_exists(buf_cstr(&path)))
        return;
    if (!file_is_dir(buf_cstr(&path))) {
        lint_add(l, CHART_LINT_ERROR, "crds/", "not a directory");
        return;
    }
    c = chart_load(l->set, l->folder, &bad);
    if (!c)
        lint_add(l, CHART_LINT_ERROR, "crds/", "%s", err_text(&bad));
    for (size_t i = 0; c && i < c->file_count; i++)
        if (chart_is_crd(c->files[i].name))
            lint_crd(l, arena_cstr(&l->set->arena, c->files[i].name), c->files[i].text);
}

int chart_lint(const char *folder, const struct chart_lint_options *options,
               struct chart_findings *ret, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf path = {0}, text = {0};
    struct lint l = {.folder = folder, .options = options, .set = set, .findings = ret};

    lint_path(&l, "Chart.yaml", &path);
    if (!file_exists(buf_cstr(&path)))
        return err_set(e, ERR_NOT_FOUND,
                       "unable to check Chart.yaml file in chart: stat %s: no such file or "
                       "directory",
                       buf_cstr(&path));
    if (file_is_dir(buf_cstr(&path)))
        return err_set(e, ERR_INVALID, "should be a file, not a directory");
    if (file_read(buf_cstr(&path), CHART_MAX_FILE, &text, e) < 0)
        return -1;
    lint_chartfile(&l, buf_view(&text));
    lint_values(&l);
    lint_templates(&l);
    lint_dependencies(&l);
    lint_crds(&l);
    return 0;
}
