/* Floating-point arithmetic by exact decimals on the shortest text of each operand (template spec
 * 14.3): 1.1 + 2.2 is 3.3. */
#include <float.h>
#include <math.h>

#include "base/num.h"
#include "expr/gotmpl/fn_priv.h"

/* digits * 10^exponent */
struct decimal {
    __int128 digits;
    int exponent;
    bool is_inexact; /* more digits than fit: value counts */
    double value;
};

static struct decimal decimal_of(double value)
{
    AUTO(buf_done) struct buf text = {0};
    struct decimal d = {.value = value};
    bool in_fraction = false;

    if (isnan(value) || isinf(value)) {
        d.is_inexact = true;
        return d;
    }
    num_add_double(&text, fabs(value), NUM_G);
    for (size_t i = 0; i < text.len && text.p[i] != 'e'; i++) {
        if (text.p[i] == '.') {
            in_fraction = true;
            continue;
        }
        d.digits = d.digits * 10 + (text.p[i] - '0');
        d.exponent -= in_fraction;
    }
    if (strchr(text.p, 'e'))
        d.exponent += (int)strtol(strchr(text.p, 'e') + 1, NULL, 10);
    if (value < 0)
        d.digits = -d.digits;
    return d;
}

static double to_double(struct decimal d)
{
    AUTO(buf_done) struct buf text = {0};
    char digits[48], *p = digits + sizeof(digits);
    unsigned __int128 rest = d.digits < 0 ? (unsigned __int128)0 - (unsigned __int128)d.digits
                                          : (unsigned __int128)d.digits;

    if (d.is_inexact)
        return d.value;
    do
        *--p = (char)('0' + (int)(rest % 10));
    while (rest /= 10);
    buf_add_cstr(&text, d.digits < 0 ? "-" : "");
    buf_add(&text, p, (size_t)(digits + sizeof(digits) - p));
    buf_addf(&text, "e%d", d.exponent);
    return strtod(text.p, NULL);
}

/* digits * 10^count, or false when that does not fit. */
static bool scale(__int128 *digits, int count)
{
    for (; count > 0; count--)
        if (__builtin_mul_overflow(*digits, (__int128)10, digits))
            return false;
    return true;
}

typedef struct decimal decimal_fn(struct decimal a, struct decimal b);

static struct decimal inexact(double value)
{
    return (struct decimal){.is_inexact = true, .value = value};
}

static struct decimal sum(struct decimal a, struct decimal b, bool minus)
{
    int exponent = MIN(a.exponent, b.exponent);
    struct decimal r = {.exponent = exponent};
    double value = minus ? to_double(a) - to_double(b) : to_double(a) + to_double(b);

    if (a.is_inexact || b.is_inexact || !scale(&a.digits, a.exponent - exponent) ||
        !scale(&b.digits, b.exponent - exponent) ||
        __builtin_add_overflow(a.digits, minus ? -b.digits : b.digits, &r.digits))
        return inexact(value);
    return r;
}

static struct decimal plus(struct decimal a, struct decimal b) { return sum(a, b, false); }
static struct decimal minus(struct decimal a, struct decimal b) { return sum(a, b, true); }

static struct decimal times(struct decimal a, struct decimal b)
{
    struct decimal r = {.exponent = a.exponent + b.exponent};

    if (a.is_inexact || b.is_inexact || __builtin_mul_overflow(a.digits, b.digits, &r.digits))
        return inexact(to_double(a) * to_double(b));
    return r;
}

static struct decimal to_places(double value, int places)
{
    char text[DBL_MAX_10_EXP + 24];

    snprintf(text, sizeof(text), "%.*f", places, value);
    return inexact(strtod(text, NULL) + 0.0); /* no decimal is -0 */
}

/* To 16 places behind the point, halves away from zero. */
static struct decimal over(struct decimal a, struct decimal b)
{
    enum { PLACES = 16 };
    struct decimal r = {.exponent = -PLACES};
    double value = to_double(a) / to_double(b);
    int shift = a.exponent - b.exponent + PLACES;
    __int128 rest;

    if (a.is_inexact || b.is_inexact ||
        !(shift >= 0 ? scale(&a.digits, shift) : scale(&b.digits, -shift)) || b.digits == 0)
        return to_places(value, PLACES);
    r.digits = a.digits / b.digits;
    rest = a.digits % b.digits;
    rest = rest < 0 ? -rest : rest;
    if (rest >= (b.digits < 0 ? -b.digits : b.digits) - rest)
        r.digits += (a.digits < 0) == (b.digits < 0) ? 1 : -1;
    return r;
}

/* Decimals have no infinity, and nothing that is no number. */
static int check_finite(struct tmpl_call *c)
{
    AUTO(buf_done) struct buf shown = {0};

    for (size_t i = 0; i < c->argc; i++) {
        double f = fn_to_float(c->args[i]);

        if (!isnan(f) && !isinf(f))
            continue;
        num_add_double(&shown, f, NUM_GO);
        return call_fail(c, "Cannot create a Decimal from %s", buf_cstr(&shown));
    }
    return 0;
}

static int fold(struct tmpl_call *c, decimal_fn *way, struct tmpl_value *ret)
{
    struct decimal d = decimal_of(fn_to_float(c->args[0]));

    if (check_finite(c) < 0)
        return -1;
    for (size_t i = 1; i < c->argc; i++) {
        struct decimal next = decimal_of(fn_to_float(c->args[i]));

        if (way == over && next.digits == 0 && !next.is_inexact)
            return call_fail(c, "decimal division by 0");
        d = way(d, next);
    }
    *ret = tmpl_float(to_double(d));
    return 0;
}

static int f_addf(struct tmpl_call *c, struct tmpl_value *ret)
{
    if (c->argc)
        return fold(c, plus, ret);
    *ret = tmpl_float(0);
    return 0;
}

static int f_add1f(struct tmpl_call *c, struct tmpl_value *ret)
{
    if (check_finite(c) < 0)
        return -1;
    *ret = tmpl_float(to_double(plus(decimal_of(fn_to_float(c->args[0])), decimal_of(1))));
    return 0;
}

static int f_subf(struct tmpl_call *c, struct tmpl_value *ret) { return fold(c, minus, ret); }
static int f_mulf(struct tmpl_call *c, struct tmpl_value *ret) { return fold(c, times, ret); }
static int f_divf(struct tmpl_call *c, struct tmpl_value *ret) { return fold(c, over, ret); }

/* Go's math.Max: what is no number wins, and 0 over -0. */
static double bigger(double a, double b)
{
    return isnan(a) || a > b || (a == b && !signbit(a)) ? a : b;
}

/* 10^places as Go's math.Pow has it: its products of mantissas are not the nearest double from
 * 10^23 on, which shows in what is rounded. */
static double go_pow10(int64_t places)
{
    int64_t exponent = 0, power;
    int shift;
    double result = 1, mantissa = frexp(10, &shift);

    if (places > 400 || places < -400)
        return num_pow10(places);
    power = shift;
    for (uint64_t left = (uint64_t)(places < 0 ? -places : places); left; left >>= 1) {
        if (left & 1) {
            result *= mantissa;
            exponent += power;
        }
        mantissa *= mantissa;
        power *= 2;
        if (mantissa < 0.5) {
            mantissa += mantissa;
            power--;
        }
    }
    if (places < 0) {
        result = 1 / result;
        exponent = -exponent;
    }
    return ldexp(result, (int)exponent);
}

static int f_maxf(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = tmpl_float(fn_to_float(c->args[0]));
    for (size_t i = 1; i < c->argc; i++)
        ret->f = bigger(ret->f, fn_to_float(c->args[i]));
    return 0;
}

static int f_minf(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = tmpl_float(fn_to_float(c->args[0]));
    for (size_t i = 1; i < c->argc; i++)
        ret->f = -bigger(-ret->f, -fn_to_float(c->args[i]));
    return 0;
}

static int f_floor(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = tmpl_float(floor(fn_to_float(c->args[0])));
    return 0;
}

static int f_ceil(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = tmpl_float(ceil(fn_to_float(c->args[0])));
    return 0;
}

static int f_round(struct tmpl_call *c, struct tmpl_value *ret)
{
    double limit = c->argc > 2 ? c->args[2].f : 0.5, power = go_pow10(c->args[1].i);
    double scaled = power * fn_to_float(c->args[0]), whole;
    double fraction = modf(scaled, &whole);

    *ret = tmpl_float((fraction >= limit ? ceil(scaled) : floor(scaled)) / power);
    return 0;
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "addf", "A*", f_addf, 0, "The sum", "{{ addf 1.1 2.2 }}", "3.3");
    func_add(to, "add1f", "A", f_add1f, 0, "One more", "{{ add1f 1.5 }}", "2.5");
    func_add(to, "subf", "AA*", f_subf, 0, "The first less the others", "{{ subf 7.5 2 }}", "5.5");
    func_add(to, "mulf", "AA*", f_mulf, 0, "The product", "{{ mulf 1.5 2 }}", "3");
    func_add(to, "divf", "AA*", f_divf, 0, "The first divided by the others, to 16 places",
             "{{ divf 10 4 }}", "2.5");
    func_add(to, "maxf", "AA*", f_maxf, 0, "The largest", "{{ maxf 1.5 2.5 }}", "2.5");
    func_add(to, "minf", "AA*", f_minf, 0, "The smallest", "{{ minf 1.5 2.5 }}", "1.5");
    func_add(to, "floor", "A", f_floor, 0, "The whole number below", "{{ floor 2.7 }}", "2");
    func_add(to, "ceil", "A", f_ceil, 0, "The whole number above", "{{ ceil 2.1 }}", "3");
    func_add(to, "round", "AIF*", f_round, 0,
             "Rounded to so many places; up from a fraction of 0.5 or of choice",
             "{{ round 123.5555 3 }}", "123.556");
}
FUNC_GROUP(func_decimals, "Floating-point numbers", add_rows, IN_SPRIG);
