/* The built-in kinds, as two generated tables that are kept apart (tools/gen_schema): what
 * kustomize's own schema says (kyaml v0.21.2: Kubernetes 1.21), and what an API server of 1.34
 * says. Constant data; any thread. */
#pragma once
#include "doc/schema.h"
#include "res/id.h"

const struct doc_schema *res_kustomize_schema(void);
const struct doc_schema *res_kubernetes_schema(void);

/* Is the kind in the table, and has it a namespace there? -1: unknown, else 0 or 1. */
int res_schema_is_namespaced(const struct doc_schema *s, const struct res_gvk *gvk);
/* The fields of a shape in order of name, for listings and "did you mean": the count; ret may be
 * NULL. */
size_t res_schema_fields(const struct doc_schema *s, doc_shape shape, str *ret, size_t max);
/* Those of them that every object must have. */
size_t res_schema_required(const struct doc_schema *s, doc_shape shape, str *ret, size_t max);
/* Is it a field by name? Fields of any shape have the shape 0, as those that are not there. */
bool res_schema_has_field(const struct doc_schema *s, doc_shape shape, str key);
/* The definition that a shape refers to ("io.k8s.apimachinery.pkg.api.resource.Quantity"), or
 * empty; only of the API server's table. */
str res_schema_reference(const struct doc_schema *s, doc_shape shape);
