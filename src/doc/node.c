#include "doc/node.h"

#include <math.h>

#include "base/ascii.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "doc/node_priv.h"

enum { LONGEST_EXCERPT = 240, MOST_SOURCES = 1 << 18 /* the bits that nodes have for them */ };

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
    assert(set->source_count < MOST_SOURCES);
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

/* Most keys have up to sixteen bytes: two words tell them apart, without a call. */
static inline bool same_short(const char *a, const char *b, size_t len)
{
    uint64_t x[2], y[2];
    uint32_t v[2], w[2];

    if (len < 4)
        return len == 0 || (a[0] == b[0] && a[len / 2] == b[len / 2] && a[len - 1] == b[len - 1]);
    if (len < 8) {
        memcpy(&v[0], a, 4);
        memcpy(&v[1], a + len - 4, 4);
        memcpy(&w[0], b, 4);
        memcpy(&w[1], b + len - 4, 4);
        return v[0] == w[0] && v[1] == w[1];
    }
    memcpy(&x[0], a, 8);
    memcpy(&x[1], a + len - 8, 8);
    memcpy(&y[0], b, 8);
    memcpy(&y[1], b + len - 8, 8);
    return x[0] == y[0] && x[1] == y[1];
}

/* In a small map lengths tell most keys apart: cheaper than a hash of the key that is looked for.
 */
static inline struct doc_node *scan(const struct doc_node *map, str key)
{
    struct doc_node *e = map->last->next;

    for (uint32_t i = 0; i < map->len; i++, e = e->next)
        if (e->key_len == key.len && same_short(e->key, key.p, key.len))
            return e;
    return NULL;
}

/* What calls others, apart: the common case has no registers to save for it. */
static __attribute__((noinline)) struct doc_node *look_up(const struct doc_node *map, str key)
{
    struct doc_node *e = map->last->next;

    if (map->extra && map->extra->index)
        return map->extra->index[index_slot(map->extra, key, str_hash(key))];
    for (uint32_t i = 0; i < map->len; i++, e = e->next)
        if (str_eq(doc_key(e), key))
            return e;
    return NULL;
}

struct doc_node *doc_get(const struct doc_node *map, str key)
{
    if (!doc_is_map(map) || map->len == 0)
        return NULL;
    if (UNLIKELY(key.len > 16 || (map->extra && map->extra->index)))
        return look_up(map, key);
    return scan(map, key);
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

/* Takes the prefix 0x, 0o or 0b off; a leading 0 that has none is octal. */
static unsigned take_base(str *s)
{
    char c = s->len > 2 && s->p[0] == '0' ? (char)(s->p[1] | 0x20) : '\0';
    unsigned base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;

    if (base != 10)
        *s = str_from(*s, 2);
    else if (s->len > 1 && s->p[0] == '0')
        base = 8;
    return base;
}

/* The digits of 0x…, 0o…, 0b…, decimal or 0… text without its sign; '_' between digits is skipped.
 */
static bool parse_magnitude(str s, uint64_t *ret)
{
    unsigned base = take_base(&s);
    uint64_t value = 0;
    bool any = false;

    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        unsigned digit = (unsigned)ascii_hex_value(c);

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

static void place_in_outer(const struct doc_set *set, const struct doc_source *src,
                           struct doc_place *place)
{
    struct doc_place outer = doc_place_at(set, src->outer, src->at);

    place->origin = outer.origin;
    place->line += outer.line - !src->is_below;
}

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
    if (place.excerpt.len > LONGEST_EXCERPT) /* a JSON text of megabytes is one line */
        place.excerpt =
            utf8_start(place.excerpt, place.column <= LONGEST_EXCERPT ? LONGEST_EXCERPT : 0);
    if (src->outer)
        place_in_outer(set, src, &place);
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
