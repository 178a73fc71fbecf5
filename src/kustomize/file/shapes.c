/* The fields of kustomization files and of what they hold (kustomize spec 3). */
#include "kustomize/file/decode.h"

#define AT(type, member) .offset = offsetof(type, member)
#define HAS(type, member) .has_offset = offsetof(type, member) + 1
#define NODE_AT(type, member) .node_offset = offsetof(type, member) + 1
#define SHAPE(type, table)                                           \
    {                                                                \
        .size = sizeof(type), .fields = (table), NODE_AT(type, node) \
    }
#define END        \
    {              \
        .name = "" \
    }

#define SPEC struct res_field_spec
static const struct kustomize_field field_spec[] = {
    {"group", KUSTOMIZE_TEXT, AT(SPEC, gvk.group)},
    {"version", KUSTOMIZE_TEXT, AT(SPEC, gvk.version)},
    {"kind", KUSTOMIZE_TEXT, AT(SPEC, gvk.kind)},
    {"path", KUSTOMIZE_TEXT, AT(SPEC, path)},
    {"create", KUSTOMIZE_BOOL, AT(SPEC, create)},
    END,
};
static const struct kustomize_shape kustomize_shape_field_spec = {.size = sizeof(SPEC),
                                                                  .fields = field_spec};

#define SELECTOR struct kustomize_selector
static const struct kustomize_field selector[] = {
    {"group", KUSTOMIZE_TEXT, AT(SELECTOR, group)},
    {"version", KUSTOMIZE_TEXT, AT(SELECTOR, version)},
    {"kind", KUSTOMIZE_TEXT, AT(SELECTOR, kind)},
    {"name", KUSTOMIZE_TEXT, AT(SELECTOR, name)},
    {"namespace", KUSTOMIZE_TEXT, AT(SELECTOR, ns)},
    {"labelSelector", KUSTOMIZE_TEXT, AT(SELECTOR, label_selector)},
    {"annotationSelector", KUSTOMIZE_TEXT, AT(SELECTOR, annotation_selector)},
    END,
};
static const struct kustomize_shape kustomize_shape_selector = SHAPE(SELECTOR, selector);

/* ---- patches */

#define PATCH struct kustomize_patch
static const struct kustomize_field patch_options[] = {
    {"allowNameChange", KUSTOMIZE_BOOL, AT(PATCH, allow_name_change)},
    {"allowKindChange", KUSTOMIZE_BOOL, AT(PATCH, allow_kind_change)},
    END,
};
static const struct kustomize_shape shape_patch_options = {.size = sizeof(PATCH),
                                                           .fields = patch_options};
static const struct kustomize_field patch[] = {
    {"path", KUSTOMIZE_TEXT, AT(PATCH, path), NODE_AT(PATCH, path_node)},
    {"patch", KUSTOMIZE_TEXT, AT(PATCH, patch), NODE_AT(PATCH, patch_node)},
    {"target", KUSTOMIZE_STRUCT, AT(PATCH, target), HAS(PATCH, has_target),
     .shape = KUSTOMIZE_SHAPE_SELECTOR},
    {"options", KUSTOMIZE_STRUCT, .shape = KUSTOMIZE_SHAPE_PATCH_OPTIONS},
    END,
};
const struct kustomize_shape kustomize_shape_patch = SHAPE(PATCH, patch);
/* PatchJson6902Transformer calls the patch jsonOp. */
static const struct kustomize_field json6902[] = {
    {"path", KUSTOMIZE_TEXT, AT(PATCH, path), NODE_AT(PATCH, path_node)},
    {"jsonOp", KUSTOMIZE_TEXT, AT(PATCH, patch), NODE_AT(PATCH, patch_node)},
    {"target", KUSTOMIZE_STRUCT, AT(PATCH, target), HAS(PATCH, has_target),
     .shape = KUSTOMIZE_SHAPE_SELECTOR},
    END,
};
const struct kustomize_shape kustomize_shape_json6902 = SHAPE(PATCH, json6902);

/* ---- labels, images, replicas */

#define LABEL struct kustomize_label
static const struct kustomize_field label[] = {
    {"pairs", KUSTOMIZE_PAIRS, AT(LABEL, pairs)},
    {"includeSelectors", KUSTOMIZE_BOOL, AT(LABEL, include_selectors)},
    {"includeTemplates", KUSTOMIZE_BOOL, AT(LABEL, include_templates)},
    {"includeVolumeClaimTemplates", KUSTOMIZE_BOOL, AT(LABEL, include_volume_claim_templates)},
    {"fields", KUSTOMIZE_STRUCTS, AT(LABEL, fields), .shape = KUSTOMIZE_SHAPE_FIELD_SPEC},
    END,
};
static const struct kustomize_shape kustomize_shape_label = SHAPE(LABEL, label);

#define IMAGE struct kustomize_image
static const struct kustomize_field image[] = {
    {"name", KUSTOMIZE_TEXT, AT(IMAGE, name)},
    {"newName", KUSTOMIZE_TEXT, AT(IMAGE, new_name)},
    {"newTag", KUSTOMIZE_TEXT, AT(IMAGE, new_tag)},
    {"tagSuffix", KUSTOMIZE_TEXT, AT(IMAGE, tag_suffix)},
    {"digest", KUSTOMIZE_TEXT, AT(IMAGE, digest)},
    END,
};
static const struct kustomize_shape kustomize_shape_image = SHAPE(IMAGE, image);

#define REPLICA struct kustomize_replica
static const struct kustomize_field replica[] = {
    {"name", KUSTOMIZE_TEXT, AT(REPLICA, name)},
    {"count", KUSTOMIZE_INT, AT(REPLICA, count)},
    END,
};
static const struct kustomize_shape kustomize_shape_replica = SHAPE(REPLICA, replica);

/* ---- generators */

#define OPTIONS struct kustomize_generator_options
static const struct kustomize_field generator_options[] = {
    {"labels", KUSTOMIZE_PAIRS, AT(OPTIONS, labels)},
    {"annotations", KUSTOMIZE_PAIRS, AT(OPTIONS, annotations)},
    {"disableNameSuffixHash", KUSTOMIZE_BOOL, AT(OPTIONS, disable_hash)},
    {"immutable", KUSTOMIZE_BOOL, AT(OPTIONS, immutable)},
    END,
};
static const struct kustomize_shape shape_generator_options = {.size = sizeof(OPTIONS),
                                                               .fields = generator_options};

#define GENERATOR struct kustomize_generator
#define GENERATOR_FIELDS                                        \
    {"name", KUSTOMIZE_TEXT, AT(GENERATOR, name)},              \
        {"namespace", KUSTOMIZE_TEXT, AT(GENERATOR, ns)},       \
        {"behavior", KUSTOMIZE_TEXT, AT(GENERATOR, behavior)},  \
        {"literals", KUSTOMIZE_TEXTS, AT(GENERATOR, literals)}, \
        {"files", KUSTOMIZE_TEXTS, AT(GENERATOR, files)},       \
        {"envs", KUSTOMIZE_TEXTS, AT(GENERATOR, envs)},         \
        {"env", KUSTOMIZE_PLACED, AT(GENERATOR, env)},          \
    {                                                           \
        "options", KUSTOMIZE_STRUCT, AT(GENERATOR, options),    \
            .shape = KUSTOMIZE_SHAPE_GENERATOR_OPTIONS          \
    }
static const struct kustomize_field config_map[] = {GENERATOR_FIELDS, END};
static const struct kustomize_shape shape_config_map = SHAPE(GENERATOR, config_map);
static const struct kustomize_field secret[] = {
    GENERATOR_FIELDS, {"type", KUSTOMIZE_TEXT, AT(GENERATOR, type)}, END};
const struct kustomize_shape kustomize_shape_generator = SHAPE(GENERATOR, secret);

#define CHART struct kustomize_chart
#define CHART_FIELDS                                                                            \
    {"name", KUSTOMIZE_TEXT, AT(CHART, name)}, {"version", KUSTOMIZE_TEXT, AT(CHART, version)}, \
        {"repo", KUSTOMIZE_TEXT, AT(CHART, repo)},                                              \
        {"releaseName", KUSTOMIZE_TEXT, AT(CHART, release_name)},                               \
        {"namespace", KUSTOMIZE_TEXT, AT(CHART, ns)},                                           \
        {"additionalValuesFiles", KUSTOMIZE_TEXTS, AT(CHART, additional_values_files)},         \
        {"valuesFile", KUSTOMIZE_TEXT, AT(CHART, values_file)},                                 \
        {"valuesInline", KUSTOMIZE_MAP_NODE, AT(CHART, values_inline)},                         \
        {"valuesMerge", KUSTOMIZE_TEXT, AT(CHART, values_merge)},                               \
        {"includeCRDs", KUSTOMIZE_BOOL, AT(CHART, include_crds)},                               \
        {"skipHooks", KUSTOMIZE_BOOL, AT(CHART, skip_hooks)},                                   \
        {"skipTests", KUSTOMIZE_BOOL, AT(CHART, skip_tests)},                                   \
        {"apiVersions", KUSTOMIZE_TEXTS, AT(CHART, api_versions)},                              \
        {"kubeVersion", KUSTOMIZE_TEXT, AT(CHART, kube_version)},                               \
        {"nameTemplate", KUSTOMIZE_TEXT, AT(CHART, name_template)},                             \
        {"debug", KUSTOMIZE_BOOL, AT(CHART, debug)},                                            \
    {                                                                                           \
        "devel", KUSTOMIZE_BOOL, AT(CHART, devel)                                               \
    }
static const struct kustomize_field chart[] = {CHART_FIELDS, END};
static const struct kustomize_shape kustomize_shape_chart = SHAPE(CHART, chart);
/* The generator as an object of its own has the globals beside them. */
static const struct kustomize_field chart_generator[] = {
    CHART_FIELDS,
    {"chartHome", KUSTOMIZE_TEXT, AT(CHART, chart_home)},
    {"configHome", KUSTOMIZE_TEXT, AT(CHART, config_home)},
    END,
};
const struct kustomize_shape kustomize_shape_chart_generator = SHAPE(CHART, chart_generator);
/* helmChartInflationGenerator, the spelling of old. */
static const struct kustomize_field old_chart[] = {
    {"chartName", KUSTOMIZE_TEXT, AT(CHART, name)},
    {"chartVersion", KUSTOMIZE_TEXT, AT(CHART, version)},
    {"chartRepoUrl", KUSTOMIZE_TEXT, AT(CHART, repo)},
    {"chartHome", KUSTOMIZE_TEXT, AT(CHART, chart_home)},
    {"chartRepoName", KUSTOMIZE_IGNORED, .offset = 0},
    {"helmBin", KUSTOMIZE_IGNORED, .offset = 0},
    {"helmHome", KUSTOMIZE_TEXT, AT(CHART, config_home)},
    {"values", KUSTOMIZE_TEXT, AT(CHART, values_file)},
    {"valuesLocal", KUSTOMIZE_MAP_NODE, AT(CHART, values_inline)},
    {"valuesMerge", KUSTOMIZE_TEXT, AT(CHART, values_merge)},
    {"releaseName", KUSTOMIZE_TEXT, AT(CHART, release_name)},
    {"releaseNamespace", KUSTOMIZE_IGNORED, .offset = 0},
    {"extraArgs", KUSTOMIZE_IGNORED, .offset = 0},
    END,
};
static const struct kustomize_shape shape_old_chart = SHAPE(CHART, old_chart);

/* ---- replacements and vars */

#define REPL_OPTIONS struct res_replace_options
static const struct kustomize_field replacement_options[] = {
    {"delimiter", KUSTOMIZE_TEXT, AT(REPL_OPTIONS, delimiter)},
    {"index", KUSTOMIZE_INT, AT(REPL_OPTIONS, index)},
    {"encoding", KUSTOMIZE_TEXT, AT(REPL_OPTIONS, encoding)},
    {"create", KUSTOMIZE_BOOL, AT(REPL_OPTIONS, create)},
    END,
};
static const struct kustomize_shape shape_replacement_options = {.size = sizeof(REPL_OPTIONS),
                                                                 .fields = replacement_options};

#define SOURCE struct kustomize_replacement_source
static const struct kustomize_field source[] = {
    {"group", KUSTOMIZE_TEXT, AT(SOURCE, select.group)},
    {"version", KUSTOMIZE_TEXT, AT(SOURCE, select.version)},
    {"kind", KUSTOMIZE_TEXT, AT(SOURCE, select.kind)},
    {"name", KUSTOMIZE_TEXT, AT(SOURCE, select.name)},
    {"namespace", KUSTOMIZE_TEXT, AT(SOURCE, select.ns)},
    {"fieldPath", KUSTOMIZE_TEXT, AT(SOURCE, field_path)},
    {"options", KUSTOMIZE_STRUCT, AT(SOURCE, options), HAS(SOURCE, has_options),
     .shape = KUSTOMIZE_SHAPE_REPLACEMENT_OPTIONS},
    END,
};
static const struct kustomize_shape shape_source = SHAPE(SOURCE, source);

#define TARGET struct kustomize_replacement_target
static const struct kustomize_field target[] = {
    {"select", KUSTOMIZE_STRUCT, AT(TARGET, select), HAS(TARGET, has_select),
     .shape = KUSTOMIZE_SHAPE_SELECTOR},
    {"reject", KUSTOMIZE_STRUCTS, AT(TARGET, reject), .shape = KUSTOMIZE_SHAPE_SELECTOR},
    {"fieldPaths", KUSTOMIZE_TEXTS, AT(TARGET, field_paths)},
    {"options", KUSTOMIZE_STRUCT, AT(TARGET, options), HAS(TARGET, has_options),
     .shape = KUSTOMIZE_SHAPE_REPLACEMENT_OPTIONS},
    END,
};
static const struct kustomize_shape shape_target = SHAPE(TARGET, target);

#define REPLACEMENT struct kustomize_replacement
static const struct kustomize_field replacement[] = {
    {"path", KUSTOMIZE_TEXT, AT(REPLACEMENT, path)},
    {"source", KUSTOMIZE_STRUCT, AT(REPLACEMENT, source), HAS(REPLACEMENT, has_source),
     .shape = KUSTOMIZE_SHAPE_SOURCE},
    {"sourceValue", KUSTOMIZE_TEXT, AT(REPLACEMENT, source_value),
     HAS(REPLACEMENT, has_source_value)},
    {"targets", KUSTOMIZE_STRUCTS, AT(REPLACEMENT, targets), HAS(REPLACEMENT, has_targets),
     .shape = KUSTOMIZE_SHAPE_TARGET},
    END,
};
const struct kustomize_shape kustomize_shape_replacement = SHAPE(REPLACEMENT, replacement);

#define VAR struct kustomize_var
static const struct kustomize_field objref[] = {
    {"apiVersion", KUSTOMIZE_TEXT, AT(VAR, api_version)},
    {"group", KUSTOMIZE_TEXT, AT(VAR, group)},
    {"version", KUSTOMIZE_TEXT, AT(VAR, version)},
    {"kind", KUSTOMIZE_TEXT, AT(VAR, kind)},
    {"name", KUSTOMIZE_TEXT, AT(VAR, object_name)},
    {"namespace", KUSTOMIZE_TEXT, AT(VAR, object_ns)},
    END,
};
static const struct kustomize_shape shape_objref = {.size = sizeof(VAR), .fields = objref};
static const struct kustomize_field fieldref[] = {
    {"fieldPath", KUSTOMIZE_TEXT, AT(VAR, field_path)},
    {"fieldpath", KUSTOMIZE_TEXT, AT(VAR, field_path)},
    END,
};
static const struct kustomize_shape shape_fieldref = {.size = sizeof(VAR), .fields = fieldref};
static const struct kustomize_field var[] = {
    {"name", KUSTOMIZE_TEXT, AT(VAR, name)},
    {"objref", KUSTOMIZE_STRUCT, .shape = KUSTOMIZE_SHAPE_OBJREF},
    {"fieldref", KUSTOMIZE_STRUCT, .shape = KUSTOMIZE_SHAPE_FIELDREF},
    END,
};
static const struct kustomize_shape shape_var = SHAPE(VAR, var);

/* ---- the kustomization */

#define SORT struct kustomize_sort_options
static const struct kustomize_field legacy_sort[] = {
    {"orderFirst", KUSTOMIZE_TEXTS, AT(SORT, order_first)},
    {"orderLast", KUSTOMIZE_TEXTS, AT(SORT, order_last)},
    END,
};
static const struct kustomize_shape shape_legacy_sort = {.size = sizeof(SORT),
                                                         .fields = legacy_sort};
static const struct kustomize_field sort_options[] = {
    {"order", KUSTOMIZE_TEXT, AT(SORT, order)},
    {"legacySortOptions", KUSTOMIZE_STRUCT, HAS(SORT, has_legacy), NODE_AT(SORT, legacy_node),
     .shape = KUSTOMIZE_SHAPE_LEGACY_SORT},
    END,
};
static const struct kustomize_shape shape_sort_options = SHAPE(SORT, sort_options);

#define K struct kustomization
static const struct kustomize_field openapi[] = {
    {"path", KUSTOMIZE_TEXT, AT(K, openapi_path)},
    {"version", KUSTOMIZE_TEXT, AT(K, openapi_version)},
    END,
};
static const struct kustomize_shape shape_openapi = {
    .size = sizeof(K), .fields = openapi, .is_open = true};
static const struct kustomize_field helm_globals[] = {
    {"chartHome", KUSTOMIZE_TEXT, AT(K, chart_home)},
    {"configHome", KUSTOMIZE_TEXT, AT(K, config_home)},
    END,
};
static const struct kustomize_shape shape_helm_globals = {.size = sizeof(K),
                                                          .fields = helm_globals};
static const struct kustomize_field metadata[] = {
    {"name", KUSTOMIZE_CHECKED_TEXT, .offset = 0},
    {"namespace", KUSTOMIZE_CHECKED_TEXT, .offset = 0},
    {"labels", KUSTOMIZE_CHECKED_TEXTS, .offset = 0},
    {"annotations", KUSTOMIZE_CHECKED_TEXTS, .offset = 0},
    END,
};
static const struct kustomize_shape shape_metadata = {.size = sizeof(K), .fields = metadata};

static const struct kustomize_field kustomization[] = {
    {"apiVersion", KUSTOMIZE_TEXT, AT(K, api_version)},
    {"kind", KUSTOMIZE_TEXT, AT(K, kind)},
    {"metadata", KUSTOMIZE_STRUCT, .shape = KUSTOMIZE_SHAPE_METADATA},
    {"openapi", KUSTOMIZE_STRUCT, HAS(K, has_openapi), NODE_AT(K, openapi_node),
     .shape = KUSTOMIZE_SHAPE_OPENAPI},
    {"namePrefix", KUSTOMIZE_PLACED, AT(K, name_prefix)},
    {"nameSuffix", KUSTOMIZE_PLACED, AT(K, name_suffix)},
    {"namespace", KUSTOMIZE_PLACED, AT(K, ns)},
    {"commonLabels", KUSTOMIZE_PAIRS, AT(K, common_labels), NODE_AT(K, deprecated.common_labels)},
    {"labels", KUSTOMIZE_STRUCTS, AT(K, labels), .shape = KUSTOMIZE_SHAPE_LABEL},
    {"commonAnnotations", KUSTOMIZE_PAIRS, AT(K, common_annotations)},
    {"patchesStrategicMerge", KUSTOMIZE_TEXTS, AT(K, strategic_merges),
     NODE_AT(K, deprecated.strategic_merges)},
    {"patchesJson6902", KUSTOMIZE_STRUCTS, AT(K, json6902), NODE_AT(K, deprecated.json6902),
     .shape = KUSTOMIZE_SHAPE_PATCH},
    {"patches", KUSTOMIZE_STRUCTS, AT(K, patches), .shape = KUSTOMIZE_SHAPE_PATCH},
    {"images", KUSTOMIZE_STRUCTS, AT(K, images), .shape = KUSTOMIZE_SHAPE_IMAGE},
    {"imageTags", KUSTOMIZE_STRUCTS, AT(K, deprecated.image_tags),
     NODE_AT(K, deprecated.image_tags_node), .shape = KUSTOMIZE_SHAPE_IMAGE},
    {"replacements", KUSTOMIZE_STRUCTS, AT(K, replacements), .shape = KUSTOMIZE_SHAPE_REPLACEMENT},
    {"replicas", KUSTOMIZE_STRUCTS, AT(K, replicas), .shape = KUSTOMIZE_SHAPE_REPLICA},
    {"vars", KUSTOMIZE_STRUCTS, AT(K, vars), NODE_AT(K, deprecated.vars),
     .shape = KUSTOMIZE_SHAPE_VAR},
    {"sortOptions", KUSTOMIZE_STRUCT, AT(K, sort_options), HAS(K, has_sort_options),
     .shape = KUSTOMIZE_SHAPE_SORT_OPTIONS},
    {"resources", KUSTOMIZE_TEXTS, AT(K, resources)},
    {"components", KUSTOMIZE_TEXTS, AT(K, components)},
    {"crds", KUSTOMIZE_TEXTS, AT(K, crds)},
    {"bases", KUSTOMIZE_TEXTS, AT(K, deprecated.bases), NODE_AT(K, deprecated.bases_node)},
    {"configMapGenerator", KUSTOMIZE_STRUCTS, AT(K, config_maps),
     .shape = KUSTOMIZE_SHAPE_CONFIG_MAP},
    {"secretGenerator", KUSTOMIZE_STRUCTS, AT(K, secrets), .shape = KUSTOMIZE_SHAPE_GENERATOR},
    {"helmGlobals", KUSTOMIZE_STRUCT, HAS(K, deprecated.has_helm_globals),
     .shape = KUSTOMIZE_SHAPE_HELM_GLOBALS},
    {"helmCharts", KUSTOMIZE_STRUCTS, AT(K, charts), .shape = KUSTOMIZE_SHAPE_CHART},
    {"helmChartInflationGenerator", KUSTOMIZE_STRUCTS, AT(K, deprecated.charts),
     .shape = KUSTOMIZE_SHAPE_OLD_CHART},
    {"generatorOptions", KUSTOMIZE_STRUCT, AT(K, generator_options), HAS(K, has_generator_options),
     .shape = KUSTOMIZE_SHAPE_GENERATOR_OPTIONS},
    {"configurations", KUSTOMIZE_TEXTS, AT(K, configurations)},
    {"generators", KUSTOMIZE_TEXTS, AT(K, generators)},
    {"transformers", KUSTOMIZE_TEXTS, AT(K, transformers)},
    {"validators", KUSTOMIZE_TEXTS, AT(K, validators)},
    {"buildMetadata", KUSTOMIZE_TEXTS, AT(K, metadata_options)},
    END,
};
const struct kustomize_shape kustomize_shape_kustomization = {
    .size = sizeof(K), .fields = kustomization, NODE_AT(K, root)};

/* ---- shapes by number */

static const struct kustomize_shape *const shapes[] = {
    [KUSTOMIZE_SHAPE_SELECTOR] = &kustomize_shape_selector,
    [KUSTOMIZE_SHAPE_PATCH_OPTIONS] = &shape_patch_options,
    [KUSTOMIZE_SHAPE_FIELD_SPEC] = &kustomize_shape_field_spec,
    [KUSTOMIZE_SHAPE_GENERATOR_OPTIONS] = &shape_generator_options,
    [KUSTOMIZE_SHAPE_REPLACEMENT_OPTIONS] = &shape_replacement_options,
    [KUSTOMIZE_SHAPE_SOURCE] = &shape_source,
    [KUSTOMIZE_SHAPE_TARGET] = &shape_target,
    [KUSTOMIZE_SHAPE_OBJREF] = &shape_objref,
    [KUSTOMIZE_SHAPE_FIELDREF] = &shape_fieldref,
    [KUSTOMIZE_SHAPE_LEGACY_SORT] = &shape_legacy_sort,
    [KUSTOMIZE_SHAPE_METADATA] = &shape_metadata,
    [KUSTOMIZE_SHAPE_OPENAPI] = &shape_openapi,
    [KUSTOMIZE_SHAPE_LABEL] = &kustomize_shape_label,
    [KUSTOMIZE_SHAPE_PATCH] = &kustomize_shape_patch,
    [KUSTOMIZE_SHAPE_IMAGE] = &kustomize_shape_image,
    [KUSTOMIZE_SHAPE_REPLACEMENT] = &kustomize_shape_replacement,
    [KUSTOMIZE_SHAPE_REPLICA] = &kustomize_shape_replica,
    [KUSTOMIZE_SHAPE_VAR] = &shape_var,
    [KUSTOMIZE_SHAPE_SORT_OPTIONS] = &shape_sort_options,
    [KUSTOMIZE_SHAPE_CONFIG_MAP] = &shape_config_map,
    [KUSTOMIZE_SHAPE_GENERATOR] = &kustomize_shape_generator,
    [KUSTOMIZE_SHAPE_HELM_GLOBALS] = &shape_helm_globals,
    [KUSTOMIZE_SHAPE_CHART] = &kustomize_shape_chart,
    [KUSTOMIZE_SHAPE_OLD_CHART] = &shape_old_chart,
    [KUSTOMIZE_SHAPE_ARGUMENTS_METADATA] = &kustomize_shape_arguments_metadata,
};

const struct kustomize_shape *kustomize_shape_of(enum kustomize_shape_id id) { return shapes[id]; }
