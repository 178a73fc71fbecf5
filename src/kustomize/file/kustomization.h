/* A kustomization file, decoded (kustomize spec 2, 3): one struct for each kind of entry.
 *
 * All texts and nodes are borrowed from the set the file was read into; arrays live in its arena.
 * `node` of a struct is the node it was decoded from, for places in messages (doc_place with the
 * level's set); NULL when the entry was made by the program. Absent texts are empty; where absence
 * matters there is a has_ flag. The same structs are the arguments of the transformers, whatever
 * file they came from: a field of a kustomization, or an object of kind PatchTransformer. Read by
 * one thread, constant from then on. */
#pragma once
#include "doc/node.h"
#include "res/fieldspec.h"
#include "res/replace.h"

/* A vector whose items live in the arena of the file's set; v, len as everywhere. */
#define KUSTOMIZE_ITEMS(type) \
    struct {                  \
        type *v;              \
        size_t len;           \
    }

/* A text that knows its node. */
struct kustomize_text {
    str text;
    const struct doc_node *node;
};
struct kustomize_pair {
    str key, value;
    const struct doc_node *node;
};
struct kustomize_pairs { /* sorted by key */
    struct kustomize_pair *v;
    size_t len;
};
struct kustomize_text_list {
    struct kustomize_text *v;
    size_t len;
};
struct kustomize_spec_list {
    struct res_field_spec *v;
    size_t len;
};

/* Which resources: texts that are patterns or not, as the user of the selector says. */
struct kustomize_selector {
    str group, version, kind, name, ns, label_selector, annotation_selector;
    const struct doc_node *node;
};
struct kustomize_selector_list {
    struct kustomize_selector *v;
    size_t len;
};

/* patches, patchesJson6902 (spec 10) */
struct kustomize_patch {
    str path, patch;
    bool has_target;
    struct kustomize_selector target;
    bool allow_name_change, allow_kind_change;
    const struct doc_node *node, *path_node, *patch_node;
};

/* labels (spec 9); commonLabels is the same with only pairs and include_selectors */
struct kustomize_label {
    struct kustomize_pairs pairs;
    bool include_selectors, include_templates, include_volume_claim_templates;
    struct kustomize_spec_list fields;
    const struct doc_node *node;
};

/* images (spec 11) */
struct kustomize_image {
    str name, new_name, new_tag, tag_suffix, digest;
    const struct doc_node *node;
};

struct kustomize_image_list {
    struct kustomize_image *v;
    size_t len;
};

struct kustomize_replica {
    str name;
    int64_t count;
    const struct doc_node *node;
};

/* configMapGenerator, secretGenerator (spec 6) */
struct kustomize_generator_options {
    struct kustomize_pairs labels, annotations;
    bool disable_hash, immutable;
};
struct kustomize_generator {
    bool is_secret;
    str name, ns, behavior, type;
    struct kustomize_text_list literals, files, envs; /* a legacy env is the last of envs */
    struct kustomize_text env;                        /* empty once it is there */
    struct kustomize_generator_options options; /* of the entry; the global ones are merged in by
                                                   the generator */
    const struct doc_node *node;
};
struct kustomize_generator_list {
    struct kustomize_generator *v;
    size_t len;
};

/* replacements (spec 12) */
struct kustomize_replacement_source {
    struct kustomize_selector select; /* plain equality */
    str field_path;
    bool has_options;
    struct res_replace_options options;
    const struct doc_node *node;
};
struct kustomize_replacement_target {
    bool has_select;
    struct kustomize_selector select;
    struct kustomize_selector_list reject;
    struct kustomize_text_list field_paths;
    bool has_options;
    struct res_replace_options options;
    const struct doc_node *node;
};
struct kustomize_replacement {
    str path; /* of a file that holds one or a list; then the rest is empty */
    bool has_source, has_source_value, has_targets, is_from_file;
    struct kustomize_replacement_source source;
    str source_value;
    KUSTOMIZE_ITEMS(struct kustomize_replacement_target) targets;
    const struct doc_node *node;
};
struct kustomize_replacement_list {
    struct kustomize_replacement *v;
    size_t len;
};

/* vars (spec 12) */
struct kustomize_var {
    str name;
    str api_version, group, version, kind, object_name, object_ns;
    str field_path; /* empty: metadata.name */
    const struct doc_node *node;
};

#define KUSTOMIZE_CHART_HOME "charts" /* where no chartHome is given */

/* helmCharts (spec 16) */
struct kustomize_chart {
    str name, repo, version, release_name, ns, values_file, values_merge, kube_version,
        name_template;
    struct kustomize_text_list additional_values_files, api_versions;
    const struct doc_node *values_inline;
    bool include_crds, skip_hooks, skip_tests, debug, devel;
    str chart_home, config_home; /* of the old spelling; then in the kustomization */
    const struct doc_node *node;
};
struct kustomize_chart_list {
    struct kustomize_chart *v;
    size_t len;
};

struct kustomize_sort_options {
    str order;
    bool has_legacy;
    struct kustomize_text_list order_first, order_last;
    const struct doc_node *node, *legacy_node;
};

enum kustomize_build_metadata {
    KUSTOMIZE_META_ORIGIN = 1 << 0,
    KUSTOMIZE_META_TRANSFORMATIONS = 1 << 1,
    KUSTOMIZE_META_MANAGED_BY = 1 << 2,
};

struct kustomization {
    str api_version, kind;
    bool is_component;
    const struct doc_node *root;
    struct kustomize_text_list resources, components, crds, configurations;
    str openapi_path, openapi_version;
    bool has_openapi;
    const struct doc_node *openapi_node;

    struct kustomize_generator_list config_maps, secrets;
    bool has_generator_options;
    struct kustomize_generator_options generator_options;
    struct kustomize_text_list generators, transformers, validators; /* paths or inline YAML */
    struct kustomize_chart_list charts;
    str chart_home, config_home;

    struct kustomize_text name_prefix, name_suffix, ns;
    struct kustomize_pairs common_labels, common_annotations;
    KUSTOMIZE_ITEMS(struct kustomize_label) labels;
    KUSTOMIZE_ITEMS(struct kustomize_patch) patches, json6902;
    struct kustomize_text_list strategic_merges; /* paths or inline documents */
    struct kustomize_image_list images;
    KUSTOMIZE_ITEMS(struct kustomize_replica) replicas;
    struct kustomize_replacement_list replacements;
    KUSTOMIZE_ITEMS(struct kustomize_var) vars;
    bool has_sort_options;
    struct kustomize_sort_options sort_options;
    struct kustomize_text_list metadata_options;
    unsigned build_metadata; /* enum kustomize_build_metadata; levels have that of the root */

    /* Fields of old spelling: where they stand (or NULL), and what of them is folded into the new
     * ones on reading. */
    struct {
        const struct doc_node *bases_node, *image_tags_node, *common_labels, *json6902,
            *strategic_merges, *vars;
        struct kustomize_text_list bases;
        struct kustomize_image_list image_tags;
        struct kustomize_chart_list charts;
        bool has_helm_globals;
    } deprecated;
};

struct kustomize_build;
/* Reads the text of the file named b->file in messages: decodes it, folds old fields into new ones,
 * checks kind and apiVersion. ERR_INVALID with a diagnostic for each problem; warnings about
 * deprecated fields go to the build. */
struct kustomization *kustomization_read(struct kustomize_build *b, str text,
                                         struct err *e) MUST_CHECK;
/* The same of a tree that has been read: one inlined in a Composition. */
struct kustomization *kustomization_decode(struct kustomize_build *b, const struct doc_node *root,
                                           struct err *e) MUST_CHECK;
