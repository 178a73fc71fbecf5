/* External generators, transformers, validators: objects that say what is to be run (kustomize spec
 * 17). */
#include "kustomize/plugin/plugin.h"

#include "fetch/git_url.h"
#include "kustomize/composition/composition.h"
#include "kustomize/metadata.h"
#include "kustomize/plugin/witness.h"
#include "kustomize/quirks.h"

/* ---- loading */

bool kustomize_is_inline(str entry)
{
    return entry.len == 0 || str_find_char(entry, '\n') >= 0 || str_find_char(entry, '{') >= 0;
}

static int load_inline(struct kustomize_level *level, const struct kustomize_text *entry,
                       struct kustomize_accumulator *configs, struct err *e)
{
    AUTO(kustomize_resmap_done) struct kustomize_resmap m = {0};
    str text = arena_dup(&level->b.set->arena, entry->text);
    struct kustomize_resource *r;

    if (kustomize_read_resources(&level->b, text, arena_cstr(&level->b.set->arena, level->b.file),
                                 entry->node, &m, e) < 0)
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
        if (!kustomize_is_inline(entries->v[i].text))
            paths.v[paths.len++] = entries->v[i];
        else if (load_inline(level, &entries->v[i], ret, e) < 0)
            return -1;
    }
    return kustomize_accumulate_paths(level, ret, &paths, e);
}

/* ---- entries that are Compositions (composition spec 9) */

/* What answers as a file is one. What cannot be had is told of when it is loaded. */
static bool is_remote_composition(struct kustomize_level *level, str url)
{
    struct fetch_loader *loader = level->b.shared->loader;
    AUTO(err_done) struct err ignored = {0};
    AUTO(buf_done) struct buf text = {0};
    AUTO(fetch_root_unref) struct fetch_root *root = NULL;

    if (fetch_is_file_url(url) && fetch_loader_read(loader, level->root, url, &text, &ignored) == 0)
        return false;
    err_done(&ignored);
    root = fetch_loader_enter(loader, level->root, url, &ignored);
    return root && fetch_root_look(root, STR(KUSTOMIZE_COMPOSITION_FILE)) == FETCH_FILE;
}

static bool is_composition(struct kustomize_level *level, const struct kustomize_text *entry,
                           str *ret_folder)
{
    AUTO(buf_done) struct buf file = {0};

    if (kustomize_is_inline(entry->text))
        return false;
    if (kustomize_is_composition_file(entry->text, ret_folder))
        return true;
    *ret_folder = entry->text;
    if (fetch_is_git_url(entry->text))
        return is_remote_composition(level, entry->text);
    buf_addf(&file, "%.*s/" KUSTOMIZE_COMPOSITION_FILE, STR_ARG(entry->text));
    return fetch_root_look(level->root, buf_view(&file)) == FETCH_FILE;
}

static int compose(struct kustomize_level *level, str folder, const struct doc_node *node,
                   struct kustomize_accumulator *stream, struct err *e)
{
    struct kustomize_level sub;
    int rc;

    if (kustomize_level_enter(level, folder, node, &sub, e) < 0)
        return kustomize_fail_at(&level->b, node, e);
    rc = kustomize_level_load(&sub, e);
    if (rc == 0)
        rc = kustomize_compose(&sub, stream, e);
    kustomize_level_done(&sub);
    return rc < 0 ? kustomize_fail_at(&level->b, node, e) : 0;
}

/* How a field runs its objects and its Compositions. */
struct field_runner {
    int (*run)(struct kustomize_level *level, struct kustomize_accumulator *acc,
               struct kustomize_resource *config, struct err *e);
    int (*compose)(struct kustomize_level *level, struct kustomize_accumulator *acc, str folder,
                   const struct doc_node *node, struct err *e);
};

static int run_group(struct kustomize_level *level, struct kustomize_accumulator *acc,
                     const struct kustomize_text_list *group, const struct field_runner *f,
                     struct err *e)
{
    AUTO(kustomize_accumulator_done) struct kustomize_accumulator configs = {0};
    struct kustomize_resource *config;

    if (group->len == 0)
        return 0;
    if (load_configs(level, group, &configs, e) < 0)
        return -1;
    for (size_t at = 0; (config = kustomize_resmap_next(&configs.resources, &at));)
        if (f->run(level, acc, config, e) < 0)
            return -1;
    return 0;
}

/* Compositions keep their place; what stands between two of them is gathered as upstream does. */
static int run_entries(struct kustomize_level *level, struct kustomize_accumulator *acc,
                       const struct kustomize_text_list *entries, const struct field_runner *f,
                       struct err *e)
{
    for (size_t from = 0, to = 0; from < entries->len; from = ++to) {
        struct kustomize_text_list group = {&entries->v[from], 0};
        str folder = STR_NONE;

        while (to < entries->len && !is_composition(level, &entries->v[to], &folder))
            to++;
        group.len = to - from;
        if (run_group(level, acc, &group, f, e) < 0)
            return -1;
        if (to < entries->len && f->compose(level, acc, folder, entries->v[to].node, e) < 0)
            return -1;
    }
    return 0;
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
        return kustomize_run_function(level, m, config, NULL, e);
    row = kustomize_builtin_find(config->id.gvk.kind);
    if (!row || row->is_composed)
        return refuse_kind(&config->id, NULL, e);
    if (row->is_generator != is_generator)
        return refuse_kind(&config->id, is_generator ? "generator" : "transformer", e);
    kustomize_unfold_annotations(&level->b, config);
    kustomize_refold_resource(&level->b, config);
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

void kustomize_note_generated(struct kustomize_level *level, struct kustomize_resmap *made,
                              const struct kustomize_resource *config)
{
    struct kustomize_origin by;

    if (!level->b.shared->wants_origin)
        return;
    by = kustomize_origin_of_config(level, config);
    kustomize_origin_generated(made, &by);
}

static int run_generator(struct kustomize_level *level, struct kustomize_accumulator *acc,
                         struct kustomize_resource *config, struct err *e)
{
    AUTO(kustomize_resmap_done) struct kustomize_resmap made = {0};
    int rc = run_config(level, &made, config, true, e);

    if (rc < 0) {
        fail_at_config(level, config, e);
    } else {
        kustomize_note_generated(level, &made, config);
        rc = kustomize_absorb(&level->b, &acc->resources, &made, e);
    }
    return rc < 0 ? kustomize_wrap(e, "loading generator plugins: failed to load generator") : 0;
}

static int compose_generated(struct kustomize_level *level, struct kustomize_accumulator *acc,
                             str folder, const struct doc_node *node, struct err *e)
{
    AUTO(kustomize_accumulator_done) struct kustomize_accumulator made = {0};

    if (compose(level, folder, node, &made, e) < 0)
        return -1;
    return kustomize_absorb(&level->b, &acc->resources, &made.resources, e);
}

int kustomize_plugin_generators(struct kustomize_level *level, struct kustomize_accumulator *acc,
                                struct err *e)
{
    static const struct field_runner generators = {run_generator, compose_generated};

    return run_entries(level, acc, &level->k->generators, &generators, e);
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

static int compose_stream(struct kustomize_level *level, struct kustomize_accumulator *acc,
                          str folder, const struct doc_node *node, struct err *e)
{
    return compose(level, folder, node, acc, e);
}

int kustomize_plugin_transformers(struct kustomize_level *level, struct kustomize_accumulator *acc,
                                  struct err *e)
{
    static const struct field_runner transformers = {run_transformer, compose_stream};

    return run_entries(level, acc, &level->k->transformers, &transformers, e);
}

/* ---- validators */

static int run_validator(struct kustomize_level *level, struct kustomize_accumulator *acc,
                         struct kustomize_resource *config, struct err *e)
{
    struct kustomize_witness *witness =
        kustomize_witness_new(&level->b, &acc->resources, is_builtin(&config->id));

    if (run_config(level, &acc->resources, config, false, e) < 0)
        return fail_at_config(level, config, e);
    if (!kustomize_witness_agrees(witness, &acc->resources))
        return err_set(e, ERR_INVALID, "validator shouldn't modify the resource map");
    return 0;
}

/* What a Composition makes of the resources is thrown away; that it runs is what counts (CD-22). */
static int compose_copy(struct kustomize_level *level, struct kustomize_accumulator *acc,
                        str folder, const struct doc_node *node, struct err *e)
{
    AUTO(kustomize_accumulator_done) struct kustomize_accumulator copy = {.config = acc->config};
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(&acc->resources, &at));)
        if (kustomize_resmap_append(&copy.resources, kustomize_resource_copy(level->b.set, r), e) <
            0)
            return -1;
    return compose(level, folder, node, &copy, e);
}

int kustomize_run_validators(struct kustomize_level *level, struct kustomize_accumulator *acc,
                             struct err *e)
{
    static const struct field_runner validators = {run_validator, compose_copy};

    return run_entries(level, acc, &level->k->validators, &validators, e);
}
