/* Numbers as Go's strconv reads them. */
#include <errno.h>
#include <math.h>

#include "expr/gotmpl/text_priv.h"

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

/* Underscores stand between digits, or between a prefix and a digit. */
static bool underscores_fit(str s)
{
    char before = '^'; /* what came last: '0' a digit, '_', '!' something else */
    bool is_hex = false;
    size_t i = 0;

    if (s.len && (s.p[0] == '-' || s.p[0] == '+'))
        i = 1;
    if (s.len >= i + 2 && s.p[i] == '0' && strchr("bBoOxX", s.p[i + 1])) {
        is_hex = (s.p[i + 1] | 0x20) == 'x';
        before = '0';
        i += 2;
    }
    for (; i < s.len; i++) {
        if (digit_of(s.p[i]) < (is_hex ? 16 : 10)) {
            before = '0';
        } else if (s.p[i] == '_') {
            if (before != '0')
                return false;
            before = '_';
        } else {
            if (before == '_')
                return false;
            before = '!';
        }
    }
    return before != '_';
}

static int base_of(str *s)
{
    static const char letters[] = "bBoOxX";
    const char *letter;

    if (s->len < 2 || s->p[0] != '0')
        return 10;
    letter = s->p[1] ? strchr(letters, s->p[1]) : NULL;
    *s = str_from(*s, letter && s->len >= 3 ? 2 : 1);
    if (!letter)
        return 8;
    return letter - letters < 2 ? 2 : letter - letters < 4 ? 8 : 16;
}

bool text_to_uint(str s, int base, uint64_t *ret)
{
    str all = s;
    bool has_underscore = false;
    uint64_t value = 0;

    if (!s.len)
        return false;
    if (base == 0) {
        base = base_of(&s);
        has_underscore = str_find_char(s, '_') >= 0;
    }
    if (!s.len)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        int digit = digit_of(s.p[i]);

        if (s.p[i] == '_' && has_underscore)
            continue;
        if (digit >= base || __builtin_mul_overflow(value, (uint64_t)base, &value) ||
            __builtin_add_overflow(value, (uint64_t)digit, &value))
            return false;
    }
    *ret = value;
    return !has_underscore || underscores_fit(all);
}

bool text_to_int(str s, int base, int64_t *ret)
{
    bool is_negative = s.len && s.p[0] == '-';
    uint64_t value;

    if (s.len && (s.p[0] == '-' || s.p[0] == '+'))
        s = str_from(s, 1);
    if (!text_to_uint(s, base, &value) || value > (uint64_t)INT64_MAX + is_negative)
        return false;
    *ret = is_negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

/* inf, infinity, nan in any case, the first two with a sign. */
static bool to_special(str s, double *ret)
{
    bool is_signed = s.len && (s.p[0] == '-' || s.p[0] == '+');
    str word = str_from(s, is_signed);

    if (str_eq_nocase(word, STR("inf")) || str_eq_nocase(word, STR("infinity"))) {
        *ret = s.p[0] == '-' ? -INFINITY : INFINITY;
        return true;
    }
    *ret = NAN;
    return !is_signed && str_eq_nocase(word, STR("nan"));
}

/* [sign] digits [. digits] [e [sign] digits], or hexadecimal with a p exponent that must be there.
 */
static bool is_float(str s)
{
    bool is_hex = false, has_digit = false, has_point = false;
    size_t i = s.len && (s.p[0] == '-' || s.p[0] == '+');

    if (s.len >= i + 2 && s.p[i] == '0' && (s.p[i + 1] | 0x20) == 'x') {
        is_hex = true;
        i += 2;
    }
    for (; i < s.len; i++) {
        if (digit_of(s.p[i]) < (is_hex ? 16 : 10))
            has_digit = true;
        else if (s.p[i] == '.' && !has_point)
            has_point = true;
        else if (s.p[i] != '_')
            break;
    }
    if (!has_digit || i == s.len)
        return has_digit && !is_hex;
    if ((s.p[i] | 0x20) != (is_hex ? 'p' : 'e'))
        return false;
    i++;
    if (i < s.len && (s.p[i] == '-' || s.p[i] == '+'))
        i++;
    has_digit = false;
    for (; i < s.len; i++) {
        if (s.p[i] != '_' && digit_of(s.p[i]) > 9)
            return false;
        has_digit = true;
    }
    return has_digit;
}

bool text_to_float(str s, double *ret)
{
    AUTO(buf_done) struct buf plain = {0};

    if (to_special(s, ret))
        return true;
    if (!is_float(s) || !underscores_fit(s))
        return false;
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] != '_')
            buf_add_char(&plain, s.p[i]);
    *ret = strtod(buf_cstr(&plain), NULL);
    return !isinf(*ret);
}
