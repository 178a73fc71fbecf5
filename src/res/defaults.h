/* Which fields transformers touch when nobody says otherwise: the tables of kustomize v5.8.2
 * (kustomize spec, appendices A and B). Constant data; any thread. */
#pragma once
#include "res/fieldspec.h"

enum res_fields {
    RES_NAME_FIELDS, /* prefix and suffix */
    RES_NAMESPACE_FIELDS,
    RES_LABEL_FIELDS, /* commonLabels: selectors included */
    RES_TEMPLATE_LABEL_FIELDS,
    RES_CLAIM_LABEL_FIELDS,
    RES_ANNOTATION_FIELDS,
    RES_IMAGE_FIELDS,
    RES_REPLICA_FIELDS,
};
/* A field of these tables. There are some hundred rows, few of which a build looks at: without
 * pointers none is written to when the program starts. */
struct res_field_row {
    uint8_t kind_len, group_len, version_len, path_len;
    char kind[36], group[32], version[4], path[136];
    bool create;
};
const struct res_field_row *res_default_fields(enum res_fields what, size_t *ret_count);
struct res_field_spec res_field_row_spec(const struct res_field_row *row);
/* The row's kind is this one, or any will do. */
static inline bool res_field_row_is_of(const struct res_field_row *row, str kind)
{
    if (row->kind_len != kind.len)
        return row->kind_len == 0;
    return kind.len == 0 || (row->kind[0] == kind.p[0] && memcmp(row->kind, kind.p, kind.len) == 0);
}

/* The fields that hold names of others, kind by kind:
 *
 *     struct res_reference_iter it = res_references_of(kind);   or res_references(): of all kinds
 *     while (res_next_reference(&it))
 *         use(&it.field, it.target);
 *
 * Those of a kind come in the order of the targets. */
struct res_reference_iter {
    struct res_field_spec field;
    const struct res_gvk *target; /* one of res_reference_targets */
    size_t at, end;
};
struct res_reference_iter res_references_of(str kind);
struct res_reference_iter res_references(void);
bool res_next_reference(struct res_reference_iter *it);
const struct res_gvk *res_reference_targets(size_t *ret_count);

const struct res_field_row *res_default_var_fields(size_t *ret_count); /* may hold $(VAR) */
