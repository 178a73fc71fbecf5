/* The pipelines of a package and its subpackages. */
#include "fn/annotate.h"
#include "fn/pipeline.h"

struct package {
    str path;               /* below the root; empty: the root */
    struct package *parent; /* NULL: the root */
    struct fn_kptfile kptfile;
    struct doc_list own; /* its items, without those of subpackages */
};
struct render {
    struct fn_pipeline *pipeline;
    VEC(struct package *) packages; /* parents before children, siblings in byte order */
};
static void render_done(struct render *r)
{
    for (size_t i = 0; i < r->packages.len; i++) {
        fn_kptfile_done(&r->packages.v[i]->kptfile);
        doc_list_done(&r->packages.v[i]->own);
        mem_free(r->packages.v[i]);
    }
    vec_done(&r->packages);
}
AUTO_VALUE(struct render, render_done)

static bool is_kptfile(str path)
{
    ssize_t slash = str_rfind_char(path, '/');

    return str_eq(str_from(path, (size_t)(slash + 1)), STR("Kptfile"));
}

/* The nearest package at or above a folder. */
static struct package *package_at(const struct map *by_path, str folder)
{
    for (;;) {
        struct package *found = map_get(by_path, folder);

        if (found || !folder.len)
            return found;
        folder = fn_folder_of(folder);
    }
}

/* Items come in order of the walk, so a Kptfile may come behind files of folders below it; hence
 * the packages first, then the items. A path's order by parts puts parents before their children.
 */
static int path_order(str a, str b)
{
    while (a.p || b.p) {
        int order = str_cmp(str_cut(a, '/', &a), str_cut(b, '/', &b));

        if (order)
            return order;
    }
    return 0;
}

static int by_path(const void *a, const void *b)
{
    const struct package *x = *(struct package *const *)a, *y = *(struct package *const *)b;

    return x->path.len && y->path.len ? path_order(x->path, y->path)
                                      : (x->path.len > 0) - (y->path.len > 0);
}

static int add_package(struct render *r, const struct doc_node *item, struct err *e)
{
    struct fn_package *files = r->pipeline->package;
    const struct fn_part *part = fn_package_part(files, item);
    struct package *new = NEW(struct package);

    new->path = fn_folder_of(fn_path_of(item));
    vec_push(&r->packages, new);
    return fn_kptfile_read(files->set, part->root, &new->kptfile, e);
}

static int find_packages(struct render *r, const struct doc_list *items, struct err *e)
{
    AUTO(map_done) struct map packages = {0};

    for (size_t i = 0; i < items->len; i++)
        if (is_kptfile(fn_path_of(items->v[i])) && add_package(r, items->v[i], e) < 0)
            return -1;
    vec_sort(&r->packages, by_path);
    if (!r->packages.len || r->packages.v[0]->path.len)
        return err_set(e, ERR_INVALID, "%s is no package: it has no Kptfile", r->pipeline->dir);
    for (size_t i = 0; i < r->packages.len; i++) {
        struct package *p = r->packages.v[i];

        if (map_has(&packages, p->path))
            return err_set(e, ERR_INVALID, "%.*s/Kptfile holds more than one document",
                           STR_ARG(p->path));
        p->parent = i ? package_at(&packages, fn_folder_of(p->path)) : NULL;
        map_put(&packages, p->path, p);
    }
    for (size_t i = 0; i < items->len; i++)
        vec_push(&package_at(&packages, fn_folder_of(fn_path_of(items->v[i])))->own, items->v[i]);
    return 0;
}

/* ---- before anything runs */

static int prepare_steps(const struct render *r, struct fn_step *steps, size_t count, struct err *e)
{
    const struct fn_runner *runner = r->pipeline->runner;

    for (size_t i = 0; i < count; i++) {
        if (steps[i].spec.image.len)
            steps[i].spec.native = fn_native_by_image(runner->natives, steps[i].spec.image);
        steps[i].spec.wants_network = runner->allows_network;
        if (fn_check_gates(runner, &steps[i].spec, e) < 0)
            return -1;
    }
    return 0;
}

static int prepare(struct render *r, struct err *e)
{
    for (size_t i = 0; i < r->packages.len; i++) {
        struct fn_kptfile *k = &r->packages.v[i]->kptfile;

        if (prepare_steps(r, k->mutators.v, k->mutators.len, e) < 0 ||
            prepare_steps(r, k->validators.v, k->validators.len, e) < 0)
            return -1;
    }
    return 0;
}

/* ---- paths: an item's is below the package whose pipeline runs */

static void set_path(struct doc_set *set, struct doc_node *item, str path)
{
    if (fn_annotation(item, STR(FN_LEGACY_PATH)).len)
        fn_annotate(set, item, STR(FN_LEGACY_PATH), path);
    fn_annotate(set, item, STR(FN_PATH), path);
}

static void strip_folder(struct doc_set *set, const struct doc_list *items, str folder)
{
    for (size_t i = 0; i < items->len && folder.len; i++) {
        str path = fn_path_of(items->v[i]);

        if (str_drop_prefix(&path, folder) && str_drop_prefix(&path, STR("/")))
            set_path(set, items->v[i], path);
    }
}

static void add_folder(struct doc_set *set, const struct doc_list *items, str folder)
{
    for (size_t i = 0; i < items->len && folder.len; i++)
        set_path(set, items->v[i],
                 arena_printf(&set->arena, "%.*s/%.*s", STR_ARG(folder),
                              STR_ARG(fn_path_of(items->v[i]))));
}

static void mark(struct doc_set *set, const struct doc_list *items, str package)
{
    for (size_t i = 0; i < items->len; i++)
        if (!fn_annotation(items->v[i], STR(FN_PACKAGE_PATH)).len)
            fn_annotate(set, items->v[i], STR(FN_PACKAGE_PATH), package.len ? package : STR("."));
}

/* ---- one package */

static int find_config(const struct fn_step *step, const struct doc_list *items,
                       const struct doc_node **ret, struct err *e)
{
    const struct doc_node *found = NULL;

    for (size_t i = 0; i < items->len; i++) {
        if (!str_eq(fn_path_of(items->v[i]), step->config_path))
            continue;
        if (found)
            return err_set(e, ERR_INVALID,
                           "function \"%.*s\": configPath \"%.*s\" must hold exactly one resource",
                           STR_ARG(step->name), STR_ARG(step->config_path));
        found = items->v[i];
    }
    *ret = found;
    if (found)
        return 0;
    return err_set(e, ERR_INVALID,
                   "function \"%.*s\": functionConfig must exist in the current package: \"%.*s\"",
                   STR_ARG(step->name), STR_ARG(step->config_path));
}

static int run_step(struct render *r, const struct package *p, const struct fn_step *step,
                    bool is_kept, struct doc_list *items, struct err *e)
{
    struct doc_set *set = r->pipeline->set;
    struct doc_node *config = NULL;

    if (step->config_path.len) {
        const struct doc_node *found = NULL;

        if (find_config(step, items, &found, e) < 0)
            return -1;
        config = doc_copy(set, found);
        fn_unannotate_all(config);
    } else if (step->config_map) {
        config = fn_config_map(set, step->config_map);
    }
    if (fn_pipeline_step(r->pipeline, step, config, is_kept, items, e) < 0)
        return -1;
    mark(set, items, p->path);
    return 0;
}

static int run_pipeline(struct render *r, const struct package *p, struct doc_list *items,
                        struct err *e)
{
    const struct fn_kptfile *k = &p->kptfile;
    struct fn_event event = {.type = FN_EVENT_PACKAGE, .name = p->path.len ? p->path : STR(".")};

    if (r->pipeline->event)
        r->pipeline->event(r->pipeline->ctx, &event);
    for (size_t i = 0; i < k->mutators.len; i++)
        if (run_step(r, p, &k->mutators.v[i], true, items, e) < 0)
            return -1;
    for (size_t i = 0; i < k->validators.len; i++)
        if (run_step(r, p, &k->validators.v[i], false, items, e) < 0)
            return -1;
    r->pipeline->packages++;
    return 0;
}

/* Depth is that of folders, which the walk has bounded. */
static int hydrate(struct render *r, struct package *p, struct doc_list *items, struct err *e)
{
    struct doc_set *set = r->pipeline->set;

    for (size_t i = 0; i < r->packages.len; i++) {
        struct package *child = r->packages.v[i];
        AUTO(doc_list_done) struct doc_list below = {0};

        if (child->parent != p)
            continue;
        if (hydrate(r, child, &below, e) < 0)
            return -1;
        add_folder(set, &below, p->path.len ? str_from(child->path, p->path.len + 1) : child->path);
        for (size_t k = 0; k < below.len; k++)
            vec_push(items, below.v[k]);
    }
    strip_folder(set, &p->own, p->path);
    mark(set, &p->own, p->path);
    for (size_t k = 0; k < p->own.len; k++)
        vec_push(items, p->own.v[k]);
    return run_pipeline(r, p, items, e);
}

int fn_pipeline_render(struct fn_pipeline *p, struct doc_list *items, struct err *e)
{
    AUTO(render_done) struct render r = {.pipeline = p};
    struct doc_list out = {0};

    if (find_packages(&r, items, e) < 0 || prepare(&r, e) < 0)
        return -1;
    if (hydrate(&r, r.packages.v[0], &out, e) < 0) {
        doc_list_done(&out);
        return -1;
    }
    doc_list_done(items);
    *items = out;
    for (size_t i = 0; i < items->len; i++)
        fn_unannotate(items->v[i], STR(FN_PACKAGE_PATH));
    return 0;
}
