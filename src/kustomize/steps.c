/* The fields of a kustomization that generate and transform, in the order in which a level runs
 * them (kustomize spec 4, steps 3 and 5). */
#include "kustomize/generate/chart.h"
#include "kustomize/incremental/plan.h"
#include "kustomize/metadata.h"
#include "kustomize/plugin/plugin.h"

void kustomize_tell(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                    const struct doc_node *node)
{
    const struct kustomize_options *o = level->b.shared->options;

    if (o->on_step)
        o->on_step(o->on_step_ctx, &level->b, m, kind, node);
}

/* What is done after each transformer: what became empty goes, origins are noted, who wants to know
 * is told. */
static void after_step(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                       const struct doc_node *node)
{
    struct kustomize_origin by;

    kustomize_resmap_drop_empty(m);
    if (level->b.shared->wants_origin) {
        by = kustomize_origin_of_step(level, kind);
        kustomize_origin_transformed(level, m, &by);
    }
    kustomize_tell(level, m, kind, node);
}

static int cancelled(const struct kustomize_level *level, struct err *e)
{
    return level->b.cancel && cancel_is_set(level->b.cancel)
               ? err_set(e, ERR_CANCELED, "the build was cancelled")
               : 0;
}

/* An entry's outcome: on failure the place of the entry is told. */
static int ended(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                 const struct doc_node *node, int rc, struct err *e)
{
    if (rc == 0)
        rc = cancelled(level, e);
    if (rc < 0)
        return kustomize_fail_at(&level->b, node, e);
    after_step(level, m, kind, node);
    return 0;
}

/* ---- generators */

static int absorb(struct kustomize_level *level, struct kustomize_accumulator *acc,
                  const char *kind, struct kustomize_resmap *made, struct err *e)
{
    struct kustomize_origin by;

    if (level->b.shared->wants_origin) {
        by = kustomize_origin_of_step(level, kind);
        kustomize_origin_generated(made, &by);
    }
    return kustomize_absorb(&level->b, &acc->resources, made, e);
}

static int add_made(struct kustomize_level *level, struct kustomize_resmap *made,
                    struct kustomize_resource *r, struct err *e)
{
    if (kustomize_resmap_append(made, r, e) < 0)
        return -1;
    kustomize_plan_made(level->reading, made, 0);
    return 0;
}

static int run_generator(struct kustomize_level *level, struct kustomize_accumulator *acc,
                         const struct kustomize_generator *g, struct err *e)
{
    AUTO(kustomize_resmap_done) struct kustomize_resmap made = {0};
    const struct kustomize_options *o = level->b.shared->options;
    const char *kind = g->is_secret ? "SecretGenerator" : "ConfigMapGenerator";
    struct kustomize_resource *r = NULL;
    const struct kustomize_generator_options *global =
        level->k->has_generator_options ? &level->k->generator_options : NULL;

    if (kustomize_generate(&level->b, &acc->resources, g, global, &r, e) < 0 ||
        add_made(level, &made, r, e) < 0 || absorb(level, acc, kind, &made, e) < 0)
        return kustomize_fail_at(&level->b, g->node, e);
    if (o->on_step)
        o->on_step(o->on_step_ctx, &level->b, &acc->resources, kind, g->node);
    return cancelled(level, e);
}

static int run_generator_list(struct kustomize_level *level, struct kustomize_accumulator *acc,
                              const struct kustomize_generator_list *list, struct err *e)
{
    for (size_t i = 0; i < list->len; i++) {
        level->reading = kustomize_plan_generator(level, &list->v[i]);
        if (!kustomize_plan_skips(level, level->reading) &&
            run_generator(level, acc, &list->v[i], e) < 0)
            return -1;
    }
    level->reading = NULL;
    return 0;
}

static int run_charts(struct kustomize_level *level, struct kustomize_accumulator *acc,
                      struct err *e)
{
    for (size_t i = 0; i < level->k->charts.len; i++)
        if (kustomize_chart(&level->b, &acc->resources, &level->k->charts.v[i], e) < 0)
            return kustomize_fail_at(&level->b, level->k->charts.v[i].node, e);
    return 0;
}

int kustomize_run_generators(struct kustomize_level *level, struct kustomize_accumulator *acc,
                             struct err *e)
{
    if (run_generator_list(level, acc, &level->k->config_maps, e) < 0 ||
        run_generator_list(level, acc, &level->k->secrets, e) < 0 || run_charts(level, acc, e) < 0)
        return -1;
    return kustomize_plugin_generators(level, acc, e);
}

/* ---- transformers */

typedef int step_fn(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                    struct err *e);

static int strategic_merges(struct kustomize_level *level, struct kustomize_resmap *m,
                            const char *kind, struct err *e)
{
    const struct kustomization *k = level->k;

    if (k->strategic_merges.len == 0)
        return 0;
    return ended(level, m, kind, k->deprecated.strategic_merges,
                 kustomize_patch_strategic(&level->b, m, &k->strategic_merges, e), e);
}

static int patches(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                   struct err *e)
{
    for (size_t i = 0; i < level->k->patches.len; i++) {
        const struct kustomize_patch *p = &level->k->patches.v[i];
        int rc = kustomize_plan_skips_patch(level, p) ? 0 : kustomize_patch(&level->b, m, p, e);

        if (ended(level, m, kind, p->node, rc, e) < 0)
            return -1;
    }
    (void)kustomize_plan_skips_patch(level, NULL);
    return 0;
}

#define SPECS_OF(level, list) kustomize_config_specs((level)->b.config, &(level)->b.config->list)

static int namespaces(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                      struct err *e)
{
    AUTO(kustomize_specs_done) struct kustomize_specs specs = {0};
    const struct kustomize_namespace_args args = {.ns = level->k->ns.text, .specs = &specs};

    if (args.ns.len == 0)
        return 0;
    specs = SPECS_OF(level, ns);
    return ended(level, m, kind, level->k->ns.node, kustomize_namespace(&level->b, m, &args, e), e);
}

static int prefix(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                  struct err *e)
{
    AUTO(kustomize_specs_done) struct kustomize_specs specs = {0};
    const struct kustomize_text *t = &level->k->name_prefix;

    if (t->text.len == 0)
        return 0;
    specs = SPECS_OF(level, name_prefix);
    return ended(level, m, kind, t->node, kustomize_prefix(&level->b, m, t->text, &specs, e), e);
}

static int suffix(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                  struct err *e)
{
    AUTO(kustomize_specs_done) struct kustomize_specs specs = {0};
    const struct kustomize_text *t = &level->k->name_suffix;

    if (t->text.len == 0)
        return 0;
    specs = SPECS_OF(level, name_suffix);
    return ended(level, m, kind, t->node, kustomize_suffix(&level->b, m, t->text, &specs, e), e);
}

static int labels(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                  struct err *e)
{
    AUTO(kustomize_specs_done) struct kustomize_specs specs = {0};
    const struct kustomization *k = level->k;

    for (size_t i = 0; i < k->labels.len; i++)
        if (ended(level, m, kind, k->labels.v[i].node,
                  kustomize_label(&level->b, m, &k->labels.v[i], e), e) < 0)
            return -1;
    if (k->labels.len == 0 && k->common_labels.len == 0)
        return 0;
    specs = SPECS_OF(level, common_labels);
    return ended(level, m, kind, k->deprecated.common_labels,
                 kustomize_labels(&level->b, m, &k->common_labels, &specs, e), e);
}

static int annotations(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                       struct err *e)
{
    AUTO(kustomize_specs_done) struct kustomize_specs specs = {0};
    const struct kustomize_pairs *pairs = &level->k->common_annotations;

    if (pairs->len == 0)
        return 0;
    specs = SPECS_OF(level, common_annotations);
    return ended(level, m, kind, pairs->v[0].node,
                 kustomize_annotations(&level->b, m, pairs, &specs, e), e);
}

static int json6902(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                    struct err *e)
{
    for (size_t i = 0; i < level->k->json6902.len; i++) {
        const struct kustomize_patch *p = &level->k->json6902.v[i];

        if (ended(level, m, kind, p->node, kustomize_patch_json6902(&level->b, m, p, e), e) < 0)
            return -1;
    }
    return 0;
}

static int replicas(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                    struct err *e)
{
    AUTO(kustomize_specs_done) struct kustomize_specs specs = {0};

    if (level->k->replicas.len)
        specs = SPECS_OF(level, replicas);
    for (size_t i = 0; i < level->k->replicas.len; i++) {
        const struct kustomize_replica *r = &level->k->replicas.v[i];

        if (ended(level, m, kind, r->node, kustomize_replica(&level->b, m, r, &specs, e), e) < 0)
            return -1;
    }
    return 0;
}

/* With somebody looking at each step they are run one by one. */
static bool is_watched(const struct kustomize_level *level)
{
    return level->b.shared->wants_origin || level->b.shared->options->on_step;
}

static int images(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                  struct err *e)
{
    AUTO(kustomize_specs_done) struct kustomize_specs specs = {0};
    const struct kustomize_image_list *list = &level->k->images;

    if (list->len)
        specs = SPECS_OF(level, images);
    if (list->len > 1 && !is_watched(level))
        return ended(level, m, kind, list->v[0].node,
                     kustomize_images(&level->b, m, list, &specs, e), e);
    for (size_t i = 0; i < level->k->images.len; i++) {
        const struct kustomize_image *image = &level->k->images.v[i];

        if (ended(level, m, kind, image->node, kustomize_image(&level->b, m, image, &specs, e), e) <
            0)
            return -1;
    }
    return 0;
}

static int replacements(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                        struct err *e)
{
    const struct kustomize_replacement_list *list = &level->k->replacements;

    if (list->len == 0)
        return 0;
    return ended(level, m, kind, list->v[0].node, kustomize_replacements(&level->b, m, list, e), e);
}

static const struct {
    const char *kind;
    step_fn *run;
} steps[] = {
    {"PatchStrategicMergeTransformer", strategic_merges},
    {"PatchTransformer", patches},
    {"NamespaceTransformer", namespaces},
    {"PrefixTransformer", prefix},
    {"SuffixTransformer", suffix},
    {"LabelTransformer", labels},
    {"AnnotationsTransformer", annotations},
    {"PatchJson6902Transformer", json6902},
    {"ReplicaCountTransformer", replicas},
    {"ImageTagTransformer", images},
    {"ReplacementTransformer", replacements},
};

int kustomize_run_transformers(struct kustomize_level *level, struct kustomize_accumulator *acc,
                               struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(steps); i++)
        if (steps[i].run(level, &acc->resources, steps[i].kind, e) < 0)
            return -1;
    return kustomize_plugin_transformers(level, acc, e);
}
