/* KRM functions as transformers and generators of a build (kustomize spec 17, KRM functions spec
 * 8). */
#include "fetch/path.h"
#include "kustomize/metadata.h"
#include "kustomize/plugin/plugin.h"
#include "res/scalar.h"

/* Says which resource went in: functions keep annotations they do not know. */
static const str id_key = STR_INIT("kustomize.config.k8s.io/id");

/* A list of functions has one set; resources of other sets move into it. */
static void put_items(struct kustomize_level *level, struct kustomize_resmap *m,
                      struct fn_list *list)
{
    struct doc_set *set = level->b.set;
    struct kustomize_resource *r;
    size_t count = 0;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at)); count++) {
        struct doc_node *item = doc_copy(set, r->root);
        struct doc_node *meta = doc_ensure_map(set, item, STR("metadata"));
        struct doc_node *annotations = meta ? doc_ensure_map(set, meta, STR("annotations")) : NULL;
        char number[24];

        res_scalar_settle(set, item);
        (void)snprintf(number, sizeof(number), "%zu", r->at);
        if (annotations)
            doc_set_string(set, annotations, id_key, str_of(number));
        vec_push(&list->items, item);
    }
}

/* Takes the mark off again: the resource it names, or NULL. */
static struct kustomize_resource *take_mark(struct kustomize_resmap *m, struct doc_node *item)
{
    struct doc_node *meta = doc_get_lit(item, "metadata");
    struct doc_node *annotations = doc_get_lit(meta, "annotations");
    str text = doc_text(doc_get(annotations, id_key), STR_NONE);
    uint64_t at = 0;
    bool is_marked = str_to_uint64(text, &at) && at < m->list.len;

    if (text.len)
        doc_remove(annotations, id_key);
    if (doc_is_map(annotations) && doc_len(annotations) == 0)
        doc_remove(meta, STR("annotations"));
    return is_marked ? m->list.v[at] : NULL;
}

static struct kustomize_resource *partner(struct kustomize_resmap *m, struct doc_node *item)
{
    AUTO(kustomize_found_done) struct kustomize_found found = {0};
    struct kustomize_resource *r = take_mark(m, item);
    struct res_id id = res_id_of(item);

    if (r)
        return r;
    kustomize_resmap_by_current_id(m, &id, &found);
    return found.len ? found.v[0] : NULL;
}

static int refuse_twin(const struct kustomize_resource *config, const struct doc_node *item,
                       struct err *e)
{
    AUTO(buf_done) struct buf plugin = {0}, text = {0};
    struct res_id id = res_id_of(item);

    res_id_print(&config->id, &plugin);
    res_id_print(&id, &text);
    return err_set(e, ERR_EXISTS, "plugin %s generated duplicate resource: %s", buf_cstr(&plugin),
                   buf_cstr(&text));
}

struct taken {
    bool *was_given; /* by index in the list: it came back */
    size_t count;
};

static int take_item(struct kustomize_level *level, struct kustomize_resmap *m,
                     const struct kustomize_resource *config, struct doc_node *item,
                     struct taken *taken, struct err *e)
{
    struct kustomize_resource *r = partner(m, item);

    if (!r) {
        r = kustomize_resource_new(level->b.set, item);
        kustomize_origin_read(r);
        return kustomize_resmap_append(m, r, e);
    }
    if (r->at >= taken->count || taken->was_given[r->at])
        return refuse_twin(config, item, e);
    taken->was_given[r->at] = true;
    if (doc_equal(r->root, item))
        return 0;
    r->root = item;
    r->set = level->b.set;
    kustomize_resmap_refresh(m, r);
    return 0;
}

static int take_items(struct kustomize_level *level, struct kustomize_resmap *m,
                      const struct kustomize_resource *config, struct fn_list *list, struct err *e)
{
    struct taken taken = {ARENA_ARRAY(&level->b.set->arena, bool, m->list.len), m->list.len};

    for (size_t i = 0; i < list->items.len; i++)
        if (take_item(level, m, config, list->items.v[i], &taken, e) < 0)
            return -1;
    for (size_t i = 0; i < taken.count; i++)
        if (m->list.v[i] && !taken.was_given[i])
            kustomize_resmap_remove(m, m->list.v[i]);
    return 0;
}

/* What upstream's generators say with annotations. */
static void read_generator_marks(struct kustomize_resource *r)
{
    struct doc_node *meta = doc_get_lit(r->root, "metadata");
    struct doc_node *annotations = kustomize_resource_annotations(r);
    str behavior = doc_text(doc_get_lit(annotations, "kustomize.config.k8s.io/behavior"), STR_NONE);
    str hash = doc_text(doc_get_lit(annotations, "kustomize.config.k8s.io/needs-hash"), STR_NONE);

    if (str_eq(hash, STR("true")))
        r->needs_hash = true;
    if (str_eq(behavior, STR("merge")))
        r->behavior = KUSTOMIZE_BEHAVIOR_MERGE;
    else if (str_eq(behavior, STR("replace")))
        r->behavior = KUSTOMIZE_BEHAVIOR_REPLACE;
    else if (str_eq(behavior, STR("create")))
        r->behavior = KUSTOMIZE_BEHAVIOR_CREATE;
    if (!annotations)
        return;
    doc_remove(annotations, STR("kustomize.config.k8s.io/behavior"));
    doc_remove(annotations, STR("kustomize.config.k8s.io/needs-hash"));
    if (doc_len(annotations) == 0)
        doc_remove(meta, STR("annotations"));
}

static void read_marks(struct kustomize_resmap *m)
{
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        read_generator_marks(r);
}

static int check_enabled(const struct kustomize_level *level,
                         const struct kustomize_resource *config, struct err *e)
{
    if (level->b.shared->options->plugins)
        return 0;
    return err_set(e, ERR_DENIED,
                   "external plugins disabled; unable to load external plugin '%.*s'; they need "
                   "--enable-alpha-plugins",
                   STR_ARG(config->id.gvk.kind));
}

static int refuse_legacy(const struct kustomize_resource *config, struct err *e)
{
    AUTO(buf_done) struct buf id = {0};

    res_id_print(&config->id, &id);
    return err_set(e, ERR_UNSUPPORTED,
                   "plugin %s names no function: executables in a plugin folder and Go plugins are "
                   "not supported; give it the annotation config.kubernetes.io/function",
                   buf_cstr(&id));
}

static int run(struct kustomize_level *level, struct kustomize_resmap *m,
               struct kustomize_resource *config, const struct fn_spec *spec, struct err *e)
{
    AUTO(fn_list_done)
    struct fn_list list = {.set = level->b.set, .dir = fetch_root_path(level->root)};
    struct doc_node *function_config = doc_copy(level->b.set, config->root);
    struct doc_node *meta = doc_ensure_map(level->b.set, function_config, STR("metadata"));
    struct doc_node *annotations =
        meta ? doc_ensure_map(level->b.set, meta, STR("annotations")) : NULL;

    if (annotations)
        doc_set_string(level->b.set, annotations, STR("config.kubernetes.io/local-config"),
                       STR("true"));
    list.function_config = function_config;
    put_items(level, m, &list);
    if (fn_run_config(&level->b.shared->options->functions, spec, &list, function_config, list.dir,
                      e) < 0 ||
        take_items(level, m, config, &list, e) < 0)
        return -1;
    read_marks(m);
    return 0;
}

static int refuse_mount(const struct kustomize_resource *config, str source, const char *rule,
                        struct err *e)
{
    AUTO(buf_done) struct buf id = {0};

    res_id_print(&config->id, &id);
    return err_set(e, ERR_DENIED,
                   "plugin %s with mount path '%.*s' is not permitted; mount paths must be %s the "
                   "current kustomization directory",
                   buf_cstr(&id), STR_ARG(source), rule);
}

/* A function sees of this machine what lies below its kustomization, and nothing else. */
static int check_mounts(struct kustomize_level *level, const struct kustomize_resource *config,
                        struct fn_spec *spec, struct err *e)
{
    for (size_t i = 0; i < spec->mounts.len; i++) {
        AUTO(buf_done) struct buf clean = {0};
        struct fn_mount *mount = &spec->mounts.v[i];

        if (mount->type.len && !str_eq(mount->type, STR("bind")))
            continue;
        if (str_starts(mount->source, STR("/")))
            return refuse_mount(config, mount->source, "relative to", e);
        fetch_clean_path(mount->source, &clean);
        if (str_eq(buf_view(&clean), STR("..")) || str_starts(buf_view(&clean), STR("../")))
            return refuse_mount(config, mount->source, "under", e);
        mount->source = arena_printf(&level->b.set->arena, "%s/%s", fetch_root_path(level->root),
                                     buf_cstr(&clean));
    }
    return 0;
}

int kustomize_run_function(struct kustomize_level *level, struct kustomize_resmap *m,
                           struct kustomize_resource *config, struct fn_spec *given, struct err *e)
{
    AUTO(fn_spec_done) struct fn_spec spec = {0};
    int rc;

    if (given)
        return check_mounts(level, config, given, e) < 0 ? -1 : run(level, m, config, given, e);
    rc = fn_spec_of_config(&level->b.shared->options->functions, config->set, config->root, &spec,
                           e);
    if (rc > 0 && spec.native) /* runs in this process: no gate */
        return run(level, m, config, &spec, e);
    if (check_enabled(level, config, e) < 0)
        return -1;
    if (rc < 0 || check_mounts(level, config, &spec, e) < 0)
        return -1;
    return rc == 0 ? refuse_legacy(config, e) : run(level, m, config, &spec, e);
}
