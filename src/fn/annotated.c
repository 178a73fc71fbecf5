/* Functions that are resources of the folder themselves: the model of `kustomize fn run`. */
#include "fn/annotate.h"
#include "fn/pipeline.h"

/* Where a function works: beside its config, unless that is in a folder of its own. */
static str scope_of(str config_path)
{
    str folder = fn_folder_of(config_path);
    ssize_t slash = str_rfind_char(folder, '/');

    if (str_eq(str_from(folder, (size_t)(slash + 1)), STR("functions")))
        return fn_folder_of(folder);
    return folder;
}

bool fn_is_in_scope(str config_path, str path)
{
    str folder = scope_of(config_path);

    if (!folder.len)
        return true;
    return path.len && str_drop_prefix(&path, folder) && str_starts(path, STR("/"));
}

struct annotated {
    struct doc_node *config;
    struct fn_step step;
    size_t depth;
    str path;
    int64_t index;
};
struct annotated_list {
    VEC(struct annotated) v;
};
static void annotated_list_done(struct annotated_list *list)
{
    for (size_t i = 0; i < list->v.len; i++)
        fn_step_done(&list->v.v[i].step);
    vec_done(&list->v);
}
AUTO_VALUE(struct annotated_list, annotated_list_done)

static size_t depth_of(str path)
{
    size_t depth = 0;

    for (size_t i = 0; i < path.len; i++)
        depth += path.p[i] == '/';
    return depth;
}

/* Deeper ones first, then by path and index. */
static int by_turn(const void *a, const void *b)
{
    const struct annotated *x = a, *y = b;
    int order;

    if (x->depth != y->depth)
        return x->depth > y->depth ? -1 : 1;
    order = str_cmp(x->path, y->path);
    if (order)
        return order;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int add_function(struct fn_pipeline *p, struct doc_node *config, struct annotated_list *ret,
                        struct err *e)
{
    struct annotated f = {.config = config, .path = fn_path_of(config)};
    int rc;

    rc = fn_spec_of_config(p->runner, p->set, config, &f.step.spec, e);
    if (rc == 0 || rc < 0) {
        fn_step_done(&f.step);
        return rc < 0 ? err_wrap(e, "%.*s", STR_ARG(f.path)) : 0;
    }
    f.step.name = f.step.spec.image.len  ? f.step.spec.image
                  : f.step.spec.exec.len ? f.step.spec.exec
                                         : str_of(f.step.spec.native->name);
    f.depth = depth_of(f.path);
    f.index = fn_index_of(config);
    vec_push(&ret->v, f);
    return fn_check_gates(p->runner, &f.step.spec, e);
}

static void split(const struct annotated *f, bool is_global, const struct doc_list *items,
                  struct doc_list *in, struct doc_list *out)
{
    for (size_t i = 0; i < items->len; i++) {
        if (is_global || fn_is_in_scope(f->path, fn_path_of(items->v[i])))
            vec_push(in, items->v[i]);
        else
            vec_push(out, items->v[i]);
    }
}

static int run_one(struct fn_pipeline *p, const struct annotated *f, bool is_global,
                   struct doc_list *items, struct err *e)
{
    AUTO(doc_list_done) struct doc_list in = {0}, out = {0};
    int rc;

    split(f, is_global, items, &in, &out);
    p->folder = scope_of(f->path);
    rc = fn_pipeline_step(p, &f->step, f->config, true, &in, e);
    if (rc < 0)
        return -1;
    items->len = 0;
    for (size_t i = 0; i < in.len; i++)
        vec_push(items, in.v[i]);
    for (size_t i = 0; i < out.len; i++)
        vec_push(items, out.v[i]);
    return rc;
}

int fn_pipeline_run_annotated(struct fn_pipeline *p, bool is_global, struct doc_list *functions,
                              struct doc_list *items, struct err *e)
{
    AUTO(annotated_list_done) struct annotated_list list = {0};
    str deferred = STR_NONE;

    for (size_t i = 0; i < functions->len; i++)
        if (add_function(p, functions->v[i], &list, e) < 0)
            return -1;
    vec_sort(&list.v, by_turn);
    for (size_t i = 0; i < list.v.len; i++) {
        int rc = run_one(p, &list.v.v[i], is_global, items, e);

        if (rc < 0)
            return -1;
        if (rc > 0 && !deferred.len)
            deferred = list.v.v[i].step.name;
    }
    if (fn_check_places(items, e) < 0)
        return -1;
    p->deferred = deferred;
    return deferred.len > 0;
}
