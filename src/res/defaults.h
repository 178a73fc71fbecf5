/* Which fields transformers touch when nobody says otherwise: the tables of kustomize v5.8.2
 * (kustomize spec, appendix B). Constant data; any thread. */
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
