#include "expr/gotmpl/text_priv.h"

#include <locale.h>
#include <pthread.h>
#include <wctype.h>

#include "base/ascii.h"
#include "re/unicode.h"

static locale_t unicode_locale;
static pthread_once_t locale_once = PTHREAD_ONCE_INIT;
static void make_locale(void) { unicode_locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL); }

/* One-to-one case mapping; the C library's tables are Unicode's in the locale C.UTF-8. */
static uint32_t map_case(uint32_t c, const char *way)
{
    pthread_once(&locale_once, make_locale);
    if (!unicode_locale)
        return c;
    return (uint32_t)towctrans_l(c, wctrans_l(way, unicode_locale), unicode_locale);
}

uint32_t text_upper(uint32_t c)
{
    if (c < 0x80)
        return c >= 'a' && c <= 'z' ? c - 0x20 : c;
    return map_case(c, "toupper");
}

uint32_t text_lower(uint32_t c)
{
    if (c < 0x80)
        return c >= 'A' && c <= 'Z' ? c + 0x20 : c;
    return map_case(c, "tolower");
}

uint32_t text_title(uint32_t c) { return c < 0x80 ? text_upper(c) : map_case(c, "totitle"); }

static bool text_is_letter(uint32_t c)
{
    if (c < 0x80)
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return re_unicode_is("L", c);
}

bool text_is_digit(uint32_t c) { return c < 0x80 ? c >= '0' && c <= '9' : re_unicode_is("Nd", c); }

bool text_is_alnum(uint32_t c) { return c == '_' || text_is_letter(c) || text_is_digit(c); }

bool text_is_upper(uint32_t c) { return c < 0x80 ? c >= 'A' && c <= 'Z' : re_unicode_is("Lu", c); }

bool text_is_lower(uint32_t c) { return c < 0x80 ? c >= 'a' && c <= 'z' : re_unicode_is("Ll", c); }

bool text_is_punct(uint32_t c)
{
    return c < 0x80 ? c && strchr("!\"#%&'()*,-./:;?@[\\]_{}", (char)c) : re_unicode_is("P", c);
}

bool text_is_space(uint32_t c)
{
    static const uint16_t wide[] = {0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000};

    if (c < 0x80)
        return c == ' ' || (c >= '\t' && c <= '\r');
    if (c >= 0x2000 && c <= 0x200a)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(wide); i++)
        if (c == wide[i])
            return true;
    return false;
}

bool text_is_print(uint32_t c)
{
    static const char classes[][2] = {"L", "M", "N", "P", "S"};

    if (c < 0x80)
        return c >= 0x20 && c < 0x7f;
    for (size_t i = 0; i < ARRAY_LEN(classes); i++)
        if (re_unicode_is(classes[i], c))
            return true;
    return false;
}

str text_chars(str s, size_t count)
{
    size_t at = 0, width;

    for (; count && at < s.len; count--, at += width)
        str_utf8_at(s, at, &width);
    return str_sub(s, 0, at);
}

size_t text_count(str s)
{
    size_t count = 0, width;

    for (size_t at = 0; at < s.len; at += width, count++) {
        width = 1;
        if ((unsigned char)s.p[at] >= 0x80)
            str_utf8_at(s, at, &width);
    }
    return count;
}

str text_trim_space(str s)
{
    size_t width, at = 0;

    while (at < s.len && text_is_space(str_utf8_at(s, at, &width)))
        at += width;
    s = str_from(s, at);
    while (s.len) {
        size_t start = s.len - 1;

        while (start && ((unsigned char)s.p[start] & 0xc0) == 0x80 && s.len - start < 4)
            start--;
        if (!text_is_space(str_utf8_at(s, start, &width)) || start + width != s.len)
            break;
        s.len = start;
    }
    return s;
}

/* ---- quoting */

static bool add_named_escape(uint32_t c, char quote, struct buf *out)
{
    static const char codes[] = "\a\b\f\n\r\t\v\\", names[] = "abfnrtv\\";
    const char *found = c && c < 0x80 ? strchr(codes, (char)c) : NULL;

    if (!found && c != (uint32_t)quote)
        return false;
    buf_add_char(out, '\\');
    buf_add_char(out, found ? names[found - codes] : quote);
    return true;
}

static void add_quoted_char(uint32_t c, bool is_bad, char byte, char quote, bool ascii,
                            struct buf *out)
{
    if (is_bad)
        buf_addf(out, "\\x%02x", (unsigned char)byte);
    else if (add_named_escape(c, quote, out))
        return;
    else if (c < 0x80 ? c >= 0x20 && c < 0x7f : !ascii && text_is_print(c))
        buf_add_utf8(out, c);
    else if (c < 0x20 || c == 0x7f)
        buf_addf(out, "\\x%02x", c);
    else
        buf_addf(out, c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
}

/* Adds what stands for itself, or needs a backslash only: JSON is full of quotes. How much. */
static size_t add_simple(str s, struct buf *out)
{
    size_t at = 0;
    char *to;

    buf_grow(out, 2 * s.len);
    for (to = out->p + out->len; at < s.len; at++) {
        unsigned char c = (unsigned char)s.p[at];

        if (c < 0x20 || c >= 0x7f)
            break;
        if (c == '"' || c == '\\')
            *to++ = '\\';
        *to++ = (char)c;
    }
    *to = '\0';
    out->len = (size_t)(to - out->p);
    return at;
}

void text_quote(str s, bool ascii, struct buf *out)
{
    enum { PIECE = 4096 }; /* of which the room is bounded */

    buf_add_char(out, '"');
    while (s.len) {
        size_t width;
        uint32_t c;

        s = str_from(s, add_simple(str_sub(s, 0, PIECE), out));
        if (!s.len)
            break;
        c = str_utf8_at(s, 0, &width);
        if (c >= 0x20 && c < 0x7f)
            continue;
        add_quoted_char(c, width == 1 && c >= 0x80, s.p[0], '"', ascii, out);
        s = str_from(s, width);
    }
    buf_add_char(out, '"');
}

void text_quote_char(uint32_t c, bool ascii, struct buf *out)
{
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        c = 0xfffd;
    buf_add_char(out, '\'');
    add_quoted_char(c, false, 0, '\'', ascii, out);
    buf_add_char(out, '\'');
}

void text_quote_time(str s, struct buf *out)
{
    buf_add_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char ch = (unsigned char)s.p[i];

        if (ch < ' ' || ch >= 0x80)
            buf_addf(out, "\\x%02x", ch);
        else if (ch == '"' || ch == '\\')
            buf_addf(out, "\\%c", ch);
        else
            buf_add_char(out, (char)ch);
    }
    buf_add_char(out, '"');
}

bool text_can_backquote(str s)
{
    size_t width;

    for (size_t at = 0; at < s.len; at += width) {
        uint32_t c = str_utf8_at(s, at, &width);

        if (c == 0xfeff || (width == 1 && c >= 0x80) || (c < 0x20 && c != '\t') || c == '`' ||
            c == 0x7f)
            return false;
    }
    return true;
}

void text_add_code_point(uint32_t c, bool shown, struct buf *out)
{
    buf_addf(out, "U+%04X", c);
    if (shown && c <= 0x10ffff && text_is_print(c)) {
        buf_add_cstr(out, " '");
        buf_add_utf8(out, c);
        buf_add_char(out, '\'');
    }
}

/* ---- unquoting */

/* count digits of a base at *s. */
static bool read_digits(str *s, size_t count, int base, uint32_t *ret)
{
    *ret = 0;
    if (s->len < count)
        return false;
    for (size_t i = 0; i < count; i++) {
        int digit = ascii_hex_value(s->p[i]);

        if (digit < 0 || digit >= base)
            return false;
        *ret = *ret * (uint32_t)base + (uint32_t)digit;
    }
    *s = str_from(*s, count);
    return true;
}

/* One character or escape at the beginning of *s. *ret_byte: it is a byte, no character. */
static bool unquote_one(str *s, char quote, uint32_t *ret, bool *ret_byte)
{
    static const char names[] = "abfnrtv\\", codes[] = "\a\b\f\n\r\t\v\\";
    const char *named;
    size_t width;
    char c;

    *ret_byte = false;
    if (s->p[0] == quote || s->p[0] == '\n')
        return false;
    if (s->p[0] != '\\') {
        *ret = str_utf8_at(*s, 0, &width);
        if (width == 1 && *ret >= 0x80) {
            *ret = (unsigned char)s->p[0];
            *ret_byte = true;
        }
        *s = str_from(*s, width);
        return true;
    }
    if (s->len < 2)
        return false;
    c = s->p[1];
    *s = str_from(*s, 2);
    named = c ? strchr(names, c) : NULL;
    *ret = named ? (unsigned char)codes[named - names] : (unsigned char)c;
    if (named || ((c == '"' || c == '\'') && c == quote))
        return true;
    *ret_byte = c == 'x' || (c >= '0' && c <= '7');
    if (c == 'x')
        return read_digits(s, 2, 16, ret);
    if (c == 'u' || c == 'U')
        return read_digits(s, c == 'u' ? 4 : 8, 16, ret) && *ret <= 0x10ffff &&
               (*ret < 0xd800 || *ret >= 0xe000);
    *s = (str){s->p - 1, s->len + 1};
    return *ret_byte && read_digits(s, 3, 8, ret) && *ret <= 255;
}

bool text_unquote(str literal, struct buf *out)
{
    size_t before = out->len;
    str s = str_sub(literal, 1, literal.len - 2);
    uint32_t c;
    bool is_byte;

    if (literal.len < 2 || literal.p[0] != literal.p[literal.len - 1])
        return false;
    if (literal.p[0] == '`') {
        while (s.p) /* as Go: carriage returns are no part of a raw string */
            buf_add_str(out, str_cut(s, '\r', &s));
        return true;
    }
    while (s.len) {
        size_t plain = 0;

        while (plain < s.len && s.p[plain] >= 0x20 && s.p[plain] != '\\' && s.p[plain] != '"')
            plain++;
        buf_add_str(out, str_sub(s, 0, plain));
        s = str_from(s, plain);
        if (!s.len)
            break;
        if (!unquote_one(&s, '"', &c, &is_byte)) {
            buf_trunc(out, before);
            return false;
        }
        if (is_byte)
            buf_add_char(out, (char)c);
        else
            buf_add_utf8(out, c);
    }
    return true;
}

bool text_unquote_char(str literal, uint32_t *ret)
{
    str s = str_sub(literal, 1, literal.len - 2);
    bool is_byte;

    return literal.len >= 3 && unquote_one(&s, '\'', ret, &is_byte) && s.len == 0;
}
