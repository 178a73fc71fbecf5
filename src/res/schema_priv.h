/* The layout of the generated tables of built-in kinds (tools/gen_schema). Texts are offsets into
 * `words`. */
#pragma once
#include "res/schema.h"

enum res_shape_flags {
    RES_MERGE = 1 << 0,
    RES_REPLACE = 1 << 1,
    RES_RETAIN_KEYS = 1 << 2,
    RES_ATOMIC = 1 << 3,
    RES_SET = 1 << 4,
    RES_OPEN = 1 << 5,
};
enum res_shape_type {
    RES_ANY,
    RES_STRING,
    RES_INTEGER,
    RES_NUMBER,
    RES_BOOLEAN,
    RES_ARRAY,
    RES_OBJECT
};

struct res_shape {
    uint8_t kind;  /* enum doc_shape_kind */
    uint8_t flags; /* enum res_shape_flags */
    uint8_t type;  /* enum res_shape_type */
    uint8_t key_count;
    uint32_t merge_key;
    uint16_t keys;  /* first of x-kubernetes-list-map-keys */
    uint16_t child; /* shape of items, or of a map's values */
    uint16_t first_field, field_count;
};
enum res_format {
    RES_INT32 = 1,
    RES_INT64,
    RES_DOUBLE,
    RES_BYTE,
    RES_DATE_TIME,
    RES_INT_OR_STRING
};
struct res_reference {
    uint16_t definition; /* that the shape refers to: 1 + its row; or 0 */
    uint8_t format;      /* enum res_format, or 0 */
};
struct res_field {
    uint32_t name;
    uint16_t shape;
    uint8_t is_required;
};
struct res_root {
    uint32_t group, version, kind;
    uint16_t shape;
    int8_t is_namespaced; /* -1: unknown */
};

struct res_table {
    struct doc_schema schema; /* first: a schema is its table */
    const char *words;
    const struct res_field *fields; /* of a shape: sorted by name */
    const uint32_t *keys;
    const struct res_shape *shapes; /* the first is "unknown" */
    const struct res_root *roots;   /* sorted by kind, group, version */
    size_t root_count;
    const struct res_field *definitions; /* sorted by name */
    size_t definition_count;
    const struct res_reference *references; /* of each shape; NULL: not kept */
};
extern const struct res_table res_kustomize_table, res_kubernetes_table;

doc_shape res_schema_root(const struct doc_schema *s, str group, str version, str kind);
doc_shape res_schema_field(const struct doc_schema *s, doc_shape shape, str key);
doc_shape res_schema_definition(const struct doc_schema *s, str name);
doc_shape res_schema_item(const struct doc_schema *s, doc_shape shape);
void res_schema_info(const struct doc_schema *s, doc_shape shape, struct doc_shape_info *ret);
#define RES_SCHEMA_FUNCTIONS                                                                       \
    {                                                                                              \
        res_schema_root, res_schema_field, res_schema_definition, res_schema_item, res_schema_info \
    }
