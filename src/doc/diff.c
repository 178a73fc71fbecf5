#include "doc/diff.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "doc/emit.h"

enum { LONGEST_VALUE = 120 };

struct differ {
    struct doc_diff *out;
    struct buf path;
};

void doc_diff_done(struct doc_diff *d)
{
    mem_free(d->v);
    arena_done(&d->arena);
    *d = (struct doc_diff){0};
}

static void compare(struct differ *d, const struct doc_node *from, const struct doc_node *to);

static void add(struct differ *d, const struct doc_node *from, const struct doc_node *to)
{
    str path = arena_dup(&d->out->arena, buf_view(&d->path));

    vec_push(d->out, {path, from, to});
}

/* ---- steps of the path */

static void put_escaped(struct buf *path, str key)
{
    for (size_t i = 0; i < key.len; i++) {
        if (key.p[i] == '.')
            buf_add_char(path, '\\');
        buf_add_char(path, key.p[i]);
    }
}

static size_t enter(struct differ *d)
{
    size_t before = d->path.len;

    if (before)
        buf_add_char(&d->path, '.');
    return before;
}

static void compare_at_key(struct differ *d, str key, const struct doc_node *from,
                           const struct doc_node *to)
{
    size_t before = enter(d);

    put_escaped(&d->path, key);
    compare(d, from, to);
    buf_trunc(&d->path, before);
}

static void compare_at_index(struct differ *d, size_t index, const struct doc_node *from,
                             const struct doc_node *to)
{
    size_t before = enter(d);

    buf_addf(&d->path, "%zu", index);
    compare(d, from, to);
    buf_trunc(&d->path, before);
}

static void compare_at_name(struct differ *d, str name, const struct doc_node *from,
                            const struct doc_node *to)
{
    size_t before = enter(d);

    buf_addf(&d->path, "[name=%.*s]", STR_ARG(name));
    compare(d, from, to);
    buf_trunc(&d->path, before);
}

/* ---- collections */

static void compare_maps(struct differ *d, const struct doc_node *from, const struct doc_node *to)
{
    struct doc_iter it = doc_children(from);

    while (doc_next(&it))
        compare_at_key(d, it.key, it.value, doc_get(to, it.key));
    it = doc_children(to);
    while (doc_next(&it))
        if (!doc_get(from, it.key))
            compare_at_key(d, it.key, NULL, it.value);
}

static str name_of(const struct doc_node *item)
{
    return doc_string(doc_get_lit(item, "name"), STR_NONE);
}

/* Fills names with the items of a list by name; false when one has none, or the same as another. */
static bool index_names(const struct doc_node *list, struct map *names)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it)) {
        str name = name_of(it.value);

        if (name.len == 0 || map_put(names, name, it.value))
            return false;
    }
    return true;
}

static void compare_by_name(struct differ *d, const struct doc_node *from,
                            const struct doc_node *to, const struct map *from_names,
                            const struct map *to_names)
{
    struct doc_iter it = doc_children(from);

    while (doc_next(&it))
        compare_at_name(d, name_of(it.value), it.value, map_get(to_names, name_of(it.value)));
    it = doc_children(to);
    while (doc_next(&it))
        if (!map_has(from_names, name_of(it.value)))
            compare_at_name(d, name_of(it.value), NULL, it.value);
}

static void compare_lists(struct differ *d, const struct doc_node *from, const struct doc_node *to)
{
    AUTO(map_done) struct map from_names = {0}, to_names = {0};
    const struct doc_node *a = doc_first(from), *b = doc_first(to);
    size_t from_len = doc_len(from), to_len = doc_len(to);

    if (from_len && to_len && index_names(from, &from_names) && index_names(to, &to_names)) {
        compare_by_name(d, from, to, &from_names, &to_names);
        return;
    }
    for (size_t i = 0; i < MAX(from_len, to_len); i++) {
        compare_at_index(d, i, i < from_len ? a : NULL, i < to_len ? b : NULL);
        a = i < from_len ? a->next : NULL;
        b = i < to_len ? b->next : NULL;
    }
}

static void compare(struct differ *d, const struct doc_node *from, const struct doc_node *to)
{
    if (!from || !to) {
        if (from != to)
            add(d, from, to);
        return;
    }
    if (doc_is_map(from) && doc_is_map(to))
        compare_maps(d, from, to);
    else if (doc_is_list(from) && doc_is_list(to))
        compare_lists(d, from, to);
    else if (!doc_equal(from, to))
        add(d, from, to);
}

void doc_diff(const struct doc_node *from, const struct doc_node *to, struct doc_diff *ret)
{
    struct differ d = {.out = ret};

    compare(&d, from, to);
    buf_done(&d.path);
}

/* ---- printing */

static void put_value(const struct doc_node *n, struct buf *out)
{
    size_t before = out->len;

    doc_emit_json(n, 0, out);
    if (out->len - before <= LONGEST_VALUE)
        return;
    buf_trunc(out, before + utf8_start(str_from(buf_view(out), before), LONGEST_VALUE).len);
    buf_add_cstr(out, " ...");
}

void doc_diff_print(const struct doc_diff *d, struct buf *out)
{
    for (size_t i = 0; i < d->len; i++) {
        const struct doc_change *c = &d->v[i];

        buf_addf(out, "%c ", !c->from ? '+' : !c->to ? '-' : '~');
        buf_add_str(out, c->path.len ? c->path : STR("(all)"));
        buf_add_cstr(out, ": ");
        if (c->from)
            put_value(c->from, out);
        if (c->from && c->to)
            buf_add_cstr(out, " -> ");
        if (c->to)
            put_value(c->to, out);
        buf_add_char(out, '\n');
    }
}
