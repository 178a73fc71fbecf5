#include "doc/kyaml/merge_priv.h"

/* ---- comments */

static int copy_comments(struct kyaml *k, struct kyaml_place place, const struct doc_node *from,
                         struct doc_node *to);

static void fill(str *to, str from)
{
    if (to->len == 0)
        *to = from;
}

static void copy_own(struct kyaml *k, const struct doc_node *from, struct doc_node *to)
{
    struct doc_extra *x;

    if (!from || !to || !from->extra)
        return;
    x = doc_extra(k->set, to);
    fill(&x->head, arena_dup(&k->set->arena, from->extra->head));
    fill(&x->line, arena_dup(&k->set->arena, from->extra->line));
    fill(&x->foot, arena_dup(&k->set->arena, from->extra->foot));
    fill(&x->key_head, arena_dup(&k->set->arena, from->extra->key_head));
    fill(&x->key_line, arena_dup(&k->set->arena, from->extra->key_line));
    fill(&x->key_foot, arena_dup(&k->set->arena, from->extra->key_foot));
}

static int copy_fields(struct kyaml *k, const struct kyaml_place *place,
                       const struct doc_node *from, struct doc_node *to)
{
    struct doc_iter it = doc_children(to);

    while (doc_next(&it)) {
        const struct doc_node *value = doc_get(from, it.key), *sources[] = {value, it.value};

        if (copy_comments(k, kyaml_field(k, place, it.key, sources, 2), value, it.value) < 0)
            return -1;
    }
    return 0;
}

static int copy_items(struct kyaml *k, const struct kyaml_place *place, const struct doc_node *from,
                      struct doc_node *to, const str *keys, size_t count)
{
    AUTO(keyed_done) struct keyed keyed = {.count = 0};
    struct doc_iter it = doc_children(to);

    keyed_init(&keyed, k, from, keys, count);
    while (doc_next(&it))
        if (copy_comments(k, kyaml_item(k, place), keyed_find(k, &keyed, it.value), it.value) < 0)
            return -1;
    return 0;
}

/* Items at the same place that are equal scalars, or both none. */
static void copy_pairs(struct kyaml *k, const struct doc_node *from, struct doc_node *to)
{
    struct doc_iter a = doc_children(from), b = doc_children(to);

    while (doc_next(&a) && doc_next(&b))
        if (str_eq(doc_text(a.value, STR_NONE), doc_text(b.value, STR_NONE)))
            copy_own(k, a.value, b.value);
}

static int copy_comments(struct kyaml *k, struct kyaml_place place, const struct doc_node *from,
                         struct doc_node *to)
{
    const struct doc_node *sources[] = {from, to};
    str keys[DOC_SHAPE_MAX_KEYS];
    size_t count;
    int type = kyaml_type(k, sources, 2), rc = 0;

    if (type < 0)
        return -1;
    if (kyaml_deeper(k) < 0)
        return -1;
    kyaml_root(k, &place, sources, 2);
    copy_own(k, from, to);
    /* A line comment behind a folded text would become a part of it. */
    if (doc_is_scalar(to) && to->style == DOC_FOLDED)
        to->style = DOC_DOUBLE;
    if (type == DOC_MAP && doc_is_map(to))
        rc = copy_fields(k, &place, from, to);
    else if (type == DOC_LIST && from && kyaml_is_associative(k, &place, sources, 2, keys, &count))
        rc = copy_items(k, &place, from, to, keys, count);
    else if (type == DOC_LIST)
        copy_pairs(k, from, to);
    k->depth--;
    return rc;
}

int doc_copy_comments(struct doc_set *set, const struct doc_node *from, struct doc_node *to,
                      const struct doc_schema *schema, struct err *e)
{
    struct kyaml k = {.set = set, .schema = schema, .e = e};

    return copy_comments(&k, (struct kyaml_place){0}, from, to);
}

/* ---- order of keys */

static void reorder(const struct doc_node *from, struct doc_node *to)
{
    AUTO(nodes_done) struct nodes entries = {0};
    struct doc_iter it = doc_children(from);

    while (doc_next(&it)) {
        struct doc_node *entry = doc_get(to, it.key);

        if (entry)
            vec_push(&entries, entry);
    }
    it = doc_children(to);
    while (doc_next(&it))
        if (!doc_get(from, it.key))
            vec_push(&entries, it.value);
    for (size_t i = 0; i < entries.len; i++)
        entries.v[i]->next = entries.v[(i + 1) % entries.len];
    if (entries.len)
        to->last = entries.v[entries.len - 1];
}

static int copy_order(struct kyaml *k, const struct doc_node *from, struct doc_node *to)
{
    struct doc_iter it = doc_children(from), other = doc_children(to);

    if (doc_len(from) == 0 || doc_type(from) != doc_type(to))
        return 0;
    if (kyaml_deeper(k) < 0)
        return -1;
    while (doc_next(&it)) {
        struct doc_node *value = doc_is_map(to)     ? doc_get(to, it.key)
                                 : doc_next(&other) ? other.value
                                                    : NULL;

        if (copy_order(k, it.value, value) < 0)
            return -1;
    }
    if (doc_is_map(to))
        reorder(from, to);
    k->depth--;
    return 0;
}

/* A comment before the first key of an item stands before the item. */
static void lift_comments(struct kyaml *k, struct doc_node *n, int depth)
{
    struct doc_iter it = doc_children(n);

    while (depth < KYAML_MAX_DEPTH && doc_next(&it)) {
        struct doc_node *first =
            doc_is_list(n) && doc_is_map(it.value) ? doc_first(it.value) : NULL;

        if (first && first->extra && first->extra->key_head.len) {
            struct doc_extra *x = doc_extra(k->set, it.value);

            x->head = x->head.len ? arena_printf(&k->set->arena, "%.*s\n%.*s", STR_ARG(x->head),
                                                 STR_ARG(first->extra->key_head))
                                  : first->extra->key_head;
            first->extra->key_head = STR_NONE;
        }
        lift_comments(k, it.value, depth + 1);
    }
}

int doc_copy_order(struct doc_set *set, const struct doc_node *from, struct doc_node *to,
                   struct err *e)
{
    struct kyaml k = {.set = set, .e = e};

    if (copy_order(&k, from, to) < 0)
        return -1;
    lift_comments(&k, to, 0);
    return 0;
}
