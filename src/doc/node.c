#include "doc/node.h"

#include <math.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"

enum { LONGEST_EXCERPT = 240 };

struct doc_set *doc_set_new(void)
{
    struct doc_set *set = NEW(struct doc_set);

    set->source_count = 1;
    set->source_cap = 4;
    set->sources = mem_zalloc(set->source_cap * sizeof(*set->sources));
    return set;
}

void doc_set_clear(struct doc_set *set)
{
    arena_clear(&set->arena);
    set->source_count = 1;
}

void doc_set_free(struct doc_set *set)
{
    if (!set)
        return;
    mem_free(set->sources);
    arena_done(&set->arena);
    mem_free(set);
}

uint32_t doc_set_add_source(struct doc_set *set, str text, str origin, bool copy)
{
    if (set->source_count == set->source_cap) {
        set->source_cap *= 2;
        set->sources = mem_realloc(set->sources, set->source_cap, sizeof(*set->sources));
    }
    if (copy) {
        char *own = mem_strndup(text.p, text.len);

        arena_adopt(&set->arena, own);
        text = (str){own, text.len};
    }
    set->sources[set->source_count] =
        (struct doc_source){.text = text, .origin = arena_dup(&set->arena, origin)};
    return set->source_count++;
}

void doc_list_done(struct doc_list *list) { vec_done(list); }

/* ---- reading */

static uint32_t index_slot(const struct doc_extra *x, str key, uint32_t hash)
{
    uint32_t mask = x->index_slots - 1;
    uint32_t at = hash & mask;

    while (x->index[at]) {
        const struct doc_node *e = x->index[at];

        if (e->key_hash == hash && str_eq(doc_key(e), key))
            break;
        at = (at + 1) & mask;
    }
    return at;
}

static struct doc_node *scan(const struct doc_node *map, str key, uint32_t hash)
{
    struct doc_node *e = map->last->next;

    for (uint32_t i = 0; i < map->len; i++, e = e->next)
        if (e->key_hash == hash && str_eq(doc_key(e), key))
            return e;
    return NULL;
}

struct doc_node *doc_get(const struct doc_node *map, str key)
{
    if (!doc_is_map(map) || map->len == 0)
        return NULL;
    if (map->extra && map->extra->index) {
        uint32_t hash = str_hash(key);

        return map->extra->index[index_slot(map->extra, key, hash)];
    }
    return scan(map, key, str_hash(key));
}

struct doc_node *doc_at(const struct doc_node *n, const char *path)
{
    str rest = str_of(path);

    while (rest.p && n) {
        str key = str_cut(rest, '/', &rest);

        n = doc_get(n, key);
    }
    return (struct doc_node *)n;
}

struct doc_node *doc_item(const struct doc_node *list, size_t index)
{
    struct doc_node *n;

    if (index >= doc_len(list))
        return NULL;
    if (index + 1 == list->len)
        return list->last;
    n = list->last->next;
    while (index--)
        n = n->next;
    return n;
}

str doc_text(const struct doc_node *n, str fallback)
{
    return doc_is_scalar(n) && n->type != DOC_NULL ? (str){n->text, n->len} : fallback;
}

str doc_string(const struct doc_node *n, str fallback)
{
    return doc_is_string(n) ? (str){n->text, n->len} : fallback;
}

bool doc_bool(const struct doc_node *n, bool fallback)
{
    return n && n->type == DOC_BOOL ? n->bool_val : fallback;
}

/* The digits of 0x…, 0o…, 0b…, decimal or 0… text without its sign; '_' between digits is skipped.
 */
static bool parse_magnitude(str s, uint64_t *ret)
{
    unsigned base = 10;
    uint64_t value = 0;
    bool any = false;

    if (s.len > 2 && s.p[0] == '0') {
        char c = (char)(s.p[1] | 0x20);

        base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
        if (base != 10)
            s = str_from(s, 2);
    }
    if (base == 10 && s.len > 1 && s.p[0] == '0')
        base = 8;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                                : 99;

        if (c == '_')
            continue;
        if (digit >= base || __builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, digit, &value))
            return false;
        any = true;
    }
    *ret = value;
    return any;
}

static bool number_parts(const struct doc_node *n, bool *ret_negative, uint64_t *ret)
{
    str s = {n ? n->text : NULL, n ? n->len : 0};

    if (!n || n->type != DOC_NUMBER || !n->is_int || s.len == 0)
        return false;
    *ret_negative = s.p[0] == '-';
    if (s.p[0] == '-' || s.p[0] == '+')
        s = str_from(s, 1);
    return parse_magnitude(s, ret);
}

bool doc_to_int64(const struct doc_node *n, int64_t *ret)
{
    bool negative;
    uint64_t value;

    if (!number_parts(n, &negative, &value) || value > (uint64_t)INT64_MAX + negative)
        return false;
    *ret = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

bool doc_to_uint64(const struct doc_node *n, uint64_t *ret)
{
    bool negative;

    return number_parts(n, &negative, ret) && (!negative || *ret == 0);
}

bool doc_to_double(const struct doc_node *n, double *ret)
{
    char text[64], *end;
    size_t len = 0;
    bool negative;
    uint64_t value;

    if (number_parts(n, &negative, &value)) {
        *ret = negative ? -(double)value : (double)value;
        return true;
    }
    if (!n || n->type != DOC_NUMBER)
        return false;
    for (uint32_t i = 0; i < n->len && len < sizeof(text) - 1; i++)
        if (n->text[i] != '_')
            text[len++] = n->text[i];
    text[len] = '\0';
    {
        str s = {text, len};
        bool minus = len && text[0] == '-';

        if (len && (text[0] == '-' || text[0] == '+'))
            s = str_from(s, 1);
        if (str_eq_nocase(s, STR(".inf")) || str_eq_nocase(s, STR(".nan"))) {
            *ret = str_eq_nocase(s, STR(".nan")) ? (double)NAN
                   : minus                       ? -(double)INFINITY
                                                 : (double)INFINITY;
            return true;
        }
    }
    *ret = strtod(text, &end);
    return *end == '\0' && len > 0;
}

int64_t doc_int(const struct doc_node *n, int64_t fallback)
{
    int64_t value;

    return doc_to_int64(n, &value) ? value : fallback;
}

static bool number_equal(const struct doc_node *a, const struct doc_node *b)
{
    double x, y;
    bool minus_a, minus_b;
    uint64_t ia, ib;

    if (str_eq(doc_text(a, STR_NONE), doc_text(b, STR_NONE)))
        return true;
    if (number_parts(a, &minus_a, &ia) && number_parts(b, &minus_b, &ib))
        return ia == ib && (minus_a == minus_b || ia == 0);
    return doc_to_double(a, &x) && doc_to_double(b, &y) && x == y;
}

static bool children_equal(const struct doc_node *a, const struct doc_node *b);

bool doc_equal(const struct doc_node *a, const struct doc_node *b)
{
    if (doc_type(a) != doc_type(b))
        return false;
    switch (doc_type(a)) {
    case DOC_NULL:
        return true;
    case DOC_BOOL:
        return a->bool_val == b->bool_val;
    case DOC_NUMBER:
        return number_equal(a, b);
    case DOC_STRING:
        return str_eq(doc_string(a, STR_NONE), doc_string(b, STR_NONE));
    case DOC_LIST:
    case DOC_MAP:
        return a->len == b->len && children_equal(a, b);
    case DOC_ALIAS:
        return doc_equal(a->extra->target, b->extra->target);
    }
    return false;
}

static bool children_equal(const struct doc_node *a, const struct doc_node *b)
{
    struct doc_iter it = doc_children(a);
    struct doc_node *other = doc_first(b);

    for (; doc_next(&it); other = other ? other->next : NULL) {
        if (a->type == DOC_MAP && !str_eq(it.key, doc_key(other))) { /* order differs: look it up */
            other = doc_get(b, it.key);
            if (!other)
                return false;
        }
        if (!doc_equal(it.value, other))
            return false;
    }
    return true;
}

struct doc_iter doc_children(const struct doc_node *n)
{
    return (struct doc_iter){.next_node = doc_first(n), .left = (uint32_t)doc_len(n)};
}

bool doc_next(struct doc_iter *it)
{
    if (it->left == 0)
        return false;
    it->left--;
    it->value = it->next_node;
    it->key = doc_key(it->value);
    it->next_node = it->value->next;
    return true;
}

/* ---- places */

struct doc_place doc_place_at(const struct doc_set *set, uint32_t source, uint32_t offset)
{
    const struct doc_source *src = &set->sources[source];
    struct doc_place place = {.origin = src->origin, .line = 1};
    const char *p = src->text.p, *end = p + MIN((size_t)offset, src->text.len), *newline;

    while (p < end && (newline = memchr(p, '\n', (size_t)(end - p)))) {
        place.line++;
        p = newline + 1;
    }
    place.column = (uint32_t)(end - p) + 1;
    newline = src->text.len ? memchr(p, '\n', (size_t)(src->text.p + src->text.len - p)) : NULL;
    place.excerpt = str_range(p, newline ? newline : src->text.p + src->text.len);
    place.excerpt = str_trim_right(place.excerpt, "\r");
    if (place.excerpt.len > LONGEST_EXCERPT) { /* a JSON text of megabytes is one line */
        size_t len = place.column <= LONGEST_EXCERPT ? LONGEST_EXCERPT : 0;

        while (len && ((unsigned char)place.excerpt.p[len] & 0xc0) == 0x80)
            len--;
        place.excerpt.len = len;
    }
    return place;
}

uint32_t doc_offset(const struct doc_set *set, const struct doc_node *n, bool at_key)
{
    str text;

    if (!n || n->source == 0)
        return 0;
    if (!at_key)
        return n->begin;
    text = set->sources[n->source].text;
    if (n->extra && n->extra->key_end)
        return n->extra->key_begin;
    if (n->key >= text.p && n->key < text.p + text.len)
        return (uint32_t)(n->key - text.p) - doc_has_quote(text, n->key);
    return n->begin;
}

struct doc_place doc_place(const struct doc_set *set, const struct doc_node *n)
{
    if (!n || n->source == 0)
        return (struct doc_place){0};
    return doc_place_at(set, n->source, n->begin);
}

bool doc_has_quote(str source, const char *key)
{
    return key > source.p && (key[-1] == '"' || key[-1] == '\'');
}

struct doc_place doc_key_place(const struct doc_set *set, const struct doc_node *n)
{
    if (!n || n->source == 0)
        return (struct doc_place){0};
    return doc_place_at(set, n->source, doc_offset(set, n, true));
}

/* ---- making and changing */

static struct doc_node *node_new(struct doc_set *set, enum doc_type type)
{
    struct doc_node *n = ARENA_NEW(&set->arena, struct doc_node);

    n->type = type;
    return n;
}

static struct doc_node *scalar_new(struct doc_set *set, enum doc_type type, str text)
{
    struct doc_node *n = node_new(set, type);

    n->text = text.p;
    n->len = (uint32_t)text.len;
    return n;
}

struct doc_node *doc_new_map(struct doc_set *set) { return node_new(set, DOC_MAP); }

struct doc_node *doc_new_list(struct doc_set *set) { return node_new(set, DOC_LIST); }

struct doc_node *doc_new_null(struct doc_set *set)
{
    return scalar_new(set, DOC_NULL, STR("null"));
}

struct doc_node *doc_new_bool(struct doc_set *set, bool value)
{
    struct doc_node *n = scalar_new(set, DOC_BOOL, value ? STR("true") : STR("false"));

    n->bool_val = value;
    return n;
}

struct doc_node *doc_new_number(struct doc_set *set, str text)
{
    struct doc_node *n = scalar_new(set, DOC_NUMBER, arena_dup(&set->arena, text));

    n->is_int = text.len > 1 && text.p[0] == '0' && (text.p[1] | 0x20) == 'x';
    if (!n->is_int) {
        n->is_int = true;
        for (size_t i = 0; i < text.len; i++)
            if (strchr(".eEnN", text.p[i]))
                n->is_int = false;
    }
    return n;
}

struct doc_node *doc_new_int(struct doc_set *set, int64_t value)
{
    struct doc_node *n =
        scalar_new(set, DOC_NUMBER, arena_printf(&set->arena, "%lld", (long long)value));

    n->is_int = true;
    return n;
}

struct doc_node *doc_new_string(struct doc_set *set, str text)
{
    return scalar_new(set, DOC_STRING, arena_dup(&set->arena, text));
}

struct doc_node *doc_new_string_view(struct doc_set *set, str text)
{
    return scalar_new(set, DOC_STRING, text);
}

struct doc_extra *doc_extra(struct doc_set *set, struct doc_node *n)
{
    if (!n->extra)
        n->extra = ARENA_NEW(&set->arena, struct doc_extra);
    return n->extra;
}

static void index_add(struct doc_extra *x, struct doc_node *entry)
{
    x->index[index_slot(x, doc_key(entry), entry->key_hash)] = entry;
}

static void index_build(struct doc_set *set, struct doc_node *map)
{
    struct doc_extra *x = doc_extra(set, map);
    struct doc_iter it = doc_children(map);

    x->index_slots = 64;
    while (x->index_slots < map->len * 4)
        x->index_slots *= 2;
    x->index = ARENA_ARRAY(&set->arena, struct doc_node *, x->index_slots);
    while (doc_next(&it))
        index_add(x, it.value);
}

/* Takes the entry out and moves what follows it in its run, so that no lookup ends early. */
static void index_remove(struct doc_extra *x, const struct doc_node *entry)
{
    uint32_t mask = x->index_slots - 1;
    uint32_t hole = index_slot(x, doc_key(entry), entry->key_hash);

    for (uint32_t at = (hole + 1) & mask; x->index[at]; at = (at + 1) & mask) {
        uint32_t home = x->index[at]->key_hash & mask;

        if (((at - home) & mask) >= ((at - hole) & mask)) {
            x->index[hole] = x->index[at];
            hole = at;
        }
    }
    x->index[hole] = NULL;
}

static bool has_index(const struct doc_node *map) { return map->extra && map->extra->index; }

/* The index lives in the arena and is kept up by every change, so that lookups never write and
 * finished documents can be read by many threads. */
void doc_index_entry(struct doc_set *set, struct doc_node *map, struct doc_node *entry)
{
    if (has_index(map) && map->len * 2 <= map->extra->index_slots)
        index_add(map->extra, entry);
    else
        index_build(set, map);
}

static void unlink_after(struct doc_node *parent, struct doc_node *before, struct doc_node *child)
{
    if (parent->type == DOC_MAP && has_index(parent))
        index_remove(parent->extra, child);
    parent->has_removed |= child->source != 0;
    before->next = child->next;
    if (parent->last == child)
        parent->last = before;
    if (--parent->len == 0)
        parent->last = NULL;
    child->next = NULL;
}

static bool unlink_child(struct doc_node *parent, const struct doc_node *child)
{
    struct doc_node *before;

    if (doc_len(parent) == 0)
        return false;
    before = parent->last;
    for (uint32_t i = 0; i < parent->len; i++, before = before->next) {
        if (before->next == child) {
            unlink_after(parent, before, before->next);
            return true;
        }
    }
    return false;
}

struct doc_node *doc_unlink(struct doc_node *parent, struct doc_node *child)
{
    struct doc_node *before = parent->last;

    for (uint32_t i = 0; i < parent->len; i++, before = before->next) {
        if (before->next != child)
            continue;
        unlink_after(parent, before, child);
        return i ? before : NULL;
    }
    return NULL;
}

void doc_link(struct doc_set *set, struct doc_node *parent, struct doc_node *before,
              struct doc_node *child)
{
    struct doc_node *last = parent->last;

    doc_push(set, parent, child);
    if (!last || before == last)
        return;
    last->next = child->next; /* out of the last place again, into its own */
    parent->last = last;
    child->next = before ? before->next : last->next;
    if (before)
        before->next = child;
    else
        last->next = child;
}

struct doc_node *doc_copy(struct doc_set *set, const struct doc_node *n)
{
    struct doc_node *copy;
    struct doc_iter it = doc_children(n);

    if (!n)
        return NULL;
    copy = arena_alloc(&set->arena, sizeof(*copy));
    *copy = *n;
    copy->next = NULL;
    copy->source = 0;
    copy->begin = copy->end = 0;
    copy->is_changed = copy->has_removed = false;
    copy->key = NULL;
    copy->key_len = 0;
    copy->extra = NULL;
    if (n->extra) {
        const str *from = &n->extra->head;
        str *to = &doc_extra(set, copy)->head;

        for (size_t i = 0; i < offsetof(struct doc_extra, target) / sizeof(str); i++)
            to[i] = from[i].len ? arena_dup(&set->arena, from[i]) : STR_NONE;
        copy->extra->target = n->extra->target;
    }
    if (n->type <= DOC_STRING) {
        copy->text = arena_dup(&set->arena, (str){n->text, n->len}).p;
        return copy;
    }
    copy->last = NULL;
    copy->len = 0;
    while (doc_next(&it)) {
        struct doc_node *child = doc_copy(set, it.value);

        if (n->type == DOC_MAP) {
            child->key = arena_dup(&set->arena, it.key).p;
            child->key_len = (uint32_t)it.key.len;
            child->key_hash = it.value->key_hash;
        }
        doc_push(set, copy, child);
    }
    return copy;
}

/* Makes value an entry in the place of old: same key with its comments, same place in order. */
static void take_place(struct doc_node *old, struct doc_node *value)
{
    struct doc_node keep = *old;

    *old = *value;
    if (keep.source) {
        old->source = keep.source;
        old->begin = keep.begin;
        old->end = keep.end;
        old->is_changed = true;
    }
    old->next = keep.next;
    old->key = keep.key;
    old->key_len = keep.key_len;
    old->key_hash = keep.key_hash;
    old->key_style = keep.key_style;
    old->is_quoted_key = keep.is_quoted_key;
    if (keep.extra &&
        (keep.extra->key_head.len || keep.extra->key_line.len || keep.extra->key_foot.len)) {
        if (!old->extra) {
            old->extra = keep.extra;
            keep.extra->head = keep.extra->line = keep.extra->foot = STR_NONE;
            keep.extra->tag = keep.extra->anchor = STR_NONE;
            keep.extra->index = NULL;
        } else {
            old->extra->key_head = keep.extra->key_head;
            old->extra->key_line = keep.extra->key_line;
            old->extra->key_foot = keep.extra->key_foot;
        }
    }
}

void doc_replace(struct doc_node *old, struct doc_node *with) { take_place(old, with); }

struct doc_node *doc_set_field(struct doc_set *set, struct doc_node *map, str key,
                               struct doc_node *value)
{
    struct doc_node *old = doc_get(map, key);

    assert(map->type == DOC_MAP);
    if (old) {
        take_place(old, value);
        return old;
    }
    doc_key_set(value, arena_dup(&set->arena, key));
    value->key_style = DOC_PLAIN;
    doc_push(set, map, value);
    return value;
}

struct doc_node *doc_set_string(struct doc_set *set, struct doc_node *map, str key, str text)
{
    return doc_set_field(set, map, key, doc_new_string(set, text));
}

struct doc_node *doc_set_int(struct doc_set *set, struct doc_node *map, str key, int64_t value)
{
    return doc_set_field(set, map, key, doc_new_int(set, value));
}

struct doc_node *doc_set_bool(struct doc_set *set, struct doc_node *map, str key, bool value)
{
    return doc_set_field(set, map, key, doc_new_bool(set, value));
}

static struct doc_node *ensure(struct doc_set *set, struct doc_node *map, str key,
                               enum doc_type type)
{
    struct doc_node *n = doc_get(map, key);

    if (doc_is_null(n))
        return doc_set_field(set, map, key, node_new(set, type));
    return n->type == type ? n : NULL;
}

struct doc_node *doc_ensure_map(struct doc_set *set, struct doc_node *map, str key)
{
    return ensure(set, map, key, DOC_MAP);
}

struct doc_node *doc_ensure_list(struct doc_set *set, struct doc_node *map, str key)
{
    return ensure(set, map, key, DOC_LIST);
}

bool doc_remove(struct doc_node *map, str key)
{
    struct doc_node *n = doc_get(map, key);

    return n && unlink_child(map, n);
}

struct doc_node *doc_append(struct doc_node *list, struct doc_node *value)
{
    assert(list->type == DOC_LIST);
    doc_push(NULL, list, value); /* a list has no index: no set needed */
    return value;
}

struct doc_node *doc_insert(struct doc_node *list, size_t index, struct doc_node *value)
{
    struct doc_node *before;

    assert(list->type == DOC_LIST);
    if (index >= list->len)
        return doc_append(list, value);
    before = index ? doc_item(list, index - 1) : list->last;
    value->next = before->next;
    before->next = value;
    list->len++;
    return value;
}

bool doc_remove_item(struct doc_node *list, const struct doc_node *item)
{
    return unlink_child(list, item);
}

void doc_rename(struct doc_set *set, struct doc_node *map, struct doc_node *entry, str key)
{
    if (has_index(map))
        index_remove(map->extra, entry);
    doc_key_set(entry, arena_dup(&set->arena, key));
    if (entry->extra)
        entry->extra->key_begin = entry->extra->key_end = 0;
    map->has_removed |= entry->source != 0; /* the old key is to go from the text */
    if (has_index(map))
        index_add(map->extra, entry);
}

static int compare_keys(const void *a, const void *b)
{
    const struct doc_node *const *x = a, *const *y = b;

    return str_cmp(doc_key(*x), doc_key(*y));
}

/* Entries that are read and now stand elsewhere count as taken out of their places. */
static void relink(struct doc_node *n, struct doc_node **order)
{
    for (uint32_t i = 0; i < n->len; i++) {
        n->has_removed |= order[i]->next != order[(i + 1) % n->len];
        order[i]->next = order[(i + 1) % n->len];
    }
    n->last = order[n->len - 1];
}

void doc_sort_keys(struct doc_node *n)
{
    struct doc_iter it = doc_children(n);

    if (doc_is_map(n) && n->len > 1) {
        AUTO(mem_free) void *heap = mem_alloc(n->len * sizeof(struct doc_node *));
        struct doc_node **order = heap;
        uint32_t i = 0;

        while (doc_next(&it))
            order[i++] = it.value;
        qsort(order, n->len, sizeof(struct doc_node *), compare_keys);
        relink(n, order);
        it = doc_children(n);
    }
    while (doc_next(&it))
        doc_sort_keys(it.value);
}
