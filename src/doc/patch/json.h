/* JSON Pointer (RFC 6901) and JSON Patch (RFC 6902).
 *
 * Patches change a tree in place, or not at all: what fails half-way is undone, order of keys and
 * comments included. Nodes of the patch are copied. Pure apart from the set; as thread-safe as it.
 */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

/* Carries out the list of operations. patch_set owns the patch and names its source in messages. On
 * failure the tree is as before and e is ERR_INVALID, with one diagnostic: the place of the
 * operation, its index, kind and path, and what is wrong. A failed test is ERR_CONFLICT. The tree
 * may not grow deeper than 10,000 or by more than 1,000,000 copied nodes. */
int doc_json_patch(struct doc_set *set, struct doc_node *root, const struct doc_set *patch_set,
                   const struct doc_node *patch, struct err *e) MUST_CHECK;
/* The same as Go's json-patch v4 understands it, which kustomize uses: indexes may have signs and
 * leading zeros and count from the end when negative ("-1" is the last item, for `add` the place
 * behind it); `replace` adds a key that is not there, `copy` takes null from one and `test` finds
 * null; a missing value is null; text before the first '/' is not looked at; the whole document can
 * only be replaced and tested. */
int doc_json_patch_lenient(struct doc_set *set, struct doc_node *root,
                           const struct doc_set *patch_set, const struct doc_node *patch,
                           struct err *e) MUST_CHECK;
