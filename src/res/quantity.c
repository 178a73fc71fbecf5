#include "res/quantity.h"

#include <stdlib.h>

#include "base/num.h"

enum {
    MOST_DIGITS = 37, /* that an __int128 holds, with room for one more */
    MOST_BINARY = 20, /* digits that may still be shifted left by 60 */
    NANO = -9,
    MOST_EXPONENT = 9999,
};

static const struct suffix {
    char name[3];
    int binary;  /* power of two */
    int decimal; /* power of ten */
} suffixes[] = {
    {"", 0, 0},    {"n", 0, -9},  {"u", 0, -6},  {"m", 0, -3},  {"k", 0, 3},   {"M", 0, 6},
    {"G", 0, 9},   {"T", 0, 12},  {"P", 0, 15},  {"E", 0, 18},  {"Ki", 10, 0}, {"Mi", 20, 0},
    {"Gi", 30, 0}, {"Ti", 40, 0}, {"Pi", 50, 0}, {"Ei", 60, 0},
};

static __int128 power(int n)
{
    __int128 p = 1;

    while (n-- > 0)
        p *= 10;
    return p;
}

static int digits_of(__int128 n)
{
    int digits = 0;

    for (n = n < 0 ? -n : n; n; n /= 10)
        digits++;
    return digits;
}

/* Drops the last digits; what is left of them rounds away from zero. */
static void drop(struct res_quantity *q, int digits)
{
    __int128 p = power(MIN(digits, 38)), rest = q->number % p;

    q->number = q->number / p + (rest > 0) - (rest < 0);
    q->scale += digits;
}

/* ---- reading */

struct written {
    bool is_negative;
    str whole, fraction, suffix; /* whole without leading zeros */
};

static size_t span(str s, const char *set)
{
    size_t n = 0;

    while (n < s.len && s.p[n] && strchr(set, s.p[n]))
        n++;
    return n;
}

static str take(str *s, const char *set)
{
    size_t n = span(*s, set);
    str head = str_sub(*s, 0, n);

    *s = str_from(*s, n);
    return head;
}

static bool split(str s, struct written *w)
{
    str rest;

    if (!s.len)
        return false;
    w->is_negative = s.p[0] == '-';
    if (s.p[0] == '-' || s.p[0] == '+')
        s = str_from(s, 1);
    take(&s, "0");
    w->whole = take(&s, "0123456789");
    w->fraction = STR("");
    if (str_drop_prefix(&s, STR(".")))
        w->fraction = take(&s, "0123456789");
    w->suffix = rest = s;
    take(&rest, "eEinumkKMGTP");
    if (rest.len && (rest.p[0] == '-' || rest.p[0] == '+'))
        rest = str_from(rest, 1);
    take(&rest, "0123456789");
    return rest.len == 0;
}

static bool read_suffix(str s, struct suffix *ret)
{
    int64_t exponent;

    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
        if (str_eq(s, str_of(suffixes[i].name))) {
            *ret = suffixes[i];
            return true;
        }
    }
    if (s.len < 2 || (s.p[0] != 'e' && s.p[0] != 'E'))
        return false;
    s = str_from(s, s.p[1] == '+' ? 2 : 1);
    if (!str_to_int64(s, &exponent) || exponent < -MOST_EXPONENT || exponent > MOST_EXPONENT)
        return false;
    *ret = (struct suffix){"", 0, (int)exponent};
    return true;
}

/* The digits as a number of at most `most` digits; the rest moves the scale and rounds up. */
static void read_digits(const struct written *w, int most, struct res_quantity *q)
{
    int digits = 0;

    q->scale = -(int32_t)MIN(w->fraction.len, (size_t)1 << 24);
    for (size_t i = 0; i < w->whole.len + w->fraction.len; i++) {
        char c = i < w->whole.len ? w->whole.p[i] : w->fraction.p[i - w->whole.len];

        if (digits < most) {
            q->number = q->number * 10 + (c - '0');
            digits += q->number != 0;
        } else {
            q->scale++;
            q->number += c != '0' && digits == most ? 1 : 0;
            digits += c != '0';
        }
    }
}

/* How many digits the reference lets pass on its quick way; it does with less than nothing. */
static int spare_digits(const struct written *w, const struct suffix *s)
{
    if (!s->binary)
        return 18 - (int)MIN(w->whole.len ? w->whole.len + w->fraction.len : 1 + w->fraction.len,
                             (size_t)100);
    if (w->fraction.len)
        return -1;
    return 15 - (int)MIN(w->whole.len ? w->whole.len : 1, (size_t)100) - s->binary * 3 / 10 - 1;
}

/* What the reference does not write anew when it is small: "+5", "1.024k", "05". */
static bool passes_for_canonical(const struct written *w, const struct suffix *s,
                                 const struct res_quantity *q)
{
    AUTO(buf_done) struct buf digits = {0};

    if (s->binary)
        return q->number % 8 != 0;
    buf_add_str(&digits, w->whole);
    buf_add_str(&digits, w->fraction);
    return w->whole.len && q->scale % 3 == 0 && !str_ends(buf_view(&digits), STR("000"));
}

static void cap(struct res_quantity *q)
{
    static const struct res_quantity most = {.number = INT64_MAX, .form = RES_QUANTITY_BINARY};

    if (res_quantity_compare(q, &most) > 0)
        *q = most;
}

enum res_quantity_error res_quantity_parse(str text, struct res_quantity *q)
{
    struct written w;
    struct suffix s;

    *q = (struct res_quantity){0};
    if (!split(text, &w))
        return RES_QUANTITY_BAD_FORM;
    if (!read_suffix(w.suffix, &s))
        return RES_QUANTITY_BAD_SUFFIX;
    read_digits(&w, s.binary ? MOST_BINARY : MOST_DIGITS - 1, q);
    q->scale += s.decimal;
    q->is_canonical = passes_for_canonical(&w, &s, q);
    q->number <<= s.binary;
    q->form = s.binary                     ? RES_QUANTITY_BINARY
              : !w.suffix.len || s.name[0] ? RES_QUANTITY_DECIMAL
                                           : RES_QUANTITY_EXPONENT;
    q->is_small = spare_digits(&w, &s) >= 0 && q->scale >= NANO && q->number <= INT64_MAX;
    if (q->scale < NANO)
        drop(q, NANO - q->scale);
    if (s.binary && !q->is_small)
        cap(q);
    if (w.is_negative)
        q->number = -q->number;
    return RES_QUANTITY_FINE;
}

/* ---- calculating */

/* The same value with a lower scale; false: it would have too many digits. */
static bool rescale(struct res_quantity *q, int32_t scale)
{
    if (q->number && digits_of(q->number) + (q->scale - scale) > MOST_DIGITS)
        return false;
    q->number = q->number ? q->number * power(q->scale - scale) : 0;
    q->scale = scale;
    return true;
}

static bool fits_int64(__int128 n) { return n >= INT64_MIN && n <= INT64_MAX; }

struct res_quantity res_quantity_add(struct res_quantity a, struct res_quantity b)
{
    bool is_small = a.is_small && b.is_small;

    if (!a.number || !b.number) {
        a = a.number ? a : b;
        a.is_small = is_small;
        return a;
    }
    if (a.scale < b.scale) {
        struct res_quantity swap = a;

        a = b;
        b = swap;
    }
    /* One that is 37 digits smaller is lost beside the other. */
    if (!rescale(&a, b.scale)) {
        int32_t scale = a.scale - (MOST_DIGITS - digits_of(a.number));

        rescale(&a, scale);
        drop(&b, scale - b.scale);
    }
    a.is_small = is_small && fits_int64(a.number) && fits_int64(a.number + b.number);
    a.number += b.number;
    if (digits_of(a.number) > MOST_DIGITS)
        drop(&a, 1);
    return a;
}

struct res_quantity res_quantity_negate(struct res_quantity q)
{
    q.number = -q.number;
    q.is_small = q.is_small && fits_int64(q.number);
    return q;
}

static int sign_of(__int128 n) { return (n > 0) - (n < 0); }

int res_quantity_compare(const struct res_quantity *x, const struct res_quantity *y)
{
    struct res_quantity a = *x, b = *y;
    int sign = sign_of(a.number), order;

    if (sign != sign_of(b.number))
        return sign < sign_of(b.number) ? -1 : 1;
    if (!sign)
        return 0;
    order = (digits_of(a.number) + a.scale) - (digits_of(b.number) + b.scale);
    if (order)
        return order > 0 ? sign : -sign;
    if (a.scale > b.scale)
        rescale(&a, b.scale);
    else
        rescale(&b, a.scale);
    return a.number < b.number ? -1 : a.number > b.number;
}

bool res_quantity_to_int(const struct res_quantity *q, int64_t *ret)
{
    __int128 n = q->number;

    if (!q->is_small || q->scale < 0)
        return false;
    for (int32_t i = 0; n && i < q->scale; i++) {
        n *= 10;
        if (!fits_int64(n))
            return false;
    }
    *ret = (int64_t)n;
    return true;
}

/* What is no small one is held upstream with nine decimals, and rounds twice; but not what cap cut.
 */
double res_quantity_to_double(const struct res_quantity *q)
{
    struct res_quantity held = *q;

    if (!q->is_small && (q->scale || q->number != INT64_MAX))
        rescale(&held, NANO);
    return held.scale ? (double)held.number * num_pow10(held.scale) : (double)held.number;
}

/* ---- printing */

static void print_number(__int128 n, struct buf *out)
{
    char text[48], *p = text + sizeof(text);
    unsigned __int128 left = n < 0 ? -(unsigned __int128)n : (unsigned __int128)n;

    do
        *--p = (char)('0' + (int)(left % 10));
    while (left /= 10);
    if (n < 0)
        buf_add_char(out, '-');
    buf_add_str(out, (str){p, (size_t)(text + sizeof(text) - p)});
}

static void print_suffix(int binary, int decimal, struct buf *out)
{
    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++)
        if (suffixes[i].binary == binary && suffixes[i].decimal == decimal)
            buf_add_cstr(out, suffixes[i].name);
}

/* Below 1024, and where a fraction would be needed, binary amounts are written as decimal ones. */
static bool print_binary(const struct res_quantity *q, struct buf *out)
{
    struct res_quantity whole = *q;
    int power = 0;

    if (q->scale < 0 || !rescale(&whole, 0) || (whole.number < 1024 && whole.number > -1024))
        return false;
    for (; whole.number % 1024 == 0 && power < 60; power += 10)
        whole.number /= 1024;
    print_number(whole.number, out);
    print_suffix(power, 0, out);
    return true;
}

/* Its scale is no more than 18 and divides by 3. */
static void print_decimal(struct res_quantity q, struct buf *out)
{
    while (q.scale > 18 || q.scale % 3) {
        q.number *= 10;
        q.scale--;
    }
    print_number(q.number, out);
    if (q.form != RES_QUANTITY_EXPONENT)
        print_suffix(0, q.scale, out);
    else if (q.scale)
        buf_addf(out, "e%d", q.scale);
}

enum res_quantity_error res_quantity_print(str text, int places, struct buf *out)
{
    str s = str_trim(text);
    struct res_quantity q;
    enum res_quantity_error rc = res_quantity_parse(s, &q);

    if (rc != RES_QUANTITY_FINE)
        return rc;
    if (q.is_small && q.is_canonical && q.scale >= -places) {
        buf_add_str(out, s);
        return rc;
    }
    if (q.scale < -places)
        drop(&q, -places - q.scale);
    while (q.number && q.number % 10 == 0) {
        q.number /= 10;
        q.scale++;
    }
    if (!q.number)
        q.scale = 0;
    if (digits_of(q.number) + MAX(q.scale - 18, 2) > MOST_DIGITS)
        buf_add_str(out, s);
    else if (q.form != RES_QUANTITY_BINARY || !print_binary(&q, out))
        print_decimal(q, out);
    return rc;
}
