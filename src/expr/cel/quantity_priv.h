/* Amounts of resources as Kubernetes reads them (cel spec 11): number * 10^scale. Pure. */
#pragma once
#include "base/str.h"

struct cel_quantity {
    __int128 number;
    int32_t scale;
    /* Whether the reference holds it as an int64 and a scale, and not as a big decimal: only such
     * ones count as integers. number then fits 64 bits. */
    bool is_small;
};
enum cel_quantity_error { QUANTITY_FINE, QUANTITY_BAD_FORM, QUANTITY_BAD_SUFFIX };

/* Exponents beyond four digits are a bad suffix: the reference would never end. */
enum cel_quantity_error cel_quantity_parse(str text, struct cel_quantity *ret);
/* Sums are exact as long as they have 37 digits or fewer. */
struct cel_quantity cel_quantity_add(struct cel_quantity a, struct cel_quantity b);
struct cel_quantity cel_quantity_negate(struct cel_quantity q);
int cel_quantity_compare(const struct cel_quantity *a, const struct cel_quantity *b);
bool cel_quantity_to_int(const struct cel_quantity *q, int64_t *ret);
double cel_quantity_to_double(const struct cel_quantity *q);
