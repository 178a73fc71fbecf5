/* Merging associative lists whose items do not tell themselves apart: keys that are missing or
 * given twice. Upstream's code was written for lists without such items; what it does with them is
 * matched here step by step, odd as it is, since its bytes are the yardstick. Each set of key texts
 * that any item has, is looked up on both sides; what comes of it is put into a list, which is then
 * joined with the old one. Measured against v5.8.2 with random lists. */
#include "doc/kyaml/merge_priv.h"
#include "doc/kyaml/node.h"

struct tuple {
    str v[DOC_SHAPE_MAX_KEYS];
};
struct tuples {
    struct tuple *v;
    size_t len, cap;
};

/* Keys that are looked at, and how many texts of them are given (fewer happens: upstream gathers
 * the texts of an item that lacks some without their places). */
struct chosen {
    str keys[DOC_SHAPE_MAX_KEYS];
    str values[DOC_SHAPE_MAX_KEYS];
    size_t key_count, value_count;
};

struct irregular {
    struct kyaml *k;
    const struct kyaml_place *item;
    kyaml_merge_fn *merge;
    const str *keys;
    size_t count;
    bool counts[DOC_SHAPE_MAX_KEYS]; /* keys that have a text anywhere */
    struct nodes dest, patch, added;
    struct map made; /* address of an item of the patch -> what it became without a partner */
};

bool kyaml_is_irregular(struct kyaml *k, const struct doc_node *list, const str *keys, size_t count)
{
    AUTO(map_done) struct map ids = {0};
    struct doc_iter it = doc_children(list);
    str id;

    if (count == 0 || keys[0].len == 0)
        return false;
    while (doc_next(&it)) {
        if (!doc_is_map(it.value) || !kyaml_item_id(k, it.value, keys, count, &id) ||
            map_has(&ids, id))
            return true;
        map_put(&ids, id, it.value);
    }
    return false;
}

/* ---- which tuples there are */

static bool has_tuple(const struct tuples *all, const struct tuple *t, size_t count)
{
    for (size_t i = 0; i < all->len; i++) {
        size_t same = 0;

        while (same < count && str_eq(all->v[i].v[same], t->v[same]))
            same++;
        if (same == count)
            return true;
    }
    return false;
}

static void add_tuples(const struct irregular *x, const struct nodes *items, struct tuples *ret)
{
    for (size_t i = 0; i < items->len; i++) {
        struct tuple t = {0};

        for (size_t j = 0; j < x->count; j++)
            t.v[j] = kyaml_key_text(items->v[i], x->keys[j]);
        if (!has_tuple(ret, &t, x->count))
            vec_push(ret, t);
    }
}

/* Two sets of texts become one when they share a text (or the lack of one) and contradict in none.
 * Returns whether they do. */
static bool unite(const struct tuple *a, const struct tuple *b, size_t count, struct tuple *ret)
{
    bool is_shared = false;

    *ret = *a;
    for (size_t j = 0; j < count; j++) {
        bool same = str_eq(a->v[j], b->v[j]);

        if (!same && a->v[j].len && b->v[j].len)
            return false;
        is_shared |= same;
        ret->v[j] = a->v[j].len ? a->v[j] : b->v[j];
    }
    return is_shared;
}

/* Items that say less than another one are looked at as that one. Each is compared as it was when
 * its turn came, with the others as they are by then. */
static void unite_all(struct tuples *all, size_t count)
{
    for (size_t i = 0; i < all->len; i++) {
        struct tuple was = all->v[i], both;

        for (size_t j = 0; j < all->len; j++)
            if (unite(&was, &all->v[j], count, &both))
                all->v[i] = all->v[j] = both;
    }
}

/* Keys that no item has do not count, unless none has any. */
static void find_counting_keys(struct irregular *x, const struct tuples *all)
{
    bool any = false;

    for (size_t i = 0; i < all->len; i++)
        for (size_t j = 0; j < x->count; j++)
            any |= x->counts[j] |= all->v[i].v[j].len > 0;
    for (size_t j = 0; j < x->count; j++)
        x->counts[j] |= !any;
}

static struct chosen choose(const struct irregular *x, const struct tuple *t)
{
    struct chosen c = {.key_count = 0};

    for (size_t j = 0; j < x->count; j++)
        if (x->counts[j]) {
            c.keys[c.key_count] = x->keys[j];
            c.values[c.key_count++] = t->v[j];
        }
    c.value_count = c.key_count;
    return c;
}

/* ---- items by their keys */

/* The text of a key as it is written: that of a null is "null" or "~". */
static str written(const struct doc_node *item, str key)
{
    const struct doc_node *value = doc_get(item, key);

    return doc_is_scalar(value) ? (str){value->text, value->len} : STR_NONE;
}

/* When setting, an empty text stands for any, and keys without a text are not looked at. */
static bool is_meant(const struct doc_node *item, const struct chosen *c)
{
    for (size_t j = 0; j < c->value_count; j++)
        if (!doc_get(item, c->keys[j]) ||
            (c->values[j].len && !str_eq(written(item, c->keys[j]), c->values[j])))
            return false;
    return true;
}

/* When looking up, keys without a text are not looked at, unless no key has one. */
static bool has_texts(const struct doc_node *item, const struct chosen *c, bool is_blank)
{
    for (size_t j = 0; j < c->key_count; j++)
        if ((c->values[j].len || is_blank) &&
            (!doc_get(item, c->keys[j]) || !str_eq(written(item, c->keys[j]), c->values[j])))
            return false;
    return true;
}

static struct doc_node *find_item(const struct nodes *items, const struct chosen *c)
{
    bool is_blank = true;

    for (size_t j = 0; j < c->key_count; j++)
        is_blank &= c->values[j].len == 0;
    for (size_t i = 0; i < items->len; i++)
        if (doc_is_map(items->v[i]) && has_texts(items->v[i], c, is_blank))
            return items->v[i];
    return NULL;
}

/* Puts element in the place of every item that is meant, or at the end; NULL takes them out. Empty
 * items go in any case. */
static void set_item(struct nodes *items, const struct chosen *c, struct doc_node *element)
{
    bool is_there = false;
    size_t kept = 0;

    if (c->value_count == 0) /* it is all of them at once */
        items->len = 0;
    for (size_t i = 0; i < items->len; i++) {
        struct doc_node *n = items->v[i];

        if (doc_is_null(n) || (doc_is_map(n) && doc_len(n) == 0))
            continue;
        if (is_meant(n, c)) {
            is_there = true;
            n = element;
        }
        if (n)
            items->v[kept++] = n;
    }
    items->len = kept;
    if (element && !doc_is_null(element) && !is_there)
        vec_push(items, element);
}

/* ---- the steps */

/* Bytes of a node's address, to find it by. */
static str address(struct doc_node *const *n) { return (str){(const char *)n, sizeof *n}; }

static void restore_keys(const struct irregular *x, const struct chosen *c, struct doc_node *item)
{
    for (size_t j = 0; j < c->key_count; j++)
        if (c->values[j].len && !doc_get(item, c->keys[j]))
            doc_set_field(x->k->set, item, c->keys[j],
                          doc_new_string_view(x->k->set, c->values[j]));
}

/* A copy of the patch's item is used up: one item may be found for many tuples. What it becomes
 * without a partner is one node each time. */
static int merge_item(struct irregular *x, struct doc_node *dest, struct doc_node *patch,
                      struct doc_node **ret)
{
    struct doc_node *made = dest ? NULL : map_get(&x->made, address(&patch));

    if (made) {
        *ret = made;
        return 0;
    }
    if (x->merge(x->k, *x->item, dest, doc_copy(x->k->set, patch), ret) < 0)
        return -1;
    doc_remove(patch, STR("$patch")); /* carried out once */
    if (!dest && doc_is_map(*ret))
        map_put(&x->made, arena_dup(&x->k->set->arena, address(&patch)), *ret);
    return 0;
}

static int merge_into(struct irregular *x, const struct chosen *c, struct doc_node *dest,
                      struct doc_node *patch, struct doc_node **ret)
{
    *ret = dest;
    if (!patch && kyaml_settle(x->k, *x->item, dest, x->merge) < 0)
        return -1;
    if (patch && merge_item(x, dest, patch, ret) < 0)
        return -1;
    if (doc_is_map(*ret) && doc_len(*ret) == 0)
        *ret = NULL;
    if (doc_is_map(*ret))
        restore_keys(x, c, *ret);
    if (*ret)
        set_item(&x->added, c, *ret);
    return 0;
}

static int merge_tuple(struct irregular *x, const struct tuple *t)
{
    struct chosen c = choose(x, t);
    struct doc_node *dest = find_item(&x->dest, &c), *patch = find_item(&x->patch, &c), *is;

    if (merge_into(x, &c, dest, patch, &is) < 0)
        return -1;
    if (!is)
        set_item(&x->dest, &c, NULL);
    return 0;
}

/* Of a scalar upstream cannot ask the keys. */
static int expect_maps(struct kyaml *k, const struct nodes *items)
{
    for (size_t i = 0; i < items->len; i++)
        if (!doc_is_null(items->v[i]) && doc_expect(items->v[i], DOC_MAP, k->e) < 0)
            return -1;
    return 0;
}

static void join(const struct irregular *x, struct nodes *to, const struct nodes *from)
{
    struct chosen c = choose(x, &(struct tuple){0});

    for (size_t i = 0; i < from->len; i++) {
        c.value_count = 0;
        for (size_t j = 0; j < c.key_count; j++)
            if (doc_get(from->v[i], c.keys[j]))
                c.values[c.value_count++] = written(from->v[i], c.keys[j]);
            else if (c.key_count > 1)
                vec_push(to, from->v[i]);
        if (c.key_count > 1)
            set_item(to, &c, NULL);
        set_item(to, &c, from->v[i]);
    }
}

static void note_ring(struct kyaml *k, struct map *firsts, struct doc_node *first)
{
    struct doc_node *n = first;

    do {
        map_put(firsts, arena_dup(&k->set->arena, address(&n)), first);
        n = n->extra->twin;
    } while (n != first);
}

/* Of items that are one upstream, the first stands for the others. */
static void collect(struct kyaml *k, const struct doc_node *list, struct nodes *ret)
{
    AUTO(map_done) struct map firsts = {0};
    struct doc_iter it = doc_children(list);

    while (doc_next(&it)) {
        struct doc_node *n = it.value, *first;

        if (doc_is_map(n) && n->extra && n->extra->twin) {
            first = map_get(&firsts, address(&n));
            if (!first)
                note_ring(k, &firsts, n);
            else if (doc_equal(first, n))
                n = first;
        }
        vec_push(ret, n);
    }
}

static void share(struct kyaml *k, struct doc_node *a, struct doc_node *b)
{
    struct doc_iter it = doc_children(a), copies = doc_children(b);

    while (doc_next(&it) && doc_next(&copies))
        if (doc_is_map(it.value) || doc_is_list(it.value))
            share(k, it.value, copies.value);
        else
            doc_share(k->set, it.value, copies.value);
}

/* A copy that changes as the node does: the next merge takes them for one, and scalars below them
 * are shared. */
static struct doc_node *twin_of(struct kyaml *k, struct doc_node *n)
{
    struct doc_node *copy = doc_copy(k->set, n);

    if (!(k->flags & DOC_KYAML_PREPEND) || (k->flags & DOC_KYAML_DEFAULT_KEYS))
        return copy;
    share(k, n, copy);
    doc_share(k->set, n, copy);
    return copy;
}

/* A node that is in the list twice is there as a copy. */
static void refill(struct irregular *x, struct doc_node *list, struct nodes *items)
{
    for (size_t i = 0; i < items->len; i++)
        for (size_t j = 0; j < i; j++)
            if (items->v[i] == items->v[j]) {
                items->v[i] = twin_of(x->k, items->v[i]);
                break;
            }
    kyaml_refill(list, items);
}

int kyaml_merge_irregular(struct kyaml *k, const struct kyaml_place *item, struct doc_node *dest,
                          const struct doc_node *patch, const str *keys, size_t count,
                          kyaml_merge_fn *merge)
{
    struct irregular x = {.k = k, .item = item, .merge = merge, .keys = keys, .count = count};
    bool is_prepend = (k->flags & DOC_KYAML_PREPEND) != 0;
    struct tuples all = {0};
    int rc = 0;

    collect(k, dest, &x.dest);
    collect(k, patch, &x.patch);
    add_tuples(&x, is_prepend ? &x.patch : &x.dest, &all);
    add_tuples(&x, is_prepend ? &x.dest : &x.patch, &all);
    find_counting_keys(&x, &all);
    if (count > 1)
        unite_all(&all, count);
    for (size_t i = 0; rc == 0 && i < all.len; i++)
        rc = merge_tuple(&x, &all.v[i]);
    if (is_prepend && rc == 0 && all.len)
        rc = expect_maps(k, &x.dest);
    if (is_prepend)
        join(&x, &x.added, &x.dest);
    else
        join(&x, &x.dest, &x.added);
    if (rc == 0)
        refill(&x, dest, is_prepend ? &x.added : &x.dest);
    vec_done(&all);
    nodes_done(&x.dest);
    nodes_done(&x.patch);
    nodes_done(&x.added);
    map_done(&x.made);
    return rc;
}

/* ---- what the patch does not touch */

void kyaml_drop_repeated(struct doc_node *list)
{
    AUTO(map_done) struct map seen = {0};
    struct doc_iter it = doc_children(list);

    while (doc_next(&it)) {
        str text = doc_text(it.value, STR_NONE);

        if (doc_is_scalar(it.value) && text.len && map_put(&seen, text, it.value))
            doc_remove_item(list, it.value);
    }
}

static int settle_items(struct kyaml *k, const struct kyaml_place *place, struct doc_node *list,
                        kyaml_merge_fn *merge)
{
    struct kyaml_place item = kyaml_item(k, place);
    const struct doc_node *source = list;
    struct doc_iter it = doc_children(list);
    str keys[DOC_SHAPE_MAX_KEYS] = {STR_NONE};
    size_t count;

    if (!kyaml_is_associative(k, place, &source, 1, keys, &count))
        return 0;
    if (keys[0].len == 0)
        kyaml_drop_repeated(list);
    else if (kyaml_is_irregular(k, list, keys, count))
        return kyaml_merge_irregular(k, &item, list, NULL, keys, count, merge);
    while (keys[0].len && doc_next(&it))
        if (kyaml_settle(k, item, it.value, merge) < 0)
            return -1;
    return 0;
}

int kyaml_settle(struct kyaml *k, struct kyaml_place place, struct doc_node *n,
                 kyaml_merge_fn *merge)
{
    const struct doc_node *source = n;
    struct doc_iter it = doc_children(n);
    int rc = 0;

    if (doc_len(n) == 0)
        return 0;
    if (kyaml_deeper(k) < 0)
        return -1;
    kyaml_root(k, &place, &source, 1);
    if (doc_is_list(n))
        rc = settle_items(k, &place, n, merge);
    else
        while (rc == 0 && doc_next(&it))
            rc = kyaml_settle_field(k, &place, n, it.value, merge);
    k->depth--;
    return rc;
}

int kyaml_settle_field(struct kyaml *k, const struct kyaml_place *place, struct doc_node *map,
                       struct doc_node *entry, kyaml_merge_fn *merge)
{
    const struct doc_node *source = entry;

    if (entry->type == DOC_NULL && entry->len == 0)
        doc_remove(map, doc_key(entry));
    if (doc_len(entry) == 0)
        return 0;
    return kyaml_settle(k, kyaml_field(k, place, doc_key(entry), &source, 1), entry, merge);
}
