/* Merging as kustomize's kyaml does it: strategic merge that keeps comments, styles and order of
 * the target (two ways), and changes of one text carried over to another (three ways). Lists merge
 * item by item where the schema says so, or a comment that holds a schema: "#
 * {"type":"array","x-kubernetes-patch-strategy":"merge",…}". Pure apart from the set.
 *
 * Errors are ERR_INVALID: "wrong node kind: expected MappingNode but got ScalarNode", "unknown
 * patch strategy 'x'"; ERR_LIMIT beyond a thousand levels. */
#pragma once
#include "base/err.h"
#include "doc/node.h"
#include "doc/schema.h"

enum doc_kyaml_flags {
    DOC_KYAML_PREPEND = 1 << 0, /* new items of associative lists go in front, as in a build */
    DOC_KYAML_INFER = 1 << 1, /* lists without a schema whose items have a "name" (or its like) are
                                 associative, too */
    DOC_KYAML_DEFAULT_KEYS = 1 << 2, /* parts of compound keys that items leave out have their
                                        defaults in the API, "protocol: TCP"; upstream loses fields
                                        and items then */
};

/* Merges patch into dest, a tree of set without a parent or NULL, which is changed. *ret is the
 * result, which may be another node, or NULL when nothing is left. */
int doc_kyaml_merge(struct doc_set *set, struct doc_node *dest, const struct doc_node *patch,
                    const struct doc_schema *schema, unsigned flags, struct doc_node **ret,
                    struct err *e) MUST_CHECK;
/* Applies to dest what changed from origin to update. */
int doc_kyaml_merge3(struct doc_set *set, struct doc_node *dest, const struct doc_node *origin,
                     const struct doc_node *update, const struct doc_schema *schema, unsigned flags,
                     struct doc_node **ret, struct err *e) MUST_CHECK;

enum doc_directive { DOC_DIRECTIVE_REPLACE = 1, DOC_DIRECTIVE_DELETE, DOC_DIRECTIVE_MERGE };
/* Takes the $patch directive out of a map, or out of a list, where it is an item of its own. */
int doc_directive_take(struct doc_node *patch, enum doc_directive *ret, struct err *e) MUST_CHECK;

/* Gives the nodes of `to` the comments of those of `from` that have the same path; items of
 * associative lists by key, others by place while they are equal. What has a comment of its own
 * keeps it. */
int doc_copy_comments(struct doc_set *set, const struct doc_node *from, struct doc_node *to,
                      const struct doc_schema *schema, struct err *e) MUST_CHECK;
/* Gives maps of `to` the order of keys that those of `from` have; keys that from lacks go behind.
 * Lists keep theirs. */
int doc_copy_order(struct doc_set *set, const struct doc_node *from, struct doc_node *to,
                   struct err *e) MUST_CHECK;
