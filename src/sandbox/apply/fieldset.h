/* Sets of fields in the FieldsV1 form.
 *
 * A set is a map: "f:NAME" a field, "k:{…}" a list item by its keys, "v:…" a member of a set, "."
 * the thing itself. An empty map is a member without members below it. Pure apart from the sets. */
#pragma once
#include "sandbox/types/type.h"

/* The name of an item in a set: "k:{…}" or "v:…". STR_NONE when a key is missing. */
str sb_item_name(struct doc_set *set, enum sb_merge how, const struct sb_keys *keys,
                 const struct doc_node *item);

struct doc_node *sb_fieldset_of(struct doc_set *set, const struct sb_type *t,
                                const struct doc_node *value);
void sb_fieldset_add(struct doc_set *set, struct doc_node *to, const struct doc_node *from);
/* Takes out of `from` what is in `what`. */
void sb_fieldset_subtract(struct doc_node *from, const struct doc_node *what);
/* Takes out what is gone, with all that is below it. */
void sb_fieldset_drop(struct doc_node *from, const struct doc_node *gone);
/* What is in both. */
struct doc_node *sb_fieldset_common(struct doc_set *set, const struct doc_node *a,
                                    const struct doc_node *b);
/* Members that b has and a has not, or differently, go to changed; those only a has to removed. */
void sb_fieldset_compare(struct doc_set *set, const struct sb_type *t, const struct doc_node *a,
                         const struct doc_node *b, struct doc_node *changed,
                         struct doc_node *removed);
/* Takes the members of `what` out of an object, but for what has something of kept (NULL: nothing)
 * below it: of that only the rest goes. */
void sb_fieldset_delete(struct doc_set *set, const struct sb_type *t, struct doc_node *object,
                        const struct doc_node *what, const struct doc_node *kept);
/* Calls fn with the path of each member, ".spec.replicas". */
typedef void sb_path_fn(void *ctx, str path);
void sb_fieldset_paths(const struct doc_node *fields, struct buf *path, sb_path_fn *fn, void *ctx);
/* Appends one step of such a path: ".replicas", "[name=\"a\"]", "[=\"x\"]". */
void sb_fieldset_step(str name, struct buf *path);
