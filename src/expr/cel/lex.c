#include "expr/cel/lex_priv.h"

#include <errno.h>
#include <stdlib.h>

#include "base/ascii.h"

static bool is_name(char c) { return ascii_is_alnum(c) || c == '_'; }

static char peek(const struct lexer *l, size_t ahead)
{
    return l->at + ahead < l->p->text.len ? l->p->text.p[l->at + ahead] : '\0';
}

static void skip_blanks(struct lexer *l)
{
    str text = l->p->text;

    for (;;) {
        while (l->at < text.len && memchr(" \t\n\f\r", text.p[l->at], 5))
            l->at++;
        if (peek(l, 0) != '/' || peek(l, 1) != '/')
            return;
        while (l->at < text.len && text.p[l->at] != '\n')
            l->at++;
    }
}

bool cel_is_reserved(str word)
{
    static const char words[][10] = {"as",        "break",  "const",  "continue", "else", "for",
                                     "function",  "if",     "import", "let",      "loop", "package",
                                     "namespace", "return", "var",    "void",     "while"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(word, str_of(words[i])))
            return true;
    return false;
}

static struct token bad(struct lexer *l, size_t start, const char *why)
{
    cel_problem(l->p, (uint32_t)start, CEL_OTHER, "Syntax error: %s", why);
    return (struct token){.kind = TK_BAD, .at = (uint32_t)start};
}

/* ---- numbers */

/* An int stays bigger than any that is one: the parser has its sign, and tells. */
static struct token too_big(struct lexer *l, struct token t)
{
    if (t.kind == TK_UINT)
        cel_problem(l->p, t.at, CEL_OTHER, "invalid uint literal");
    t.value = cel_make_uint(UINT64_MAX);
    return t;
}

static struct token hex_number(struct lexer *l, size_t start)
{
    struct token t = {.kind = TK_INT, .at = (uint32_t)start};
    uint64_t value = 0;
    bool is_big = false;

    for (l->at += 2; ascii_hex_value(peek(l, 0)) >= 0; l->at++) {
        char c = peek(l, 0);

        is_big |= value >> 60 != 0;
        value = value << 4 | (uint64_t)ascii_hex_value(c);
    }
    if (peek(l, 0) == 'u' || peek(l, 0) == 'U') {
        l->at++;
        t.kind = TK_UINT;
        t.value = cel_make_uint(value);
    } else {
        t.value = cel_make_uint(value); /* the parser turns it, sign in hand */
    }
    return is_big ? too_big(l, t) : t;
}

static struct token double_number(struct lexer *l, size_t start)
{
    str text = str_sub(l->p->text, start, l->at - start);
    const char *copy = arena_cstr(l->p->arena, text);
    struct token t = {.kind = TK_DOUBLE, .at = (uint32_t)start, .text = text};

    t.value =
        cel_make_double(strtod(copy, NULL)); /* infinite: the parser refuses it, sign in hand */
    return t;
}

static struct token number(struct lexer *l)
{
    size_t start = l->at;
    bool is_double = false;
    struct token t = {.kind = TK_INT, .at = (uint32_t)start};
    uint64_t value;

    if (peek(l, 0) == '0' && (peek(l, 1) == 'x') && ascii_hex_value(peek(l, 2)) >= 0)
        return hex_number(l, start);
    while (ascii_is_digit(peek(l, 0)))
        l->at++;
    if (peek(l, 0) == '.' && ascii_is_digit(peek(l, 1))) {
        is_double = true;
        l->at++;
        while (ascii_is_digit(peek(l, 0)))
            l->at++;
    }
    if (peek(l, 0) == 'e' || peek(l, 0) == 'E') {
        size_t digits = peek(l, 1) == '+' || peek(l, 1) == '-' ? 2 : 1;

        if (ascii_is_digit(peek(l, digits))) {
            is_double = true;
            l->at += digits;
            while (ascii_is_digit(peek(l, 0)))
                l->at++;
        }
    }
    if (is_double)
        return double_number(l, start);
    t.text = str_sub(l->p->text, start, l->at - start);
    if (peek(l, 0) == 'u' || peek(l, 0) == 'U') {
        l->at++;
        t.kind = TK_UINT;
    }
    if (!str_to_uint64(t.text, &value))
        return too_big(l, t);
    t.value = cel_make_uint(value);
    return t;
}

/* ---- texts */

static bool read_code(struct lexer *l, unsigned digits, bool is_octal, uint32_t *ret)
{
    *ret = 0;
    for (unsigned i = 0; i < digits; i++) {
        char c = peek(l, 0);

        if (is_octal ? c < '0' || c > '7' : ascii_hex_value(c) < 0)
            return false;
        *ret = *ret * (is_octal ? 8 : 16) + (uint32_t)ascii_hex_value(c);
        l->at++;
    }
    return true;
}

/* A code that the grammar takes and that stands for nothing, or NULL. */
static const char *flaw_of(uint32_t code, bool is_bytes)
{
    if (is_bytes)
        return "unable to unescape string";
    return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? "invalid unicode code point"
                                                                 : NULL;
}

/* Behind a backslash. NULL, or what is wrong; *flaw is a code that the grammar takes and that
 * stands for nothing. */
static const char *read_escape(struct lexer *l, bool is_bytes, struct buf *out, const char **flaw)
{
    static const char letters[] = "abfnrtv\\?\"'`", codes[] = "\a\b\f\n\r\t\v\\?\"'`";
    char c = peek(l, 0);
    const char *letter = c ? strchr(letters, c) : NULL;
    uint32_t code;

    if (letter) {
        l->at++;
        buf_add_char(out, codes[letter - letters]);
        return NULL;
    }
    if (c >= '0' && c <= '3') {
        if (!read_code(l, 3, true, &code))
            return "an octal escape has three digits";
    } else if (c == 'x' || c == 'X') {
        l->at++;
        if (!read_code(l, 2, false, &code))
            return "\\x wants two hexadecimal digits";
    } else if (c == 'u' || c == 'U') {
        l->at++;
        if (!read_code(l, c == 'u' ? 4 : 8, false, &code))
            return "\\u wants four hexadecimal digits, \\U eight";
        *flaw = *flaw ? *flaw : flaw_of(code, is_bytes);
        if (*flaw)
            return NULL;
    } else {
        return "the escape is unknown";
    }
    if (is_bytes)
        buf_add_char(out, (char)code);
    else
        buf_add_utf8(out, code);
    return NULL;
}

struct quotes {
    char quote;
    bool is_triple, is_raw, is_bytes;
};

static bool at_end(const struct lexer *l, const struct quotes *q)
{
    return peek(l, 0) == q->quote &&
           (!q->is_triple || (peek(l, 1) == q->quote && peek(l, 2) == q->quote));
}

/* One character or escape. NULL, or what is wrong. */
static const char *read_one(struct lexer *l, const struct quotes *q, struct buf *out,
                            const char **flaw)
{
    char c = peek(l, 0);

    if (l->at >= l->p->text.len || (!q->is_triple && (c == '\n' || c == '\r')))
        return "the text has no end";
    l->at++;
    if (c == '\\' && !q->is_raw)
        return read_escape(l, q->is_bytes, out, flaw);
    if (c == '\r' && !q->is_raw) {
        l->at += peek(l, 0) == '\n';
        c = '\n';
    }
    buf_add_char(out, c);
    return NULL;
}

static struct token text_literal(struct lexer *l, size_t start, bool is_raw, bool is_bytes)
{
    AUTO(buf_done) struct buf out = {0};
    char quote = peek(l, 0);
    struct quotes q = {quote, peek(l, 1) == quote && peek(l, 2) == quote, is_raw, is_bytes};
    struct token t = {.kind = is_bytes ? TK_BYTES : TK_STRING, .at = (uint32_t)start};
    const char *flaw = NULL;

    l->at += q.is_triple ? 3 : 1;
    while (!at_end(l, &q)) {
        const char *wrong = read_one(l, &q, &out, &flaw);

        if (wrong)
            return bad(l, start, wrong);
    }
    if (flaw)
        cel_problem(l->p, t.at, CEL_OTHER, "%s", flaw);
    l->at += q.is_triple ? 3 : 1;
    t.value.kind = is_bytes ? CEL_BYTES : CEL_STRING;
    t.value.s = arena_dup(l->p->arena, buf_view(&out));
    t.text = str_sub(l->p->text, start, l->at - start);
    return t;
}

/* A prefix of a text literal, or nothing. */
static bool take_prefix(struct lexer *l, bool *is_raw, bool *is_bytes)
{
    size_t len = 0;

    *is_raw = *is_bytes = false;
    if ((peek(l, 0) | 32) == 'b') {
        *is_bytes = true;
        len++;
    }
    if ((peek(l, len) | 32) == 'r') {
        *is_raw = true;
        len++;
    }
    if (peek(l, len) != '"' && peek(l, len) != '\'')
        return false;
    l->at += len;
    return true;
}

static struct token quoted_name(struct lexer *l)
{
    size_t start = l->at++, begin = l->at;

    while (is_name(peek(l, 0)) || (peek(l, 0) && memchr(".-/ ", peek(l, 0), 4)))
        l->at++;
    if (peek(l, 0) != '`' || l->at == begin)
        return bad(l, start, "a quoted name holds letters, digits and . - / or blanks");
    l->at++;
    return (struct token){.kind = TK_QUOTED,
                          .at = (uint32_t)start,
                          .text = str_sub(l->p->text, begin, l->at - 1 - begin)};
}

/* ".5", ".5e3" */
static struct token fraction(struct lexer *l)
{
    size_t start = l->at;

    for (l->at++; ascii_is_digit(peek(l, 0)); l->at++)
        ;
    if ((peek(l, 0) | 32) == 'e') {
        size_t sign = peek(l, 1) == '+' || peek(l, 1) == '-' ? 2 : 1;

        if (ascii_is_digit(peek(l, sign)))
            for (l->at += sign; ascii_is_digit(peek(l, 0)); l->at++)
                ;
    }
    return double_number(l, start);
}

static struct token word(struct lexer *l)
{
    struct token t = {.at = (uint32_t)l->at};

    while (is_name(peek(l, 0)))
        l->at++;
    t.text = str_sub(l->p->text, t.at, l->at - t.at);
    t.kind = str_eq(t.text, STR("true")) || str_eq(t.text, STR("false")) ||
                     str_eq(t.text, STR("null")) || str_eq(t.text, STR("in"))
                 ? TK_WORD
                 : TK_IDENT;
    return t;
}

static struct token operator_token(struct lexer *l)
{
    static const char operators[][3] = {"&&", "||", "<=", ">=", "==", "!="};
    struct token t = {.kind = TK_OTHER, .at = (uint32_t)l->at};
    char c = peek(l, 0);

    for (size_t i = 0; i < ARRAY_LEN(operators); i++)
        if (c == operators[i][0] && peek(l, 1) == operators[i][1]) {
            l->at += 2;
            t.text = str_of(operators[i]);
            return t;
        }
    if (!memchr("+-*/%!<>?:.,()[]{}", c, 18))
        return bad(l, l->at, "token recognition error");
    t.text = str_sub(l->p->text, l->at++, 1);
    return t;
}

struct token cel_lex(struct lexer *l)
{
    size_t start;
    bool is_raw, is_bytes;
    char c;

    skip_blanks(l);
    start = l->at;
    if (start >= l->p->text.len)
        return (struct token){.kind = TK_END, .at = (uint32_t)start};
    c = peek(l, 0);
    if (ascii_is_digit(c))
        return number(l);
    if (c == '.' && ascii_is_digit(peek(l, 1)))
        return fraction(l);
    if (take_prefix(l, &is_raw, &is_bytes))
        return text_literal(l, start, is_raw, is_bytes);
    if (c == '`')
        return quoted_name(l);
    return is_name(c) ? word(l) : operator_token(l);
}
