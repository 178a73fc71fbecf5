#include "doc/patch/strategic_priv.h"

static int merge_map(struct kyaml *k, doc_shape shape, struct doc_node *dest,
                     struct doc_node *patch, struct doc_node **ret);

static int bad_directive(struct kyaml *k, const struct doc_node *directive)
{
    return err_set(k->e, ERR_INVALID, "unknown patch type: %.*s",
                   STR_ARG(doc_text(directive, STR("null"))));
}

static bool is_directive(str key)
{
    return str_eq(key, STR(RETAIN_KEYS)) || str_starts(key, STR(ORDER_PREFIX)) ||
           str_starts(key, STR(DELETE_PREFIX));
}

/* A new part of the object: without nulls and directives. A map with a $patch has nothing to act
 * on, and goes. */
static bool clean(struct doc_node *n, int depth)
{
    struct doc_iter it = doc_children(n);

    if (doc_is_map(n) && doc_get_lit(n, PATCH))
        return false;
    while (depth < KYAML_MAX_DEPTH && doc_next(&it)) {
        bool is_field = doc_is_map(n), stays = clean(it.value, depth + 1);

        if (is_field && (!stays || doc_is_null(it.value) || is_directive(it.key)))
            doc_remove(n, it.key);
        else if (!is_field && !stays)
            doc_remove_item(n, it.value);
    }
    return true;
}

static struct doc_node *cleaned(struct kyaml *k, struct doc_node *n)
{
    struct doc_node *moved = kyaml_moved(k, n);

    return clean(moved, 0) ? moved : NULL;
}

/* ---- lists */

static bool is_in(struct kyaml *k, const struct keyed *list, const struct doc_node *item)
{
    return keyed_find(k, list, item) != NULL;
}

struct placed {
    intptr_t place;
    size_t seq;
    struct doc_node *n;
};
struct placed_items {
    struct placed *v;
    size_t len, cap;
};

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
                                : (x->seq > y->seq) - (x->seq < y->seq);
}

/* Places of a list's items by their key, from 1. */
static void number_items(const struct doc_node *list, size_t count, str key, struct map *ret)
{
    struct doc_iter it = doc_children(list);

    for (intptr_t place = 1; place <= (intptr_t)count && doc_next(&it); place++)
        if (!map_has(ret, kyaml_key_text(it.value, key)))
            map_put(ret, kyaml_key_text(it.value, key), (void *)place);
}

static intptr_t place_of(const struct map *places, const struct doc_node *n, str key)
{
    return (intptr_t)map_get(places, kyaml_key_text(n, key));
}

/* Interleaves items that only the server has with those of the patch, which take the order of
 * `order`; the former go before those that stand behind them among the first live_count items. */
static void put_in_order(struct doc_node *list, const struct doc_node *order, size_t live_count,
                         str key)
{
    AUTO(nodes_done) struct nodes others = {0}, all = {0};
    struct placed_items own = {0};
    struct map wanted = {0}, had = {0};
    struct doc_iter it = doc_children(list);
    size_t i = 0, j = 0;

    number_items(order, SIZE_MAX >> 1, key, &wanted);
    number_items(list, live_count, key, &had);
    while (doc_next(&it)) {
        intptr_t place = place_of(&wanted, it.value, key);
        size_t rank = own.len;

        if (place)
            vec_push(&own, {place, rank, it.value});
        else
            vec_push(&others, it.value);
    }
    vec_sort(&own, by_place);
    while (i < others.len || j < own.len) {
        intptr_t left = i < others.len ? place_of(&had, others.v[i], key) : 0;
        intptr_t right = j < own.len ? place_of(&had, own.v[j].n, key) : 0;
        bool takes_other = i < others.len && (j == own.len || (left && right && left < right));

        vec_push(&all, takes_other ? others.v[i++] : own.v[j++].n);
    }
    kyaml_refill(list, &all);
    vec_done(&own);
    map_done(&wanted);
    map_done(&had);
}

/* Carries $patch items of a list out and takes them from the patch. */
static int take_special_items(struct kyaml *k, struct doc_node *dest, struct doc_node *patch,
                              str key)
{
    struct doc_iter it = doc_children(patch);
    bool is_replace = false;

    while (doc_next(&it)) {
        const struct doc_node *directive = doc_get_lit(it.value, PATCH);
        str text = doc_text(directive, STR_NONE), value = kyaml_key_text(it.value, key);

        if (!directive)
            continue;
        if (str_eq(text, STR("delete"))) {
            struct doc_node *gone;

            if (value.len == 0)
                return err_set(k->e, ERR_INVALID, "map does not contain declared merge key: %.*s",
                               STR_ARG(key));
            while ((gone = kyaml_find_item(dest, &key, &value, 1)))
                doc_remove_item(dest, gone);
        } else if (str_eq(text, STR("replace"))) {
            is_replace = true;
        } else if (str_eq(text, STR("merge"))) {
            return err_set(k->e, ERR_INVALID, "merging lists cannot yet be specified in the patch");
        } else {
            return bad_directive(k, directive);
        }
        doc_remove_item(patch, it.value);
    }
    if (is_replace)
        kyaml_refill(dest, &(struct nodes){0});
    return 0;
}

static int merge_keyed(struct kyaml *k, doc_shape shape, struct doc_node *dest,
                       struct doc_node *patch, const str *key, size_t *ret_added)
{
    AUTO(keyed_done) struct keyed keyed = {.count = 0};
    AUTO(nodes_done) struct nodes fresh = {0};
    struct doc_iter it;

    if (take_special_items(k, dest, patch, *key) < 0)
        return -1;
    keyed_init(&keyed, k, dest, key, 1);
    it = doc_children(patch);
    while (doc_next(&it)) {
        struct doc_node *partner, *is;

        if (!doc_is_map(it.value) || kyaml_key_text(it.value, *key).len == 0)
            return err_set(k->e, ERR_INVALID, "map does not contain declared merge key: %.*s",
                           STR_ARG(*key));
        partner = keyed_find(k, &keyed, it.value);
        if (!partner) {
            is = cleaned(k, doc_copy(k->set, it.value));
            if (is)
                vec_push(&fresh, is);
        } else if (merge_map(k, strategic_item(k, shape), partner, doc_copy(k->set, it.value),
                             &is) < 0) {
            return -1;
        } else if (is != partner) {
            doc_replace(partner, kyaml_moved(k, is));
        }
    }
    for (size_t i = 0; i < fresh.len; i++)
        doc_append(dest, fresh.v[i]);
    *ret_added = fresh.len;
    return 0;
}

static void merge_scalars(struct kyaml *k, struct doc_node *dest, const struct doc_node *patch)
{
    static const str none = STR_INIT("");
    AUTO(keyed_done) struct keyed keyed = {.count = 0};
    struct map added = {0};
    struct doc_iter it = doc_children(patch);

    keyed_init(&keyed, k, dest, &none, 1);
    while (doc_next(&it))
        if (!is_in(k, &keyed, it.value) &&
            !map_put(&added, kyaml_key_text(it.value, none), it.value))
            doc_append(dest, doc_copy(k->set, it.value));
    map_done(&added);
}

/* Merges a patch's list into that of the object, ordered by the patch, or by `order` when it is
 * given.
 *
 * Upstream judges the order of the list as it was by a slice that merging has written over: with
 * $setElementOrder, items that were added take the places of deleted ones in it. So the places are
 * counted after merging, in as many items. */
static int merge_list(struct kyaml *k, doc_shape shape, struct doc_node *dest,
                      struct doc_node *patch, const struct doc_node *order)
{
    struct doc_shape_info info = strategic_info(k, shape);
    size_t had = doc_len(dest), added = 0;

    if (patch && info.merge_key.len) {
        if (merge_keyed(k, shape, dest, patch, &info.merge_key, &added) < 0)
            return -1;
    } else if (patch && doc_is_map(doc_first(patch))) {
        return err_set(k->e, ERR_INVALID, "cannot merge lists without merge key");
    } else if (patch) {
        merge_scalars(k, dest, patch);
        added = doc_len(dest) - had;
    }
    put_in_order(dest, order ? order : patch, order ? had : doc_len(dest) - added, info.merge_key);
    return 0;
}

static void delete_scalars(struct kyaml *k, struct doc_node *dest, const struct doc_node *gone)
{
    static const str none = STR_INIT("");
    AUTO(keyed_done) struct keyed keyed = {.count = 0};
    struct doc_iter it = doc_children(dest);

    keyed_init(&keyed, k, gone, &none, 1);
    while (doc_next(&it))
        if (is_in(k, &keyed, it.value))
            doc_remove_item(dest, it.value);
}

/* ---- maps */

static int retain_keys(struct kyaml *k, struct doc_node *dest, struct doc_node *patch)
{
    static const str none = STR_INIT("");
    AUTO(keyed_done) struct keyed keys = {.count = 0};
    const struct doc_node *list = doc_get_lit(patch, RETAIN_KEYS);
    struct doc_iter it;

    if (!list)
        return 0;
    if (!doc_is_list(list))
        return err_set(k->e, ERR_INVALID, "invalid patch format of retainKeys");
    keyed_init(&keys, k, list, &none, 1);
    it = doc_children(patch);
    while (doc_next(&it)) {
        struct doc_node key = {.type = DOC_STRING, .text = it.key.p, .len = (uint32_t)it.key.len};

        if (!doc_is_null(it.value) && !str_starts(it.key, STR("$")) && !is_in(k, &keys, &key))
            return err_set(k->e, ERR_INVALID, "invalid patch format of retainKeys");
    }
    it = doc_children(dest);
    while (doc_next(&it)) {
        struct doc_node key = {.type = DOC_STRING, .text = it.key.p, .len = (uint32_t)it.key.len};

        if (!is_in(k, &keys, &key))
            doc_remove(dest, it.key);
    }
    doc_remove(patch, STR(RETAIN_KEYS));
    return 0;
}

/* $setElementOrder/LIST with the patch of that list, if there is one; takes both from the patch. */
static int apply_order(struct kyaml *k, doc_shape shape, struct doc_node *dest,
                       struct doc_node *patch, str key)
{
    str name = str_from(key, strlen(ORDER_PREFIX));
    doc_shape list_shape = strategic_field(k, shape, name);
    struct doc_node *order = doc_get(patch, key), *list = doc_get(patch, name),
                    *had = doc_get(dest, name);

    if (!doc_is_list(order) || (list && !doc_is_null(list) && !doc_is_list(list)))
        return err_set(k->e, ERR_INVALID, "invalid patch format of setElementOrder list");
    if (doc_is_list(had) && !(list && doc_is_null(list)) &&
        (!list || strategic_info(k, list_shape).is_merge)) {
        if (merge_list(k, list_shape, had, list, order) < 0)
            return -1;
        doc_remove(patch, name);
    }
    return 0;
}

static int apply_orders(struct kyaml *k, doc_shape shape, struct doc_node *dest,
                        struct doc_node *patch)
{
    AUTO(str_vec_done) struct str_vec keys = {0};
    const struct doc_node *source = patch;

    kyaml_keys(&source, 1, &keys);
    for (size_t i = 0; i < keys.len; i++) {
        if (!str_starts(keys.v[i], STR(ORDER_PREFIX)))
            continue;
        if (apply_order(k, shape, dest, patch, keys.v[i]) < 0)
            return -1;
        doc_remove(patch, keys.v[i]);
    }
    return 0;
}

static int merge_field(struct kyaml *k, doc_shape shape, struct doc_node *dest,
                       struct doc_node *value)
{
    str key = doc_key(value);
    doc_shape field = strategic_field(k, shape, key);
    struct doc_shape_info info = strategic_info(k, field);
    struct doc_node *had = doc_get(dest, key), *is = had;

    if (doc_is_null(value)) {
        doc_remove(dest, key);
        return 0;
    }
    if (!had || doc_type(had) != doc_type(value) || info.is_replace ||
        (doc_is_list(had) && !info.is_merge) || doc_is_scalar(had)) {
        kyaml_set(k, dest, key, cleaned(k, value), value);
        return 0;
    }
    if (doc_is_list(had))
        return merge_list(k, field, had, value, NULL);
    if (merge_map(k, field, had, value, &is) < 0)
        return -1;
    kyaml_set(k, dest, key, is, value);
    return 0;
}

static int merge_fields(struct kyaml *k, doc_shape shape, struct doc_node *dest,
                        struct doc_node *patch)
{
    struct doc_iter it;

    if (retain_keys(k, dest, patch) < 0 || apply_orders(k, shape, dest, patch) < 0)
        return -1;
    it = doc_children(patch);
    while (doc_next(&it)) {
        str name = it.key;

        if (!str_drop_prefix(&name, STR(DELETE_PREFIX))) {
            if (merge_field(k, shape, dest, it.value) < 0)
                return -1;
        } else if (!doc_is_list(it.value)) {
            return err_set(k->e, ERR_INVALID, "invalid patch format of primitive list");
        } else if (doc_is_list(doc_get(dest, name))) {
            delete_scalars(k, doc_get(dest, name), it.value);
        }
    }
    return 0;
}

/* patch is the callee's: it is used up. */
static int merge_map(struct kyaml *k, doc_shape shape, struct doc_node *dest,
                     struct doc_node *patch, struct doc_node **ret)
{
    const struct doc_node *directive = doc_get_lit(patch, PATCH);
    str text = doc_text(directive, STR_NONE);
    int rc;

    *ret = dest;
    if (directive && str_eq(text, STR("replace"))) {
        doc_remove(patch, STR(PATCH));
        *ret = cleaned(k, patch);
        return 0;
    }
    if (directive && str_eq(text, STR("delete"))) {
        *ret = doc_new_map(k->set);
        return 0;
    }
    if (directive)
        return bad_directive(k, directive);
    if (++k->depth > KYAML_MAX_DEPTH)
        return err_set(k->e, ERR_LIMIT, "nested too deeply");
    rc = merge_fields(k, shape, dest, patch);
    k->depth--;
    return rc;
}

int doc_strategic_apply(struct doc_set *set, struct doc_node *original,
                        const struct doc_node *patch, const struct doc_schema *schema,
                        doc_shape shape, struct doc_node **ret, struct err *e)
{
    struct kyaml k = {.set = set, .schema = schema, .e = e};

    *ret = original;
    if (!doc_is_map(patch))
        return err_set(e, ERR_INVALID, "a strategic merge patch must be an object");
    if (!doc_is_map(original))
        *ret = original = doc_new_map(set);
    return merge_map(&k, schema ? shape : 0, original, doc_copy(set, patch), ret);
}
