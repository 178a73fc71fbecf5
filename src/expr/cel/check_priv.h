/* What the files of CEL's checker share. A checker lives for one cel_check; types lie in the
 * parser's arena. */
#pragma once
#include "expr/cel/cel_priv.h"

struct cel_local {
    const struct cel_local *up;
    str name;
    const struct cel_type *type;
    uint32_t slot;
};
struct cel_checker {
    struct cel_parser *p;
    struct cel_program *program;
    const struct cel_local *locals;
    VEC(const struct cel_type *) bound; /* what instances of type parameters stand for */
    bool is_typed;
    unsigned folds;
    uint32_t block; /* slots of cel.block */
    size_t block_len;
};
/* Parameters of a function become instances of their own. */
struct cel_instance {
    char names[8];
    const struct cel_type *types[8];
    size_t len;
};

extern const struct cel_type cel_error_type; /* of what was refused already: fits everything */

/* check.c: gives a node and those below it their types. */
const struct cel_type *cel_check_node(struct cel_checker *c, struct cel_node *n);

/* check_types.c */
const struct cel_type *cel_check_fresh(struct cel_checker *c); /* a new type parameter */
const struct cel_type *cel_check_resolve(const struct cel_checker *c, const struct cel_type *t);
/* With everything that is known put in; what is not known is dyn when it is final. */
const struct cel_type *cel_check_substitute(struct cel_checker *c, const struct cel_type *t,
                                            bool is_final);
/* Does a value of type `from` go where `to` is wanted? Parameters are bound on the way. */
bool cel_check_fits(struct cel_checker *c, const struct cel_type *to, const struct cel_type *from);
/* The same, leaving no trace when it does not. */
bool cel_check_try_fits(struct cel_checker *c, const struct cel_type *to,
                        const struct cel_type *from);
const struct cel_type *cel_check_instantiate(struct cel_checker *c, struct cel_instance *in,
                                             const struct cel_type *t);
bool cel_check_is_same(const struct cel_checker *c, const struct cel_type *a,
                       const struct cel_type *b);
/* The less specific of two types that fit. */
const struct cel_type *cel_check_generalize(struct cel_checker *c, const struct cel_type *a,
                                            const struct cel_type *b);
str cel_check_printed(struct cel_checker *c, const struct cel_type *t); /* in the arena */
/* What an optional holds; the type itself when it is none. */
const struct cel_type *cel_check_unwrapped(const struct cel_type *t, bool *is_optional);

/* check_names.c */
/* "a.b.c" of a chain of selections; false when something else is in it. */
bool cel_check_chain(const struct cel_node *n, struct buf *out);
const struct cel_node *cel_check_chain_root(const struct cel_node *n);
const struct cel_local *cel_check_local(const struct cel_checker *c, str name);
/* The function of a name, in the container and each of its parents; *ret_name is the name it has
 * there. NULL: none. */
const struct cel_function *cel_check_function(struct cel_checker *c, str name, bool is_rooted,
                                              str *ret_name);
/* A chain that is a declared name, or a type's; NULL when it is neither. */
const struct cel_type *cel_check_name(struct cel_checker *c, struct cel_node *n);
const struct cel_type *cel_check_ident(struct cel_checker *c, struct cel_node *n);

/* check_call.c */
const struct cel_type *cel_check_call(struct cel_checker *c, struct cel_node *n);
