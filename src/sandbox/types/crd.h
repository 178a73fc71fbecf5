/* CustomResourceDefinitions: what they make the server serve, and what their schemas say. Under
 * the lock. */
#pragma once
#include "sandbox/priv.h"

/* What of schemas was compiled: patterns and rules, when they were needed first. {0} is empty. */
struct sb_compiled {
    struct map patterns; /* text -> struct re */
    struct map rules;    /* bytes of a schema's address -> struct sb_rules */
    struct cel_env *env;
    struct arena arena;
};
void sb_compiled_done(struct sb_compiled *c);
AUTO_VALUE(struct sb_compiled, sb_compiled_done)

struct sb_crd { /* kept until the sandbox stops; a new one for each change of the definition */
    struct doc_set *set;
    const struct doc_node *root;
    struct sb_compiled compiled;
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

/* ---- crd_check.c, structural.c: mistakes of the definition itself */
void sb_crd_validate(const struct doc_node *definition, struct sb_causes *c);
void sb_structural_check(const struct doc_node *schema, str path, struct sb_causes *c);

/* ---- schema.c: structural schemas */
/* Defaults are filled in; null goes where none is allowed. */
void sb_schema_default(const struct doc_node *schema, struct doc_set *set, struct doc_node *object);
/* Keywords, then rules; old is the state before, or NULL: what did not change is not judged
 * again. */
void sb_schema_validate(const struct sb_kind *kind, const struct doc_node *object,
                        const struct doc_node *old, struct sb_causes *c);
bool sb_schema_has_rules(const struct doc_node *schema);
/* A value at a path of its own: what a schema says of its default. */
void sb_schema_check(const struct doc_node *schema, struct sb_compiled *compiled,
                     const struct doc_node *value, str path, struct sb_causes *c);
/* The schema of a map's field, or NULL. */
const struct doc_node *sb_schema_below(const struct doc_node *schema, str key);
/* What tells an item of a set (keys is NULL), or of a list with keys, from the others. */
void sb_schema_identity(const struct doc_node *keys, const struct doc_node *item, struct buf *out);
/* The item of that identity, or NULL. */
const struct doc_node *sb_schema_same_item(const struct doc_node *keys, const struct doc_node *list,
                                           const struct doc_node *item);

/* ---- schema_value.c: one value beside the keywords of one schema, its children left out */
struct sb_check {
    struct sb_compiled *compiled;
    struct sb_causes *c;
    struct buf path;
};
/* Of a value whose type is right. False: its children are not looked at. */
bool sb_schema_value(struct sb_check *k, const struct doc_node *schema, const struct doc_node *n);

/* ---- formats.c */
bool sb_format_is_known(str format);
bool sb_format_fits(struct sb_compiled *compiled, str format, str text);
/* The pattern, compiled once; NULL when it is none. */
const struct re *sb_pattern(struct sb_compiled *compiled, str pattern);

/* ---- rules.c: x-kubernetes-validations */
void sb_rules_check(struct sb_compiled *compiled, const struct doc_node *schema,
                    const struct doc_node *object, const struct doc_node *old, struct sb_causes *c);
/* Mistakes of the rules of one schema, `path` being its own. `uncorrelated` is the path of a list
 * above it whose items have no past, so that rules cannot ask for oldSelf; or empty. */
void sb_rules_validate(struct sb_compiled *compiled, const struct doc_node *schema, str path,
                       bool is_root, str uncorrelated, struct sb_causes *c);
