#include "doc/patch/merge.h"

/* Recursion follows the patch, whose depth its reader has bounded. */

void doc_merge_patch(struct doc_set *set, struct doc_node *target, const struct doc_node *patch)
{
    struct doc_iter it = doc_children(patch);

    if (!doc_is_map(patch)) {
        doc_replace(target, patch ? doc_copy(set, patch) : doc_new_null(set));
        return;
    }
    if (!doc_is_map(target))
        doc_replace(target, doc_new_map(set));
    while (doc_next(&it)) {
        struct doc_node *field = doc_get(target, it.key);

        if (doc_is_null(it.value)) {
            doc_remove(target, it.key);
            continue;
        }
        if (!field)
            field = doc_set_field(set, target, it.key, doc_new_null(set));
        doc_merge_patch(set, field, it.value);
    }
}

struct doc_node *doc_merge_patch_between(struct doc_set *set, const struct doc_node *from,
                                         const struct doc_node *to)
{
    struct doc_iter it;
    struct doc_node *patch;

    if (!doc_is_map(from) || !doc_is_map(to))
        return doc_copy(set, to);
    patch = doc_new_map(set);
    it = doc_children(from);
    while (doc_next(&it)) {
        const struct doc_node *now = doc_get(to, it.key);

        if (!now)
            doc_set_field(set, patch, it.key, doc_new_null(set));
        else if (!doc_equal(it.value, now))
            doc_set_field(set, patch, it.key, doc_merge_patch_between(set, it.value, now));
    }
    it = doc_children(to);
    while (doc_next(&it))
        if (!doc_get(from, it.key))
            doc_set_field(set, patch, it.key, doc_copy(set, it.value));
    return patch;
}
