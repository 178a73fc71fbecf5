#include "fnlib/render_helm_chart.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/mem.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "fnlib/table.h"
#include "kustomize/build.h"
#include "sys/file.h"

enum { MAX_VALUES = 5 << 20 };

static const char doc[] =
    "Renders charts that lie in the package and puts their resources behind the items.\n"
    "Charts are not fetched: they lie in helmGlobals.chartHome, \"charts\" by default.\n"
    "\n"
    "functionConfig: RenderHelmChart with helmGlobals and helmCharts as in a kustomization, or "
    "with\n"
    "chartArgs and templateOptions in each entry of helmCharts, as the catalogue's function has "
    "it.";

struct job {
    struct fn_list *io;
    struct doc_set *set;
    struct buf package, temp; /* folders: of the package, of the kustomization that is built */
    size_t files;             /* values files copied so far */
    int root;                 /* the package */
};
static void job_done(struct job *j)
{
    AUTO(err_done) struct err e = {0};

    file_close(j->root);
    if (j->temp.len && file_remove_tree(buf_cstr(&j->temp), &e) < 0)
        log_warn("a folder stays behind", LOG_STR("error", str_of(err_text(&e))));
    buf_done(&j->package);
    buf_done(&j->temp);
    doc_set_free(j->set);
}
AUTO_VALUE(struct job, job_done)

static int begin(struct job *j, struct err *e)
{
    AUTO(mem_free_str) char *full = j->io->dir ? realpath(j->io->dir, NULL) : NULL;

    if (!full)
        return err_set(e, ERR_INVALID, "there is no package directory to find charts in");
    buf_add_cstr(&j->package, full);
    j->root = file_open_dir(full, e);
    j->set = doc_set_new();
    return j->root < 0 ? -1 : file_temp_dir("grapnel-charts-", &j->temp, e);
}

/* Copied beside the kustomization, so that the build reads nothing else of the package; links that
 * lead out of it are refused. */
static int take_values_file(struct job *j, const struct doc_node *path, struct doc_node **ret,
                            struct err *e)
{
    AUTO(buf_done) struct buf text = {0}, to = {0};
    const char *from = arena_cstr(&j->set->arena, doc_text(path, STR("")));
    str name = arena_printf(&j->set->arena, "values-%zu.yaml", j->files++);

    if (file_read_beneath(j->root, from, MAX_VALUES, &text, e) < 0)
        return err_wrap(e, "values file");
    buf_addf(&to, "%s/%.*s", buf_cstr(&j->temp), STR_ARG(name));
    if (file_replace(buf_cstr(&to), buf_view(&text), NULL, e) < 0)
        return -1;
    *ret = doc_new_string(j->set, name);
    return 0;
}

static int take_values_files(struct job *j, const struct doc_node *first,
                             const struct doc_node *more, struct doc_node *entry, struct err *e)
{
    struct doc_iter it = doc_children(more);
    struct doc_node *list = doc_new_list(j->set), *name = NULL;

    if (doc_text(first, STR("")).len) {
        if (take_values_file(j, first, &name, e) < 0)
            return -1;
        doc_set_field(j->set, entry, STR("valuesFile"), name);
    }
    while (doc_next(&it)) {
        if (take_values_file(j, it.value, &name, e) < 0)
            return -1;
        if (!doc_get_lit(entry, "valuesFile"))
            doc_set_field(j->set, entry, STR("valuesFile"), name);
        else
            doc_append(list, name);
    }
    if (doc_len(list))
        doc_set_field(j->set, entry, STR("additionalValuesFiles"), list);
    return 0;
}

static void copy_members(struct job *j, struct doc_node *to, const struct doc_node *from)
{
    static const char apart[][22] = {"chartArgs",  "templateOptions",       "values",
                                     "valuesFile", "additionalValuesFiles", "valuesFiles"};
    struct doc_iter it = doc_children(from);

    while (doc_next(&it)) {
        bool is_apart = false;

        for (size_t i = 0; i < ARRAY_LEN(apart) && !is_apart; i++)
            is_apart = str_eq(it.key, str_of(apart[i]));
        if (!is_apart)
            doc_set_field(j->set, to, it.key, doc_copy(j->set, it.value));
    }
}

/* An entry of helmCharts in the words of a kustomization. */
static int take_entry(struct job *j, const struct doc_node *from, struct doc_node *entries,
                      struct err *e)
{
    struct doc_node *entry = doc_append(entries, doc_new_map(j->set));
    const struct doc_node *options = doc_get_lit(from, "templateOptions");
    const struct doc_node *values = doc_get_lit(options, "values");

    copy_members(j, entry, from);
    copy_members(j, entry, doc_get_lit(from, "chartArgs"));
    copy_members(j, entry, options);
    copy_members(j, entry, values);
    if (take_values_files(j, doc_get_lit(from, "valuesFile"),
                          doc_get_lit(from, "additionalValuesFiles"), entry, e) < 0)
        return -1;
    return take_values_files(j, NULL, doc_get_lit(values, "valuesFiles"), entry, e);
}

static int check_home(str home, struct err *e)
{
    str rest = home;

    if (home.len && home.p[0] == '/')
        return err_set(e, ERR_INVALID, "chartHome must be in the package: %.*s", STR_ARG(home));
    while (rest.len)
        if (str_eq(str_cut(rest, '/', &rest), STR("..")))
            return err_set(e, ERR_INVALID, "chartHome must be in the package: %.*s", STR_ARG(home));
    return 0;
}

static int write_kustomization(struct job *j, struct err *e)
{
    const struct doc_node *config = j->io->function_config;
    str home = doc_text(doc_at(config, "helmGlobals/chartHome"), STR("charts"));
    struct doc_iter it = doc_children(doc_get_lit(config, "helmCharts"));
    struct doc_node *root = doc_new_map(j->set), *globals, *entries;
    AUTO(buf_done) struct buf text = {0}, path = {0};

    if (!it.left)
        return err_set(e, ERR_INVALID, "functionConfig must have helmCharts");
    if (check_home(home, e) < 0)
        return -1;
    globals = doc_set_field(j->set, root, STR("helmGlobals"), doc_new_map(j->set));
    doc_set_string(j->set, globals, STR("chartHome"),
                   arena_printf(&j->set->arena, "%s/%.*s", buf_cstr(&j->package), STR_ARG(home)));
    entries = doc_set_field(j->set, root, STR("helmCharts"), doc_new_list(j->set));
    while (doc_next(&it))
        if (take_entry(j, it.value, entries, e) < 0)
            return -1;
    doc_emit_json(root, 0, &text);
    buf_addf(&path, "%s/kustomization.yaml", buf_cstr(&j->temp));
    return file_replace(buf_cstr(&path), buf_view(&text), NULL, e);
}

/* Printed and read, so that what a build keeps to itself stays behind. */
static int add_items(struct job *j, const struct kustomize_result *result, struct err *e)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML, .flags = DOC_COMMENTS};
    AUTO(buf_done) struct buf text = {0};

    if (kustomize_result_print(result, &text, e) < 0)
        return -1;
    return doc_parse_all(j->io->set, buf_view(&text), &options, "charts", &j->io->items, e);
}

/* Builds it. Nobody can look at the place of a mistake in a kustomization that is gone by then. */
static int build(struct job *j, struct kustomize_result *result, struct err *e)
{
    struct kustomize_options options = {.is_offline = true, .helm = true};
    AUTO(buf_done) struct buf copy = {0};
    enum err_kind kind;
    ssize_t end;
    str text;

    if (kustomize_build_run(buf_cstr(&j->temp), &options, result, e) == 0)
        return 0;
    buf_add_cstr(&copy, err_text(e));
    text = buf_view(&copy);
    end = str_starts(text, buf_view(&j->temp)) ? str_find(text, STR(": ")) : -1;
    if (end < 0)
        return -1;
    kind = e->kind;
    err_done(e);
    return err_set(e, kind, "%s", str_from(text, (size_t)end + 2).p);
}

static int run(struct fn_list *io, struct err *e)
{
    AUTO(job_done) struct job j = {.io = io, .root = -1};
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    str kind = doc_text(doc_get_lit(io->function_config, "kind"), STR("none"));

    if (!str_eq(kind, STR("RenderHelmChart")))
        return err_set(e, ERR_INVALID,
                       "render-helm-chart: functionConfig must be a RenderHelmChart, found %.*s",
                       STR_ARG(kind));
    if (begin(&j, e) < 0 || write_kustomization(&j, e) < 0 || build(&j, &result, e) < 0 ||
        add_items(&j, &result, e) < 0)
        return err_wrap(e, "render-helm-chart");
    return 0;
}

const struct fn_native fnlib_render_helm_chart = {
    .name = "render-helm-chart",
    .kinds = "RenderHelmChart",
    .short_doc = "renders charts of the package behind the items",
    .doc = doc,
    .run = run,
};
