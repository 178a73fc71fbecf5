/* Charts among the generators (kustomize spec 16), rendered by the chart engine. */
#include "kustomize/generate/chart.h"

#include "chart/download.h"
#include "chart/merge.h"
#include "chart/name.h"
#include "chart/render.h"
#include "chart/yaml.h"
#include "doc/emit.h"
#include "sys/file.h"
#include "sys/proc.h"

struct inflation {
    struct kustomize_level *level;
    const struct kustomize_chart *chart;
    struct doc_set *set; /* of the chart and its values */
    struct chart *loaded;
    str path; /* of the chart's folder */
};
static void inflation_done(struct inflation *i) { doc_set_free(i->set); }
AUTO_VALUE(struct inflation, inflation_done)

static str home_of(const struct inflation *i)
{
    if (i->chart->chart_home.len)
        return i->chart->chart_home;
    return i->level->k && i->level->k->chart_home.len ? i->level->k->chart_home
                                                      : STR(KUSTOMIZE_CHART_HOME);
}

/* The chart's folder is DIR/NAME below the chart home. */
static int find_place(struct inflation *i, struct buf *ret_dir, struct err *e)
{
    const struct kustomize_chart *c = i->chart;
    str home = home_of(i);

    if (!c->name.len)
        return err_set(e, ERR_INVALID, "chart name cannot be empty");
    if (memchr(c->name.p, '/', c->name.len) || str_eq(c->name, STR("..")))
        return err_set(e, ERR_INVALID, "chart \"%.*s\": a name is no path", STR_ARG(c->name));
    if (home.p[0] != '/')
        buf_addf(ret_dir, "%s/", fetch_root_path(i->level->root));
    buf_add_str(ret_dir, home);
    if (c->repo.len && c->version.len)
        buf_addf(ret_dir, "/%.*s-%.*s", STR_ARG(c->name), STR_ARG(c->version));
    return 0;
}

/* Clones stay as they are, and nothing beside them is read: a chart that is not in the repository
 * is read where it came to, in memory. */
static int load_for_clone(struct inflation *i, struct err *e)
{
    AUTO(chart_download_done) struct chart_download d = {0};

    if (i->level->b.shared->options->helm_command.len)
        return err_set(e, ERR_DENIED, "it is in no folder that a command could read");
    if (kustomize_chart_fetch(&i->level->b, i->chart, &d, e) < 0)
        return -1;
    i->loaded = chart_load_bytes(i->set, buf_view(&d.archive), e);
    return i->loaded ? 0 : -1;
}

/* What lies in the chart home is taken; else the chart is fetched into it. */
static int load(struct inflation *i, struct err *e)
{
    const struct kustomize_chart *c = i->chart;
    struct fetch_root *root = i->level->root;
    AUTO(buf_done) struct buf dir = {0}, path = {0};
    int rc = 0;

    if (find_place(i, &dir, e) < 0)
        return -1;
    buf_addf(&path, "%s/%.*s", buf_cstr(&dir), STR_ARG(c->name));
    i->path = arena_dup(&i->set->arena, buf_view(&path));
    if (fetch_root_clone_path(root) && fetch_root_look(root, i->path) == FETCH_ABSENT)
        rc = load_for_clone(i, e);
    else if (!file_exists(buf_cstr(&path)))
        rc = kustomize_chart_pull(&i->level->b, c, buf_cstr(&dir), e);
    if (rc < 0)
        return err_wrap(e, "chart \"%.*s\" is not in \"%.*s\"", STR_ARG(c->name),
                        STR_ARG(home_of(i)));
    if (!i->loaded)
        i->loaded = chart_load_strict(i->set, buf_cstr(&path), e);
    return i->loaded ? 0 : err_wrap(e, "chart \"%.*s\"", STR_ARG(c->name));
}

/* ---- values */

static struct doc_node *values_of_file(struct inflation *i, str path, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *values;

    if (fetch_root_read(i->level->root, path, CHART_MAX_BYTES, &text, e) < 0)
        return NULL;
    values = chart_read_values(i->set, buf_view(&text), e);
    if (!values)
        err_wrap(e, "values file %.*s", STR_ARG(path));
    return values;
}

/* Numbers and the like are read as charts read them. */
static struct doc_node *values_inline(struct inflation *i, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    if (doc_is_null(i->chart->values_inline))
        return doc_new_map(i->set);
    doc_emit(i->chart->values_inline, DOC_EMIT_ORDERED, &text);
    return chart_read_values(i->set, buf_view(&text), e);
}

/* src over dst, as kustomize merges the two: a null takes the member away, so that what the chart
 * has there stays in force. helm reads a null as one; it never sees these. */
static void merge_values(struct doc_set *set, struct doc_node *dst, const struct doc_node *src)
{
    struct doc_iter it = doc_children(src);

    while (doc_next(&it)) {
        if (doc_is_null(it.value)) {
            doc_remove(dst, it.key);
        } else if (doc_is_map(it.value)) {
            if (!doc_is_map(doc_get(dst, it.key)))
                doc_set_field(set, dst, it.key, doc_new_map(set));
            merge_values(set, doc_get(dst, it.key), it.value);
        } else {
            doc_set_field(set, dst, it.key, doc_copy(set, it.value));
        }
    }
}

/* valuesFile (else the chart's own values) and valuesInline, by valuesMerge. */
static struct doc_node *first_values(struct inflation *i, struct err *e)
{
    const struct kustomize_chart *c = i->chart;
    str how = c->values_merge;
    struct doc_node *own = values_inline(i, e), *file;

    if (!own)
        return NULL;
    if (how.len && !str_eq(how, STR("override")) && !str_eq(how, STR("merge")) &&
        !str_eq(how, STR("replace"))) {
        err_set(e, ERR_INVALID, "valuesMerge must be one of: override, merge, replace");
        return NULL;
    }
    if (str_eq(how, STR("replace")) && doc_len(own))
        return own;
    file = c->values_file.len ? values_of_file(i, c->values_file, e)
                              : doc_copy(i->set, i->loaded->values);
    if (!file || !doc_len(own))
        return file;
    if (str_eq(how, STR("merge"))) {
        merge_values(i->set, own, file);
        return own;
    }
    merge_values(i->set, file, own);
    return file;
}

static struct doc_node *values_of(struct inflation *i, struct err *e)
{
    struct doc_node *values = first_values(i, e);

    for (size_t k = 0; values && k < i->chart->additional_values_files.len; k++) {
        const struct doc_node *more =
            values_of_file(i, i->chart->additional_values_files.v[k].text, e);

        if (!more)
            return NULL;
        chart_merge_over(i->set, values, more);
    }
    return values;
}

/* ---- rendering */

static void add_apis(const struct inflation *i, struct str_vec *ret)
{
    const struct str_vec *given = &i->level->b.shared->options->helm_api_versions;

    for (size_t k = 0; k < i->chart->api_versions.len; k++)
        vec_push(ret, i->chart->api_versions.v[k].text);
    for (size_t k = 0; k < given->len; k++)
        vec_push(ret, given->v[k]);
}

static str namespace_of(const struct inflation *i)
{
    return i->chart->ns.len ? i->chart->ns : i->level->ns;
}

static int render(struct inflation *i, struct buf *out, struct err *e)
{
    const struct kustomize_chart *c = i->chart;
    str ns = namespace_of(i), kube = i->level->b.shared->options->helm_kube_version;
    AUTO(chart_release_done) struct chart_release release = {0};
    AUTO(str_vec_done) struct str_vec apis = {0};
    struct chart_render_options options = {
        .release = c->release_name.len ? c->release_name : CHART_DEFAULT_RELEASE,
        .ns = ns.len ? ns : STR("default"),
        .kube_version = c->kube_version.len ? c->kube_version : kube,
    };
    struct doc_node *values = values_of(i, e);

    if (!values)
        return -1;
    if (c->name_template.len && !c->release_name.len &&
        chart_name_from_template(&i->set->arena, c->name_template, &options.release, e) < 0)
        return -1;
    add_apis(i, &apis);
    options.api_versions = apis.v;
    options.api_version_count = apis.len;
    if (chart_check_release_name(options.release, e) < 0 ||
        chart_render(i->set, i->loaded, values, &options, &release, e) < 0)
        return err_wrap(e, "chart \"%.*s\"", STR_ARG(c->name));
    chart_release_print(&release,
                        (c->include_crds ? CHART_PRINT_CRDS : 0) |
                            (c->skip_hooks ? CHART_PRINT_NO_HOOKS : 0) |
                            (c->skip_tests ? CHART_PRINT_NO_TESTS : 0),
                        out);
    return 0;
}

/* ---- another program (--helm-command) */

static void add_pair(struct str_vec *argv, const char *flag, str value)
{
    if (!value.len)
        return;
    vec_push(argv, str_of(flag));
    vec_push(argv, value);
}

static void add_switch(struct str_vec *argv, const char *flag, bool is_on)
{
    if (is_on)
        vec_push(argv, str_of(flag));
}

/* `helm template`, with the merged values on its standard input. */
static void command_of(struct inflation *i, struct str_vec *argv)
{
    const struct kustomize_options *o = i->level->b.shared->options;
    const struct kustomize_chart *c = i->chart;
    AUTO(str_vec_done) struct str_vec apis = {0};

    vec_push(argv, o->helm_command);
    vec_push(argv, STR("template"));
    if (c->release_name.len)
        vec_push(argv, c->release_name);
    else if (!c->name_template.len)
        vec_push(argv, STR("--generate-name"));
    vec_push(argv, i->path);
    add_pair(argv, "--namespace", namespace_of(i));
    add_pair(argv, "--name-template", c->release_name.len ? STR_NONE : c->name_template);
    add_pair(argv, "-f", STR("-"));
    add_apis(i, &apis);
    for (size_t k = 0; k < apis.len; k++)
        add_pair(argv, "--api-versions", apis.v[k]);
    add_pair(argv, "--kube-version", c->kube_version.len ? c->kube_version : o->helm_kube_version);
    add_switch(argv, "--include-crds", c->include_crds);
    add_switch(argv, "--skip-tests", c->skip_tests);
    add_switch(argv, "--no-hooks", c->skip_hooks);
    add_switch(argv, "--debug", c->debug || o->helm_debug);
    add_switch(argv, "--devel", c->devel);
}

static int run(struct inflation *i, str values, struct proc_result *ret, struct err *e)
{
    AUTO(str_vec_done) struct str_vec words = {0};
    struct proc_spec spec = {.input = values,
                             .output_limit = CHART_MAX_BYTES,
                             .dir = fetch_root_path(i->level->root),
                             .cancel = i->level->b.cancel};
    const char **argv;

    command_of(i, &words);
    argv = ARENA_ARRAY(&i->set->arena, const char *, words.len + 1);
    for (size_t k = 0; k < words.len; k++)
        argv[k] = arena_cstr(&i->set->arena, words.v[k]);
    spec.argv = argv;
    return proc_run(&spec, ret, e);
}

static int render_by_command(struct inflation *i, struct buf *out, struct err *e)
{
    AUTO(proc_result_done) struct proc_result result = {0};
    AUTO(buf_done) struct buf text = {0}, how = {0};
    const struct doc_node *values = values_of(i, e);

    /* a release's name stands alone on the command line: it must not be taken for a flag */
    if (!values ||
        (i->chart->release_name.len && chart_check_release_name(i->chart->release_name, e) < 0))
        return -1;
    doc_emit(values, DOC_EMIT_ORDERED, &text);
    if (run(i, buf_view(&text), &result, e) < 0)
        return err_wrap(e, "chart \"%.*s\"", STR_ARG(i->chart->name));
    buf_add_str(out, buf_view(&result.out));
    if (result.exit_code == 0)
        return 0;
    proc_describe(&result, &how);
    return err_set(e, ERR_INVALID, "chart \"%.*s\": %.*s: %s: %.*s", STR_ARG(i->chart->name),
                   STR_ARG(i->level->b.shared->options->helm_command), buf_cstr(&how),
                   STR_ARG(str_trim(buf_view(&result.err))));
}

int kustomize_chart(struct kustomize_build *b, struct kustomize_resmap *m,
                    const struct kustomize_chart *chart, struct err *e)
{
    AUTO(inflation_done)
    struct inflation i = {
        .level = KUSTOMIZE_LEVEL(b), .chart = chart, .set = doc_set_new(), .loaded = NULL};
    AUTO(kustomize_resmap_done) struct kustomize_resmap made = {0};
    AUTO(buf_done) struct buf out = {0}, origin = {0};
    struct kustomize_resource *r;
    str text; /* borrowed by the resources */
    bool by_command;

    if (!b->shared->options->helm)
        return err_set(e, ERR_DENIED, "must specify --enable-helm");
    by_command = b->shared->options->helm_command.len > 0;
    if (load(&i, e) < 0 || (by_command ? render_by_command : render)(&i, &out, e) < 0)
        return -1;
    text = arena_dup(&b->set->arena, buf_view(&out));
    buf_addf(&origin, "chart %.*s", STR_ARG(chart->name));
    if (kustomize_read_resources(b, text, buf_cstr(&origin), NULL, &made, e) < 0)
        return -1;
    for (size_t at = 0; (r = kustomize_resmap_next(&made, &at));)
        r->from_chart = namespace_of(&i).len > 0;
    return kustomize_resmap_append_all(m, &made, e);
}
