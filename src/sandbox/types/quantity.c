#include "sandbox/types/quantity.h"

enum { NANO = 9, MOST_DIGITS = 27 };

enum form { DECIMAL, BINARY, EXPONENT };

static const struct suffix {
    char name[3];
    enum form form;
    int power; /* of ten, or of two */
} suffixes[] = {
    {"n", DECIMAL, -9}, {"u", DECIMAL, -6}, {"m", DECIMAL, -3}, {"", DECIMAL, 0},
    {"k", DECIMAL, 3},  {"M", DECIMAL, 6},  {"G", DECIMAL, 9},  {"T", DECIMAL, 12},
    {"P", DECIMAL, 15}, {"E", DECIMAL, 18}, {"Ki", BINARY, 10}, {"Mi", BINARY, 20},
    {"Gi", BINARY, 30}, {"Ti", BINARY, 40}, {"Pi", BINARY, 50}, {"Ei", BINARY, 60},
};

struct amount {
    __int128 nanos;
    enum form form;
    bool is_negative, is_huge; /* huge: more than nanos can hold */
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool read_suffix(str s, enum form *form, int64_t *power)
{
    for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
        if (!str_eq(s, str_of(suffixes[i].name)))
            continue;
        *form = suffixes[i].form;
        *power = suffixes[i].power;
        return true;
    }
    *form = EXPONENT;
    return s.len > 1 && (s.p[0] == 'e' || s.p[0] == 'E') &&
           str_to_int64(str_from(s, s.p[1] == '+' ? 2 : 1), power);
}

/* Divides by 10^digits; what is lost rounds up. */
static void drop_digits(struct amount *a, int digits)
{
    bool is_lost = false;

    for (; digits > 0 && a->nanos; digits--) {
        is_lost |= a->nanos % 10 != 0;
        a->nanos /= 10;
    }
    a->nanos += is_lost;
}

static void shift(struct amount *a, int64_t power, int fraction)
{
    int64_t tens = NANO - fraction + (a->form == BINARY ? 0 : power);

    for (int64_t i = 0; a->form == BINARY && i < power && !a->is_huge; i++) {
        a->nanos *= 2;
        a->is_huge = a->nanos >> 90 != 0;
    }
    if (tens < 0)
        drop_digits(a, (int)MIN(-tens, 64));
    for (; tens > 0 && a->nanos && !a->is_huge; tens--) {
        a->nanos *= 10;
        a->is_huge = a->nanos >> 110 != 0;
    }
}

static enum sb_quantity parse(str s, struct amount *ret)
{
    size_t at = 0, digits = 0;
    int fraction = 0;
    bool has_point = false;
    int64_t power;

    *ret = (struct amount){.is_negative = str_starts(s, STR("-"))};
    if (s.len && (s.p[0] == '-' || s.p[0] == '+'))
        at++;
    for (; at < s.len && (is_digit(s.p[at]) || (s.p[at] == '.' && !has_point)); at++) {
        if (s.p[at] == '.') {
            has_point = true;
            continue;
        }
        ret->nanos = ret->nanos * 10 + (s.p[at] - '0');
        fraction += has_point;
        if (++digits > MOST_DIGITS) {
            ret->is_huge = true;
            ret->nanos = 0;
        }
    }
    if (!digits)
        return SB_QUANTITY_BAD_FORM;
    for (size_t i = at; i < s.len; i++)
        if (!is_digit(s.p[i]) && str_find_char(STR("eEinumkKMGTP+-"), s.p[i]) < 0)
            return SB_QUANTITY_BAD_FORM;
    if (!read_suffix(str_from(s, at), &ret->form, &power))
        return SB_QUANTITY_BAD_SUFFIX;
    if (!ret->is_huge)
        shift(ret, power, fraction);
    return SB_QUANTITY_FINE;
}

static void print_number(const struct amount *a, __int128 n, struct buf *out)
{
    char text[48], *p = text + sizeof(text);

    do
        *--p = (char)('0' + (int)(n % 10));
    while (n /= 10);
    if (a->is_negative && a->nanos)
        buf_add_char(out, '-');
    buf_add_str(out, (str){p, (size_t)(text + sizeof(text) - p)});
}

/* Below 1024, and where a fraction would be needed, binary amounts are written as decimal ones. */
static bool print_binary(const struct amount *a, struct buf *out)
{
    __int128 whole = a->nanos / 1000000000;
    int power = 0;

    if (whole < 1024 || a->nanos % 1000000000)
        return false;
    for (; whole % 1024 == 0 && power < 60; power += 10)
        whole /= 1024;
    print_number(a, whole, out);
    for (size_t i = 0; power && i < ARRAY_LEN(suffixes); i++)
        if (suffixes[i].form == BINARY && suffixes[i].power == power)
            buf_add_cstr(out, suffixes[i].name);
    return true;
}

static void print_decimal(const struct amount *a, struct buf *out)
{
    __int128 n = a->nanos;
    int power = -NANO;

    for (; n && n % 1000 == 0 && power < 18; power += 3)
        n /= 1000;
    if (!n)
        power = 0;
    print_number(a, n, out);
    if (a->form == EXPONENT && power)
        buf_addf(out, "e%d", power);
    for (size_t i = 0; a->form != EXPONENT && i < ARRAY_LEN(suffixes); i++)
        if (suffixes[i].form == DECIMAL && suffixes[i].power == power)
            buf_add_cstr(out, suffixes[i].name);
}

enum sb_quantity sb_quantity_print(str text, int scale, struct buf *out)
{
    str s = str_trim(text);
    struct amount a;
    enum sb_quantity rc = parse(s, &a);

    if (rc != SB_QUANTITY_FINE)
        return rc;
    if (a.is_huge) {
        buf_add_str(out, s);
        return rc;
    }
    drop_digits(&a, NANO - scale);
    for (int i = scale; i < NANO; i++)
        a.nanos *= 10;
    if (a.form != BINARY || !print_binary(&a, out))
        print_decimal(&a, out);
    return rc;
}
