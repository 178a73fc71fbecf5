/* Decoding maps into structs by tables (kustomize spec 2): which fields there are, what they hold,
 * where they go. The same tables read the fields of a kustomization and the objects of built-in
 * generators and transformers (spec 17).
 *
 * As Go's JSON decoder does it: letter case of names does not count, null leaves a field as it is.
 * All problems of a file are gathered. Arrays are made in the arena of the set; texts and nodes are
 * borrowed from the tree. */
#pragma once
#include "base/diag.h"
#include "kustomize/kustomization.h"

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
};

struct kustomize_shape;
struct kustomize_field {
    const char *name; /* NULL ends a table */
    enum kustomize_field_kind kind;
    uint16_t offset;
    uint16_t has_offset;  /* of a bool that says the field is there, plus 1; 0: none */
    uint16_t node_offset; /* of a const struct doc_node * for the field's value, plus 1 */
    const struct kustomize_shape *shape;
};
struct kustomize_shape {
    size_t size;
    const struct kustomize_field *fields;
    uint16_t node_offset; /* of a const struct doc_node * for the map, plus 1; 0: none */
    bool is_open;         /* unknown fields are no error */
};

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
    kustomize_shape_label, kustomize_shape_patch, kustomize_shape_json6902, kustomize_shape_image,
    kustomize_shape_replica, kustomize_shape_replacement, kustomize_shape_field_spec,
    kustomize_shape_selector, kustomize_shape_chart, kustomize_shape_chart_generator;
