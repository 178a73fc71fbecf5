/* Small node functions of kyaml that others build on. Pure apart from the set. */
#pragma once
#include "base/err.h"
#include "doc/node.h"

/* The type kyaml's messages name: "MappingNode". */
const char *doc_kyaml_kind(const struct doc_node *n);
/* ERR_INVALID "wrong node kind: expected MappingNode but got SequenceNode: node contents: …" unless
 * n is of the type. */
int doc_expect(const struct doc_node *n, enum doc_type type, struct err *e) MUST_CHECK;
/* Sets an entry of a map with the styles of its key and value: that of `name` (empty: of the key)
 * becomes it in place, else it goes to the end. The value must have no parent. */
int doc_set_entry(struct doc_set *set, struct doc_node *map, str name, str key,
                  enum doc_style key_style, struct doc_node *value, struct err *e) MUST_CHECK;
/* Are lists below a key indented by two in this text (its first block list decides)? */
bool doc_has_wide_lists(str text);
/* Replaces aliases of a tree read with DOC_KEEP_ALIASES by copies of what they refer to, and merge
 * keys ("<<") by the entries they bring, behind the map's own and, of several maps, the last one's
 * first. Anchors go. ERR_INVALID: "invalid map merge: received a nested sequence"; ERR_LIMIT beyond
 * ten million copied nodes or a thousand levels. */
int doc_resolve_anchors(struct doc_set *set, struct doc_node *root, struct err *e) MUST_CHECK;
