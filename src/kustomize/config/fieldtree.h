/* Many field specs of one kind as a tree of path steps, so that one walk over an object visits all
 * fields they lead to (kustomize spec 9). Nothing is created on the way. The tree lives in the
 * arena it was made in; steps are borrowed from it. One thread while it grows, any number from
 * then on, one object each. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "doc/node.h"

struct kustomize_field_tree;

/* The leaves of a path, in the order they were added. */
struct kustomize_field_leaf {
    str path;        /* as the spec has it */
    const void *tag; /* the caller's */
    struct kustomize_field_leaf *next;
};

struct kustomize_field_tree *kustomize_field_tree_new(struct arena *a);
/* A path divided by '/', "\/" is a slash; "[]" at the end of a step does not count. */
void kustomize_field_tree_add(struct arena *a, struct kustomize_field_tree *tree, str path,
                              const void *tag);
bool kustomize_field_tree_is_empty(const struct kustomize_field_tree *tree);

/* Called for each field that is there, nulls included; it may change the node or replace it. */
typedef int kustomize_field_fn(void *ctx, struct doc_node *field,
                               const struct kustomize_field_leaf *leaves, struct err *e);
/* Lists on the way are descended item by item. ERR_INVALID "expected sequence or mapping node" for
 * a scalar on the way; *ret_path names the path of the field at fault then, and when visit fails.
 */
int kustomize_field_tree_visit(const struct kustomize_field_tree *tree, struct doc_node *object,
                               kustomize_field_fn *visit, void *ctx, str *ret_path,
                               struct err *e) MUST_CHECK;
