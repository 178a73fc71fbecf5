/* The hash of a text: 32 bits in a few steps, the same in all runs. Not for tables that strangers
 * fill beyond our limits. Pure. */
#pragma once
#include "base/str.h"

/* The n < 8 bytes at p in the low end of a word, in two or three loads. */
static inline uint64_t load_tail(const char *p, size_t n)
{
    const uint8_t *u = (const uint8_t *)p;
    uint32_t head, tail;

    if (n < 4)
        return u[0] | (uint64_t)u[n / 2] << (8 * (n / 2)) | (uint64_t)u[n - 1] << (8 * (n - 1));
    memcpy(&head, p, 4);
    memcpy(&tail, p + n - 4, 4);
    return head | (uint64_t)tail << (8 * (n - 4));
}

/* str_hash (base/str.h), inline for hot loops. */
static inline uint32_t hash_str(str s)
{
    uint64_t h = 0x9e3779b97f4a7c15u ^ s.len;
    const char *p = s.p;
    size_t n = s.len;

    for (; n >= 8; n -= 8, p += 8) {
        uint64_t word;

        memcpy(&word, p, 8);
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    if (n) {
        uint64_t word = load_tail(p, n);

        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return (uint32_t)(h ^ (h >> 29));
}
