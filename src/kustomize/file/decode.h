/* Decoding maps into structs by tables (kustomize spec 2): which fields there are, what they hold,
 * where they go. The same tables read the fields of a kustomization and the objects of built-in
 * generators and transformers (spec 17).
 *
 * As Go's JSON decoder does it: letter case of names does not count, null leaves a field as it is.
 * All problems of a file are gathered. Arrays are made in the arena of the set; texts and nodes
 * are borrowed from the tree. Tables are constant; one set, one thread. */
#pragma once
#include "base/diag.h"
#include "kustomize/file/kustomization.h"

enum kustomize_field_kind {
    KUSTOMIZE_TEXT,     /* str */
    KUSTOMIZE_PLACED,   /* struct kustomize_text: a text and its node */
    KUSTOMIZE_BOOL,     /* bool */
    KUSTOMIZE_INT,      /* int64_t */
    KUSTOMIZE_TEXTS,    /* struct kustomize_text_list */
    KUSTOMIZE_PAIRS,    /* struct kustomize_pairs */
    KUSTOMIZE_STRUCT,   /* of `shape`, in place; offset 0 may be a struct around it */
    KUSTOMIZE_STRUCTS,  /* KUSTOMIZE_ITEMS of `shape` */
    KUSTOMIZE_NODE,     /* const struct doc_node *: taken as it is */
    KUSTOMIZE_MAP_NODE, /* the same, must be a map */
    KUSTOMIZE_IGNORED,
    KUSTOMIZE_CHECKED_TEXT, /* ignored, but must be a text */
    KUSTOMIZE_CHECKED_TEXTS /* the same, a map of them */
};

/* Shapes that are part of others: a number, as a row without pointers is not written to when the
 * program starts (docs/decisions/6-start.md). */
enum kustomize_shape_id {
    KUSTOMIZE_SHAPE_SELECTOR,
    KUSTOMIZE_SHAPE_PATCH_OPTIONS,
    KUSTOMIZE_SHAPE_FIELD_SPEC,
    KUSTOMIZE_SHAPE_GENERATOR_OPTIONS,
    KUSTOMIZE_SHAPE_REPLACEMENT_OPTIONS,
    KUSTOMIZE_SHAPE_SOURCE,
    KUSTOMIZE_SHAPE_TARGET,
    KUSTOMIZE_SHAPE_OBJREF,
    KUSTOMIZE_SHAPE_FIELDREF,
    KUSTOMIZE_SHAPE_LEGACY_SORT,
    KUSTOMIZE_SHAPE_METADATA,
    KUSTOMIZE_SHAPE_OPENAPI,
    KUSTOMIZE_SHAPE_LABEL,
    KUSTOMIZE_SHAPE_PATCH,
    KUSTOMIZE_SHAPE_IMAGE,
    KUSTOMIZE_SHAPE_REPLACEMENT,
    KUSTOMIZE_SHAPE_REPLICA,
    KUSTOMIZE_SHAPE_VAR,
    KUSTOMIZE_SHAPE_SORT_OPTIONS,
    KUSTOMIZE_SHAPE_CONFIG_MAP,
    KUSTOMIZE_SHAPE_GENERATOR,
    KUSTOMIZE_SHAPE_HELM_GLOBALS,
    KUSTOMIZE_SHAPE_CHART,
    KUSTOMIZE_SHAPE_OLD_CHART,
    KUSTOMIZE_SHAPE_ARGUMENTS_METADATA,
};

struct kustomize_field {
    char name[28]; /* empty ends a table */
    enum kustomize_field_kind kind;
    uint16_t offset;
    uint16_t has_offset;  /* of a bool that says the field is there, plus 1; 0: none */
    uint16_t node_offset; /* of a const struct doc_node * for the field's value, plus 1 */
    enum kustomize_shape_id shape;
};
struct kustomize_shape {
    size_t size;
    const struct kustomize_field *fields;
    uint16_t node_offset; /* of a const struct doc_node * for the map, plus 1; 0: none */
    bool is_open;         /* unknown fields are no error */
};
const struct kustomize_shape *kustomize_shape_of(enum kustomize_shape_id id);

/* ret is a struct of the shape, cleared by the caller. Problems are added to diags with their
 * places; is_lenient passes unknown fields over and takes numbers and booleans for texts, as
 * upstream does in objects. */
void kustomize_decode(const struct kustomize_shape *shape, struct doc_set *set,
                      const struct doc_node *map, bool is_lenient, void *ret,
                      struct diag_list *diags);
/* A list, or a single map where `kustomize_shape` stands for the items. */
void kustomize_decode_list(const struct kustomize_shape *shape, struct doc_set *set,
                           const struct doc_node *list, bool is_lenient, void *ret_items,
                           struct diag_list *diags);

extern const struct kustomize_shape kustomize_shape_kustomization, kustomize_shape_generator,
    kustomize_shape_patch, kustomize_shape_json6902, kustomize_shape_replacement,
    kustomize_shape_chart_generator, kustomize_shape_arguments_metadata;
