/* Replacements: values, field paths, and setting what they lead to (kustomize spec 12). Who is
 * selected is for the callers: kustomize's transformer, the kit's gfn_replace. Pure apart from the
 * sets. */
#pragma once
#include "base/vec.h"
#include "doc/path.h"
#include "re/re.h"

struct res_replace_options {
    str delimiter; /* empty: whole values */
    int64_t index;
    str encoding;
    bool create;
};

/* What is put into targets: a node of a source, or a text. */
struct res_value {
    struct doc_set *set;         /* the node's */
    const struct doc_node *node; /* never NULL */
    str text;                    /* of a scalar; "" of collections */
    bool is_part;                /* the text is a part of the node's, or one of its own */
};

/* A field that a path leads to. */
struct res_place {
    struct doc_node *node;
    bool is_new; /* a scalar made for the value: the value's text decides its type */
};
struct res_places {
    struct res_place *v;
    size_t len, cap;
};

struct res_path_options {
    struct doc_set *set; /* of the tree */
    bool create;         /* make what is missing, */
    enum doc_type made;  /* the last one as a list, a map or else a scalar */
    bool is_fixed;       /* conditions compare instead of searching for a pattern: KD-13 */
    bool *ret_searched;  /* or NULL: set when a condition took what does not equal it */
};

/* ---- replace_path.c */

/* The field a source's path leads to, NULL when there is none: keys, indexes, "-" for the last
 * item, conditions that compare. ERR_INVALID when a step does not fit or is "*". */
int res_path_lookup(const struct doc_set *set, const struct doc_node *root,
                    const struct doc_path *path, size_t steps, struct doc_node **ret,
                    struct err *e) MUST_CHECK;
/* All fields a target's path leads to from the step `from` on. */
int res_path_find(struct doc_node *root, const struct doc_path *path, size_t from,
                  const struct res_path_options *options, struct res_places *ret,
                  struct err *e) MUST_CHECK;

/* ---- replace_set.c */

/* Puts the value at a place by upstream's rules. */
int res_value_set(struct doc_set *set, const struct res_place *place, const struct res_value *value,
                  const struct res_replace_options *options, struct err *e) MUST_CHECK;
enum res_inside {
    RES_INSIDE_NOT = 0, /* the path is an ordinary one */
    RES_INSIDE_DONE,
    RES_INSIDE_MISSING, /* the text has no such field; e says why, or nothing */
};
/* Puts the value into text that holds YAML or JSON, where the path leads there. -1 or the above. */
int res_value_set_inside(struct doc_set *set, struct doc_node *root, const struct doc_path *path,
                         const struct res_path_options *find, const struct res_value *value,
                         const struct res_replace_options *options, struct err *e) MUST_CHECK;
/* Takes the part of a source's text that the options name. ERR_INVALID when there is none. */
int res_value_take_part(struct res_value *value, const struct res_replace_options *options,
                        struct err *e) MUST_CHECK;
