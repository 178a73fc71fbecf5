/* Why a text is no JSON, in the words of Go's encoding/json. */
#include "expr/gotmpl/format_priv.h"
#include "expr/gotmpl/text_priv.h"

enum { MOST_DEPTH = 1000 };

struct reader {
    str text;
    size_t at;
    unsigned depth;
    struct buf *out;
};

static bool read_value(struct reader *r);

static int peek(const struct reader *r)
{
    return r->at < r->text.len ? (unsigned char)r->text.p[r->at] : -1;
}

static void skip(struct reader *r)
{
    while (peek(r) == ' ' || peek(r) == '\t' || peek(r) == '\n' || peek(r) == '\r')
        r->at++;
}

static bool bad(struct reader *r, const char *where)
{
    int c = peek(r);

    if (c < 0 && strncmp(where, "looking", 7) != 0 && strncmp(where, "after ", 6) != 0 &&
        strcmp(where, "in string literal") != 0)
        c = ' '; /* Go reads a blank behind the end */
    if (c < 0) {
        buf_add_cstr(r->out, "unexpected end of JSON input");
        return false;
    }
    buf_add_cstr(r->out, "invalid character ");
    if (c == '\'')
        buf_add_cstr(r->out, "'\\''");
    else if (c == '"')
        buf_add_cstr(r->out, "'\"'");
    else
        text_quote_char((uint32_t)c, false, r->out); /* a byte is a character here */
    buf_addf(r->out, " %s", where);
    return false;
}

static bool read_escape(struct reader *r)
{
    int c = peek(r);

    if (c != 'u') {
        if (c < 0 || !strchr("bfnrt\\/\"", c))
            return bad(r, "in string escape code");
        r->at++;
        return true;
    }
    r->at++;
    for (int i = 0; i < 4; i++, r->at++) {
        c = peek(r);
        if (!((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')))
            return bad(r, "in \\u hexadecimal character escape");
    }
    return true;
}

static bool read_string(struct reader *r)
{
    r->at++;
    for (;;) {
        int c = peek(r);

        if (c < 0x20)
            return bad(r, "in string literal");
        r->at++;
        if (c == '"')
            return true;
        if (c == '\\' && !read_escape(r))
            return false;
    }
}

static bool read_digits(struct reader *r, const char *where)
{
    if (peek(r) < '0' || peek(r) > '9')
        return bad(r, where);
    while (peek(r) >= '0' && peek(r) <= '9')
        r->at++;
    return true;
}

static bool read_number(struct reader *r)
{
    if (peek(r) == '-')
        r->at++;
    if (peek(r) == '0')
        r->at++;
    else if (!read_digits(r, "in numeric literal"))
        return false;
    if (peek(r) == '.') {
        r->at++;
        if (!read_digits(r, "after decimal point in numeric literal"))
            return false;
    }
    if ((peek(r) | 0x20) == 'e') {
        r->at++;
        if (peek(r) == '+' || peek(r) == '-')
            r->at++;
        return read_digits(r, "in exponent of numeric literal");
    }
    return true;
}

static bool read_word(struct reader *r, const char *word)
{
    for (size_t i = 1; word[i]; i++) {
        char where[64];

        r->at++;
        if (peek(r) == word[i])
            continue;
        snprintf(where, sizeof(where), "in literal %s (expecting '%c')", word, word[i]);
        return bad(r, where);
    }
    r->at++;
    return true;
}

static bool read_key(struct reader *r)
{
    skip(r);
    if (peek(r) != '"')
        return bad(r, "looking for beginning of object key string");
    if (!read_string(r))
        return false;
    skip(r);
    if (peek(r) != ':')
        return bad(r, "after object key");
    r->at++;
    return true;
}

static bool read_items(struct reader *r, char close)
{
    bool is_map = close == '}';

    r->at++;
    skip(r);
    if (peek(r) == close) {
        r->at++;
        return true;
    }
    for (;;) {
        if ((is_map && !read_key(r)) || !read_value(r))
            return false;
        skip(r);
        if (peek(r) == close) {
            r->at++;
            return true;
        }
        if (peek(r) != ',')
            return bad(r, is_map ? "after object key:value pair" : "after array element");
        r->at++;
    }
}

static bool read_value(struct reader *r)
{
    bool is_good;

    skip(r);
    switch (peek(r)) {
    case '{':
    case '[':
        if (++r->depth > MOST_DEPTH) {
            buf_add_cstr(r->out, "exceeded max depth");
            return false;
        }
        is_good = read_items(r, peek(r) == '{' ? '}' : ']');
        r->depth--;
        return is_good;
    case '"':
        return read_string(r);
    case 't':
        return read_word(r, "true");
    case 'f':
        return read_word(r, "false");
    case 'n':
        return read_word(r, "null");
    case '-':
    case '0' ... '9':
        return read_number(r);
    default:
        return bad(r, "looking for beginning of value");
    }
}

void json_explain(str text, struct buf *out)
{
    struct reader r = {.text = text, .out = out};

    if (!read_value(&r))
        return;
    skip(&r);
    if (peek(&r) >= 0)
        bad(&r, "after top-level value");
}
