#include "kustomize/composition/composition.h"

#include "fetch/root.h"
#include "kustomize/composition/builtin.h"
#include "kustomize/config/openapi.h"
#include "kustomize/metadata.h"
#include "kustomize/plugin/plugin.h"

static bool is_builtin(const struct kustomize_step *step)
{
    return str_eq(step->api_version, STR("builtin"));
}

static bool is_kustomize_kind(const struct kustomize_step *step)
{
    return str_starts(step->api_version, STR("kustomize.config.k8s.io/"));
}

static bool is_accumulator(const struct kustomize_step *step)
{
    return is_builtin(step) && (str_eq(step->kind, STR("ResourceAccumulator")) ||
                                str_eq(step->kind, STR("ResourceGenerator")));
}

static int fail_at(const struct kustomize_step *step, const char *field, struct err *e)
{
    const struct doc_node *node = field ? doc_get(step->config, str_of(field)) : NULL;

    return kustomize_fail_at(&step->level->b, node ? node : step->config, e);
}

/* ---- what a step is, and whether it may run (CD-20: before the first one does) */

/* The function of a runtime. An executable is looked for in the folder of the declaring file (4),
 * then along PATH. */
static int read_runtime(const struct kustomize_step *step, const struct doc_node *runtime,
                        struct fn_spec *ret, struct err *e)
{
    const struct kustomize_level *level = step->level;
    struct arena *arena = &level->b.set->arena;

    if (fn_spec_of_runtime(level->b.set, runtime, ret, e) < 0)
        return -1;
    if (ret->image.len)
        ret->native = fn_native_by_image(level->b.shared->options->functions.natives, ret->image);
    if (ret->exec.len && str_find_char(ret->exec, '/') < 0 &&
        fetch_root_look(level->root, ret->exec) == FETCH_FILE) {
        ret->exec = arena_printf(arena, "./%.*s", STR_ARG(ret->exec));
        ret->argv.v[0] = ret->exec;
    }
    return 0;
}

/* The annotation that describes a function, in the spelling the step has; or NULL. */
static const char *function_mark(const struct kustomize_step *step)
{
    static const char *const names[] = {"config.kubernetes.io/function", "config.k8s.io/function"};
    const struct doc_node *annotations = doc_at(step->config, "metadata/annotations");

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (doc_get(annotations, str_of(names[i])))
            return names[i];
    return NULL;
}

static int check_plugin(const struct kustomize_step *step, struct err *e)
{
    const struct fn_runner *runner = &step->level->b.shared->options->functions;
    AUTO(fn_spec_done) struct fn_spec spec = {0};
    const struct doc_node *runtime = doc_get_lit(step->config, "runtime");
    const char *mark = function_mark(step);
    int found;

    if (runtime && mark)
        return kustomize_refuse(step->level, runtime, e,
                                "%.*s \"%.*s\" has both runtime and the annotation %s",
                                STR_ARG(step->kind), STR_ARG(step->name), mark);
    found = runtime ? read_runtime(step, runtime, &spec, e) < 0 ? -1 : 1
                    : fn_spec_of_config(runner, step->level->b.set, step->config, &spec, e);
    if (found < 0)
        return fail_at(step, "runtime", e);
    if (found && spec.native)
        return 0;
    if (!found)
        return kustomize_refuse(step->level, step->config, e,
                                "%.*s \"%.*s\" is no built-in kind, and no runtime is given",
                                STR_ARG(step->kind), STR_ARG(step->name));
    if (!step->level->b.shared->options->plugins)
        return kustomize_refuse(step->level, step->config, e,
                                "external plugins disabled; unable to load external plugin "
                                "'%.*s'; --enable-alpha-plugins allows them",
                                STR_ARG(step->kind));
    return fn_check_gates(runner, &spec, e) < 0 ? fail_at(step, "runtime", e) : 0;
}

static int check_step(const struct kustomize_step *step, struct err *e)
{
    if (is_builtin(step))
        return kustomize_check_builtin(step, e);
    if (!is_kustomize_kind(step))
        return check_plugin(step, e);
    if (str_eq(step->kind, STR("Kustomization")))
        return 0;
    return kustomize_refuse(
        step->level, step->config, e, "a %.*s cannot stand in a Composition%s", STR_ARG(step->kind),
        str_eq(step->kind, STR("Composition")) ? ": import it by transformersFrom" : "");
}

/* ---- running one */

static int text_list(const struct kustomize_step *step, const char *field,
                     struct kustomize_text_list *ret, struct err *e)
{
    const struct doc_node *list = doc_get(step->config, str_of(field));
    struct doc_iter it = doc_children(list);

    *ret = (struct kustomize_text_list){
        ARENA_ARRAY(&step->level->b.set->arena, struct kustomize_text, doc_len(list) + 1), 0};
    while (doc_is_list(list) && doc_next(&it)) {
        if (!doc_string(it.value, STR_NONE).len)
            return kustomize_refuse(step->level, it.value, e, "%s must hold paths", field);
        ret->v[ret->len++] = (struct kustomize_text){doc_string(it.value, STR_NONE), it.value};
    }
    return ret->len
               ? 0
               : kustomize_refuse(step->level, list ? list : step->config, e,
                                  "%.*s needs a non-empty list %s", STR_ARG(step->kind), field);
}

static int accumulate(const struct kustomize_step *step, struct kustomize_level *level,
                      struct kustomize_accumulator *stream, struct err *e)
{
    struct kustomize_text_list paths;

    if (text_list(step, "paths", &paths, e) < 0)
        return -1;
    return kustomize_accumulate_paths(level, stream, &paths, e);
}

/* An inlined Kustomization: a target whose resources start with the stream (6.2). */
static int inline_kustomization(const struct kustomize_step *step, struct kustomize_level *level,
                                struct kustomize_accumulator *stream, struct err *e)
{
    static const char of_the_root[][14] = {"buildMetadata", "sortOptions"};

    for (size_t i = 0; i < ARRAY_LEN(of_the_root); i++) {
        const struct doc_node *node = doc_get(step->config, str_of(of_the_root[i]));

        if (node)
            return kustomize_refuse(level, node, e,
                                    "%s belongs to the root of a build, not to an inlined "
                                    "Kustomization",
                                    of_the_root[i]);
    }
    level->k = kustomization_decode(&level->b, step->config, e);
    if (!level->k)
        return -1;
    level->b.k = level->k;
    if (level->k->ns.text.len)
        level->ns = level->k->ns.text;
    if (kustomize_use_schema(level, e) < 0)
        return -1;
    return kustomize_accumulate(level, stream, e);
}

static struct kustomize_resource *config_of(const struct kustomize_step *step,
                                            struct doc_node *config)
{
    struct kustomize_resource *r = kustomize_resource_new(step->level->b.set, config);

    if (step->level->b.shared->wants_origin)
        r->origin = kustomize_origin_of_file(step->level, STR(KUSTOMIZE_COMPOSITION_FILE));
    return r;
}

static int run_plugin(const struct kustomize_step *step, struct kustomize_level *level,
                      struct kustomize_accumulator *stream, struct err *e)
{
    AUTO(fn_spec_done) struct fn_spec spec = {0};
    const struct doc_node *runtime = doc_get_lit(step->config, "runtime");
    struct doc_node *function_config = doc_copy(level->b.set, step->config);

    if (runtime && read_runtime(step, runtime, &spec, e) < 0)
        return -1;
    doc_remove(function_config, STR("runtime"));
    return kustomize_run_function(level, &stream->resources, config_of(step, function_config),
                                  runtime ? &spec : NULL, e);
}

/* A HashTransformer hashes at its place instead of at the end (section 6). */
static void forget_hash_wishes(struct kustomize_resmap *m)
{
    struct kustomize_resource *r;

    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        r->needs_hash = false;
}

static int run_builtin(const struct kustomize_step *step, struct kustomize_level *level,
                       struct kustomize_accumulator *stream, struct err *e)
{
    const struct kustomize_builtin *row = kustomize_builtin_find(step->kind);
    struct doc_node *arguments = kustomize_builtin_arguments(step, e);
    AUTO(kustomize_resmap_done) struct kustomize_resmap made = {0};
    struct kustomize_resource *config;

    if (!arguments)
        return -1;
    config = config_of(step, arguments);
    if (!row->is_generator) {
        if (row->run(level, &stream->resources, config, e) < 0)
            return -1;
        if (str_eq(step->kind, STR("HashTransformer")))
            forget_hash_wishes(&stream->resources);
        return 0;
    }
    if (row->run(level, &made, config, e) < 0)
        return -1;
    kustomize_note_generated(level, &made, config);
    return kustomize_absorb(&level->b, &stream->resources, &made, e);
}

/* Accumulators and inlined Kustomizations note what they do themselves. */
static bool changes_what_is_there(const struct kustomize_step *step)
{
    return is_builtin(step)
               ? !is_accumulator(step) && !kustomize_builtin_find(step->kind)->is_generator
               : !is_kustomize_kind(step);
}

static void note_change(const struct kustomize_step *step, struct kustomize_level *level,
                        struct kustomize_resmap *m)
{
    struct kustomize_origin by = kustomize_origin_of_config(level, config_of(step, step->config));

    kustomize_origin_transformed(level, m, &by);
}

static int run_step(const struct kustomize_step *step, struct kustomize_accumulator *stream,
                    struct err *e)
{
    struct kustomization nothing = {0};
    struct kustomize_level level = *step->level;
    int rc;

    level.is_composition = false;
    level.k = &nothing;
    level.b.k = &nothing;
    level.b.config = stream->config ? stream->config : &level.b.shared->defaults;
    level.also = step->overrides.v;
    level.also_count = step->overrides.len;
    if (is_accumulator(step))
        rc = accumulate(step, &level, stream, e);
    else if (is_builtin(step))
        rc = run_builtin(step, &level, stream, e);
    else if (is_kustomize_kind(step))
        rc = inline_kustomization(step, &level, stream, e);
    else
        rc = run_plugin(step, &level, stream, e);
    if (rc < 0)
        return fail_at(step, NULL, e);
    kustomize_resmap_drop_empty(&stream->resources);
    if (level.b.shared->wants_origin && changes_what_is_there(step))
        note_change(step, &level, &stream->resources);
    kustomize_tell(&level, &stream->resources, arena_cstr(&level.b.set->arena, step->kind),
                   step->config);
    return 0;
}

/* Runs the steps on the stream, in place (sections 6 to 8). */
static int kustomize_composition_run(struct kustomize_composition *c,
                                     struct kustomize_accumulator *stream, struct err *e)
{
    for (size_t i = 0; i < c->steps.len; i++)
        if (check_step(&c->steps.v[i], e) < 0)
            return -1;
    for (size_t i = 0; i < c->steps.len; i++)
        if (run_step(&c->steps.v[i], stream, e) < 0)
            return -1;
    return 0;
}

static bool sorts(const struct kustomize_composition *c)
{
    for (size_t i = 0; i < c->steps.len; i++)
        if (is_builtin(&c->steps.v[i]) && str_eq(c->steps.v[i].kind, STR("SortOrderTransformer")))
            return true;
    return false;
}

bool kustomize_is_composition_file(str path, str *ret_folder)
{
    if (str_eq(path, STR(KUSTOMIZE_COMPOSITION_FILE)))
        *ret_folder = STR(".");
    else if (str_ends(path, STR("/" KUSTOMIZE_COMPOSITION_FILE)))
        *ret_folder = str_sub(path, 0, path.len - sizeof("/" KUSTOMIZE_COMPOSITION_FILE) + 1);
    else
        return false;
    return true;
}

int kustomize_compose(struct kustomize_level *level, struct kustomize_accumulator *stream,
                      struct err *e)
{
    AUTO(kustomize_composition_done) struct kustomize_composition c = {0};

    if (kustomize_consolidate(level, &c, e) < 0)
        return -1;
    level->is_sorted = sorts(&c);
    if (kustomize_composition_run(&c, stream, e) < 0)
        return -1;
    if (!stream->config)
        stream->config = &level->b.shared->defaults;
    return 0;
}
