#include "kustomize/config/fieldtree.h"

#include "doc/path.h"

enum { MAX_DEPTH = 1000 };

struct kustomize_field_tree {
    str step;
    struct kustomize_field_tree *first, *last, *next; /* children; sibling */
    struct kustomize_field_leaf *leaves, *last_leaf;
};

struct walk {
    kustomize_field_fn *visit;
    void *ctx;
    str *ret_path;
    struct err *e;
};

struct kustomize_field_tree *kustomize_field_tree_new(struct arena *a)
{
    return ARENA_NEW(a, struct kustomize_field_tree);
}

static struct kustomize_field_tree *child(struct arena *a, struct kustomize_field_tree *tree,
                                          str step)
{
    struct kustomize_field_tree *found = tree->first;

    while (found && !str_eq(found->step, step))
        found = found->next;
    if (found)
        return found;
    found = ARENA_NEW(a, struct kustomize_field_tree);
    found->step = step;
    if (tree->last)
        tree->last->next = found;
    else
        tree->first = found;
    return tree->last = found;
}

/* The child that the path without escapes goes on with, if there is one already: most of a path is
 * that of another row. */
static struct kustomize_field_tree *known_child(const struct kustomize_field_tree *tree, str *rest)
{
    struct kustomize_field_tree *c = tree->first;

    for (; c; c = c->next) {
        size_t len = c->step.len;

        if (len == 0 || len > rest->len || c->step.p[0] != rest->p[0] ||
            (len < rest->len && rest->p[len] != '/') || memcmp(c->step.p, rest->p, len) != 0)
            continue;
        *rest = len < rest->len ? str_from(*rest, len + 1) : STR_NONE;
        return c;
    }
    return NULL;
}

void kustomize_field_tree_add(struct arena *a, struct kustomize_field_tree *tree, str path,
                              const void *tag)
{
    struct kustomize_field_leaf *leaf = ARENA_NEW(a, struct kustomize_field_leaf);
    str rest = path.p ? path : STR(""), step;
    bool has_escapes = str_find_char(path, '\\') >= 0;

    str_drop_prefix(&rest, STR("/"));
    while (rest.p) {
        struct kustomize_field_tree *known = has_escapes ? NULL : known_child(tree, &rest);

        if (known) {
            tree = known;
            continue;
        }
        if (has_escapes)
            doc_path_next(a, &rest, '/', &step);
        else
            step = str_cut(rest, '/', &rest);
        if (str_ends(step, STR("[]")))
            step.len -= 2;
        tree = child(a, tree, step);
    }
    leaf->path = path;
    leaf->tag = tag;
    if (tree->last_leaf)
        tree->last_leaf->next = leaf;
    else
        tree->leaves = leaf;
    tree->last_leaf = leaf;
}

bool kustomize_field_tree_is_empty(const struct kustomize_field_tree *tree)
{
    return !tree->first && !tree->leaves;
}

/* The path of the first leaf below: the one to blame. */
static str first_path(const struct kustomize_field_tree *tree)
{
    while (!tree->leaves && tree->first)
        tree = tree->first;
    return tree->leaves ? tree->leaves->path : STR_NONE;
}

static int walk_below(struct walk *w, const struct kustomize_field_tree *tree, struct doc_node *n,
                      int depth)
{
    struct doc_iter it = doc_children(doc_is_list(n) ? n : NULL);

    if (depth > MAX_DEPTH)
        return err_set(w->e, ERR_LIMIT, "nested too deeply");
    while (doc_next(&it))
        if (walk_below(w, tree, it.value, depth + 1) < 0)
            return -1;
    if (doc_is_list(n) || doc_is_null(n))
        return 0;
    if (!doc_is_map(n)) {
        *w->ret_path = first_path(tree);
        return err_set(w->e, ERR_INVALID, "expected sequence or mapping node");
    }
    for (const struct kustomize_field_tree *c = tree->first; c; c = c->next) {
        struct doc_node *field = doc_get(n, c->step);

        if (!field)
            continue;
        if (c->leaves && w->visit(w->ctx, field, c->leaves, w->e) < 0) {
            if (!w->ret_path->len)
                *w->ret_path = c->leaves->path;
            return -1;
        }
        if (c->first && walk_below(w, c, field, depth + 1) < 0)
            return -1;
    }
    return 0;
}

int kustomize_field_tree_visit(const struct kustomize_field_tree *tree, struct doc_node *object,
                               kustomize_field_fn *visit, void *ctx, str *ret_path, struct err *e)
{
    struct walk w = {visit, ctx, ret_path, e};

    *ret_path = STR_NONE;
    return walk_below(&w, tree, object, 0);
}
