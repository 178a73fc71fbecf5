#include "kustomize/composition/builtin.h"

#include "base/words.h"

#define SPECS_OF(member) (offsetof(struct kustomize_config, member) + 1)

/* Fields beside apiVersion, kind and metadata; the table that stands for missing fieldSpecs. */
static const struct row {
    char kind[32], fields[208];
    size_t specs; /* in struct kustomize_config, plus 1; 0: it has none */
} rows[] = {
    {"AnnotationsTransformer", "annotations", SPECS_OF(common_annotations)},
    {"ConfigMapGenerator", "name namespace behavior literals files envs env options", 0},
    {"HashTransformer", "", 0},
    {"HelmChartInflationGenerator",
     "name repo version releaseName namespace valuesFile additionalValuesFiles valuesInline "
     "valuesMerge includeCRDs skipHooks skipTests apiVersions kubeVersion nameTemplate debug devel "
     "chartHome configHome",
     0},
    {"IAMPolicyGenerator", "cloud kubernetesService serviceAccount projectId", 0},
    {"ImageTagTransformer", "imageTag", SPECS_OF(images)},
    {"LabelTransformer", "labels", SPECS_OF(common_labels)},
    {"NamespaceTransformer", "namespace unsetOnly setRoleBindingSubjects", SPECS_OF(ns)},
    {"PatchJson6902Transformer", "target path jsonOp", 0},
    {"PatchStrategicMergeTransformer", "paths patches", 0},
    {"PatchTransformer", "path patch target options", 0},
    {"PrefixSuffixTransformer", "prefix suffix", SPECS_OF(name_prefix)},
    {"PrefixTransformer", "prefix", SPECS_OF(name_prefix)},
    {"ReplacementTransformer", "replacements", 0},
    {"ReplicaCountTransformer", "replica", SPECS_OF(replicas)},
    {"ResourceAccumulator", "paths", 0},
    {"ResourceGenerator", "paths", 0},
    {"SecretGenerator", "name namespace behavior literals files envs env options type", 0},
    {"SortOrderTransformer", "sortOptions", 0},
    {"SuffixTransformer", "suffix", SPECS_OF(name_suffix)},
    {"ValueAddTransformer", "value targets", 0},
};

static const struct row *find(str kind)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (str_eq(kind, str_of(rows[i].kind)))
            return &rows[i];
    return NULL;
}

int kustomize_check_builtin(const struct kustomize_step *step, struct err *e)
{
    const struct row *row = find(step->kind);
    struct doc_iter it = doc_children(step->config);

    if (!row)
        return kustomize_refuse(step->level, step->config, e, "unknown built-in kind \"%.*s\"",
                                STR_ARG(step->kind));
    while (doc_next(&it))
        if (!words_have(STR("apiVersion kind metadata"), ' ', it.key) &&
            !words_have(str_of(row->fields), ' ', it.key) &&
            !(row->specs && words_have(STR("fieldSpecs additionalFieldSpecs"), ' ', it.key)))
            return kustomize_refuse_field(step->level, it.value, row->kind, e);
    return 0;
}

static struct doc_node *print_spec(struct doc_set *set, const struct res_field_spec *spec)
{
    struct doc_node *map = doc_new_map(set);

    if (spec->gvk.group.len)
        doc_set_string(set, map, STR("group"), spec->gvk.group);
    if (spec->gvk.version.len)
        doc_set_string(set, map, STR("version"), spec->gvk.version);
    if (spec->gvk.kind.len)
        doc_set_string(set, map, STR("kind"), spec->gvk.kind);
    doc_set_string(set, map, STR("path"), spec->path);
    if (spec->create)
        doc_set_bool(set, map, STR("create"), true);
    return map;
}

static int add_specs(const struct kustomize_step *step, const struct row *row,
                     struct kustomize_specs *specs, struct err *e)
{
    AUTO(kustomize_specs_done) struct kustomize_specs added = {0}, defaults = {0};
    struct kustomize_build *b = &step->level->b;
    const struct doc_node *given = doc_get_lit(step->config, "fieldSpecs");
    const struct doc_node *more = doc_get_lit(step->config, "additionalFieldSpecs");
    const struct kustomize_config *c = &b->shared->defaults;

    defaults = kustomize_config_specs(c, (const void *)((const char *)c + row->specs - 1));
    if (doc_is_null(given) ? kustomize_specs_add_all(specs, defaults.v, defaults.len, e) < 0
                           : kustomize_specs_read(specs, b->set, given, e) < 0)
        return -1;
    if (doc_is_null(more))
        return 0;
    if (kustomize_specs_read(&added, b->set, more, e) < 0)
        return -1;
    return kustomize_specs_add_all(specs, added.v, added.len, e) < 0 ? kustomize_fail_at(b, more, e)
                                                                     : 0;
}

static int fill_specs(const struct kustomize_step *step, struct doc_node *config,
                      const struct row *row, struct err *e)
{
    AUTO(kustomize_specs_done) struct kustomize_specs specs = {0};
    struct doc_set *set = step->level->b.set;
    struct doc_node *list = doc_new_list(set);

    if (add_specs(step, row, &specs, e) < 0)
        return -1;
    for (size_t i = 0; i < specs.len; i++)
        doc_append(list, print_spec(set, &specs.v[i]));
    doc_remove(config, STR("additionalFieldSpecs"));
    doc_set_field(set, config, STR("fieldSpecs"), list);
    return 0;
}

struct doc_node *kustomize_builtin_arguments(const struct kustomize_step *step, struct err *e)
{
    const struct row *row = find(step->kind);
    struct doc_set *set = step->level->b.set;
    struct doc_node *config = doc_copy(set, step->config);
    str ns = doc_string(doc_get_lit(config, "namespace"), STR_NONE);

    if (row->specs && fill_specs(step, config, row, e) < 0)
        return NULL;
    if (ns.len && str_eq(step->kind, STR("NamespaceTransformer")))
        doc_set_string(set, doc_ensure_map(set, config, STR("metadata")), STR("namespace"), ns);
    return config;
}
