#include "doc/kyaml/merge_priv.h"

bool kyaml_item_id(struct kyaml *k, const struct doc_node *item, const str *keys, size_t count,
                   str *ret)
{
    AUTO(buf_done) struct buf id = {0};

    for (size_t i = 0; i < count; i++) {
        str text = kyaml_key_text(item, keys[i]);

        if (text.len == 0)
            return false;
        buf_addf(&id, "%zu:", text.len);
        buf_add_str(&id, text);
    }
    *ret = arena_dup(&k->set->arena, buf_view(&id));
    return true;
}

void keyed_init(struct keyed *keyed, struct kyaml *k, const struct doc_node *list, const str *keys,
                size_t count)
{
    struct doc_iter it = doc_children(doc_is_list(list) ? list : NULL);
    str id;

    *keyed = (struct keyed){.list = list, .keys = keys, .count = count};
    while (doc_next(&it))
        if (kyaml_item_id(k, it.value, keys, count, &id) && !map_has(&keyed->by_id, id))
            map_put(&keyed->by_id, id, it.value);
}

struct doc_node *keyed_find(struct kyaml *k, const struct keyed *keyed, const struct doc_node *item)
{
    str values[DOC_SHAPE_MAX_KEYS], id;

    if (!doc_is_list(keyed->list))
        return NULL;
    if (kyaml_item_id(k, item, keyed->keys, keyed->count, &id))
        return map_get(&keyed->by_id, id);
    for (size_t i = 0; i < keyed->count; i++)
        values[i] = kyaml_key_text(item, keyed->keys[i]);
    return kyaml_find_item(keyed->list, keyed->keys, values, keyed->count);
}

static int by_place(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct outcome *)a)->was;
    uintptr_t y = (uintptr_t)((const struct outcome *)b)->was;

    return (x > y) - (x < y);
}

static void add_all(struct nodes *to, const struct nodes *from)
{
    for (size_t i = 0; i < from->len; i++)
        vec_push(to, from->v[i]);
}

void kyaml_rebuild(struct kyaml *k, struct doc_node *list, struct outcomes *outcomes,
                   const struct nodes *fresh)
{
    AUTO(nodes_done) struct nodes items = {0};
    struct doc_iter it = doc_children(list);
    bool is_prepend = (k->flags & DOC_KYAML_PREPEND) != 0;

    vec_sort(outcomes, by_place);
    if (is_prepend)
        add_all(&items, fresh);
    while (doc_next(&it)) {
        struct outcome wanted = {it.value, NULL};
        const struct outcome *o = NULL;

        if (outcomes->len)
            o = bsearch(&wanted, outcomes->v, outcomes->len, sizeof(wanted), by_place);
        if (!o)
            vec_push(&items, it.value);
        else if (o->is && !is_prepend)
            vec_push(&items, o->is);
    }
    if (!is_prepend)
        add_all(&items, fresh);
    kyaml_refill(list, &items);
}
