#include "kustomize/edit/edit.h"
#include "kustomize/file/decode.h"
#include "kustomize/generate/chart.h"
#include "kustomize/order.h"
#include "kustomize/plugin/plugin.h"

/* The arguments of all transformers in one: no two use a field differently. */
struct arguments {
    struct kustomize_pairs annotations, labels;
    struct kustomize_spec_list specs;
    bool has_specs;
    struct kustomize_image image;
    struct kustomize_replica replica;
    str ns, subjects;
    bool unset_only;
    str prefix, suffix;
    struct kustomize_text_list paths;
    str patches;
    const struct doc_node *patches_node;
    struct kustomize_replacement_list replacements;
};

#define ARGS struct arguments
static const struct kustomize_field metadata_fields[] = {
    {"namespace", KUSTOMIZE_TEXT, .offset = offsetof(ARGS, ns)},
    {.name = ""},
};
const struct kustomize_shape kustomize_shape_arguments_metadata = {
    .size = sizeof(ARGS), .fields = metadata_fields, .is_open = true};
static const struct kustomize_field argument_fields[] = {
    {"metadata", KUSTOMIZE_STRUCT, .shape = KUSTOMIZE_SHAPE_ARGUMENTS_METADATA},
    {"annotations", KUSTOMIZE_PAIRS, .offset = offsetof(ARGS, annotations)},
    {"labels", KUSTOMIZE_PAIRS, .offset = offsetof(ARGS, labels)},
    {"fieldSpecs", KUSTOMIZE_STRUCTS, .offset = offsetof(ARGS, specs),
     .has_offset = offsetof(ARGS, has_specs) + 1, .shape = KUSTOMIZE_SHAPE_FIELD_SPEC},
    {"imageTag", KUSTOMIZE_STRUCT, .offset = offsetof(ARGS, image), .shape = KUSTOMIZE_SHAPE_IMAGE},
    {"replica", KUSTOMIZE_STRUCT, .offset = offsetof(ARGS, replica),
     .shape = KUSTOMIZE_SHAPE_REPLICA},
    {"setRoleBindingSubjects", KUSTOMIZE_TEXT, .offset = offsetof(ARGS, subjects)},
    {"unsetOnly", KUSTOMIZE_BOOL, .offset = offsetof(ARGS, unset_only)},
    {"prefix", KUSTOMIZE_TEXT, .offset = offsetof(ARGS, prefix)},
    {"suffix", KUSTOMIZE_TEXT, .offset = offsetof(ARGS, suffix)},
    {"paths", KUSTOMIZE_TEXTS, .offset = offsetof(ARGS, paths)},
    {"patches", KUSTOMIZE_TEXT, .offset = offsetof(ARGS, patches),
     .node_offset = offsetof(ARGS, patches_node) + 1},
    {"replacements", KUSTOMIZE_STRUCTS, .offset = offsetof(ARGS, replacements),
     .shape = KUSTOMIZE_SHAPE_REPLACEMENT},
    {.name = ""},
};
static const struct kustomize_shape shape_arguments = {
    .size = sizeof(ARGS), .fields = argument_fields, .is_open = true};

static int decode(const struct kustomize_shape *shape, const struct kustomize_resource *config,
                  void *ret, struct err *e)
{
    AUTO(diag_list_done) struct diag_list diags = {0};

    kustomize_decode(shape, config->set, config->root, true, ret, &diags);
    return diags.len ? err_diags(e, &diags) : 0;
}

static struct kustomize_specs specs_of(const struct arguments *a)
{
    return (struct kustomize_specs){a->specs.v, a->specs.len, a->specs.len};
}

typedef int with_arguments_fn(struct kustomize_build *b, struct kustomize_resmap *m,
                              const struct arguments *a, const struct kustomize_specs *specs,
                              struct err *e);

static int run(struct kustomize_level *level, struct kustomize_resmap *m,
               struct kustomize_resource *config, with_arguments_fn *fn, struct err *e)
{
    struct arguments a = {0};
    struct kustomize_specs specs;

    if (decode(&shape_arguments, config, &a, e) < 0)
        return -1;
    specs = specs_of(&a);
    return fn(&level->b, m, &a, &specs, e);
}

/* ---- transformers */

static int with_annotations(struct kustomize_build *b, struct kustomize_resmap *m,
                            const struct arguments *a, const struct kustomize_specs *specs,
                            struct err *e)
{
    struct kustomize_resource *r;

    /* what we keep beside the tree makes annotations that are there, for specs that create none */
    for (size_t at = 0; (r = kustomize_resmap_next(m, &at));)
        kustomize_resource_ensure_annotations(r);
    return kustomize_annotations(b, m, &a->annotations, specs, e);
}

static int with_labels(struct kustomize_build *b, struct kustomize_resmap *m,
                       const struct arguments *a, const struct kustomize_specs *specs,
                       struct err *e)
{
    return kustomize_labels(b, m, &a->labels, specs, e);
}

static int with_image(struct kustomize_build *b, struct kustomize_resmap *m,
                      const struct arguments *a, const struct kustomize_specs *specs, struct err *e)
{
    return kustomize_image(b, m, &a->image, specs, e);
}

static int with_replica(struct kustomize_build *b, struct kustomize_resmap *m,
                        const struct arguments *a, const struct kustomize_specs *specs,
                        struct err *e)
{
    return kustomize_replica(b, m, &a->replica, specs, e);
}

static int with_namespace(struct kustomize_build *b, struct kustomize_resmap *m,
                          const struct arguments *a, const struct kustomize_specs *specs,
                          struct err *e)
{
    struct kustomize_namespace_args args = {
        .ns = a->ns, .specs = specs, .unset_only = a->unset_only};

    if (str_eq(a->subjects, STR("allServiceAccounts")))
        args.subjects = KUSTOMIZE_SUBJECTS_ALL;
    else if (str_eq(a->subjects, STR("none")))
        args.subjects = KUSTOMIZE_SUBJECTS_NONE;
    else if (a->subjects.len && !str_eq(a->subjects, STR("defaultOnly")))
        return err_set(e, ERR_INVALID,
                       "invalid value \"%.*s\" for setRoleBindingSubjects: must be one of "
                       "[defaultOnly, allServiceAccounts, none]",
                       STR_ARG(a->subjects));
    return args.ns.len ? kustomize_namespace(b, m, &args, e) : 0;
}

static int need_specs(const struct arguments *a, struct err *e)
{
    return a->has_specs ? 0 : err_set(e, ERR_INVALID, "fieldSpecs is not expected to be nil");
}

static int with_prefix(struct kustomize_build *b, struct kustomize_resmap *m,
                       const struct arguments *a, const struct kustomize_specs *specs,
                       struct err *e)
{
    return need_specs(a, e) < 0 ? -1 : kustomize_prefix(b, m, a->prefix, specs, e);
}

static int with_suffix(struct kustomize_build *b, struct kustomize_resmap *m,
                       const struct arguments *a, const struct kustomize_specs *specs,
                       struct err *e)
{
    return need_specs(a, e) < 0 ? -1 : kustomize_suffix(b, m, a->suffix, specs, e);
}

static int with_both(struct kustomize_build *b, struct kustomize_resmap *m,
                     const struct arguments *a, const struct kustomize_specs *specs, struct err *e)
{
    return with_prefix(b, m, a, specs, e) < 0 ? -1 : with_suffix(b, m, a, specs, e);
}

static int with_strategic(struct kustomize_build *b, struct kustomize_resmap *m,
                          const struct arguments *a, const struct kustomize_specs *specs UNUSED,
                          struct err *e)
{
    struct kustomize_text_list entries = {
        ARENA_ARRAY(&b->set->arena, struct kustomize_text, a->paths.len + 1), a->paths.len};

    if (a->paths.len)
        memcpy(entries.v, a->paths.v, a->paths.len * sizeof(*entries.v));
    if (a->patches.len)
        entries.v[entries.len++] = (struct kustomize_text){a->patches, a->patches_node};
    if (entries.len == 0)
        return err_set(e, ERR_INVALID, "empty file path and empty patch content");
    return kustomize_patch_strategic(b, m, &entries, e);
}

static int with_replacements(struct kustomize_build *b, struct kustomize_resmap *m,
                             const struct arguments *a, const struct kustomize_specs *specs UNUSED,
                             struct err *e)
{
    return kustomize_replacements(b, m, &a->replacements, e);
}

#define TRANSFORMER(name)                                                            \
    static int run_##name(struct kustomize_level *level, struct kustomize_resmap *m, \
                          struct kustomize_resource *config, struct err *e)          \
    {                                                                                \
        return run(level, m, config, with_##name, e);                                \
    }
TRANSFORMER(annotations)
TRANSFORMER(labels)
TRANSFORMER(image)
TRANSFORMER(replica)
TRANSFORMER(namespace)
TRANSFORMER(prefix)
TRANSFORMER(suffix)
TRANSFORMER(both)
TRANSFORMER(strategic)
TRANSFORMER(replacements)

static int run_patch(struct kustomize_level *level, struct kustomize_resmap *m,
                     struct kustomize_resource *config, struct err *e)
{
    struct kustomize_patch patch = {0};

    return decode(&kustomize_shape_patch, config, &patch, e) < 0
               ? -1
               : kustomize_patch(&level->b, m, &patch, e);
}

static int run_json6902(struct kustomize_level *level, struct kustomize_resmap *m,
                        struct kustomize_resource *config, struct err *e)
{
    struct kustomize_patch patch = {0};

    return decode(&kustomize_shape_json6902, config, &patch, e) < 0
               ? -1
               : kustomize_patch_json6902(&level->b, m, &patch, e);
}

static int run_hash(struct kustomize_level *level, struct kustomize_resmap *m,
                    struct kustomize_resource *config UNUSED, struct err *e)
{
    return kustomize_hash(&level->b, m, e);
}

static int run_value_add(struct kustomize_level *level, struct kustomize_resmap *m,
                         struct kustomize_resource *config, struct err *e)
{
    return kustomize_value_add(&level->b, m, config->root, e);
}

static int run_sort_order(struct kustomize_level *level, struct kustomize_resmap *m,
                          struct kustomize_resource *config, struct err *e)
{
    struct kustomization k = {0};

    if (decode(&kustomize_shape_kustomization, config, &k, e) < 0 ||
        kustomize_sort_check(&level->b, &k, e) < 0)
        return -1;
    kustomize_sort_by(&level->b, &k.sort_options, m);
    return 0;
}

/* ---- generators */

static int generate(struct kustomize_level *level, struct kustomize_resmap *m,
                    struct kustomize_resource *config, bool is_secret, struct err *e)
{
    struct kustomize_generator g = {0};
    struct kustomize_resource *r = NULL;

    if (decode(&kustomize_shape_generator, config, &g, e) < 0)
        return -1;
    g.is_secret = is_secret;
    if (g.name.len == 0)
        g.name = config->id.name;
    if (g.ns.len == 0)
        g.ns = config->id.ns;
    if (g.env.text.len) {
        struct kustomize_text *all =
            ARENA_ARRAY(&level->b.set->arena, struct kustomize_text, g.envs.len + 1);

        if (g.envs.len)
            memcpy(all, g.envs.v, g.envs.len * sizeof(*all));
        all[g.envs.len] = g.env;
        g.envs = (struct kustomize_text_list){all, g.envs.len + 1};
    }
    if (kustomize_generate(&level->b, m, &g, NULL, &r, e) < 0)
        return -1;
    return kustomize_resmap_append(m, r, e);
}

static int run_config_map(struct kustomize_level *level, struct kustomize_resmap *m,
                          struct kustomize_resource *config, struct err *e)
{
    return generate(level, m, config, false, e);
}

static int run_secret(struct kustomize_level *level, struct kustomize_resmap *m,
                      struct kustomize_resource *config, struct err *e)
{
    return generate(level, m, config, true, e);
}

static int run_iam_policy(struct kustomize_level *level, struct kustomize_resmap *m,
                          struct kustomize_resource *config, struct err *e)
{
    return kustomize_iam_policy(&level->b, m, config->root, e);
}

static int run_chart(struct kustomize_level *level, struct kustomize_resmap *m,
                     struct kustomize_resource *config, struct err *e)
{
    struct kustomize_chart chart = {0};

    return decode(&kustomize_shape_chart_generator, config, &chart, e) < 0
               ? -1
               : kustomize_chart(&level->b, m, &chart, e);
}

/* ---- */

static const struct kustomize_builtin rows[] = {
    {"AnnotationsTransformer", false, run_annotations, false},
    {"ConfigMapGenerator", true, run_config_map, false},
    {"HashTransformer", false, run_hash, false},
    {"HelmChartInflationGenerator", true, run_chart, false},
    {"IAMPolicyGenerator", true, run_iam_policy, false},
    {"ImageTagTransformer", false, run_image, false},
    {"LabelTransformer", false, run_labels, false},
    {"NamespaceTransformer", false, run_namespace, false},
    {"PatchJson6902Transformer", false, run_json6902, false},
    {"PatchStrategicMergeTransformer", false, run_strategic, false},
    {"PatchTransformer", false, run_patch, false},
    {"PrefixTransformer", false, run_prefix, false},
    {"PrefixSuffixTransformer", false, run_both, false},
    {"ReplacementTransformer", false, run_replacements, false},
    {"ReplicaCountTransformer", false, run_replica, false},
    {"SecretGenerator", true, run_secret, false},
    {"SortOrderTransformer", false, run_sort_order, true},
    {"SuffixTransformer", false, run_suffix, false},
    {"ValueAddTransformer", false, run_value_add, false},
};

const struct kustomize_builtin *kustomize_builtin_find(str kind)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (str_eq(kind, str_of(rows[i].kind)))
            return &rows[i];
    return NULL;
}

static void list_rows(bool is_generator, struct buf *out)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].is_generator == is_generator && !rows[i].is_composed)
            buf_addf(out, " * %s\n", rows[i].kind);
}

void kustomize_edit_list_builtins(struct buf *out)
{
    buf_add_cstr(out, "Builtin plugins:\n\n");
    list_rows(true, out);
    list_rows(false, out);
}
