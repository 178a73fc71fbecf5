/* What rules.c and its parts share: x-kubernetes-validations. Under the lock. */
#pragma once
#include "expr/cel/cel.h"
#include "sandbox/types/crd.h"

struct sb_rule {
    const struct doc_node *node;           /* of the definition */
    struct cel_program *program, *message; /* NULL: it does not compile; there is none */
    bool uses_old, is_optional;
};
struct sb_rules { /* of one schema */
    struct sb_rule *v;
    size_t len;
};

/* What self and oldSelf are at a schema from now on. */
int sb_rule_declare(struct sb_compiled *c, const struct doc_node *schema, bool is_root,
                    bool is_optional, struct err *e) MUST_CHECK;
bool sb_rule_uses_old(const struct doc_node *rule);

/* ---- rule_value.c */
/* The schema as a type of CEL, appended. False: it has none, and no rule may name it. */
bool sb_rule_type(const struct doc_node *schema, bool is_root, struct buf *out);
/* A value as its schema says: names escaped, times as times. Items of sets and of lists with keys
 * take the order that they have in `like`, which may be NULL: there order means nothing. */
struct cel_value sb_rule_value(struct arena *arena, const struct doc_node *schema, bool is_root,
                               const struct doc_node *n, const struct doc_node *like);
/* Appends fieldPath to the path of an object. False: it leads nowhere in the schema. */
bool sb_rule_path(const struct doc_node *schema, str field_path, struct buf *path);
