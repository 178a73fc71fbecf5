/* Replacements: values, field paths, and setting what they lead to (kustomize spec 12). */
#pragma once
#include "doc/path.h"
#include "kustomize/transform.h"
#include "re/re.h"

/* What is put into targets: a node of a source, or a text. */
struct kustomize_value {
    struct doc_set *set;         /* the node's */
    const struct doc_node *node; /* never NULL */
    str text;                    /* of a scalar; "" of collections */
    bool is_part;                /* the text is a part of the node's */
};

/* A field that a path leads to. */
struct kustomize_place {
    struct doc_node *node;
    bool is_new; /* a scalar made for the value: the value's text decides its type */
};
struct kustomize_places {
    struct kustomize_place *v;
    size_t len, cap;
};

struct kustomize_path_options {
    struct doc_set *set; /* of the tree */
    bool create;         /* make what is missing, */
    enum doc_type made;  /* the last one as a list, a map or else a scalar */
    bool is_fixed;       /* conditions compare instead of searching for a pattern: KD-13 */
    bool *ret_searched;  /* or NULL: set when a condition took what does not equal it */
};

/* ---- replace_path.c */

/* The field a source's path leads to, NULL when there is none: keys, indexes, "-" for the last
 * item, conditions that compare. ERR_INVALID when a step does not fit or is "*". */
int kustomize_path_lookup(const struct doc_set *set, const struct doc_node *root,
                          const struct doc_path *path, size_t steps, struct doc_node **ret,
                          struct err *e) MUST_CHECK;
/* All fields a target's path leads to from the step `from` on. */
int kustomize_path_find(struct doc_node *root, const struct doc_path *path, size_t from,
                        const struct kustomize_path_options *options, struct kustomize_places *ret,
                        struct err *e) MUST_CHECK;
bool kustomize_path_is_index(str step, size_t *ret);

/* ---- replace_set.c */

/* Puts the value at a place by upstream's rules. */
int kustomize_value_set(struct doc_set *set, const struct kustomize_place *place,
                        const struct kustomize_value *value,
                        const struct kustomize_replacement_options *options,
                        struct err *e) MUST_CHECK;
enum kustomize_inside {
    KUSTOMIZE_INSIDE_NOT = 0, /* the path is an ordinary one */
    KUSTOMIZE_INSIDE_DONE,
    KUSTOMIZE_INSIDE_MISSING, /* the text has no such field; e says why, or nothing */
};
/* Puts the value into text that holds YAML or JSON, where the path leads there. -1 or the above. */
int kustomize_value_set_inside(struct doc_set *set, struct doc_node *root,
                               const struct doc_path *path,
                               const struct kustomize_path_options *find,
                               const struct kustomize_value *value,
                               const struct kustomize_replacement_options *options,
                               struct err *e) MUST_CHECK;
/* "delimiter option can only be used with scalar nodes" */
int kustomize_value_refuse_delimiter(struct err *e);
