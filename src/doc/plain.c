#include <math.h>

#include "doc/plain_priv.h"

#include "base/ascii.h"

/* ---- words */

/* The bytes of up to eight letters as a number, ASCII letters as small ones. */
static uint64_t pack(const char *p, size_t len)
{
    uint64_t word = 0;

    for (size_t i = 0; i < len; i++)
        word = word << 8 | (unsigned char)(p[i] >= 'A' && p[i] <= 'Z' ? p[i] | 0x20 : p[i]);
    return word;
}

#define PACK2(a, b) ((uint64_t)(a) << 8 | (b))
#define PACK3(a, b, c) (PACK2(a, b) << 8 | (c))
#define PACK4(a, b, c, d) (PACK3(a, b, c) << 8 | (d))
#define PACK5(a, b, c, d, e) (PACK4(a, b, c, d) << 8 | (e))

static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/* word, Word or WORD */
static bool is_regular_case(str s)
{
    bool rest = s.len > 1 && is_capital(s.p[1]);

    if (rest && !is_capital(s.p[0]))
        return false;
    for (size_t i = 2; i < s.len; i++)
        if (is_capital(s.p[i]) != rest)
            return false;
    return true;
}

/* At most five bytes. */
static bool is_word(str s, enum plain_version version)
{
    switch (pack(s.p, s.len)) {
    case '~':
        return true;
    case PACK4('n', 'u', 'l', 'l'):
    case PACK4('t', 'r', 'u', 'e'):
    case PACK5('f', 'a', 'l', 's', 'e'):
        return is_regular_case(s);
    case 'y':
    case 'n':
    case PACK2('n', 'o'):
    case PACK2('o', 'n'):
    case PACK3('y', 'e', 's'):
    case PACK3('o', 'f', 'f'):
        return version == PLAIN_V2 && is_regular_case(s);
    case PACK4('.', 'i', 'n', 'f'):
        return is_regular_case(str_from(s, 1));
    case PACK5('+', '.', 'i', 'n', 'f'):
    case PACK5('-', '.', 'i', 'n', 'f'):
        return is_regular_case(str_from(s, 2));
    case PACK4('.', 'n', 'a', 'n'):
        return str_eq(s, STR(".nan")) || str_eq(s, STR(".NaN")) || str_eq(s, STR(".NAN"));
    default:
        return false;
    }
}

/* Whether all bytes occur in numbers or timestamps: in hexadecimal ones behind an 'x' alone. */
static bool is_numeric_text(str s)
{
    enum { NONE, ANY, X, HEX };
    static const unsigned char numeric[256] = {
        ['0' ... '9'] = ANY, ['b'] = ANY,         ['B'] = ANY,         ['e'] = ANY, ['E'] = ANY,
        ['o'] = ANY,         ['O'] = ANY,         ['t'] = ANY,         ['T'] = ANY, ['Z'] = ANY,
        ['.'] = ANY,         [','] = ANY,         [':'] = ANY,         ['-'] = ANY, ['+'] = ANY,
        ['_'] = ANY,         [' '] = ANY,         ['x'] = X,           ['X'] = X,   ['a'] = HEX,
        ['A'] = HEX,         ['c' ... 'd'] = HEX, ['C' ... 'D'] = HEX, ['f'] = HEX, ['F'] = HEX,
    };
    bool is_hex = false;

    for (size_t i = 0; i < s.len; i++) {
        unsigned char kind = numeric[(unsigned char)s.p[i]];

        if (kind == NONE || (kind == HEX && !is_hex))
            return false;
        is_hex |= kind == X;
    }
    return true;
}

/* ---- timestamps: what Go's time.Parse takes for 2006-1-2[(T|t| )15:4:5[.9…][zone]] */

static bool take_number(str *s, size_t most_digits, unsigned low, unsigned high, unsigned *ret)
{
    size_t len = 0;
    unsigned value = 0;

    while (len < most_digits && len < s->len && ascii_is_digit(s->p[len]))
        value = value * 10 + (unsigned)(s->p[len++] - '0');
    if (len == 0 || value < low || value > high)
        return false;
    *s = str_from(*s, len);
    *ret = value;
    return true;
}

static unsigned days_in(unsigned year, unsigned month)
{
    static const unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days[month - 1] + (month == 2 && is_leap);
}

static bool take_date(str *s)
{
    unsigned year, month, day;

    if (s->len < 5 || s->p[4] != '-')
        return false;
    return take_number(s, 4, 0, 9999, &year) && str_drop_prefix(s, STR("-")) &&
           take_number(s, 2, 1, 12, &month) && str_drop_prefix(s, STR("-")) &&
           take_number(s, 2, 1, 31, &day) && day <= days_in(year, month);
}

static bool take_time(str *s)
{
    unsigned unused;

    if (!take_number(s, 2, 0, 23, &unused) || !str_drop_prefix(s, STR(":")) ||
        !take_number(s, 2, 0, 59, &unused) || !str_drop_prefix(s, STR(":")) ||
        !take_number(s, 2, 0, 59, &unused))
        return false;
    if (s->len >= 2 && (s->p[0] == '.' || s->p[0] == ',') && ascii_is_digit(s->p[1])) {
        *s = str_from(*s, 1);
        while (s->len && ascii_is_digit(s->p[0]))
            *s = str_from(*s, 1);
    }
    return true;
}

static bool take_zone(str *s)
{
    unsigned unused;

    if (str_drop_prefix(s, STR("Z")))
        return true;
    if (s->len < 6 || s->p[3] != ':' || !ascii_is_digit(s->p[2]) || !ascii_is_digit(s->p[5]))
        return false;
    return (str_drop_prefix(s, STR("+")) || str_drop_prefix(s, STR("-"))) &&
           take_number(s, 2, 0, 24, &unused) && str_drop_prefix(s, STR(":")) &&
           take_number(s, 2, 0, 59, &unused);
}

static bool is_timestamp(str s)
{
    if (!take_date(&s))
        return false;
    if (s.len == 0)
        return true;
    if (str_drop_prefix(&s, STR(" "))) {
        while (str_drop_prefix(&s, STR(" "))) {
        }
        return take_time(&s) && s.len == 0;
    }
    return (str_drop_prefix(&s, STR("T")) || str_drop_prefix(&s, STR("t"))) && take_time(&s) &&
           take_zone(&s) && s.len == 0;
}

/* ---- numbers */

static bool fits_base(str digits, unsigned base, bool is_signed_type)
{
    uint64_t value = 0;

    if (digits.len == 0)
        return false;
    for (size_t i = 0; i < digits.len; i++) {
        char c = digits.p[i];
        unsigned digit =
            ascii_is_digit(c) ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;

        if ((!ascii_is_digit(c) && (unsigned char)((c | 0x20) - 'a') >= 26) || digit >= base ||
            __builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, digit, &value))
            return false;
    }
    return !is_signed_type || value <= (uint64_t)INT64_MAX + 1;
}

/* As strconv.ParseInt and ParseUint with base 0, 64 bits; behind a bare 0b, and in v3 0o, the
 * libraries take a second sign. */
static bool is_integer(str s, enum plain_version version)
{
    bool is_negative = s.len && s.p[0] == '-', has_sign = is_negative || (s.len && s.p[0] == '+');
    unsigned base = 10;
    char c;

    if (has_sign)
        s = str_from(s, 1);
    if (s.len >= 2 && s.p[0] == '0') {
        c = (char)(s.p[1] | 0x20);
        base = c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 0;
        s = str_from(s, base ? 2 : 1);
        if (!has_sign && s.len && (s.p[0] == '-' || s.p[0] == '+') && s.p[-1] == c &&
            (base == 2 || (base == 8 && version == PLAIN_V3))) {
            has_sign = true;
            s = str_from(s, 1);
        }
        base = base ? base : 8;
    }
    return fits_base(s, base, has_sign);
}

/* [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? that is finite as a double */
static bool is_float(str s)
{
    size_t i = s.len && (s.p[0] == '-' || s.p[0] == '+'), whole, fraction = 0;
    char text[400];

    for (whole = i; i < s.len && ascii_is_digit(s.p[i]); i++) {
    }
    whole = i - whole;
    if (i < s.len && s.p[i] == '.')
        for (i++; i < s.len && ascii_is_digit(s.p[i]); i++)
            fraction++;
    if (whole + fraction == 0)
        return false;
    if (i < s.len && (s.p[i] | 0x20) == 'e') {
        i++;
        i += i < s.len && (s.p[i] == '-' || s.p[i] == '+');
        if (i == s.len)
            return false;
        while (i < s.len && ascii_is_digit(s.p[i]))
            i++;
    }
    if (i < s.len ||
        s.len >= sizeof(text)) /* longer ones exceed a double, or might as well be text */
        return false;
    memcpy(text, s.p, s.len);
    text[s.len] = '\0';
    return isfinite(strtod(text, NULL));
}

/* 190:20:30.15, digits by sixty: read by YAML 1.1 only, quoted for the sake of its readers. */
static bool is_base60(str s)
{
    size_t i = s.p[0] == '-' || s.p[0] == '+';
    bool has_part = false;

    if (i == s.len || !ascii_is_digit(s.p[i]))
        return false;
    while (i < s.len && (ascii_is_digit(s.p[i]) || s.p[i] == '_'))
        i++;
    while (i < s.len && s.p[i] == ':') {
        size_t from = ++i;

        while (i < s.len && ascii_is_digit(s.p[i]) && i - from < 2)
            i++;
        if (i == from || (i - from == 2 && s.p[from] > '5'))
            return false;
        has_part = true;
    }
    if (has_part && i < s.len && s.p[i] == '.')
        for (i++; i < s.len && (ascii_is_digit(s.p[i]) || s.p[i] == '_'); i++) {
        }
    return has_part && i == s.len;
}

bool plain_is_other(str text, enum plain_version version)
{
    char digits[400];
    size_t len = 0;

    if (text.len == 0 || (text.len <= 5 && !ascii_is_digit(text.p[0]) && is_word(text, version)))
        return true;
    if (!ascii_is_digit(text.p[0]) && text.p[0] != '-' && text.p[0] != '+' && text.p[0] != '.')
        return false;
    if (!is_numeric_text(text))
        return false;
    if (is_timestamp(text) || (version == PLAIN_V2 && is_base60(text)))
        return true;
    if (text.len >= sizeof(digits))
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] != '_')
            digits[len++] = text.p[i];
        else if (text.p[0] == '.' && (!ascii_is_digit(text.p[i - 1]) || i + 1 == text.len ||
                                      !ascii_is_digit(text.p[i + 1])))
            return false; /* behind a leading point '_' only divides digits */
    }
    return is_integer((str){digits, len}, version) || is_float((str){digits, len});
}
