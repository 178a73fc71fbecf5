/* How printf writes numbers and texts, padded. */
#include <inttypes.h>
#include <math.h>

#include "base/num.h"
#include "expr/gotmpl/printf_priv.h"
#include "expr/gotmpl/text_priv.h"

void verb_pad(const struct verb *f, str text, bool zero)
{
    size_t width = f->has_width ? f->width : 0, count = text_count(text);
    size_t fill = width > count ? width - count : 0;

    if (!f->minus)
        buf_add_repeat(f->out, zero ? '0' : ' ', fill);
    buf_add_str(f->out, text);
    if (f->minus)
        buf_add_repeat(f->out, ' ', fill);
}

static bool pads_zeros(const struct verb *f) { return f->zero && !f->minus; }

static size_t add_digits(struct buf *out, uint64_t u, unsigned base, bool upper)
{
    const char *digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    char text[64], *p = text + sizeof(text);

    do
        *--p = digits[u % base];
    while (u /= base);
    buf_add(out, p, (size_t)(text + sizeof(text) - p));
    return (size_t)(text + sizeof(text) - p);
}

static void add_prefix(const struct verb *f, unsigned base, bool upper, bool leads_zero,
                       struct buf *out)
{
    if (f->letter == 'O')
        buf_add_cstr(out, "0o");
    if (!f->sharp)
        return;
    if (base == 2)
        buf_add_cstr(out, "0b");
    else if (base == 8 && !leads_zero)
        buf_add_char(out, '0');
    else if (base == 16)
        buf_add_cstr(out, upper ? "0X" : "0x");
}

void verb_int(const struct verb *f, uint64_t u, bool is_signed, unsigned base, bool upper)
{
    AUTO(buf_done) struct buf text = {0}, digits = {0};
    bool is_negative = is_signed && (int64_t)u < 0;
    size_t least = 0, len;

    if (is_negative)
        u = 0 - u;
    if (f->has_precision) {
        least = f->precision;
        if (least == 0 && u == 0) {
            verb_pad(f, STR_NONE, false);
            return;
        }
    } else if (pads_zeros(f) && f->has_width) {
        least = f->width;
        if (least && (is_negative || f->plus || f->space))
            least--;
    }
    len = add_digits(&digits, u, base, upper);
    if (is_negative || f->plus || f->space)
        buf_add_char(&text, is_negative ? '-' : f->plus ? '+' : ' ');
    add_prefix(f, base, upper, least > len || u == 0, &text);
    buf_add_repeat(&text, '0', least > len ? least - len : 0);
    buf_add_str(&text, buf_view(&digits));
    verb_pad(f, buf_view(&text), false);
}

/* ---- floats */

/* 0x1.8p+01: C's form with two digits of exponent at least. */
static void add_hex_float(double value, int precision, bool upper, struct buf *out)
{
    char text[64];
    char *p;

    if (precision < 0)
        snprintf(text, sizeof(text), upper ? "%A" : "%a", value);
    else
        snprintf(text, sizeof(text), upper ? "%.*A" : "%.*a", MIN(precision, 40), value);
    p = strpbrk(text, "pP");
    if (!p) {
        buf_add_cstr(out, text);
        return;
    }
    buf_add(out, text, (size_t)(p + 2 - text));
    buf_addf(out, "%02d", abs((int)strtol(p + 1, NULL, 10)));
}

static void add_binary_float(double value, struct buf *out)
{
    int exponent;
    double mantissa = frexp(fabs(value), &exponent);

    if (signbit(value))
        buf_add_char(out, '-');
    buf_addf(out, "%.0fp%+d", ldexp(mantissa, 53), value != 0 ? exponent - 53 : -1074);
}

/* The digits of value, with '-' where it has that sign. */
static void add_float(double value, char letter, int precision, struct buf *out)
{
    enum { MOST_DIGITS = 1000 };
    precision = MIN(precision, MOST_DIGITS);
    if (letter == 'x' || letter == 'X') {
        add_hex_float(value, precision, letter == 'X', out);
    } else if (letter == 'b') {
        add_binary_float(value, out);
    } else if (precision < 0) {
        size_t before = out->len;

        num_add_double(out, value, NUM_G);
        for (size_t i = before; letter == 'G' && i < out->len; i++)
            if (out->p[i] == 'e')
                out->p[i] = 'E';
    } else if (letter == 'e') {
        buf_addf(out, "%.*e", precision, value);
    } else if (letter == 'E') {
        buf_addf(out, "%.*E", precision, value);
    } else if (letter == 'f') {
        buf_addf(out, "%.*f", precision, value);
    } else if (letter == 'G') {
        buf_addf(out, "%.*G", precision, value);
    } else {
        buf_addf(out, "%.*g", precision, value);
    }
}

/* "#": always a point, and for %g and %x zeros behind it, to as many digits as the precision. text
 * begins with the sign. */
static void add_sharp(struct buf *text, char letter, int precision)
{
    AUTO(buf_done) struct buf tail = {0};
    int digits = strchr("gGx", letter) ? precision : 0;
    bool is_hex = letter == 'x' || letter == 'X', has_point = false, counts = false;
    size_t at = 1;

    if (digits < 0)
        digits = 6;
    for (; at < text->len && !strchr(is_hex ? "pP" : "eE", text->p[at]); at++) {
        if (text->p[at] == '.') {
            has_point = true;
            continue;
        }
        counts = counts || text->p[at] != '0';
        digits -= counts;
    }
    buf_add(&tail, text->p + at, text->len - at);
    text->len = at;
    if (!has_point) {
        digits -= at == 2 && text->p[1] == '0';
        buf_add_char(text, '.');
    }
    buf_add_repeat(text, '0', digits > 0 ? (size_t)digits : 0);
    buf_add_str(text, buf_view(&tail));
}

void verb_float(const struct verb *f, double value, char letter, int precision)
{
    AUTO(buf_done) struct buf text = {0};
    str num;
    char sign = signbit(value) && !isnan(value) ? '-' : '+';

    if (f->has_precision)
        precision = (int)f->precision;
    if (isnan(value) || isinf(value)) {
        buf_add_cstr(&text, isnan(value) ? "+NaN" : value < 0 ? "-Inf" : "+Inf");
        if (f->space && sign == '+' && !f->plus)
            text.p[0] = ' ';
        num = buf_view(&text);
        if (isnan(value) ? !f->space && !f->plus : sign == '+' && !f->plus && !f->space)
            num = isnan(value) ? str_from(num, 1) : num;
        verb_pad(f, num, false);
        return;
    }
    buf_add_char(&text, sign == '+' && f->space && !f->plus ? ' ' : sign);
    add_float(fabs(value), letter, precision, &text);
    if (f->sharp && letter != 'b')
        add_sharp(&text, letter, precision);
    num = buf_view(&text);
    if (num.p[0] == '+' && !f->plus) {
        verb_pad(f, str_from(num, 1), pads_zeros(f));
    } else if (pads_zeros(f) && f->has_width && f->width > num.len) {
        buf_add_char(f->out, num.p[0]);
        buf_add_repeat(f->out, '0', f->width - num.len);
        buf_add_str(f->out, str_from(num, 1));
    } else {
        verb_pad(f, num, pads_zeros(f));
    }
}

/* ---- texts */

static str cut(const struct verb *f, str s)
{
    return f->has_precision ? text_chars(s, f->precision) : s;
}

void verb_text(const struct verb *f, str s) { verb_pad(f, cut(f, s), pads_zeros(f)); }

void verb_quoted(const struct verb *f, str s)
{
    AUTO(buf_done) struct buf text = {0};

    s = cut(f, s);
    if (f->sharp && text_can_backquote(s)) {
        buf_add_char(&text, '`');
        buf_add_str(&text, s);
        buf_add_char(&text, '`');
    } else {
        text_quote(s, f->plus, &text);
    }
    verb_pad(f, buf_view(&text), pads_zeros(f));
}

void verb_hex(const struct verb *f, str s, bool upper)
{
    AUTO(buf_done) struct buf text = {0};
    const char *prefix = upper ? "0X" : "0x";

    if (f->has_precision)
        s = str_sub(s, 0, f->precision);
    for (size_t i = 0; i < s.len; i++) {
        if (i && f->space)
            buf_add_char(&text, ' ');
        if (f->sharp && (i == 0 || f->space))
            buf_add_cstr(&text, prefix);
        buf_addf(&text, upper ? "%02X" : "%02x", (unsigned char)s.p[i]);
    }
    verb_pad(f, buf_view(&text), pads_zeros(f));
}

void verb_char(const struct verb *f, uint32_t c)
{
    AUTO(buf_done) struct buf text = {0};

    buf_add_utf8(&text, c > 0x10ffff ? 0xfffd : c);
    verb_pad(f, buf_view(&text), pads_zeros(f));
}

void verb_quoted_char(const struct verb *f, uint32_t c)
{
    AUTO(buf_done) struct buf text = {0};

    text_quote_char(c, f->plus, &text);
    verb_pad(f, buf_view(&text), pads_zeros(f));
}

void verb_unicode(const struct verb *f, uint64_t c)
{
    AUTO(buf_done) struct buf text = {0};

    if (c > 0x10ffff)
        buf_addf(&text, "U+%" PRIX64, c);
    else
        text_add_code_point((uint32_t)c, f->sharp, &text);
    verb_pad(f, buf_view(&text), false);
}
