/* Strategic merge patches as the API server applies them and as `kubectl apply` makes them
 * (apimachinery's strategicpatch): lists with a merge key merge item by item, others are replaced;
 * directives $patch (replace, delete, merge), $setElementOrder/LIST, $deleteFromPrimitiveList/LIST,
 * $retainKeys. Without a schema (NULL, or shape 0) maps merge and lists are replaced. Pure apart
 * from the set of the result. kyaml's own merging, which keeps comments, is doc/kyaml/merge.h. */
#pragma once
#include "base/err.h"
#include "doc/node.h"
#include "doc/schema.h"

/* Changes `original` (NULL: null), a tree of set without a parent, and returns the result, which
 * may be another node or NULL when the patch deletes it. Nothing of patch is taken over but copies.
 * ERR_INVALID: an unknown directive, an item without its merge key: "map: … does not contain
 * declared merge key: name". */
int doc_strategic_apply(struct doc_set *set, struct doc_node *original,
                        const struct doc_node *patch, const struct doc_schema *schema,
                        doc_shape shape, struct doc_node **ret, struct err *e) MUST_CHECK;
/* The patch that makes of `current` what `modified` wants, and removes what `original` (the
 * configuration applied last) had and modified has no more; what others added to current stays.
 * What both sides changed becomes what modified wants. An empty map when nothing is to do. */
struct doc_node *doc_strategic_three_way(struct doc_set *set, const struct doc_node *original,
                                         const struct doc_node *modified,
                                         const struct doc_node *current,
                                         const struct doc_schema *schema, doc_shape shape,
                                         struct err *e) MUST_CHECK;
