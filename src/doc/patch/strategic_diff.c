#include "doc/patch/strategic_priv.h"

enum { APPLIED, WANTED, LIVE, SIDES };

static int diff_maps(struct kyaml *k, doc_shape shape, const struct doc_node *const side[SIDES],
                     struct doc_node *patch);

static void put(struct kyaml *k, struct doc_node *patch, str key, const struct doc_node *value)
{
    doc_set_field(k->set, patch, key, doc_copy(k->set, value));
}

/* With retainKeys the server drops what the configuration does not name: a strategy's other half.
 */
static void put_retained(struct kyaml *k, const struct doc_node *wanted, struct doc_node *patch)
{
    struct doc_node *list = doc_new_list(k->set);
    AUTO(str_vec_done) struct str_vec keys = {0};

    kyaml_keys(&wanted, 1, &keys);
    for (size_t i = 0; i < keys.len; i++)
        doc_append(list, doc_new_string(k->set, keys.v[i]));
    doc_set_field(k->set, patch, STR(RETAIN_KEYS), list);
}

/* ---- lists */

static str order_key(struct kyaml *k, str prefix, str key)
{
    return arena_printf(&k->set->arena, "%.*s%.*s", STR_ARG(prefix), STR_ARG(key));
}

/* The wanted order of the items, by their keys alone. */
static void put_order(struct kyaml *k, struct doc_node *patch, str key,
                      const struct doc_node *wanted, str merge_key)
{
    struct doc_node *order = doc_new_list(k->set);
    struct doc_iter it = doc_children(wanted);

    while (doc_next(&it)) {
        struct doc_node *item = merge_key.len ? doc_new_map(k->set) : doc_copy(k->set, it.value);

        if (merge_key.len)
            put(k, item, merge_key, doc_get(it.value, merge_key));
        doc_append(order, item);
    }
    doc_set_field(k->set, patch, order_key(k, STR(ORDER_PREFIX), key), order);
}

/* Do the wanted items stand in their order in the live list? */
static bool is_ordered(const struct doc_node *wanted, const struct doc_node *live, str merge_key)
{
    struct doc_iter it = doc_children(live);
    const struct doc_node *next = doc_first(wanted);
    size_t left = doc_len(wanted);

    while (left && doc_next(&it)) {
        if (str_eq(kyaml_key_text(it.value, merge_key), kyaml_key_text(next, merge_key))) {
            next = next->next;
            left--;
        }
    }
    return left == 0;
}

/* An item of the patch to a list: the difference with the key. */
static int diff_item(struct kyaml *k, doc_shape list, const struct doc_node *const side[SIDES],
                     str key, struct doc_node *items)
{
    struct doc_node *item = doc_new_map(k->set);

    if (!side[LIVE]) {
        doc_append(items, doc_copy(k->set, side[WANTED]));
        return 0;
    }
    if (diff_maps(k, strategic_item(k, list), side, item) < 0)
        return -1;
    if (doc_len(item)) {
        if (strategic_info(k, list).retains_keys)
            put_retained(k, side[WANTED], item);
        put(k, item, key, doc_get(side[WANTED], key));
        doc_append(items, item);
    }
    return 0;
}

static void delete_items(struct kyaml *k, const struct doc_node *const side[SIDES],
                         const struct keyed *wanted, const struct keyed *live, str key,
                         struct doc_node *items)
{
    struct doc_iter it = doc_children(side[APPLIED]);

    while (doc_next(&it)) {
        struct doc_node *item;

        if (keyed_find(k, wanted, it.value) || !keyed_find(k, live, it.value))
            continue;
        item = doc_new_map(k->set);
        doc_set_string(k->set, item, STR(PATCH), STR("delete"));
        put(k, item, key, doc_get(it.value, key));
        doc_append(items, item);
    }
}

static int diff_keyed(struct kyaml *k, doc_shape shape, const struct doc_node *const side[SIDES],
                      str key, str merge_key, struct doc_node *patch)
{
    AUTO(keyed_done)
    struct keyed applied = {.count = 0}, wanted = {.count = 0}, live = {.count = 0};
    struct doc_node *items = doc_new_list(k->set);
    struct doc_iter it = doc_children(side[WANTED]);

    keyed_init(&applied, k, side[APPLIED], &merge_key, 1);
    keyed_init(&wanted, k, side[WANTED], &merge_key, 1);
    keyed_init(&live, k, side[LIVE], &merge_key, 1);
    while (doc_next(&it)) {
        const struct doc_node *one[SIDES] = {keyed_find(k, &applied, it.value), it.value,
                                             keyed_find(k, &live, it.value)};

        if (kyaml_key_text(it.value, merge_key).len == 0)
            return err_set(k->e, ERR_INVALID, "map does not contain declared merge key: %.*s",
                           STR_ARG(merge_key));
        if (diff_item(k, shape, one, merge_key, items) < 0)
            return -1;
    }
    delete_items(k, side, &wanted, &live, merge_key, items);
    if (doc_len(items) || !is_ordered(side[WANTED], side[LIVE], merge_key))
        put_order(k, patch, key, side[WANTED], merge_key);
    if (doc_len(items))
        doc_set_field(k->set, patch, key, items);
    return 0;
}

static void diff_scalars(struct kyaml *k, const struct doc_node *const side[SIDES], str key,
                         struct doc_node *patch)
{
    static const str none = STR_INIT("");
    AUTO(keyed_done) struct keyed wanted = {.count = 0}, live = {.count = 0};
    struct doc_node *added = doc_new_list(k->set), *gone = doc_new_list(k->set);
    struct doc_iter it = doc_children(side[WANTED]);

    keyed_init(&wanted, k, side[WANTED], &none, 1);
    keyed_init(&live, k, side[LIVE], &none, 1);
    while (doc_next(&it))
        if (!keyed_find(k, &live, it.value))
            doc_append(added, doc_copy(k->set, it.value));
    it = doc_children(side[APPLIED]);
    while (doc_next(&it))
        if (!keyed_find(k, &wanted, it.value) && keyed_find(k, &live, it.value))
            doc_append(gone, doc_copy(k->set, it.value));
    if (doc_len(added) || doc_len(gone) || !is_ordered(side[WANTED], side[LIVE], none))
        put_order(k, patch, key, side[WANTED], none);
    if (doc_len(gone))
        doc_set_field(k->set, patch, order_key(k, STR(DELETE_PREFIX), key), gone);
    if (doc_len(added))
        doc_set_field(k->set, patch, key, added);
}

static int diff_lists(struct kyaml *k, doc_shape shape, const struct doc_node *const side[SIDES],
                      str key, struct doc_node *patch)
{
    struct doc_shape_info info = strategic_info(k, shape);
    const struct doc_node *applied = doc_is_list(side[APPLIED]) ? side[APPLIED] : NULL;
    const struct doc_node *lists[SIDES] = {applied, side[WANTED], side[LIVE]};

    if (!info.is_merge) {
        if (doc_equal(side[WANTED], side[LIVE]))
            return 0;
        put(k, patch, key, side[WANTED]);
        return 0;
    }
    if (info.merge_key.len)
        return diff_keyed(k, shape, lists, key, info.merge_key, patch);
    diff_scalars(k, lists, key, patch);
    return 0;
}

/* ---- maps */

static int diff_inner_map(struct kyaml *k, doc_shape shape,
                          const struct doc_node *const side[SIDES], str key, struct doc_node *patch)
{
    struct doc_shape_info info = strategic_info(k, shape);
    struct doc_node *inner = doc_new_map(k->set);
    const struct doc_node *maps[SIDES] = {doc_is_map(side[APPLIED]) ? side[APPLIED] : NULL,
                                          side[WANTED], side[LIVE]};

    if (info.is_replace && !doc_equal(side[WANTED], side[LIVE])) {
        put(k, patch, key, side[WANTED]);
        return 0;
    }
    if (diff_maps(k, shape, maps, inner) < 0)
        return -1;
    if (doc_len(inner) == 0)
        return 0;
    if (info.retains_keys)
        put_retained(k, side[WANTED], inner);
    doc_set_field(k->set, patch, key, inner);
    return 0;
}

static int diff_field(struct kyaml *k, doc_shape shape, const struct doc_node *const side[SIDES],
                      str key, struct doc_node *patch)
{
    enum doc_type type = doc_type(side[WANTED]);

    if (doc_is_null(side[WANTED])) { /* an explicit null takes away what is there */
        if (side[LIVE])
            doc_set_field(k->set, patch, key, doc_new_null(k->set));
        return 0;
    }
    if (side[LIVE] && type == doc_type(side[LIVE]) && type == DOC_MAP)
        return diff_inner_map(k, shape, side, key, patch);
    if (side[LIVE] && type == doc_type(side[LIVE]) && type == DOC_LIST)
        return diff_lists(k, shape, side, key, patch);
    if (side[LIVE] && doc_equal(side[WANTED], side[LIVE]))
        return 0;
    put(k, patch, key, side[WANTED]);
    return 0;
}

static int diff_maps(struct kyaml *k, doc_shape shape, const struct doc_node *const side[SIDES],
                     struct doc_node *patch)
{
    struct doc_iter it = doc_children(side[WANTED]);

    if (++k->depth > KYAML_MAX_DEPTH)
        return err_set(k->e, ERR_LIMIT, "nested too deeply");
    while (doc_next(&it)) {
        const struct doc_node *one[SIDES] = {doc_get(side[APPLIED], it.key), it.value,
                                             doc_get(side[LIVE], it.key)};

        if (diff_field(k, strategic_field(k, shape, it.key), one, it.key, patch) < 0)
            return -1;
    }
    it = doc_children(side[APPLIED]);
    while (doc_next(&it))
        if (!doc_get(side[WANTED], it.key) && doc_get(side[LIVE], it.key))
            doc_set_field(k->set, patch, it.key, doc_new_null(k->set));
    k->depth--;
    return 0;
}

struct doc_node *doc_strategic_three_way(struct doc_set *set, const struct doc_node *original,
                                         const struct doc_node *modified,
                                         const struct doc_node *current,
                                         const struct doc_schema *schema, doc_shape shape,
                                         struct err *e)
{
    struct kyaml k = {.set = set, .schema = schema, .e = e};
    const struct doc_node *side[SIDES] = {doc_is_map(original) ? original : NULL, modified,
                                          current};
    struct doc_node *patch = doc_new_map(set);

    return diff_maps(&k, schema ? shape : 0, side, patch) < 0 ? NULL : patch;
}
