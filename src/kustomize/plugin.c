/* External generators, transformers, validators: objects that say what is to be run (kustomize spec
 * 17). */
#include "kustomize/plugin.h"

#include "doc/parse.h"
#include "kustomize/metadata.h"

/* ---- loading */

static bool looks_inline(str entry)
{
    return str_find_char(entry, '\n') >= 0 || str_find_char(entry, '{') >= 0;
}

static int load_inline(struct kustomize_level *level, const struct kustomize_text *entry,
                       struct kustomize_accumulator *configs, struct err *e)
{
    AUTO(kustomize_resmap_done) struct kustomize_resmap m = {0};
    str text = arena_dup(&level->b.set->arena, entry->text);
    struct kustomize_resource *r;

    if (kustomize_read_resources(&level->b, text, arena_cstr(&level->b.set->arena, level->b.file),
                                 &m, e) < 0)
        return kustomize_fail_at(&level->b, entry->node, e);
    if (level->b.shared->wants_origin)
        for (size_t at = 0; (r = kustomize_resmap_next(&m, &at));)
            r->origin = kustomize_origin_of_file(level, level->file_name);
    if (kustomize_resmap_append_all(&configs->resources, &m, e) < 0)
        return kustomize_fail_at(&level->b, entry->node, e);
    return 0;
}

/* Inline objects come first, then those of paths, as upstream gathers them. */
static int load_configs(struct kustomize_level *level, const struct kustomize_text_list *entries,
                        struct kustomize_accumulator *ret, struct err *e)
{
    struct kustomize_text_list paths = {
        ARENA_ARRAY(&level->b.set->arena, struct kustomize_text, entries->len), 0};

    ret->config = &level->b.shared->defaults;
    for (size_t i = 0; i < entries->len; i++) {
        if (!looks_inline(entries->v[i].text))
            paths.v[paths.len++] = entries->v[i];
        else if (load_inline(level, &entries->v[i], ret, e) < 0)
            return -1;
    }
    return kustomize_accumulate_paths(level, ret, &paths, e);
}

/* ---- choosing */

static bool is_builtin(const struct res_id *id)
{
    return id->gvk.group.len == 0 && str_eq(id->gvk.version, STR("builtin"));
}

static int refuse_kind(const struct res_id *id, const char *wanted, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    if (!wanted) {
        res_gvk_print(&id->gvk, &text);
        return err_set(e, ERR_NOT_FOUND, "unable to load builtin %s", buf_cstr(&text));
    }
    res_id_print(id, &text);
    return err_set(e, ERR_INVALID, "plugin %s not a %s", buf_cstr(&text), wanted);
}

static int run_config(struct kustomize_level *level, struct kustomize_resmap *m,
                      struct kustomize_resource *config, bool is_generator, struct err *e)
{
    const struct kustomize_builtin *row;

    if (!is_builtin(&config->id))
        return kustomize_run_function(level, m, config, e);
    row = kustomize_builtin_find(config->id.gvk.kind);
    if (!row)
        return refuse_kind(&config->id, NULL, e);
    if (row->is_generator != is_generator)
        return refuse_kind(&config->id, is_generator ? "generator" : "transformer", e);
    return row->run(level, m, config, e);
}

static int fail_at_config(struct kustomize_level *level, const struct kustomize_resource *config,
                          struct err *e)
{
    struct doc_place place = doc_place(config->set, config->root);

    if (!e->diags && place.line && config->set == level->b.set)
        return kustomize_fail_at(&level->b, config->root, e);
    return -1;
}

/* ---- running */

static int run_generator(struct kustomize_level *level, struct kustomize_accumulator *acc,
                         struct kustomize_resource *config, struct err *e)
{
    AUTO(kustomize_resmap_done) struct kustomize_resmap made = {0};
    struct kustomize_origin by;

    if (run_config(level, &made, config, true, e) < 0)
        return fail_at_config(level, config, e);
    if (level->b.shared->wants_origin) {
        by = kustomize_origin_of_config(level, config);
        kustomize_origin_generated(&made, &by);
    }
    return kustomize_absorb(&level->b, &acc->resources, &made, e);
}

int kustomize_plugin_generators(struct kustomize_level *level, struct kustomize_accumulator *acc,
                                struct err *e)
{
    AUTO(kustomize_accumulator_done) struct kustomize_accumulator configs = {0};
    struct kustomize_resource *config;

    if (level->k->generators.len == 0)
        return 0;
    if (load_configs(level, &level->k->generators, &configs, e) < 0)
        return -1;
    for (size_t at = 0; (config = kustomize_resmap_next(&configs.resources, &at));)
        if (run_generator(level, acc, config, e) < 0)
            return kustomize_wrap(e, "loading generator plugins: failed to load generator");
    return 0;
}

static int run_transformer(struct kustomize_level *level, struct kustomize_accumulator *acc,
                           struct kustomize_resource *config, struct err *e)
{
    const struct kustomize_options *o = level->b.shared->options;
    struct kustomize_origin by;

    if (run_config(level, &acc->resources, config, false, e) < 0)
        return fail_at_config(level, config, e);
    kustomize_resmap_drop_empty(&acc->resources);
    if (level->b.shared->wants_origin) {
        by = kustomize_origin_of_config(level, config);
        kustomize_origin_transformed(level, &acc->resources, &by);
    }
    if (o->on_step)
        o->on_step(o->on_step_ctx, &level->b, &acc->resources,
                   arena_cstr(&level->b.set->arena, config->id.gvk.kind), config->root);
    return 0;
}

int kustomize_plugin_transformers(struct kustomize_level *level, struct kustomize_accumulator *acc,
                                  struct err *e)
{
    AUTO(kustomize_accumulator_done) struct kustomize_accumulator configs = {0};
    struct kustomize_resource *config;

    if (level->k->transformers.len == 0)
        return 0;
    if (load_configs(level, &level->k->transformers, &configs, e) < 0)
        return -1;
    for (size_t at = 0; (config = kustomize_resmap_next(&configs.resources, &at));)
        if (run_transformer(level, acc, config, e) < 0)
            return -1;
    return 0;
}

/* ---- validators */

static const str validated_by = STR_INIT("validated-by");

/* The one thing a validator may leave behind. */
static void drop_mark(struct kustomize_resource *r, struct doc_node *copy)
{
    struct doc_node *labels = doc_at(copy, "metadata/labels");

    if (doc_get(labels, validated_by)) {
        doc_remove(labels, validated_by);
        if (doc_len(labels) == 0 && !kustomize_resource_labels(r))
            doc_remove(doc_get_lit(copy, "metadata"), STR("labels"));
    }
}

static bool is_untouched(const struct kustomize_resmap *m, struct kustomize_resource *const *was,
                         struct doc_node *const *trees, size_t count)
{
    if (kustomize_resmap_len(m) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct doc_node *now;

        if (was[i]->is_removed)
            return false;
        now = doc_copy(was[i]->set, was[i]->root);
        drop_mark(was[i], now);
        drop_mark(was[i], trees[i]);
        if (doc_len(doc_at(now, "metadata/labels")) == 0 && !doc_at(trees[i], "metadata/labels"))
            doc_remove(doc_get_lit(now, "metadata"), STR("labels"));
        if (!doc_equal(now, trees[i]))
            return false;
    }
    return true;
}

static int run_validator(struct kustomize_level *level, struct kustomize_accumulator *acc,
                         struct kustomize_resource *config, struct err *e)
{
    struct kustomize_resmap *m = &acc->resources;
    size_t count = kustomize_resmap_len(m), i = 0;
    struct kustomize_resource **was =
        ARENA_ARRAY(&level->b.set->arena, struct kustomize_resource *, count);
    struct doc_node **trees = ARENA_ARRAY(&level->b.set->arena, struct doc_node *, count);
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at)); i++) {
        was[i] = r;
        trees[i] = doc_copy(level->b.set, r->root);
    }
    if (run_config(level, m, config, false, e) < 0)
        return fail_at_config(level, config, e);
    if (!is_untouched(m, was, trees, count))
        return err_set(e, ERR_INVALID, "validator shouldn't modify the resource map");
    return 0;
}

int kustomize_run_validators(struct kustomize_level *level, struct kustomize_accumulator *acc,
                             struct err *e)
{
    AUTO(kustomize_accumulator_done) struct kustomize_accumulator configs = {0};
    struct kustomize_resource *config;

    if (level->k->validators.len == 0)
        return 0;
    if (load_configs(level, &level->k->validators, &configs, e) < 0)
        return -1;
    for (size_t at = 0; (config = kustomize_resmap_next(&configs.resources, &at));)
        if (run_validator(level, acc, config, e) < 0)
            return -1;
    return 0;
}
