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

enum { LOOK_ROOM = 16 };

#ifdef __SSE2__

/* A bit for each byte that is a blank or control character, ':', '#', DEL or no ASCII. */
static inline unsigned look_special(__m128i v)
{
    __m128i low = _mm_cmplt_epi8(v, _mm_set1_epi8('!')),
            high = _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7f)),
            colon = _mm_cmpeq_epi8(v, _mm_set1_epi8(':')),
            hash = _mm_cmpeq_epi8(v, _mm_set1_epi8('#'));

    return (unsigned)_mm_movemask_epi8(
        _mm_or_si128(_mm_or_si128(low, high), _mm_or_si128(colon, hash)));
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

/* gcc and clang tell each in its own way that a checker of memory watches. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LOOK_IS_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define LOOK_IS_CHECKED 1
#endif
#endif

/* The sixteen bytes at the text, which has fewer of its own: what is behind it does not matter.
 * They are read with it where it does not end a page; the checkers of memory see no such read. */
static inline __m128i look_load(str s)
{
    __m128i v = _mm_setzero_si128();
#ifndef LOOK_IS_CHECKED
    enum { PAGE = 4096 };

    if (LIKELY(((uintptr_t)s.p & (PAGE - 1)) <= PAGE - 16))
        return _mm_loadu_si128((const __m128i *)(const void *)s.p);
#endif
    memcpy(&v, s.p, s.len);
    return v;
}

/* What the marks say of a text of up to sixteen bytes. */
static __attribute__((noinline)) enum plainness look_closer(__m128i v, size_t len)
{
    struct look_marks m = look_marks(v);
    unsigned inside = (1u << len) - 1;

    m.odd &= inside;
    m.colon &= inside;
    m.hash &= inside;
    m.blank &= inside;
    if (look_is_bad(&m) || (m.colon | m.blank) >> (len - 1))
        return NOT_PLAIN;
    return m.blank ? PLAIN_WITH_BLANKS : PLAIN;
}

static __attribute__((noinline)) enum plainness look_long(char *to, str s)
{
    const char *p = s.p, *last = s.p + s.len - 16;
    bool was_blank = false, was_colon = false, has_blank = false;

    for (;;) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);

        _mm_storeu_si128((__m128i *)(void *)(to + (p - s.p)), v);
        if (look_special(v)) {
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

/* Copies the text, which is not empty, to a place with room for it and for LOOK_ROOM bytes, and
 * tells what it is. */
static inline __attribute__((always_inline)) enum plainness look_copy(char *to, str s)
{
    __m128i head, tail;

    if (LIKELY(s.len <= 16)) {
        head = look_load(s);
        _mm_storeu_si128((__m128i *)(void *)to, head);
        if (LIKELY(!(look_special(head) & ((1u << s.len) - 1))))
            return PLAIN;
        return look_closer(head, s.len);
    }
    if (s.len > 32)
        return look_long(to, s);
    head = _mm_loadu_si128((const __m128i *)(const void *)s.p);
    tail = _mm_loadu_si128((const __m128i *)(const void *)(s.p + s.len - 16));
    if (UNLIKELY(look_special(head) | look_special(tail)))
        return look_long(to, s);
    _mm_storeu_si128((__m128i *)(void *)to, head);
    _mm_storeu_si128((__m128i *)(void *)(to + s.len - 16), tail);
    return PLAIN;
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
