#include "expr/jsonpath/quote_priv.h"

#include "base/ascii.h"

/* count digits of a base, from *at on; -1 when one is missing. */
static int64_t digits(str s, size_t *at, int count, int base)
{
    int64_t value = 0;

    for (int i = 0; i < count; i++, (*at)++) {
        int digit = *at < s.len ? ascii_hex_value(s.p[*at]) : -1;

        if (digit < 0 || digit >= base)
            return -1;
        value = value * base + digit;
    }
    return value;
}

static bool add_number(struct buf *out, int64_t value, bool is_rune)
{
    if (value < 0 || (is_rune && (value > 0x10ffff || (value >= 0xd800 && value < 0xe000))) ||
        (!is_rune && value > 255))
        return false;
    if (is_rune)
        buf_add_utf8(out, (uint32_t)value);
    else
        buf_add_char(out, (char)value);
    return true;
}

/* What follows a backslash, at s.p[*at]. */
static bool unescape(str s, size_t *at, char quote, struct buf *out)
{
    static const char simple[] = "a\ab\bf\fn\nr\rt\tv\v\\\\";
    char c;

    if (*at >= s.len)
        return false;
    c = s.p[(*at)++];
    for (size_t i = 0; i + 1 < sizeof(simple); i += 2) {
        if (simple[i] == c) {
            buf_add_char(out, simple[i + 1]);
            return true;
        }
    }
    if (c == 'x')
        return add_number(out, digits(s, at, 2, 16), false);
    if (c == 'u' || c == 'U')
        return add_number(out, digits(s, at, c == 'u' ? 4 : 8, 16), true);
    if (c >= '0' && c <= '7') {
        (*at)--;
        return add_number(out, digits(s, at, 3, 8), false);
    }
    if (c != quote)
        return false;
    buf_add_char(out, c);
    return true;
}

bool jp_unquote(str quoted, struct buf *out)
{
    char quote;
    str s;

    if (quoted.len < 2)
        return false;
    quote = quoted.p[0];
    s = str_sub(quoted, 1, quoted.len - 2);
    for (size_t i = 0; i < s.len;) {
        char c = s.p[i++];

        if (c == quote)
            return false;
        if (c != '\\')
            buf_add_char(out, c);
        else if (!unescape(s, &i, quote, out))
            return false;
    }
    return true;
}
