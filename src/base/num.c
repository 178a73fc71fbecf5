#include "base/num.h"

#include <inttypes.h>
#include <math.h>

struct decimal {
    char digits[20]; /* without the point, no trailing zeros but for a single "0" */
    int len;
    int exp; /* of the first digit */
};

static struct decimal shortest(double value)
{
    struct decimal d = {.len = 0};
    char text[40];
    char *e;

    /* 15 digits always survive, but denormal numbers hold fewer. */
    for (int precision = value < 1e-307 ? 0 : 14; precision <= 16; precision++) {
        snprintf(text, sizeof(text), "%.*e", precision, value);
        if (strtod(text, NULL) == value)
            break;
    }
    e = strchr(text, 'e');
    d.exp = (int)strtol(e + 1, NULL, 10);
    for (const char *p = text; p < e; p++)
        if (*p >= '0' && *p <= '9')
            d.digits[d.len++] = *p;
    while (d.len > 1 && d.digits[d.len - 1] == '0')
        d.len--;
    return d;
}

static void add_exponent(struct buf *out, const struct decimal *d, enum num_notation notation)
{
    buf_add_char(out, d->digits[0]);
    if (d->len > 1) {
        buf_add_char(out, '.');
        buf_add(out, d->digits + 1, (size_t)d->len - 1);
    }
    /* encoding/json drops the leading zero of e-07, but not of e+07, which it never prints. */
    buf_addf(out, notation == NUM_JSON ? "e%c%d" : "e%c%02d", d->exp < 0 ? '-' : '+', abs(d->exp));
}

static void add_plain(struct buf *out, const struct decimal *d)
{
    int whole = d->exp + 1; /* digits before the point */

    if (whole <= 0) {
        buf_add_cstr(out, "0.");
        buf_add_repeat(out, '0', (size_t)-whole);
        buf_add(out, d->digits, (size_t)d->len);
        return;
    }
    buf_add(out, d->digits, (size_t)MIN(whole, d->len));
    if (d->len <= whole) {
        buf_add_repeat(out, '0', (size_t)(whole - d->len));
        return;
    }
    buf_add_char(out, '.');
    buf_add(out, d->digits + whole, (size_t)(d->len - whole));
}

static void add_int(struct buf *out, int64_t value)
{
    char digits[20];
    size_t at = sizeof(digits);
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;

    do
        digits[--at] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        buf_add_char(out, '-');
    buf_add(out, digits + at, sizeof(digits) - at);
}

void num_add_double(struct buf *out, double value, enum num_notation notation)
{
    struct decimal d;

    if (isnan(value) || isinf(value)) {
        buf_add_cstr(out, isnan(value) ? "NaN" : value < 0 ? "-Inf" : "+Inf");
        return;
    }
    if (fabs(value) < (notation == NUM_G ? 1e6 : 1e15) && value == (double)(int64_t)value &&
        !(value == 0 && signbit(value))) { /* most numbers: no search for digits */
        add_int(out, (int64_t)value);
        return;
    }
    d = shortest(fabs(value));
    if (signbit(value))
        buf_add_char(out, '-');
    if (value != 0 &&
        (d.exp < (notation == NUM_JSON ? -6 : -4) || d.exp >= (notation == NUM_G ? 6 : 21)))
        add_exponent(out, &d, notation);
    else
        add_plain(out, &d);
}

double num_pow10(int64_t exponent)
{
    char text[32];

    snprintf(text, sizeof(text), "1e%" PRId64, exponent);
    return strtod(text, NULL);
}
