/* What the transformers that set fields share: visiting the fields of many resources, and setting
 * scalars as kyaml does. The level's thread. */
#pragma once
#include "kustomize/transform.h"

/* Visits the fields that specs select in every resource of the list, and keeps the list's index
 * true when ids are among them. begin is called in front of each resource. made, visit, ctx: as in
 * res/fieldspec.h. */
int kustomize_visit_each(struct kustomize_resmap *m, const struct kustomize_specs *specs,
                         enum doc_type made, void (*begin)(void *ctx), res_field_fn *visit,
                         void *ctx, struct err *e) MUST_CHECK;

/* Gives a scalar another text (copied) and takes its type: upstream sets a
 * node without a tag, so that the name "rue" with the prefix "t" is a boolean. One that was quoted
 * stays a string. Empty texts change nothing. ERR_INVALID: "wrong
 * node kind: expected ScalarNode but got MappingNode: ..." */
int kustomize_set_scalar(struct doc_set *set, struct doc_node *n, str text,
                         struct err *e) MUST_CHECK;
/* Gives a scalar a string as its value. */
int kustomize_set_string(struct doc_set *set, struct doc_node *n, str text,
                         struct err *e) MUST_CHECK;
