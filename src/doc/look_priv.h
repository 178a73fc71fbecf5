/* What the bytes of a text allow: whether it may stand unquoted in a block, looked at sixteen bytes
 * at a time while it is copied. How it begins (no blank, no '#') and what it would be read as
 * (plain_priv.h) are other questions. Pure. */
#pragma once
#include <string.h>

#include "base/str.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* NOT_PLAIN: it ends with a blank or ':', holds ": " or " #", or what is no printable ASCII. */
enum plainness { NOT_PLAIN, PLAIN, PLAIN_WITH_BLANKS };

#ifdef __SSE2__

/* Whether any byte is a blank or control character, ':', '#', DEL or no ASCII. */
static inline bool look_is_special(__m128i v)
{
    __m128i low = _mm_cmplt_epi8(v, _mm_set1_epi8('!')),
            high = _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7f)),
            colon = _mm_cmpeq_epi8(v, _mm_set1_epi8(':')),
            hash = _mm_cmpeq_epi8(v, _mm_set1_epi8('#'));

    return _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(low, high), _mm_or_si128(colon, hash)));
}

/* A bit for each byte of a kind, the lowest for the first. */
struct look_marks {
    unsigned odd, colon, hash, blank;
};

static inline struct look_marks look_marks(__m128i v)
{
    __m128i odd =
        _mm_or_si128(_mm_cmplt_epi8(v, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7f)));

    return (struct look_marks){
        (unsigned)_mm_movemask_epi8(odd),
        (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(':'))),
        (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8('#'))),
        (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(' '))),
    };
}

static inline bool look_is_bad(const struct look_marks *m)
{
    return (m->odd | (m->colon & (m->blank >> 1)) | (m->hash & (m->blank << 1))) != 0;
}

/* Less than sixteen bytes as two words of `size` bytes, which overlap. */
static inline enum plainness look_at_ends(uint64_t head, uint64_t tail, size_t size, size_t len)
{
    __m128i v = _mm_set_epi64x((long long)tail, (long long)head);
    size_t at = len - size;
    struct look_marks m;

    if (LIKELY(!look_is_special(v)))
        return PLAIN;
    m = look_marks(v);
    m.odd = (m.odd & 0xff) | (m.odd >> 8 << at);
    m.colon = (m.colon & 0xff) | (m.colon >> 8 << at);
    m.hash = (m.hash & 0xff) | (m.hash >> 8 << at);
    m.blank = (m.blank & 0xff) | (m.blank >> 8 << at);
    if (look_is_bad(&m) || (m.colon | m.blank) >> (len - 1))
        return NOT_PLAIN;
    return m.blank ? PLAIN_WITH_BLANKS : PLAIN;
}

static inline enum plainness look_short(char *to, str s)
{
    const uint64_t fill = 0x6161616161616161u; /* letters where there is no text */
    uint64_t head = fill, tail = fill;
    const char *end = s.p + s.len;
    char *to_end = to + s.len;

    if (s.len >= 8) {
        memcpy(&head, s.p, 8);
        memcpy(&tail, end - 8, 8);
        memcpy(to, &head, 8);
        memcpy(to_end - 8, &tail, 8);
        return look_at_ends(head, tail, 8, s.len);
    }
    if (s.len >= 4) {
        memcpy(&head, s.p, 4);
        memcpy(&tail, end - 4, 4);
        memcpy(to, &head, 4);
        memcpy(to_end - 4, &tail, 4);
        return look_at_ends(head, tail, 4, s.len);
    }
    to[0] = s.p[0];
    memcpy(&head, s.p, 1);
    if (s.len == 1)
        return look_at_ends(head, fill, 1, 1);
    memcpy(&tail, end - 2, 2);
    memcpy(to_end - 2, &tail, 2);
    return look_at_ends(head, tail, 2, s.len);
}

static inline enum plainness look_long(char *to, str s)
{
    const char *p = s.p, *last = s.p + s.len - 16;
    bool was_blank = false, was_colon = false, has_blank = false;

    for (;;) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);

        _mm_storeu_si128((__m128i *)(void *)(to + (p - s.p)), v);
        if (look_is_special(v)) {
            struct look_marks m = look_marks(v);

            if (look_is_bad(&m) || (was_colon && (m.blank & 1)) || (was_blank && (m.hash & 1)))
                return NOT_PLAIN;
            has_blank |= m.blank != 0;
            was_blank = m.blank >> 15;
            was_colon = m.colon >> 15;
        } else {
            was_blank = was_colon = false;
        }
        if (p == last)
            return was_blank || was_colon ? NOT_PLAIN : has_blank ? PLAIN_WITH_BLANKS : PLAIN;
        if (last - p >= 16) {
            p += 16;
        } else { /* what is before its first byte has been looked at together with it */
            p = last;
            was_blank = was_colon = false;
        }
    }
}

/* Copies the text, which is not empty, to a place with room for it, and tells what it is. */
static inline enum plainness look_copy(char *to, str s)
{
    return s.len < 16 ? look_short(to, s) : look_long(to, s);
}

#else

static inline enum plainness look_copy(char *to, str s)
{
    bool has_blank = false;

    memcpy(to, s.p, s.len);
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.p[i];
        bool is_last = i + 1 == s.len;

        if (c < ' ' || c >= 0x7f || (c == ':' && (is_last || s.p[i + 1] == ' ')) ||
            (c == ' ' && is_last) || (c == '#' && s.p[i - 1] == ' '))
            return NOT_PLAIN;
        has_blank |= c == ' ';
    }
    return has_blank ? PLAIN_WITH_BLANKS : PLAIN;
}

#endif
