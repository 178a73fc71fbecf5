/* CustomResourceDefinitions: what they make the server serve, and what their schemas say. Under
 * the lock. */
#pragma once
#include "sandbox/priv.h"

struct sb_crd { /* kept until the sandbox stops; a new one for each change of the definition */
    struct doc_set *set;
    const struct doc_node *root;
    struct sb_crd *next;
};

/* A definition was written: its versions are (re)registered and its status filled in. */
void sb_crd_apply(struct sandbox *sb, struct doc_set *set, struct doc_node *definition);
void sb_crd_removed(struct sandbox *sb, const struct doc_node *definition);
void sb_crd_done(struct sandbox *sb);
/* additionalPrinterColumns of a custom kind's version, or NULL. */
const struct doc_node *sb_crd_columns(const struct sb_kind *kind);
/* spec.versions entry of the kind, or NULL. */
const struct doc_node *sb_crd_version(const struct sb_kind *kind);
/* Mistakes of the definition itself. */
void sb_crd_validate(const struct doc_node *definition, struct sb_causes *c);

/* ---- schema.c: structural schemas */
void sb_schema_default(const struct doc_node *schema, struct doc_set *set, struct doc_node *object);
void sb_schema_validate(const struct doc_node *schema, const struct doc_node *object,
                        struct sb_causes *c);
