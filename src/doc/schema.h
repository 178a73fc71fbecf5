/* What merging must know about types: a schema answers questions about shapes, small numbers that
 * stand for places in it. doc/ knows no schema itself; res/ has the built-in ones, and others may
 * bring theirs. Schemas are immutable. */
#pragma once
#include "base/str.h"

typedef uint32_t doc_shape; /* 0: unknown, and so is everything below it */

enum doc_shape_kind { DOC_SHAPE_UNKNOWN, DOC_SHAPE_SCALAR, DOC_SHAPE_LIST, DOC_SHAPE_MAP };
enum { DOC_SHAPE_MAX_KEYS = 4 };

struct doc_shape_info {
    enum doc_shape_kind kind;
    bool is_merge; /* x-kubernetes-patch-strategy: lists merge item by item, by merge_key or as sets
                      of scalars */
    bool is_replace;   /* …: replace */
    bool retains_keys; /* …: retainKeys */
    bool is_atomic;    /* x-kubernetes-list-type or -map-type: atomic */
    bool is_set;       /* x-kubernetes-list-type: set */
    bool is_open;      /* values of any shape below it: maps of unknown fields, raw extensions */
    str merge_key;     /* x-kubernetes-patch-merge-key, or empty */
    str keys[DOC_SHAPE_MAX_KEYS]; /* x-kubernetes-list-map-keys */
    size_t key_count;
    str type; /* "string", "integer", "number", "boolean", "object", "array"; empty: any
                 (int-or-string) */
};

struct doc_schema {
    /* The shape of objects of a kind; 0 when it is unknown. */
    doc_shape (*root)(const struct doc_schema *s, str group, str version, str kind);
    doc_shape (*field)(const struct doc_schema *s, doc_shape shape, str key); /* a map's member */
    /* The shape that a name means ("io.k8s.api.core.v1.Container"); NULL: names mean nothing. */
    doc_shape (*definition)(const struct doc_schema *s, str name);
    doc_shape (*item)(const struct doc_schema *s, doc_shape shape); /* a list's items */
    void (*info)(const struct doc_schema *s, doc_shape shape, struct doc_shape_info *ret);
};
/* The shape for an object by its apiVersion and kind. schema may be NULL: 0. */
struct doc_node;
doc_shape doc_schema_of(const struct doc_schema *s, const struct doc_node *object);
