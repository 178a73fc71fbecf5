/* Field specs: which fields of which kinds a transformer touches (kustomize spec 9). Pure apart
 * from the set. */
#pragma once
#include "base/err.h"
#include "res/id.h"

struct res_field_spec {
    struct res_gvk gvk; /* empty parts match anything */
    str path;           /* divided by '/', "\/" is a slash; a name may end in "[]" */
    bool create;        /* make what is missing on the way */
};

/* Called for each field the spec selects; it may change the node or replace it (doc_replace). */
typedef int res_field_fn(void *ctx, struct doc_set *set, struct doc_node *field, struct err *e);

/* Visits the fields of an object of set. With spec->create a missing last field is made of the type
 * `made` (DOC_NULL: none is made). ERR_INVALID: "considering field 'a/b' of object
 * Bar.v1.foo/name.ns: expected sequence or mapping node". */
int res_field_spec_visit(struct doc_set *set, struct doc_node *object,
                         const struct res_field_spec *spec, enum doc_type made, res_field_fn *visit,
                         void *ctx, struct err *e) MUST_CHECK;

/* Many specs for many objects: paths are divided once, and the specs that select a kind are looked
 * for once for each kind. One thread at a time. */
struct res_field_plan; /* opaque, owner */
/* Specs are copied, their texts borrowed for the life of the plan. */
struct res_field_plan *res_field_plan_new(const struct res_field_spec *specs, size_t count);
void res_field_plan_free(struct res_field_plan *plan); /* NULL is fine */
AUTO_PTR(struct res_field_plan, res_field_plan_free)
/* Visits the fields that the specs select, spec by spec, in an object whose id this is. Like
 * res_field_spec_visit otherwise. */
int res_field_plan_visit(struct res_field_plan *plan, struct doc_set *set, struct doc_node *object,
                         const struct res_id *id, enum doc_type made, res_field_fn *visit,
                         void *ctx, struct err *e) MUST_CHECK;
