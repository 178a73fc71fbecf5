/* Scalars whose text is copied about, by upstream's rules for its nodes: a node keeps its type and
 * gets another text (kustomize spec 12). Pure apart from the set. */
#pragma once
#include "base/err.h"
#include "doc/node.h"

/* The text of a scalar as it stands in its source: 0x1F, ~, 2020-01-01. Empty for collections. set
 * is the one the node was read into. */
str res_scalar_text(const struct doc_set *set, const struct doc_node *n);
/* Gives a scalar another text. A string stays one; a number, bool or null must be able to: else
 * ERR_INVALID "cannot decode !!str `abc` as a !!int". The text is copied. */
int res_scalar_set(struct doc_set *set, struct doc_node *n, str text, struct err *e) MUST_CHECK;
/* A scalar without a type: it is what its text means, also once it gets another one. Upstream makes
 * such where a path creates a field. It has the tag "?", which is never printed. */
struct doc_node *res_scalar_new_loose(struct doc_set *set, str text);
bool res_scalar_is_loose(const struct doc_node *n);
/* "!!int" and the like. */
const char *res_scalar_tag(const struct doc_node *n);
