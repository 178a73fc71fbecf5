#include "base/escape.h"

static size_t utf8_len(unsigned char lead)
{
    return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/* Bytes of the character at the start of s, 0 when it is not UTF-8. */
static size_t char_len(str s)
{
    str first = str_sub(s, 0, utf8_len((unsigned char)s.p[0]));
    size_t bad;

    return str_is_utf8(first, &bad) ? first.len : 0;
}

static bool add_short_escape(unsigned char c, const char *letters, struct buf *out)
{
    static const char codes[] = "\"\\\n\r\t\b\f\a\v";
    static const char names[] = "\"\\nrtbfav";
    const char *found = c ? strchr(codes, c) : NULL;

    if (!found || !strchr(letters, names[found - codes]))
        return false;
    buf_add_char(out, '\\');
    buf_add_char(out, names[found - codes]);
    return true;
}

static bool is_html(str c)
{
    return (c.len == 1 && strchr("<>&", c.p[0])) || str_eq(c, STR("\xe2\x80\xa8")) ||
           str_eq(c, STR("\xe2\x80\xa9"));
}

static void add_html(str c, struct buf *out)
{
    buf_addf(out, "\\u%04x",
             c.len == 1 ? (unsigned)c.p[0] : 0x2028u | ((unsigned char)c.p[2] & 1u));
}

void escape_json(str text, bool html, struct buf *out)
{
    for (size_t len; text.len; text = str_from(text, len)) {
        unsigned char c = (unsigned char)text.p[0];

        len = char_len(text);
        if (len == 0) {
            buf_add_str(out, STR("\\ufffd"));
            len = 1;
        } else if (add_short_escape(c, "\"\\nrtbf", out)) {
            continue;
        } else if (c < 0x20) {
            buf_addf(out, "\\u%04x", c);
        } else if (html && is_html(str_sub(text, 0, len))) {
            add_html(str_sub(text, 0, len), out);
        } else {
            buf_add(out, text.p, len);
        }
    }
}

void escape_quoted(str text, struct buf *out)
{
    buf_add_char(out, '"');
    for (size_t len; text.len; text = str_from(text, len)) {
        unsigned char c = (unsigned char)text.p[0];

        len = char_len(text);
        if (len == 0 || c < 0x20 || c == 0x7f || c == '"' || c == '\\') {
            len = 1;
            if (!add_short_escape(c, "\"\\nrtbfav", out))
                buf_addf(out, "\\x%02x", c);
        } else {
            buf_add(out, text.p, len);
        }
    }
    buf_add_char(out, '"');
}

void escape_percent(str text, const char *also_safe, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.p[i];
        bool alnum = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');

        if (alnum || (c && (strchr("-._~", c) || strchr(also_safe, c)))) {
            buf_add_char(out, (char)c);
        } else {
            buf_addf(out, "%%%02X", c);
        }
    }
}

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void escape_base64(str text, bool padded, struct buf *out)
{
    for (size_t i = 0; i < text.len; i += 3) {
        size_t n = MIN(text.len - i, (size_t)3);
        uint32_t bits = 0;

        for (size_t j = 0; j < 3; j++)
            bits = bits << 8 | (j < n ? (unsigned char)text.p[i + j] : 0);
        for (size_t j = 0; j < 4; j++) {
            if (j <= n)
                buf_add_char(out, alphabet[bits >> (18 - 6 * j) & 63]);
            else if (padded)
                buf_add_char(out, '=');
        }
    }
}

/* The value of one letter, -1: none. */
static int sextet(char c)
{
    const char *found = c ? strchr(alphabet, c) : NULL;

    return found ? (int)(found - alphabet) : -1;
}

struct quantum {
    uint32_t bits;
    size_t letters, pads;
};

/* Takes one byte of base64 in; false when it cannot stand there. */
static bool take_letter(struct quantum *q, char c, struct buf *out)
{
    int value = sextet(c);

    if (c == '=' && q->letters + q->pads < 4 && q->letters >= 2) {
        q->pads++;
        q->bits <<= 6;
    } else if (value < 0 || q->pads) {
        return false;
    } else {
        q->bits = q->bits << 6 | (uint32_t)value;
        q->letters++;
    }
    if (q->letters + q->pads < 4)
        return true;
    for (size_t i = 0; i + 1 < q->letters; i++)
        buf_add_char(out, (char)(q->bits >> (16 - 8 * i) & 255));
    if (!q->pads)
        *q = (struct quantum){0};
    return true;
}

bool unescape_base64(str text, struct buf *out)
{
    size_t before = out->len;
    struct quantum q = {0};

    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '\n' || text.p[i] == '\r')
            continue;
        if (!take_letter(&q, text.p[i], out)) {
            buf_trunc(out, before);
            return false;
        }
    }
    if ((q.letters + q.pads) % 4) {
        buf_trunc(out, before);
        return false;
    }
    return true;
}
