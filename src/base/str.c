#include "base/str.h"

#include "base/hash.h"

#include <ctype.h>
#include <errno.h>

str str_of(const char *s) { return (str){s, s ? strlen(s) : 0}; }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

bool str_eq_nocase(str a, str b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (lower(a.p[i]) != lower(b.p[i]))
            return false;
    return true;
}

int str_cmp(str a, str b)
{
    size_t n = MIN(a.len, b.len);
    int c = n ? memcmp(a.p, b.p, n) : 0;

    if (c)
        return c;
    return a.len < b.len ? -1 : a.len > b.len;
}

bool str_starts(str s, str prefix)
{
    return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.p, prefix.p, prefix.len) == 0);
}

bool str_ends(str s, str suffix)
{
    return s.len >= suffix.len &&
           (suffix.len == 0 || memcmp(s.p + s.len - suffix.len, suffix.p, suffix.len) == 0);
}

ssize_t str_find(str s, str needle)
{
    const char *hit;

    if (needle.len == 0)
        return 0;
    if (s.len < needle.len)
        return -1;
    hit = memmem(s.p, s.len, needle.p, needle.len);
    return hit ? hit - s.p : -1;
}

ssize_t str_find_char(str s, char c)
{
    const char *hit = s.len ? memchr(s.p, c, s.len) : NULL;

    return hit ? hit - s.p : -1;
}

ssize_t str_rfind_char(str s, char c)
{
    const char *hit = s.len ? memrchr(s.p, c, s.len) : NULL;

    return hit ? hit - s.p : -1;
}

bool str_contains(str s, str needle) { return str_find(s, needle) >= 0; }

bool str_contains_nocase(str s, str needle)
{
    bool is_exact = needle.len && !isalpha((unsigned char)needle.p[0]);

    for (size_t i = 0; i + needle.len <= s.len; i++) {
        if (is_exact) { /* a byte that can be looked for */
            const char *hit = memchr(s.p + i, needle.p[0], s.len - i);

            if (!hit)
                return false;
            i = (size_t)(hit - s.p);
        }
        if (str_eq_nocase(str_sub(s, i, needle.len), needle))
            return true;
    }
    return false;
}

str str_sub(str s, size_t from, size_t len)
{
    if (from > s.len)
        from = s.len;
    if (len > s.len - from)
        len = s.len - from;
    return (str){s.p ? s.p + from : NULL, len};
}

str str_from(str s, size_t from) { return str_sub(s, from, s.len); }

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

str str_trim(str s)
{
    while (s.len && is_blank(s.p[0]))
        s = str_from(s, 1);
    while (s.len && is_blank(s.p[s.len - 1]))
        s.len--;
    return s;
}

str str_trim_right(str s, const char *set)
{
    while (s.len && s.p[s.len - 1] && strchr(set, s.p[s.len - 1]))
        s.len--;
    return s;
}

bool str_drop_prefix(str *s, str prefix)
{
    if (!str_starts(*s, prefix))
        return false;
    *s = str_from(*s, prefix.len);
    return true;
}

str str_cut(str s, char sep, str *rest)
{
    ssize_t at = str_find_char(s, sep);
    str after = STR_NONE;

    if (at >= 0) {
        after = str_from(s, (size_t)at + 1);
        s.len = (size_t)at;
    }
    if (rest)
        *rest = after;
    return s;
}

bool str_next_line(str *rest, str *ret_line)
{
    ssize_t at;

    if (rest->len == 0)
        return false;
    at = str_find_char(*rest, '\n');
    *ret_line = at < 0 ? *rest : str_sub(*rest, 0, (size_t)at);
    *rest = at < 0 ? STR_NONE : str_from(*rest, (size_t)at + 1);
    if (ret_line->len && ret_line->p[ret_line->len - 1] == '\r')
        ret_line->len--;
    return true;
}

bool str_to_uint64(str s, uint64_t *ret)
{
    uint64_t value = 0;

    if (s.len == 0)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] < '0' || s.p[i] > '9' || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(s.p[i] - '0'), &value))
            return false;
    }
    *ret = value;
    return true;
}

bool str_to_int64(str s, int64_t *ret)
{
    bool negative = s.len && s.p[0] == '-';
    uint64_t value;

    if (negative || (s.len && s.p[0] == '+'))
        s = str_from(s, 1);
    if (!str_to_uint64(s, &value) || value > (uint64_t)INT64_MAX + negative)
        return false;
    *ret = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

uint32_t str_hash(str s) { return hash_str(s); }

size_t str_edit_distance(str a, str b, size_t limit)
{
    size_t rows[3][65], *row = rows[0];

    if (a.len > 64 || b.len > 64)
        return limit + 1;
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        const size_t *above = rows[(i - 1) % 3], *twice_above = rows[(i + 1) % 3];

        row = rows[i % 3];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            char ca = lower(a.p[i - 1]), cb = lower(b.p[j - 1]);

            row[j] = MIN(above[j - 1] + (ca != cb), MIN(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && ca == lower(b.p[j - 2]) && cb == lower(a.p[i - 2]))
                row[j] = MIN(row[j], twice_above[j - 2] + 1);
        }
    }
    return row[b.len] > limit ? limit + 1 : row[b.len];
}

/* The length of a sequence that begins with this byte, 0 when none does. */
static size_t utf8_length(unsigned char first)
{
    return first < 0x80   ? 1
           : first < 0xc2 ? 0
           : first < 0xe0 ? 2
           : first < 0xf0 ? 3
           : first < 0xf5 ? 4
                          : 0;
}

/* The length of the well-formed sequence at p, 0 when there is none. */
static size_t utf8_sequence(const unsigned char *p, size_t left)
{
    size_t len = utf8_length(p[0]);

    if (len == 0 || len > left)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return len;
}

uint32_t str_utf8_at(str s, size_t at, size_t *ret_width)
{
    const unsigned char *p = (const unsigned char *)s.p + at;
    size_t len = utf8_sequence(p, s.len - at);

    *ret_width = MAX(len, (size_t)1);
    switch (len) {
    case 1:
        return p[0];
    case 2:
        return (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
    case 3:
        return (p[0] & 0xfu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
    case 4:
        return (p[0] & 7u) << 18 | (p[1] & 0x3fu) << 12 | (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu);
    default:
        return 0xfffd;
    }
}

bool str_is_utf8(str s, size_t *ret_bad_offset)
{
    const unsigned char *p = (const unsigned char *)s.p;
    size_t i = 0;

    while (i < s.len) {
        size_t len;

        if (i + 8 <= s.len) {
            uint64_t word;

            memcpy(&word, p + i, 8);
            if ((word & 0x8080808080808080u) == 0) {
                i += 8;
                continue;
            }
        }
        len = utf8_sequence(p + i, s.len - i);
        if (len == 0) {
            if (ret_bad_offset)
                *ret_bad_offset = i;
            return false;
        }
        i += len;
    }
    return true;
}
