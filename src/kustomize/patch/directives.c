#include "kustomize/patch/directives.h"

static const str order_prefix = STR_INIT("$setElementOrder/");
static const str delete_prefix = STR_INIT("$deleteFromPrimitiveList/");
static const str retain_key = STR_INIT("$retainKeys");

enum { MAX_DEPTH = 1000 };

static bool is_directive(str key)
{
    return str_starts(key, order_prefix) || str_starts(key, delete_prefix) ||
           str_eq(key, retain_key);
}

static void find_marks(const struct doc_node *n, struct kustomize_patch_marks *ret, int depth)
{
    struct doc_iter it = doc_children(n);

    while (depth < MAX_DEPTH && doc_next(&it)) {
        if (it.key.len && it.key.p[0] == '$' && is_directive(it.key) && !ret->directive)
            ret->directive = it.value;
        if (doc_is_list(it.value) &&
            (str_eq(it.key, STR("ports")) || str_eq(it.key, STR("topologySpreadConstraints"))))
            ret->has_compound_lists = true;
        if (doc_is_list(n) && doc_get_lit(it.value, "$patch"))
            ret->has_list_directive = true;
        if (doc_is_list(n) && doc_len(it.value) > 1 && !ret->replaced &&
            str_eq(doc_string(doc_get_lit(it.value, "$patch"), STR_NONE), STR("replace")))
            ret->replaced = doc_get_lit(it.value, "$patch");
        if (doc_len(it.value))
            find_marks(it.value, ret, depth + 1);
    }
}

struct kustomize_patch_marks kustomize_patch_marks(const struct doc_node *patch)
{
    struct kustomize_patch_marks marks = {0};

    find_marks(patch, &marks, 0);
    return marks;
}

/* ---- carrying them out */

static bool lists_text(const struct doc_node *list, str text)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (str_eq(doc_text(it.value, STR_NONE), text))
            return true;
    return false;
}

static void retain(struct doc_node *map, const struct doc_node *keys)
{
    struct doc_iter it = doc_children(map);

    while (doc_next(&it))
        if (!is_directive(it.key) && !lists_text(keys, it.key))
            doc_remove(map, it.key);
}

static void delete_items(struct doc_node *list, const struct doc_node *gone)
{
    struct doc_iter it = doc_children(doc_is_list(list) ? list : NULL);

    while (doc_next(&it))
        if (doc_is_scalar(it.value) && lists_text(gone, doc_text(it.value, STR_NONE)))
            doc_remove_item(list, it.value);
}

/* An element of an order is a scalar, or a map of the keys that tell an item. */
static bool is_meant(const struct doc_node *item, const struct doc_node *element)
{
    struct doc_iter it = doc_children(element);

    if (doc_is_scalar(element))
        return doc_equal(item, element);
    while (doc_next(&it)) {
        const struct doc_node *field = doc_get(item, it.key);

        if (!field || !doc_equal(field, it.value))
            return false;
    }
    return doc_len(element) > 0;
}

/* Those that the order names come first, in its order. */
static void set_order(struct doc_node *list, const struct doc_node *order)
{
    struct doc_iter elements = doc_children(doc_is_list(list) ? order : NULL);
    size_t placed = 0;

    while (doc_next(&elements)) {
        struct doc_iter items = doc_children(list);

        for (size_t i = 0; doc_next(&items); i++) {
            if (i < placed || !is_meant(items.value, elements.value))
                continue;
            doc_remove_item(list, items.value);
            doc_insert(list, placed++, items.value);
            break;
        }
    }
}

static void carry(struct doc_node *map, str key, const struct doc_node *value)
{
    if (str_eq(key, retain_key))
        retain(map, value);
    else if (str_drop_prefix(&key, delete_prefix))
        delete_items(doc_get(map, key), value);
    else if (str_drop_prefix(&key, order_prefix))
        set_order(doc_get(map, key), value);
}

static struct doc_node *first_directive(const struct doc_node *map)
{
    struct doc_iter it = doc_children(doc_is_map(map) ? map : NULL);

    while (doc_next(&it))
        if (is_directive(it.key))
            return it.value;
    return NULL;
}

static void carry_below(struct doc_node *n, int depth)
{
    struct doc_iter it = doc_children(n);
    struct doc_node *directive;

    while (depth < MAX_DEPTH && doc_next(&it))
        if (doc_len(it.value) && !is_directive(it.key))
            carry_below(it.value, depth + 1);
    while ((directive = first_directive(n))) { /* anew each time: carrying out may remove entries */
        str key = doc_key(directive);

        doc_remove(n, key);
        carry(n, key, directive);
    }
}

void kustomize_carry_directives(struct doc_node *root) { carry_below(root, 0); }
