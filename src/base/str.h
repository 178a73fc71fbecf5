/* Borrowed views of text, passed by value. A str need not end in NUL and may hold any bytes; {0} is
 * the empty text. Functions that return a str return a view into their argument. Pure; any thread.
 */
#pragma once
#include <sys/types.h>

#include "base/base.h"

typedef struct str {
    const char *p;
    size_t len;
} str;

#define STR(literal) ((str){"" literal, sizeof(literal) - 1})
#define STR_INIT(literal)               \
    {                                   \
        "" literal, sizeof(literal) - 1 \
    }                                  /* for static tables */
#define STR_ARG(s) (int)(s).len, (s).p /* for "%.*s" */
#define STR_NONE ((str){NULL, 0})

str str_of(const char *s); /* NULL gives the empty text */
static inline str str_range(const char *begin, const char *end)
{
    return (str){begin, (size_t)(end - begin)};
}
static inline bool str_eq(str a, str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}
bool str_eq_nocase(str a, str b); /* ASCII letters only */
int str_cmp(str a, str b);        /* by bytes, as memcmp; a prefix sorts first */
bool str_starts(str s, str prefix);
bool str_ends(str s, str suffix);
ssize_t str_find(str s, str needle); /* offset or -1; an empty needle is at 0 */
ssize_t str_find_char(str s, char c);
ssize_t str_rfind_char(str s, char c);
bool str_contains(str s, str needle);
bool str_contains_nocase(str s, str needle);
str str_sub(str s, size_t from, size_t len); /* clamped to the end of s */
str str_from(str s, size_t from);
str str_trim(str s);                        /* ASCII blanks and line ends, both sides */
str str_trim_right(str s, const char *set); /* drops trailing bytes that are in set */
bool str_drop_prefix(str *s, str prefix);   /* true and shortened when it was there */

/* The text before the first sep; *rest (may be NULL) is what follows it. Without sep the whole
 * text, *rest empty with p NULL, so "a" and "a=" differ in rest.p. */
str str_cut(str s, char sep, str *rest);
/* The next line without its line end; false at the end of *rest. */
bool str_next_line(str *rest, str *ret_line);

/* Decimal integers; false on empty text, other bytes or overflow. */
bool str_to_int64(str s, int64_t *ret);
bool str_to_uint64(str s, uint64_t *ret);

uint32_t str_hash(str s); /* fast, not for untrusted tables beyond our limits */
/* Characters added, dropped, changed or swapped with their neighbour; limit + 1 when larger. */
size_t str_edit_distance(str a, str b, size_t limit);
/* The code point at s[at] (at < s.len) and its width in bytes; U+FFFD and 1 where there is no
 * well-formed one. */
uint32_t str_utf8_at(str s, size_t at, size_t *ret_width);
bool str_is_utf8(str s, size_t *ret_bad_offset); /* no surrogates, no overlong forms */
