/* Types of objects, place by place: in a CRD's schema, or in the table of built-in kinds. They say
 * which fields there are, what stands in them, and how lists and maps merge. Borrowed from the
 * kind; pure. */
#pragma once
#include "doc/schema.h"
#include "sandbox/priv.h"

enum sb_merge { SB_ATOMIC = 0, SB_SET, SB_MAP, SB_GRANULAR /* maps: key by key */ };

/* Where in a type we are: in a CRD's schema, or in the table of built-in kinds. */
struct sb_type {
    bool is_custom;
    bool is_root;                  /* an object, with apiVersion, kind and metadata */
    const struct doc_node *schema; /* of a custom kind, or NULL: nothing is known */
    doc_shape shape;               /* of a built-in kind; 0: nothing is known */
};
struct sb_keys { /* fields that tell a list's items apart, by name */
    struct {
        str name;
        const struct doc_node *fallback; /* what stands for it when it is not there, or NULL */
    } v[DOC_SHAPE_MAX_KEYS];
    size_t count;
};
struct sb_type sb_type_root(const struct sb_kind *kind);
struct sb_type sb_type_field(const struct sb_type *t, str name);
struct sb_type sb_type_item(const struct sb_type *t);
/* How a list or map of this type merges; *ret_keys for SB_MAP. */
enum sb_merge sb_type_merge(const struct sb_type *t, const struct doc_node *value,
                            struct sb_keys *ret_keys);
/* May a map have the field? What nothing is known of has all. */
bool sb_type_declares(const struct sb_type *t, str name);
/* A map with fields of its own, not one from any name to a value. */
bool sb_type_is_struct(const struct sb_type *t);
/* "string", "integer", "number", "boolean", "object", "array", or empty: any. */
str sb_type_name(const struct sb_type *t);
/* Nothing is known of it, or any JSON may stand there (a built-in type). */
bool sb_type_is_any(const struct sb_type *t);
/* "1500m": a text that may be written as a number. */
bool sb_type_is_quantity(const struct sb_type *t);
/* Appends the keys of a map in their order, borrowed. */
void sb_sorted_keys(const struct doc_node *map, struct str_vec *ret);
