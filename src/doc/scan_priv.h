/* Finding the end of what can be copied as it is, sixteen bytes at a time. Nothing is read past
 * end. Pure. */
#pragma once
#include "base/base.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* The first '"', '\\', control character below U+0020 or byte beyond ASCII in [p, end), or end. */
static inline const char *scan_plain(const char *p, const char *end)
{
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'),
                  blank = _mm_set1_epi8(' ');

    for (; LIKELY(end - p >= 16); p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i stop =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash)),
                         _mm_cmplt_epi8(v, blank)); /* signed: those from 0x80 on are below 0 */
        unsigned mask = (unsigned)_mm_movemask_epi8(stop);

        if (mask)
            return p + __builtin_ctz(mask);
    }
#endif
    for (; p < end; p++)
        if (*p == '"' || *p == '\\' || (unsigned char)*p < 0x20 || (unsigned char)*p >= 0x80)
            break;
    return p;
}

/* The first '"', '\\' or control character below U+0020 in [p, end), or end. *high becomes true
 * when a byte before it is no ASCII. */
static inline const char *scan_string(const char *p, const char *end, bool *high)
{
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'),
                  low = _mm_set1_epi8(0x1f);

    for (; end - p >= 16; p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i stop =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash)),
                         _mm_cmpeq_epi8(_mm_min_epu8(v, low), v));
        unsigned mask = (unsigned)_mm_movemask_epi8(stop), top = (unsigned)_mm_movemask_epi8(v);

        if (mask) {
            unsigned at = (unsigned)__builtin_ctz(mask);

            *high |= (top & ((1u << at) - 1)) != 0;
            return p + at;
        }
        *high |= top != 0;
    }
#endif
    for (; p < end; p++) {
        unsigned char c = (unsigned char)*p;

        if (c == '"' || c == '\\' || c < 0x20)
            break;
        *high |= c >= 0x80;
    }
    return p;
}

/* Whether one of the eight bytes is '"', '\\' or below U+0020. */
static inline bool has_special(uint64_t v)
{
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    uint64_t quote = v ^ ones * '"', slash = v ^ ones * '\\';

    return (((v - ones * 0x20) & ~v) | ((quote - ones) & ~quote) | ((slash - ones) & ~slash)) &
           tops;
}

static inline char *copy_bytewise(char *out, const char **p, const char *end)
{
    for (; *p < end; ++*p) {
        unsigned char c = (unsigned char)**p;

        if (c == '"' || c == '\\' || c < 0x20)
            break;
        *out++ = (char)c;
    }
    return out;
}

/* Less than 16 bytes: two loads that overlap. */
static inline const char *copy_short(char **to, const char *p, const char *end)
{
    size_t len = (size_t)(end - p);
    uint64_t head = 0, tail = 0;
    uint32_t head4, tail4;

    if (len >= 8) {
        memcpy(&head, p, 8);
        memcpy(&tail, end - 8, 8);
        if (LIKELY(!has_special(head) && !has_special(tail))) {
            memcpy(*to, &head, 8);
            memcpy(*to + len - 8, &tail, 8);
            *to += len;
            return end;
        }
    } else if (len >= 4) {
        memcpy(&head4, p, 4);
        memcpy(&tail4, end - 4, 4);
        if (LIKELY(!has_special((uint64_t)head4 << 32 | tail4))) {
            memcpy(*to, &head4, 4);
            memcpy(*to + len - 4, &tail4, 4);
            *to += len;
            return end;
        }
    }
    *to = copy_bytewise(*to, &p, end);
    return p;
}

/* Copies from [p, end) to *to up to what scan_string would stop at; *to moves on. Room for end - p
 * + 16 bytes is there. */
static inline const char *copy_string(char **to, const char *p, const char *end)
{
    if (end - p < 16)
        return copy_short(to, p, end);
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), slash = _mm_set1_epi8('\\'),
                  low = _mm_set1_epi8(0x1f);
    char *out = *to;

    for (;;) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        __m128i stop =
            _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, slash)),
                         _mm_cmpeq_epi8(_mm_min_epu8(v, low), v));
        unsigned mask = (unsigned)_mm_movemask_epi8(stop);

        _mm_storeu_si128((__m128i *)(void *)out, v);
        if (mask) {
            unsigned at = (unsigned)__builtin_ctz(mask);

            *to = out + at;
            return p + at;
        }
        p += 16;
        out += 16;
        if (p == end) {
            *to = out;
            return p;
        }
        if (end - p < 16) { /* the last block overlaps with what was copied */
            out -= 16 - (end - p);
            p = end - 16;
        }
    }
#else
    *to = copy_bytewise(*to, &p, end);
    return p;
#endif
}
