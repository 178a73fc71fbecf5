#include "doc/emit.h"
#include "doc/kyaml/merge_priv.h"

enum { DEST, ORIGIN, UPDATE, SIDES };

static int merge3(struct kyaml *k, struct kyaml_place place, struct doc_node *const side[SIDES],
                  struct doc_node **ret);

static bool is_cleared(const struct doc_node *n) { return n && doc_is_null(n); }

static bool same_comments(const struct doc_node *a, const struct doc_node *b)
{
    static const struct doc_extra none;
    const struct doc_extra *x = a->extra ? a->extra : &none, *y = b->extra ? b->extra : &none;

    return str_eq(x->head, y->head) && str_eq(x->line, y->line) && str_eq(x->foot, y->foot);
}

static bool same_key_comments(const struct doc_node *a, const struct doc_node *b)
{
    static const struct doc_extra none;
    const struct doc_extra *x = a->extra ? a->extra : &none, *y = b->extra ? b->extra : &none;

    return str_eq(x->key_head, y->key_head) && str_eq(x->key_line, y->key_line) &&
           str_eq(x->key_foot, y->key_foot);
}

static bool same_scalar(const struct doc_node *a, const struct doc_node *b)
{
    return str_eq(doc_text(a, STR_NONE), doc_text(b, STR_NONE));
}

/* As printed: style and comments count. */
static bool same_text(struct kyaml *k, const struct doc_node *a, const struct doc_node *b)
{
    AUTO(buf_done) struct buf x = {0}, y = {0};

    doc_emit(kyaml_moved(k, a), DOC_EMIT_KYAML, &x);
    doc_emit(kyaml_moved(k, b), DOC_EMIT_KYAML, &y);
    return str_eq(buf_view(&x), buf_view(&y));
}

static bool same_scalar_text(const struct doc_node *a, const struct doc_node *b)
{
    return same_scalar(a, b) && a->style == b->style && same_comments(a, b);
}

/* Scalars and lists that are taken as a whole: the side that counts, NULL for none. */
static struct doc_node *choose(struct kyaml *k, struct doc_node *const side[SIDES], bool is_list)
{
    struct doc_node *dest = side[DEST], *origin = side[ORIGIN], *update = side[UPDATE];

    if (is_cleared(update) || is_cleared(dest))
        return NULL;
    if (doc_is_null(update) != doc_is_null(origin))
        return update;
    if (doc_is_null(update))
        return dest;
    if (is_list)
        return same_text(k, update, origin) ? dest : update;
    if ((!dest || same_scalar_text(dest, origin)) && !same_scalar_text(origin, update))
        return update;
    return same_scalar(update, origin) ? dest : update;
}

/* The side whose comments a key gets; NULL: those it has. */
static const struct doc_node *choose_key(struct doc_node *const side[SIDES])
{
    const struct doc_node *dest = side[DEST], *origin = side[ORIGIN], *update = side[UPDATE];

    if (!update || !origin)
        return update ? update : origin ? NULL : dest;
    if ((!dest || same_key_comments(dest, origin)) && !same_key_comments(origin, update))
        return update;
    return dest;
}

static void set_key_comments(struct kyaml *k, struct doc_node *entry, const struct doc_extra *from)
{
    struct doc_extra *x = doc_extra(k->set, entry);

    x->key_head = from->key_head;
    x->key_line = from->key_line;
    x->key_foot = from->key_foot;
}

static int merge_field(struct kyaml *k, const struct kyaml_place *place, struct doc_node *map,
                       struct doc_node *const maps[SIDES], str key)
{
    struct doc_node *side[SIDES] = {doc_get(map, key), doc_get(maps[ORIGIN], key),
                                    doc_get(maps[UPDATE], key)};
    const struct doc_node *sources[] = {side[DEST], side[ORIGIN], side[UPDATE]};
    const struct doc_node *commented = choose_key(side);
    struct doc_extra comments = {0};
    struct doc_node *is = NULL, *entry;

    if (commented && commented->extra)
        comments = *commented->extra;
    if (merge3(k, kyaml_field(k, place, key, sources, SIDES), side, &is) < 0)
        return -1;
    kyaml_set(k, map, key, is, side[UPDATE]);
    entry = doc_get(map, key);
    if (entry && commented &&
        (entry->extra || comments.key_head.len || comments.key_line.len || comments.key_foot.len))
        set_key_comments(k, entry, &comments);
    return 0;
}

static int merge_map(struct kyaml *k, const struct kyaml_place *place,
                     struct doc_node *const side[SIDES], struct doc_node **ret)
{
    AUTO(str_vec_done) struct str_vec keys = {0};
    const struct doc_node *sources[] = {side[DEST], side[ORIGIN], side[UPDATE]};

    *ret = NULL;
    if (is_cleared(side[UPDATE]) || is_cleared(side[DEST]) || (!side[DEST] && !side[UPDATE]))
        return 0;
    *ret = side[DEST] ? side[DEST] : doc_new_map(k->set);
    kyaml_keys(sources, SIDES, &keys);
    for (size_t i = 0; i < keys.len; i++)
        if (merge_field(k, place, *ret, side, keys.v[i]) < 0)
            return -1;
    return 0;
}

/* ---- associative lists */

/* Items of all sides, each key once, in order of dest, origin, update. */
static void collect_items(struct kyaml *k, struct doc_node *const side[SIDES], const str *keys,
                          size_t count, struct nodes *ret)
{
    struct map seen = {0};

    for (int s = DEST; s < SIDES; s++) {
        struct doc_iter it = doc_children(doc_is_list(side[s]) ? side[s] : NULL);

        while (doc_next(&it)) {
            AUTO(buf_done) struct buf id = {0};
            str text;

            for (size_t i = 0; i < count; i++) {
                text = kyaml_key_text(it.value, keys[i]);
                buf_addf(&id, "%zu:", text.len);
                buf_add_str(&id, text);
            }
            text = arena_dup(&k->set->arena, buf_view(&id));
            if (!map_put(&seen, text, it.value))
                vec_push(ret, it.value);
        }
    }
    map_done(&seen);
}

/* A new item keeps its keys even where nothing changed them. */
static void ensure_keys(struct kyaml *k, struct doc_node *item, const struct doc_node *like,
                        const str *keys, size_t count)
{
    for (size_t i = 0; i < count && doc_is_map(item); i++)
        if (doc_is_null(doc_get(item, keys[i])) && kyaml_key_text(like, keys[i]).len)
            doc_set_field(k->set, item, keys[i], doc_copy(k->set, doc_get(like, keys[i])));
}

static int merge_items(struct kyaml *k, const struct kyaml_place *place, struct doc_node *list,
                       struct doc_node *const side[SIDES], const str *keys, size_t count)
{
    AUTO(nodes_done) struct nodes items = {0}, fresh = {0};
    AUTO(outcomes_done) struct outcomes outcomes = {0};
    AUTO(keyed_done) struct keyed dest = {.count = 0}, origin = {.count = 0}, update = {.count = 0};

    keyed_init(&dest, k, side[DEST], keys, count);
    keyed_init(&origin, k, side[ORIGIN], keys, count);
    keyed_init(&update, k, side[UPDATE], keys, count);
    collect_items(k, side, keys, count, &items);
    for (size_t i = 0; i < items.len; i++) {
        struct doc_node *one[SIDES] = {keyed_find(k, &dest, items.v[i]),
                                       keyed_find(k, &origin, items.v[i]),
                                       keyed_find(k, &update, items.v[i])};
        struct doc_node *is = NULL;

        if (!one[DEST] && !one[ORIGIN] && !one[UPDATE])
            continue; /* without keys: stays as it is where it is */
        if (merge3(k, kyaml_item(k, place), one, &is) < 0)
            return -1;
        if (is && doc_is_map(is) && doc_len(is) == 0)
            is = NULL;
        if (is && is != one[DEST])
            is = kyaml_moved(k, is);
        if (is)
            ensure_keys(k, is, items.v[i], keys, count);
        if (one[DEST])
            vec_push(&outcomes, {one[DEST], is});
        if (is && (!one[DEST] || k->flags & DOC_KYAML_PREPEND))
            vec_push(&fresh, is);
    }
    kyaml_rebuild(k, list, &outcomes, &fresh);
    return 0;
}

static int merge_list(struct kyaml *k, const struct kyaml_place *place,
                      struct doc_node *const side[SIDES], struct doc_node **ret)
{
    const struct doc_node *sources[] = {side[DEST], side[ORIGIN], side[UPDATE]};
    str keys[DOC_SHAPE_MAX_KEYS];
    size_t count;

    if (!kyaml_is_associative(k, place, sources, SIDES, keys, &count)) {
        *ret = choose(k, side, true);
        return 0;
    }
    *ret = NULL;
    if (doc_is_null(side[UPDATE]) && !doc_is_null(side[ORIGIN]))
        return 0; /* the update took the whole list away */
    *ret = doc_is_null(side[DEST]) ? doc_new_list(k->set) : side[DEST];
    if (merge_items(k, place, *ret, side, keys, count) < 0)
        return -1;
    if (doc_len(*ret) == 0 && *ret != side[DEST])
        *ret = NULL;
    return 0;
}

static int merge3(struct kyaml *k, struct kyaml_place place, struct doc_node *const side[SIDES],
                  struct doc_node **ret)
{
    const struct doc_node *sources[] = {side[DEST], side[ORIGIN], side[UPDATE]};
    int type = kyaml_type(k, sources, SIDES), rc = 0;

    if (type < 0)
        return -1;
    if (!side[ORIGIN] && !side[UPDATE]) {
        *ret = doc_is_null(side[DEST]) ? NULL : side[DEST];
        return 0;
    }
    if (kyaml_deeper(k) < 0)
        return -1;
    kyaml_root(k, &place, sources, SIDES);
    if (type == DOC_LIST)
        rc = merge_list(k, &place, side, ret);
    else if (type == DOC_STRING)
        *ret = choose(k, side, false);
    else
        rc = merge_map(k, &place, side, ret);
    k->depth--;
    return rc;
}

int doc_kyaml_merge3(struct doc_set *set, struct doc_node *dest, const struct doc_node *origin,
                     const struct doc_node *update, const struct doc_schema *schema, unsigned flags,
                     struct doc_node **ret, struct err *e)
{
    struct kyaml k = {.set = set, .schema = schema, .flags = flags, .e = e};
    struct doc_node *side[SIDES] = {dest, doc_copy(set, origin), doc_copy(set, update)};

    *ret = dest;
    return merge3(&k, (struct kyaml_place){0}, side, ret);
}
