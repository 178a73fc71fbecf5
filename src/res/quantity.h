/* Amounts of resources ("1500m", "2Gi", "1e3") as Kubernetes reads them (cel spec 11), number *
 * 10^scale, and in the one form its API server answers with. Pure. */
#pragma once
#include "base/buf.h"
#include "base/str.h"

enum res_quantity_form { RES_QUANTITY_DECIMAL, RES_QUANTITY_BINARY, RES_QUANTITY_EXPONENT };

struct res_quantity {
    __int128 number;
    int32_t scale;
    /* Whether the reference holds it as an int64 and a scale, and not as a big decimal: only such
     * ones count as integers. number then fits 64 bits. */
    bool is_small;
    bool is_canonical;           /* the reference takes its text for the canonical form */
    enum res_quantity_form form; /* as it was written */
};
enum res_quantity_error { RES_QUANTITY_FINE, RES_QUANTITY_BAD_FORM, RES_QUANTITY_BAD_SUFFIX };

/* Exponents beyond four digits are a bad suffix: the reference would never end. */
enum res_quantity_error res_quantity_parse(str text, struct res_quantity *ret);
/* Sums are exact as long as they have 37 digits or fewer. */
struct res_quantity res_quantity_add(struct res_quantity a, struct res_quantity b);
struct res_quantity res_quantity_negate(struct res_quantity q);
int res_quantity_compare(const struct res_quantity *a, const struct res_quantity *b);
bool res_quantity_to_int(const struct res_quantity *q, int64_t *ret);
double res_quantity_to_double(const struct res_quantity *q);
/* Appends the canonical form of text, blanks around it left out: no trailing zeros, the largest
 * suffix that needs no fraction, finer than 10^-places rounded up (3 where resources are counted,
 * else 9). Amounts of more digits than 128 bits hold stay as they are written. */
enum res_quantity_error res_quantity_print(str text, int places, struct buf *out);
