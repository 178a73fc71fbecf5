/* Post-renderers: a program that gets the rendered documents as one stream and prints what is to be
 * installed (helm spec 6.6). An annotation tells which file a document belongs to. */
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

static int add_file(struct doc_set *set, const struct chart_file *file, struct buf *stream,
                    struct err *e)
{
    AUTO(doc_list_done) struct doc_list roots = {0};

    if (parse(set, file->text, arena_cstr(&set->arena, file->name), &roots, e) < 0)
        return err_wrap(e, "error while parsing the rendered template");
    for (size_t i = 0; i < roots.len; i++) {
        struct doc_node *metadata, *annotations;

        if (!doc_is_map(roots.v[i]))
            continue;
        metadata = doc_ensure_map(set, roots.v[i], STR("metadata"));
        annotations = metadata ? doc_ensure_map(set, metadata, STR("annotations")) : NULL;
        if (annotations)
            doc_set_string(set, annotations, FILENAME, file->name);
        if (stream->len)
            buf_add_cstr(stream, "---\n");
        doc_emit(roots.v[i], DOC_EMIT_KYAML, stream);
    }
    return 0;
}

static int execute(const struct chart_operation *op, str input, struct cancel *cancel,
                   struct proc_result *ret, struct err *e)
{
    VEC(const char *) argv = {0};
    struct proc_spec spec = {.input = input, .cancel = cancel};
    int rc;

    vec_push(&argv, op->post_renderer);
    for (size_t i = 0; op->post_renderer_arguments && op->post_renderer_arguments[i]; i++)
        vec_push(&argv, op->post_renderer_arguments[i]);
    vec_push(&argv, NULL);
    spec.argv = argv.v;
    rc = proc_run(&spec, ret, e);
    vec_done(&argv);
    if (rc < 0)
        return err_wrap(e, "error while running post render on files");
    if (ret->exit_code != 0) {
        str said = str_trim(buf_view(&ret->err));

        return err_set(e, ERR_INVALID,
                       "error while running post render on files: error while running command %s. "
                       "error output:\n%.*s: exit status %d",
                       op->post_renderer, STR_ARG(said), ret->exit_code);
    }
    if (!str_trim(buf_view(&ret->out)).len)
        return err_set(e, ERR_INVALID,
                       "error while running post render on files: post-renderer \"%s\" produced "
                       "empty output",
                       op->post_renderer);
    return 0;
}

/* Appends a document to the file it belongs to, which is taken from its annotation. */
static void put_back(struct doc_set *set, struct doc_node *root, size_t number,
                     struct chart_files *outputs)
{
    struct doc_node *metadata = doc_get_lit(root, "metadata");
    struct doc_node *annotations = doc_get_lit(metadata, "annotations");
    str name = doc_text(doc_get(annotations, FILENAME), STR_NONE);
    AUTO(buf_done) struct buf text = {0};
    size_t i = 0;

    if (name.len) {
        doc_remove(annotations, FILENAME);
        if (!doc_len(annotations))
            doc_remove(metadata, STR("annotations"));
    } else {
        name = arena_printf(&set->arena, "generated-by-postrender-%zu.yaml", number);
    }
    while (i < outputs->len && !str_eq(outputs->v[i].name, name))
        i++;
    if (i == outputs->len)
        vec_push(outputs, {.name = name, .text = STR("")});
    else
        buf_addf(&text, "%.*s---\n", STR_ARG(outputs->v[i].text));
    doc_emit(root, DOC_EMIT_KYAML, &text);
    outputs->v[i].text = arena_dup(&set->arena, buf_view(&text));
}

static int by_name(const void *a, const void *b)
{
    return str_cmp(((const struct chart_file *)a)->name, ((const struct chart_file *)b)->name);
}

int chart_post_render(const struct chart_operation *op, struct doc_set *set,
                      struct chart_files *outputs, struct cancel *cancel, struct err *e)
{
    AUTO(buf_done) struct buf stream = {0};
    AUTO(proc_result_done) struct proc_result result = {0};
    AUTO(doc_list_done) struct doc_list roots = {0};

    for (size_t i = 0; i < outputs->len; i++)
        if (add_file(set, &outputs->v[i], &stream, e) < 0)
            return -1;
    if (execute(op, buf_view(&stream), cancel, &result, e) < 0)
        return -1;
    if (parse(set, buf_view(&result.out), "the post-renderer's output", &roots, e) < 0)
        return -1;
    outputs->len = 0;
    for (size_t i = 0; i < roots.len; i++)
        put_back(set, roots.v[i], i, outputs);
    vec_sort(outputs, by_name);
    return 0;
}
