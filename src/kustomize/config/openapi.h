/* Schemas of the user's own (kustomize spec 13): which lists merge by which keys. A schema is
 * constant once it is made. */
#pragma once
#include "kustomize/shared.h"

/* The level's `openapi` becomes the schema of the build, unless one is set. */
int kustomize_use_schema(struct kustomize_level *level, struct err *e) MUST_CHECK;
/* A schema over the `definitions` of OpenAPI documents, which must outlive it (as set must);
 * below_it (or NULL) knows what they do not define. */
const struct doc_schema *kustomize_openapi_new(struct doc_set *set,
                                               const struct doc_node *const *definitions,
                                               size_t count, const struct doc_schema *below_it);
/* The schema of one kind, from the openAPIV3Schema of a CustomResourceDefinition: lists of type
 * "map" merge by their keys. */
const struct doc_schema *kustomize_openapi_of_type(struct doc_set *set, const struct res_gvk *gvk,
                                                   const struct doc_node *type);
void kustomize_openapi_free(const struct doc_schema *schema); /* NULL is fine */
