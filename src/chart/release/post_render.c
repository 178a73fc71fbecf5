/* Post-renderers: a program that gets the rendered documents as a stream and prints what is to be
 * installed (helm spec 6.6). An annotation tells which file a document belongs to. Hooks are in the
 * same stream, in one of their own, or left alone, as the strategy says. */
#include "chart/release/release_priv.h"
#include "chart/render_priv.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "sys/proc.h"

#define FILENAME STR("postrenderer.helm.sh/postrender-filename")

static int parse(struct doc_set *set, str text, const char *origin, struct doc_list *ret,
                 struct err *e)
{
    struct doc_parse_options options = {.dialect = DOC_KUSTOMIZATION, .flags = DOC_COMMENTS};

    return doc_parse_all(set, text, &options, origin, ret, e);
}

struct pass { /* one run of the program */
    const struct chart_operation *op;
    struct doc_set *set;
    struct cancel *cancel;
    const char *what;  /* in messages: "files", "hooks" */
    const char *infix; /* in the names of files that the program made up: "", "hooks-" */
};

static int add_document(const struct pass *p, const struct chart_file *file, str text,
                        struct buf *stream, struct err *e)
{
    AUTO(doc_list_done) struct doc_list roots = {0};

    if (parse(p->set, text, arena_cstr(&p->set->arena, file->name), &roots, e) < 0)
        return err_wrap(e, "error while parsing the rendered template");
    for (size_t i = 0; i < roots.len; i++) {
        struct doc_node *metadata, *annotations;

        if (!doc_is_map(roots.v[i]))
            continue;
        metadata = doc_ensure_map(p->set, roots.v[i], STR("metadata"));
        annotations = metadata ? doc_ensure_map(p->set, metadata, STR("annotations")) : NULL;
        if (annotations)
            doc_set_string(p->set, annotations, FILENAME, file->name);
        if (stream->len)
            buf_add_cstr(stream, "---\n");
        doc_emit(roots.v[i], DOC_EMIT_KYAML, stream);
    }
    return 0;
}

static int add_file(const struct pass *p, const struct chart_file *file, struct buf *stream,
                    struct err *e)
{
    str document, rest = file->text;

    while (chart_next_document(&rest, &document))
        if (add_document(p, file, document, stream, e) < 0)
            return -1;
    return 0;
}

static int execute(const struct pass *p, str input, struct proc_result *ret, struct err *e)
{
    const struct chart_operation *op = p->op;
    VEC(const char *) argv = {0};
    struct proc_spec spec = {.input = input, .cancel = p->cancel};
    int rc;

    vec_push(&argv, op->post_renderer);
    for (size_t i = 0; op->post_renderer_arguments && op->post_renderer_arguments[i]; i++)
        vec_push(&argv, op->post_renderer_arguments[i]);
    vec_push(&argv, NULL);
    spec.argv = argv.v;
    rc = proc_run(&spec, ret, e);
    vec_done(&argv);
    if (rc < 0)
        return err_wrap(e, "error while running post render on %s", p->what);
    if (ret->exit_code != 0) {
        str said = str_trim(buf_view(&ret->err));

        return err_set(e, ERR_INVALID,
                       "error while running post render on %s: error while running command %s. "
                       "error output:\n%.*s: exit status %d",
                       p->what, op->post_renderer, STR_ARG(said), ret->exit_code);
    }
    if (!str_trim(buf_view(&ret->out)).len)
        return err_set(e, ERR_INVALID,
                       "error while running post render on %s: post-renderer \"%s\" produced "
                       "empty output",
                       p->what, op->post_renderer);
    return 0;
}

/* Puts a text behind what the file has. */
static void append(struct doc_set *set, str name, str text, struct chart_files *files)
{
    AUTO(buf_done) struct buf both = {0};
    size_t i = 0;

    while (i < files->len && !str_eq(files->v[i].name, name))
        i++;
    if (i == files->len)
        vec_push(files, {.name = name, .text = STR("")});
    else
        buf_addf(&both, "%.*s%s---\n", STR_ARG(files->v[i].text),
                 str_ends(files->v[i].text, STR("\n")) ? "" : "\n");
    buf_add_str(&both, text);
    files->v[i].text = arena_dup(&set->arena, buf_view(&both));
}

/* Appends a document to the file it belongs to, which is taken from its annotation. */
static void put_back(const struct pass *p, struct doc_node *root, size_t number,
                     struct chart_files *ret)
{
    struct doc_node *metadata = doc_get_lit(root, "metadata");
    struct doc_node *annotations = doc_get_lit(metadata, "annotations");
    str name = doc_text(doc_get(annotations, FILENAME), STR_NONE);
    AUTO(buf_done) struct buf text = {0};

    if (name.len) {
        doc_remove(annotations, FILENAME);
        if (!doc_len(annotations))
            doc_remove(metadata, STR("annotations"));
    } else {
        name = arena_printf(&p->set->arena, "generated-by-postrender-%s%zu.yaml", p->infix, number);
    }
    doc_emit(root, DOC_EMIT_KYAML, &text);
    append(p->set, name, buf_view(&text), ret);
}

/* Runs the program on some files and appends what it prints. */
static int run_pass(const struct pass *p, const struct chart_files *files, struct chart_files *ret,
                    struct err *e)
{
    AUTO(buf_done) struct buf stream = {0};
    AUTO(proc_result_done) struct proc_result result = {0};
    AUTO(doc_list_done) struct doc_list roots = {0};

    for (size_t i = 0; i < files->len; i++)
        if (add_file(p, &files->v[i], &stream, e) < 0)
            return -1;
    if (execute(p, buf_view(&stream), &result, e) < 0)
        return -1;
    if (parse(p->set, buf_view(&result.out), "the post-renderer's output", &roots, e) < 0)
        return -1;
    for (size_t i = 0; i < roots.len; i++)
        put_back(p, roots.v[i], i, ret);
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return str_cmp(((const struct chart_file *)a)->name, ((const struct chart_file *)b)->name);
}

/* What is in the files, hooks apart. */
static int divide(struct doc_set *set, const struct chart_files *outputs, struct chart_files *hooks,
                  struct chart_files *manifests, struct err *e)
{
    AUTO(chart_release_done) struct chart_release release = {0};

    if (chart_sort_manifests(set, outputs, &release, e) < 0)
        return -1;
    for (size_t i = 0; i < release.hooks.len; i++)
        append(set, release.hooks.v[i].path, release.hooks.v[i].text, hooks);
    for (size_t i = 0; i < release.manifests.len; i++)
        append(set, release.manifests.v[i].path, release.manifests.v[i].text, manifests);
    vec_sort(hooks, by_name);
    vec_sort(manifests, by_name);
    return 0;
}

static int run_apart(const struct pass *p, const struct chart_files *outputs,
                     struct chart_files *ret, struct err *e)
{
    AUTO(chart_files_done) struct chart_files hooks = {0}, manifests = {0};
    struct pass of_hooks = *p, of_manifests = *p;

    of_hooks.what = "hooks";
    of_hooks.infix = "hooks-";
    of_manifests.what = "manifests";
    of_manifests.infix = "manifests-";
    if (divide(p->set, outputs, &hooks, &manifests, e) < 0)
        return -1;
    if (p->op->post_strategy == CHART_POST_NO_HOOKS)
        for (size_t i = 0; i < hooks.len; i++)
            append(p->set, hooks.v[i].name, hooks.v[i].text, ret);
    else if (hooks.len && run_pass(&of_hooks, &hooks, ret, e) < 0)
        return -1;
    return manifests.len ? run_pass(&of_manifests, &manifests, ret, e) : 0;
}

int chart_post_render(const struct chart_operation *op, struct doc_set *set,
                      struct chart_files *outputs, struct cancel *cancel, struct err *e)
{
    AUTO(chart_files_done) struct chart_files all = {0};
    struct pass p = {op, set, cancel, "files", ""};

    if ((op->post_strategy == CHART_POST_COMBINED ? run_pass(&p, outputs, &all, e)
                                                  : run_apart(&p, outputs, &all, e)) < 0)
        return -1;
    outputs->len = 0;
    for (size_t i = 0; i < all.len; i++)
        vec_push(outputs, all.v[i]);
    vec_sort(outputs, by_name);
    return 0;
}
