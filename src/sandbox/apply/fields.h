/* managedFields: who set what, and server-side apply on top of it. A set of fields is a document
 * in the FieldsV1 form itself. Under the lock. */
#pragma once
#include "sandbox/priv.h"

/* After a create (old NULL) or update by other means than apply: the manager owns what it changed,
 * others lose it. */
void sb_fields_changed(struct sandbox *sb, const struct sb_kind *kind, struct doc_set *set,
                       const struct doc_node *old, struct doc_node *now, str manager, str sub);
/* What an apply patch says against its type, which has neither unknown fields nor two items of one
 * name. ns: the namespace that the configuration itself names. (config.c) */
int sb_apply_check(struct sb_req *r, const struct doc_node *config, str ns);
/* The live object (NULL: none) with config applied, managedFields included. NULL with the request
 * failed: a conflict without force, or a mistake. */
struct doc_node *sb_fields_apply(struct sb_req *r, const struct doc_node *live,
                                 struct doc_node *config, str manager);
/* Whether the managers or their fields changed; times do not count. */
bool sb_fields_differ(const struct doc_node *a, const struct doc_node *b);
