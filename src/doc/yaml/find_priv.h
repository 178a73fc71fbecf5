/* Where things end in a line of block YAML, sixteen bytes at a time: for the short cut
 * (fast.c). A NUL follows the text, so no search leaves it. Pure. */
#pragma once
#include "doc/yaml/yaml_priv.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { KEY_MAX = 1024 }; /* bytes; libyaml counts characters, and here one is one */

/* What content begins with: a plain scalar, '-' apart, which needs a look at what follows; one in
 * quotes; nothing of ours. */
enum { BEGINS_WORD = 1, BEGINS_QUOTED = 2, BEGINS_DASH = 4 };
#define W BEGINS_WORD
static const uint8_t begins[256] = {
    ['0' ... '9'] = W,
    ['a' ... 'z'] = W,
    ['A' ... 'Z'] = W,
    ['_'] = W,
    ['/'] = W,
    ['.'] = W,
    ['<'] = W,
    ['='] = W,
    ['~'] = W,
    ['('] = W,
    ['+'] = W,
    ['$'] = W,
    ['^'] = W,
    ['\\'] = W,
    ['-'] = BEGINS_DASH,
    ['"'] = BEGINS_QUOTED,
    ['\''] = BEGINS_QUOTED,
};
#undef W

static inline bool begins_word(const char *p) { return begins[(uint8_t)*p] == BEGINS_WORD; }
static inline bool begins_quoted(const char *p) { return begins[(uint8_t)*p] == BEGINS_QUOTED; }

static inline bool begins_value(const char *p)
{
    return begins_word(p) || (*p == '-' && p[1] > ' ');
}

static inline bool is_entry(const char *p) { return *p == '-' && (p[1] == ' ' || p[1] == '\n'); }

/* Whether a line that begins so may be one of ours. */
static inline bool begins_line(const char *p)
{
    return begins[(uint8_t)*p] & (BEGINS_WORD | BEGINS_QUOTED) || is_entry(p);
}

static inline const char *skip_spaces(const char *p, const char *end)
{
#ifdef __SSE2__
    if (LIKELY(end - p >= 16)) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        unsigned mask = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(' '))) ^ 0xFFFF;

        if (LIKELY(mask))
            return p + __builtin_ctz(mask);
        p += 16;
    }
#endif
    while (*p == ' ')
        p++;
    return p;
}

/* The first byte that is ':', a blank, a control character or no ASCII. */
static inline const char *find_stop(const char *p, const char *end)
{
#ifdef __SSE2__
    const __m128i low = _mm_set1_epi8('!'), colon = _mm_set1_epi8(':');

    for (; end - p >= 16; p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        unsigned mask = (unsigned)_mm_movemask_epi8(
            _mm_or_si128(_mm_cmplt_epi8(v, low), _mm_cmpeq_epi8(v, colon)));

        if (mask)
            return p + __builtin_ctz(mask);
    }
#endif
    while ((signed char)*p > ' ' && *p != ':')
        p++;
    return p;
}

static inline bool is_colon(const char *p) { return *p == ':' && (p[1] == ' ' || p[1] == '\n'); }

/* The first byte from p on that is the quote, a backslash, a control character or no ASCII. */
static inline const char *find_in_quotes(const char *p, const char *end, char quote)
{
#ifdef __SSE2__
    const __m128i low = _mm_set1_epi8(' '), close = _mm_set1_epi8(quote),
                  slash = _mm_set1_epi8('\\');

    for (; end - p >= 16; p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        unsigned mask = (unsigned)_mm_movemask_epi8(
            _mm_or_si128(_mm_or_si128(_mm_cmplt_epi8(v, low), _mm_cmpeq_epi8(v, close)),
                         _mm_cmpeq_epi8(v, slash)));

        if (mask)
            return p + __builtin_ctz(mask);
    }
#endif
    while ((signed char)*p >= ' ' && *p != quote && *p != '\\')
        p++;
    return p;
}

/* The ':' behind the key in quotes at p, which may have escapes in it. */
static inline const char *quoted_key_end(const char *p, const char *end)
{
    char quote = *p;

    for (p = find_in_quotes(p + 1, end, quote); (signed char)*p >= ' ';
         p = find_in_quotes(p + 1, end, quote)) {
        bool is_escape = *p == '\\' && quote == '"' && (signed char)p[1] >= ' ';

        if (is_escape || (*p == quote && quote == '\'' && p[1] == quote))
            p++;
        else if (*p == quote)
            return is_colon(p + 1) ? p + 1 : NULL;
    }
    return NULL;
}

/* The ':' behind the key at p; NULL when the line has another shape. */
static inline __attribute__((always_inline)) const char *key_end(const char *p, const char *end)
{
    const char *key = p;

    if (!begins_word(p)) {
        if (!begins_quoted(p))
            return NULL;
        p = quoted_key_end(p, end);
        return p && p - key <= KEY_MAX ? p : NULL;
    }
    for (p = find_stop(p, end); *p == ':'; p = find_stop(p + 1, end))
        if (is_colon(p))
            return p - key <= KEY_MAX ? p : NULL;
    return NULL;
}

/* The next content behind the line feed at p; *ret_line is the line it is on. */
static inline const char *next_content(const char *p, const char *end, const char **ret_line)
{
    const char *line;

    do {
        line = p + 1;
        p = skip_spaces(line, end);
    } while (*p == '\n');
    *ret_line = line;
    return p;
}

/* Whether the content p of a line continues a plain scalar that ended above it, or might. */
static inline bool may_continue(const char *p, const char *line, int32_t indent)
{
    if (LIKELY(p - line <= indent && begins[(uint8_t)*p]))
        return false;
    return *p == '\t' || *p == '\r' || ch_is(p, CH_LEAD) ||
           (p - line > indent && *p != '#' && *p != '\0');
}

/* The line feed where the plain scalar at p may end; NULL when the line has another shape. */
static inline const char *plain_end(const char *p, const char *end)
{
    for (;;) {
        p = find_stop(p, end);
        if (LIKELY(*p == '\n'))
            return p;
        if (*p == ':') {
            if ((signed char)*++p <= ' ')
                return NULL;
        } else {
            if (*p != ' ')
                return NULL;
            p = skip_spaces(p, end);
            if (*p == '#' || *p == '\n')
                return NULL;
        }
    }
}

/* The quote that ends the quoted scalar at p if it is on the line and has no escapes, else NULL. */
static inline const char *quoted_end(const char *p, const char *end)
{
    char quote = *p;

    p = find_in_quotes(p + 1, end, quote);
    return *p == quote && p[1] != quote ? p : NULL;
}

/* ---- collections in flow style that stand on a line */

enum { MAX_FLOW = 16 }; /* levels; deeper ones are the parser's */

/* Behind a scalar that needs no care there: a word, or a text in quotes; else NULL. */
static inline const char *flow_item_end(const struct scanner *s, const char *p)
{
    static const bool words[256] = {
        ['0' ... '9'] = true, ['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['_'] = true,
        ['/'] = true,         ['.'] = true,         ['-'] = true,
    };
    const char *begin = p;

    if (*p == '"' || *p == '\'') {
        p = find_in_quotes(p + 1, s->end, *begin);
        return *p == *begin && p[1] != *begin ? p + 1 : NULL;
    }
    while (words[(uint8_t)*p])
        p++;
    return p > begin && *begin != '-' ? p : NULL;
}

/* The value behind the key at p; NULL when that is no "key: ". */
static inline const char *flow_value(const struct scanner *s, const char *p)
{
    const char *key = p;

    p = flow_item_end(s, p);
    return p && p - key <= KEY_MAX && p[0] == ':' && p[1] == ' ' ? skip_spaces(p + 1, s->end)
                                                                 : NULL;
}

static inline bool begins_flow(const char *p) { return *p == '[' || *p == '{'; }

/* Behind the collection at p when it holds scalars that need no care, and others such; else NULL.
 */
static inline const char *flow_end(const struct scanner *s, const char *p, int level)
{
    char close = *p == '{' ? '}' : ']';

    p = skip_spaces(p + 1, s->end);
    if (*p == close)
        return p + 1;
    while (level < MAX_FLOW) {
        if (close == '}')
            p = flow_value(s, p);
        if (p)
            p = begins_flow(p) ? flow_end(s, p, level + 1) : flow_item_end(s, p);
        if (!p)
            return NULL;
        p = skip_spaces(p, s->end);
        if (*p == close)
            return p + 1;
        if (*p != ',')
            return NULL;
        p = skip_spaces(p + 1, s->end);
    }
    return NULL;
}
