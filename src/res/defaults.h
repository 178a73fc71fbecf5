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
const struct res_field_spec *res_default_fields(enum res_fields what, size_t *ret_count);

/* The fields that hold names of objects of a kind. */
struct res_references {
    struct res_gvk target;
    const struct res_field_spec *rows;
    size_t count;
};
const struct res_references *res_default_references(size_t *ret_count);
const struct res_field_spec *res_default_var_fields(size_t *ret_count); /* may hold $(VAR) */
