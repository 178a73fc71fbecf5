#include "fn/become.h"

#include "base/map.h"
#include "base/vec.h"

/* Recursion follows trees whose depth their readers have bounded. */

enum { NONE = -1, MAX_CELLS = 250000 /* of a table of common subsequences */ };

/* What is new is written in block style; inside flow text it is flow all the same. */
static void use_blocks(struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    if (doc_len(n))
        n->style = DOC_PLAIN;
    while (doc_next(&it))
        use_blocks(it.value);
}

struct doc_node *fn_copy_in_blocks(struct doc_set *set, const struct doc_node *n)
{
    struct doc_node *copy = doc_copy(set, n);

    use_blocks(copy);
    return copy;
}

static void change(struct doc_set *set, struct doc_node *old, const struct doc_node *now)
{
    struct doc_node *value = fn_copy_in_blocks(set, now);
    bool is_line = doc_is_string(now) && str_find_char(doc_text(now, STR_NONE), '\n') < 0;

    if (is_line && doc_is_string(old) && (old->style == DOC_SINGLE || old->style == DOC_DOUBLE))
        value->style = old->style;
    doc_replace(old, value);
}

static void become_map(struct doc_set *set, struct doc_node *old, const struct doc_node *now)
{
    struct doc_iter it = doc_children(old);

    while (doc_next(&it))
        if (!doc_get(now, it.key))
            doc_remove_item(old, it.value);
    for (it = doc_children(now); doc_next(&it);) {
        struct doc_node *entry = doc_get(old, it.key);

        if (entry)
            fn_become(set, entry, it.value);
        else
            doc_set_field(set, old, it.key, fn_copy_in_blocks(set, it.value));
    }
}

/* ---- lists: which old item is which new one */

struct pairing {
    struct doc_node **old;
    const struct doc_node **now;
    size_t old_count, now_count;
    ssize_t *of; /* by new item: place of the old one, or NONE */
    bool *taken; /* by old item */
    struct arena arena;
};

static void pair(struct pairing *p, size_t now, size_t old)
{
    p->of[now] = (ssize_t)old;
    p->taken[old] = true;
}

static void pairing_init(struct pairing *p, struct doc_node *old, const struct doc_node *now)
{
    struct doc_iter a = doc_children(old), b = doc_children(now);

    p->old = ARENA_ARRAY(&p->arena, struct doc_node *, doc_len(old) + 1);
    p->now = ARENA_ARRAY(&p->arena, const struct doc_node *, doc_len(now) + 1);
    p->of = ARENA_ARRAY(&p->arena, ssize_t, doc_len(now) + 1);
    p->taken = ARENA_ARRAY(&p->arena, bool, doc_len(old) + 1);
    while (doc_next(&a))
        p->old[p->old_count++] = a.value;
    while (doc_next(&b)) {
        p->of[p->now_count] = NONE;
        p->now[p->now_count++] = b.value;
    }
}

static str name_of(const struct doc_node *item)
{
    return doc_string(doc_get_lit(item, "name"), STR_NONE);
}

/* By name, if every item has one of its own. */
static bool pair_by_name(struct pairing *p)
{
    AUTO(map_done) struct map names = {0}, seen = {0};

    for (size_t i = 0; i < p->old_count; i++)
        if (!name_of(p->old[i]).len ||
            map_put(&names, name_of(p->old[i]), (void *)(uintptr_t)(i + 1)))
            return false;
    for (size_t j = 0; j < p->now_count; j++)
        if (!name_of(p->now[j]).len || map_put(&seen, name_of(p->now[j]), p))
            return false;
    for (size_t j = 0; j < p->now_count; j++) {
        uintptr_t at = (uintptr_t)map_get(&names, name_of(p->now[j]));

        if (at)
            pair(p, j, at - 1);
    }
    return true;
}

static size_t pair_ends(struct pairing *p, size_t *old_end, size_t *now_end)
{
    size_t begin = 0;

    while (begin < p->old_count && begin < p->now_count &&
           doc_equal(p->old[begin], p->now[begin])) {
        pair(p, begin, begin);
        begin++;
    }
    *old_end = p->old_count;
    *now_end = p->now_count;
    while (*old_end > begin && *now_end > begin &&
           doc_equal(p->old[*old_end - 1], p->now[*now_end - 1]))
        pair(p, --*now_end, --*old_end);
    return begin;
}

/* The longest common subsequence of equal items between the ends. */
static void pair_common(struct pairing *p, size_t begin, size_t old_end, size_t now_end)
{
    size_t rows = old_end - begin, columns = now_end - begin, width = columns + 1;
    uint32_t *best;

    if (!rows || !columns || rows > MAX_CELLS / columns)
        return;
    best = ARENA_ARRAY(&p->arena, uint32_t, (rows + 1) * width);
    for (size_t i = rows; i-- > 0;)
        for (size_t j = columns; j-- > 0;)
            best[i * width + j] = doc_equal(p->old[begin + i], p->now[begin + j])
                                      ? best[(i + 1) * width + j + 1] + 1
                                      : MAX(best[(i + 1) * width + j], best[i * width + j + 1]);
    for (size_t i = 0, j = 0; i < rows && j < columns;) {
        if (doc_equal(p->old[begin + i], p->now[begin + j])) {
            pair(p, begin + j++, begin + i++);
        } else if (best[(i + 1) * width + j] >= best[i * width + j + 1]) {
            i++;
        } else {
            j++;
        }
    }
}

/* A changed item is still the same one: collections of a kind, scalars with the same comment. */
static bool is_alike(const struct doc_node *old, const struct doc_node *now)
{
    if (doc_is_map(old) || doc_is_list(old))
        return doc_type(old) == doc_type(now);
    return doc_is_scalar(now) && old->extra && now->extra && old->extra->line.len &&
           str_eq(old->extra->line, now->extra->line);
}

/* Between items that are paired, the others in order. */
static void pair_rest(struct pairing *p)
{
    size_t i = 0;

    for (size_t j = 0; j < p->now_count; j++) {
        if (p->of[j] != NONE) {
            i = (size_t)p->of[j] + 1;
            continue;
        }
        if (i < p->old_count && !p->taken[i] && is_alike(p->old[i], p->now[j])) {
            pair(p, j, i);
            i++;
        }
    }
}

static bool is_in_order(const struct pairing *p)
{
    ssize_t last = NONE;

    for (size_t j = 0; j < p->now_count; j++) {
        if (p->of[j] == NONE)
            continue;
        if (p->of[j] < last)
            return false;
        last = p->of[j];
    }
    return true;
}

static void become_list(struct doc_set *set, struct doc_node *old, const struct doc_node *now)
{
    struct pairing p = {0};
    struct doc_node *before = NULL;
    bool in_order;

    pairing_init(&p, old, now);
    if (!pair_by_name(&p)) {
        size_t old_end, now_end, begin = pair_ends(&p, &old_end, &now_end);

        pair_common(&p, begin, old_end, now_end);
        pair_rest(&p);
    }
    in_order = is_in_order(&p);
    for (size_t i = 0; i < p.old_count; i++)
        if (!p.taken[i] || !in_order)
            doc_remove_item(old, p.old[i]);
    for (size_t j = 0; j < p.now_count; j++) {
        struct doc_node *item;

        if (p.of[j] == NONE) {
            item = fn_copy_in_blocks(set, p.now[j]);
        } else {
            item = p.old[p.of[j]];
            fn_become(set, item, p.now[j]);
        }
        if (p.of[j] == NONE || !in_order)
            doc_link(set, old, before, item);
        before = item;
    }
    arena_done(&p.arena);
}

/* A function that reads YAML 1.1 takes a plain yes for a bool and prints true. */
static bool is_same_bool(const struct doc_node *old, const struct doc_node *now)
{
    static const str yes[] = {STR_INIT("yes"), STR_INIT("on"), STR_INIT("y")};
    static const str no[] = {STR_INIT("no"), STR_INIT("off"), STR_INIT("n")};
    const str *words = doc_bool(now, false) ? yes : no;

    if (doc_type(now) != DOC_BOOL || !doc_is_string(old) || old->style != DOC_PLAIN)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(yes); i++)
        if (str_eq_nocase(doc_text(old, STR_NONE), words[i]))
            return true;
    return false;
}

void fn_become(struct doc_set *set, struct doc_node *old, const struct doc_node *now)
{
    if (doc_is_map(old) && doc_is_map(now))
        become_map(set, old, now);
    else if (doc_is_list(old) && doc_is_list(now))
        become_list(set, old, now);
    else if (!doc_equal(old, now) && !is_same_bool(old, now))
        change(set, old, now);
}
