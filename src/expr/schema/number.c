#include <float.h>
#include <math.h>

#include "expr/schema/schema_priv.h"

/* A decimal as mantissa * 10^exponent, exact; false when the mantissa does not fit. */
struct decimal {
    __int128 mantissa;
    int64_t exponent;
};

enum { MAX_DIGITS = 36, MAX_SHIFT = 36 };

static bool read_exponent(str text, struct decimal *d)
{
    int64_t exponent;

    str_drop_prefix(&text, STR("+"));
    if (!str_to_int64(text, &exponent) || exponent > 100000 || exponent < -100000)
        return false;
    d->exponent += exponent;
    return true;
}

static bool read_decimal(const struct doc_node *n, struct decimal *d)
{
    str text = doc_text(n, STR_NONE);
    bool is_negative = str_drop_prefix(&text, STR("-")), is_fraction = false;
    int digits = 0;

    *d = (struct decimal){0};
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];

        if (c == 'e' || c == 'E') {
            if (!read_exponent(str_from(text, i + 1), d))
                return false;
            break;
        }
        if (c == '.' && !is_fraction) {
            is_fraction = true;
            continue;
        }
        if (c < '0' || c > '9' || (digits += d->mantissa != 0 || c != '0') > MAX_DIGITS)
            return false;
        d->mantissa = d->mantissa * 10 + (c - '0');
        d->exponent -= is_fraction;
    }
    if (is_negative)
        d->mantissa = -d->mantissa;
    return true;
}

static bool shift(struct decimal *d, int64_t to)
{
    for (int digits = 0; d->exponent > to; d->exponent--) {
        __int128 wide;

        if (++digits > MAX_SHIFT || __builtin_mul_overflow(d->mantissa, (__int128)10, &wide))
            return false;
        d->mantissa = wide;
    }
    return true;
}

/* Both with the same exponent. */
static bool align(const struct doc_node *a, const struct doc_node *b, struct decimal *ret_a,
                  struct decimal *ret_b)
{
    if (!read_decimal(a, ret_a) || !read_decimal(b, ret_b))
        return false;
    return shift(ret_a, ret_b->exponent) && shift(ret_b, ret_a->exponent);
}

static double double_of(const struct doc_node *n)
{
    double d = NAN;

    doc_to_double(n, &d);
    return d;
}

int schema_number_compare(const struct doc_node *a, const struct doc_node *b)
{
    struct decimal da, db;
    double fa, fb;

    if (align(a, b, &da, &db))
        return (da.mantissa > db.mantissa) - (da.mantissa < db.mantissa);
    fa = double_of(a);
    fb = double_of(b);
    return (fa > fb) - (fa < fb);
}

/* fmod(a, b) == 0 for finite doubles, without libm: both are whole numbers times a power of two. */
static bool is_double_multiple(double a, double b)
{
    int ea, eb;
    uint64_t ma = (uint64_t)ldexp(frexp(fabs(a), &ea), DBL_MANT_DIG);
    uint64_t mb = (uint64_t)ldexp(frexp(fabs(b), &eb), DBL_MANT_DIG);

    if (ma == 0 || mb == 0)
        return mb != 0;
    for (; ea > eb; ea--)
        ma = ma % mb * 2;
    return eb - ea < DBL_MANT_DIG && ma % ((unsigned __int128)mb << (eb - ea)) == 0;
}

bool schema_is_multiple(const struct doc_node *value, const struct doc_node *of)
{
    struct decimal dv, df;

    if (align(value, of, &dv, &df))
        return df.mantissa == 0 || dv.mantissa % df.mantissa == 0;
    if (!isfinite(double_of(value)) || !isfinite(double_of(of)))
        return double_of(value) == 0;
    return is_double_multiple(double_of(value), double_of(of));
}

bool schema_is_integer(const struct doc_node *value, enum schema_draft draft)
{
    double d = double_of(value);

    return value->is_int || (draft > SCHEMA_DRAFT_4 && isfinite(d) && d == floor(d));
}
