#include "doc/order_priv.h"

#include "base/vec.h"
#include "doc/letters.h"
#include "doc/order.h"

/* Up to here insertion beats qsort. */
enum { FEW = 12 };

/* ---- the natural order */

/* Of an unsigned byte, unlike ascii_is_digit: widening it once more shows in builds that are
 * sorted. */
static inline bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }

static bool is_wide_letter(uint32_t c)
{
    size_t low = 0, high = ARRAY_LEN(letters);

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (c > letters[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ARRAY_LEN(letters) && c >= letters[low].first;
}

/* at is inside a character when the keys differ in its later bytes. */
static bool is_letter(str s, size_t at)
{
    unsigned char c = (unsigned char)s.p[at];
    size_t width;

    if (c < 0x80)
        return (unsigned char)((c | 0x20) - 'a') < 26;
    while (at > 0 && ((unsigned char)s.p[at] & 0xc0) == 0x80)
        at--;
    return is_wide_letter(str_utf8_at(s, at, &width));
}

/* The number that begins at s.p + at; where it ends goes to *ret_end. Wraps round as upstream's
 * does. */
static int64_t number_at(str s, size_t at, uint64_t start, size_t *ret_end)
{
    uint64_t value = start;

    for (; at < s.len && is_digit((unsigned char)s.p[at]); at++)
        value = value * 10 + (uint64_t)(s.p[at] - '0');
    *ret_end = at;
    return (int64_t)value;
}

/* The keys differ first at `at`, and no letter stands there. */
static int compare_numbers(str a, str b, size_t at)
{
    uint64_t start = 0;
    int64_t x, y;
    size_t end_a, end_b;

    if (a.p[at] == '0' || b.p[at] == '0')
        for (size_t i = at; i-- > 0 && is_digit((unsigned char)a.p[i]);)
            if (a.p[i] != '0')
                start = 1; /* zeros inside a number count */
    x = number_at(a, at, start, &end_a);
    y = number_at(b, at, start, &end_b);
    if (x != y)
        return x < y ? -1 : 1;
    if (end_a != end_b)
        return end_a < end_b ? -1 : 1;
    return (unsigned char)a.p[at] < (unsigned char)b.p[at] ? -1 : 1;
}

/* The keys differ first at `at`. */
static int compare_natural(str a, str b, size_t at)
{
    bool letter_a, letter_b;

    if (at == MIN(a.len, b.len))
        return a.len < b.len ? -1 : a.len > b.len;
    letter_a = is_letter(a, at);
    letter_b = is_letter(b, at);
    if (letter_a && letter_b)
        return (unsigned char)a.p[at] < (unsigned char)b.p[at] ? -1 : 1;
    if (letter_a || letter_b)
        return letter_b ? -1 : 1;
    return compare_numbers(a, b, at);
}

int doc_compare_keys(str a, str b)
{
    size_t at = 0, len = MIN(a.len, b.len);

    while (at < len && a.p[at] == b.p[at])
        at++;
    if (at && at < len && is_digit((unsigned char)a.p[at - 1]) &&
        is_letter(a, at) != is_letter(b, at))
        return is_letter(a, at) ? -1 : 1;
    return compare_natural(a, b, at);
}

/* ---- sorting */

static inline bool is_ascii_letter(char c) { return (unsigned char)((c | 0x20) - 'a') < 26; }

/* Most keys differ by a letter, and in one of the first. */
static inline int compare_fast(const struct doc_node *a, const struct doc_node *b,
                               enum order_kind kind)
{
    size_t len = MIN(a->key_len, b->key_len), at = 0;

    if (kind == ORDER_BYTES)
        return str_cmp(doc_key(a), doc_key(b));
    while (at < len && a->key[at] == b->key[at])
        at++;
    if (LIKELY(at < len && is_ascii_letter(a->key[at]) && is_ascii_letter(b->key[at])))
        return a->key[at] < b->key[at] ? -1 : 1;
    return compare_natural(doc_key(a), doc_key(b), at);
}

static int compare_bytes(const void *a, const void *b)
{
    struct doc_node *const *x = a, *const *y = b;

    return compare_fast(*x, *y, ORDER_BYTES);
}

static int compare_naturally(const void *a, const void *b)
{
    struct doc_node *const *x = a, *const *y = b;

    return compare_fast(*x, *y, ORDER_NATURAL);
}

static inline void insert_sorted(struct doc_node **v, size_t count, enum order_kind kind)
{
    for (size_t i = 1; i < count; i++) {
        struct doc_node *n = v[i];
        size_t j = i;

        for (; j > 0 && compare_fast(v[j - 1], n, kind) > 0; j--)
            v[j] = v[j - 1];
        v[j] = n;
    }
}

static bool is_sorted(struct doc_node **v, size_t count, enum order_kind kind)
{
    for (size_t i = 1; i < count; i++)
        if (compare_fast(v[i - 1], v[i], kind) > 0)
            return false;
    return true;
}

size_t order_push(struct order *o, const struct doc_node *map, enum order_kind kind)
{
    size_t base = o->len, count = map->len;
    struct doc_node *child = doc_first(map), **v;

    vec_reserve(o, count);
    v = o->v + base;
    for (size_t i = 0; i < count; i++, child = child->next)
        v[i] = child;
    o->len += count;
    if (count > FEW && !is_sorted(v, count, kind))
        qsort(v, count, sizeof(*v), kind == ORDER_BYTES ? compare_bytes : compare_naturally);
    else if (count <= FEW && kind == ORDER_NATURAL)
        insert_sorted(v, count, ORDER_NATURAL);
    else if (count <= FEW)
        insert_sorted(v, count, ORDER_BYTES);
    return base;
}

void order_done(struct order *o) { vec_done(o); }
