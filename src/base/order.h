/* Comparisons for vec_sort and qsort. Pure. */
#pragma once
#include "base/str.h"

/* Of two str, bytewise. */
static inline int order_str(const void *a, const void *b)
{
    return str_cmp(*(const str *)a, *(const str *)b);
}
/* Of two uint32_t. */
static inline int order_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}
