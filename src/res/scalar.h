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
/* A scalar without a type: a string as long as a build works on it, what its text means unquoted
 * once it is settled, unless its style has quotes. Upstream makes such where a path creates a
 * field, and of every name, reference and image it sets. It is a string with a bool_val. */
struct doc_node *res_scalar_new_loose(struct doc_set *set, str text, enum doc_style style);
static inline bool res_scalar_is_loose(const struct doc_node *n)
{
    return doc_is_string(n) && n->bool_val;
}
/* A string that has another text since, and no quotes: loose when its type is taken. It is a string
 * with is_int. */
static inline bool res_scalar_is_bare(const struct doc_node *n)
{
    return doc_is_string(n) && n->is_int;
}
/* Gives a map's entry a text without a type: in the style of what is there, or in quotes where a
 * new one needs them. */
void res_scalar_put_loose(struct doc_set *set, struct doc_node *map, str key, str text);
/* The style a scalar has once its type is taken: a string that needs quotes has them, unless it is
 * bare. */
enum doc_style res_scalar_loose_style(struct doc_set *set, const struct doc_node *n);
/* Does a text mean something else than itself when it stands unquoted? */
bool res_text_is_other(struct doc_set *set, str text);
/* Is a scalar of the tree loose or bare? */
bool res_scalar_has_loose(const struct doc_node *n);
/* Makes every loose scalar of a tree what it means. */
void res_scalar_settle(struct doc_set *set, struct doc_node *n);
/* "!!int" and the like. */
const char *res_scalar_tag(const struct doc_node *n);
