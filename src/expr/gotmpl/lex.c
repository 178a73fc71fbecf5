#include "expr/gotmpl/lex_priv.h"

#include "expr/gotmpl/text_priv.h"

enum { END_OF_TEXT = -1, TRIM_MARKER = 2 };

static bool is_space(int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static str rest_of(const struct lexer *l) { return str_from(l->text, l->pos); }

/* The character at the place, END_OF_TEXT behind the last. */
static int32_t peek(const struct lexer *l, size_t *ret_width)
{
    *ret_width = 0;
    if (l->pos >= l->text.len)
        return END_OF_TEXT;
    if ((unsigned char)l->text.p[l->pos] < 0x80) {
        *ret_width = 1;
        return l->text.p[l->pos];
    }
    return (int32_t)str_utf8_at(l->text, l->pos, ret_width);
}

static int32_t next(struct lexer *l)
{
    size_t width;
    int32_t c = peek(l, &width);

    l->pos += width;
    return c;
}

static void emit(struct lexer *l, enum tok_kind kind, struct tok *ret)
{
    *ret = (struct tok){kind, (uint32_t)l->start, str_sub(l->text, l->start, l->pos - l->start)};
    l->start = l->pos;
}

static void fail(struct lexer *l, struct tok *ret, const char *fmt, ...) PRINTF(3, 4);
static void fail(struct lexer *l, struct tok *ret, const char *fmt, ...)
{
    va_list args;

    buf_clear(l->message);
    va_start(args, fmt);
    buf_addv(l->message, fmt, args);
    va_end(args);
    *ret = (struct tok){TOK_ERROR, (uint32_t)l->start, buf_view(l->message)};
    l->is_done = true;
}

/* " -" before the right delimiter; *ret_trim tells. */
static bool at_right(const struct lexer *l, bool *ret_trim)
{
    str rest = rest_of(l);

    *ret_trim = false;
    if (!rest.len || (!is_space(rest.p[0]) && rest.p[0] != l->right.p[0]))
        return false;
    *ret_trim = rest.len >= TRIM_MARKER && is_space(rest.p[0]) && rest.p[1] == '-' &&
                str_starts(str_from(rest, TRIM_MARKER), l->right);
    return *ret_trim || str_starts(rest, l->right);
}

static void skip_space(struct lexer *l)
{
    while (l->pos < l->text.len && is_space(l->text.p[l->pos]))
        l->pos++;
}

static bool has_left_trim(str s)
{
    return s.len >= TRIM_MARKER && s.p[0] == '-' && is_space(s.p[1]);
}

/* The text up to the next action; false when there is none before it. */
static bool lex_text(struct lexer *l, struct tok *ret)
{
    ssize_t found = str_find(rest_of(l), l->left);
    size_t stop = found < 0 ? l->text.len : l->pos + (size_t)found;
    size_t end = stop;

    if (found >= 0 && has_left_trim(str_from(l->text, stop + l->left.len)))
        while (end > l->pos && is_space(l->text.p[end - 1]))
            end--;
    *ret = (struct tok){TOK_TEXT, (uint32_t)l->start, str_sub(l->text, l->pos, end - l->pos)};
    l->pos = l->start = stop;
    if (ret->text.len)
        return true;
    if (found >= 0)
        return false;
    emit(l, TOK_EOF, ret);
    l->is_done = true;
    return true;
}

/* Behind the left delimiter of a comment: false when it was well-formed and is skipped. */
static bool lex_comment(struct lexer *l, struct tok *ret)
{
    ssize_t end;
    bool trim;

    l->pos += 2;
    end = str_find(rest_of(l), STR("*/"));
    if (end < 0) {
        fail(l, ret, "unclosed comment");
        return true;
    }
    l->pos += (size_t)end + 2;
    if (!at_right(l, &trim)) {
        fail(l, ret, "comment ends before closing delimiter");
        return true;
    }
    l->pos += (trim ? TRIM_MARKER : 0) + l->right.len;
    if (trim)
        skip_space(l);
    l->start = l->pos;
    return false;
}

/* At a left delimiter: false for a comment, which gives no token. */
static bool lex_left(struct lexer *l, struct tok *ret)
{
    str after = str_from(l->text, l->pos + l->left.len);
    size_t marker = has_left_trim(after) ? TRIM_MARKER : 0;

    l->pos += l->left.len;
    if (str_starts(str_from(after, marker), STR("/*"))) {
        l->pos += marker;
        l->start = l->pos;
        return lex_comment(l, ret);
    }
    emit(l, TOK_LEFT, ret);
    l->pos += marker;
    l->start = l->pos;
    l->in_action = true;
    l->parens = 0;
    return true;
}

static void lex_right(struct lexer *l, struct tok *ret)
{
    bool trim;

    at_right(l, &trim);
    if (trim)
        l->pos += TRIM_MARKER;
    l->start = l->pos;
    l->pos += l->right.len;
    emit(l, TOK_RIGHT, ret);
    if (trim)
        skip_space(l);
    l->start = l->pos;
    l->in_action = false;
}

static void lex_space(struct lexer *l, struct tok *ret)
{
    str before;

    skip_space(l);
    before = str_from(l->text, l->pos - 1);
    if (before.len >= TRIM_MARKER && before.p[1] == '-' &&
        str_starts(str_from(before, TRIM_MARKER), l->right)) {
        l->pos--; /* the blank belongs to the marker */
        if (l->pos == l->start) {
            lex_right(l, ret);
            return;
        }
    }
    emit(l, TOK_SPACE, ret);
}

static bool at_terminator(const struct lexer *l)
{
    size_t width;
    int32_t c = peek(l, &width);

    return c == END_OF_TEXT || is_space(c) || (c < 0x80 && strchr(".,|:)(", (char)c)) ||
           str_starts(rest_of(l), l->right);
}

static void bad_character(struct lexer *l, struct tok *ret, const char *what)
{
    AUTO(buf_done) struct buf shown = {0};
    size_t width;
    int32_t c = peek(l, &width);

    text_add_code_point(c < 0 ? 0xfffd : (uint32_t)c, true, &shown);
    fail(l, ret, "%s%s", what, buf_cstr(&shown));
}

static bool is_ascii_alnum(char c)
{
    char low = (char)(c | 0x20);

    return (low >= 'a' && low <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* A word whose first character is read. */
static void lex_word(struct lexer *l, enum tok_kind kind, struct tok *ret)
{
    size_t width;

    for (int32_t c;; l->pos += width) {
        while (l->pos < l->text.len && is_ascii_alnum(l->text.p[l->pos]))
            l->pos++;
        c = peek(l, &width);
        if (c < 0 || !text_is_alnum((uint32_t)c))
            break;
    }
    if (at_terminator(l))
        emit(l, kind, ret);
    else
        bad_character(l, ret, "bad character ");
}

static void lex_ident(struct lexer *l, struct tok *ret)
{
    static const struct {
        str word;
        enum tok_kind kind;
    } words[] = {
        {STR_INIT("block"), TOK_BLOCK},
        {STR_INIT("break"), TOK_BREAK},
        {STR_INIT("continue"), TOK_CONTINUE},
        {STR_INIT("define"), TOK_DEFINE},
        {STR_INIT("else"), TOK_ELSE},
        {STR_INIT("end"), TOK_END},
        {STR_INIT("if"), TOK_IF},
        {STR_INIT("nil"), TOK_NIL},
        {STR_INIT("range"), TOK_RANGE},
        {STR_INIT("template"), TOK_TEMPLATE},
        {STR_INIT("with"), TOK_WITH},
        {STR_INIT("true"), TOK_BOOL},
        {STR_INIT("false"), TOK_BOOL},
    };

    lex_word(l, TOK_IDENT, ret);
    if (ret->text.len > 8) /* "continue", "template" are the longest */
        return;
    for (size_t i = 0; ret->kind == TOK_IDENT && i < ARRAY_LEN(words); i++)
        if (str_eq(ret->text, words[i].word))
            ret->kind = words[i].kind;
}

/* No quote, backslash or line end: most of a text. */
static bool is_plain(char c) { return c >= 0x20 && c != '"' && c != '\'' && c != '\\'; }

/* Up to the closing quote; with a backslash the next character counts for nothing. */
static void lex_quoted(struct lexer *l, char quote, enum tok_kind kind, const char *what,
                       struct tok *ret)
{
    for (;;) {
        int32_t c;

        while (l->pos < l->text.len && is_plain(l->text.p[l->pos]))
            l->pos++;
        c = next(l);
        if (c == '\\') {
            c = next(l);
            if (c != END_OF_TEXT && c != '\n')
                continue;
        }
        if (c == END_OF_TEXT || c == '\n') {
            fail(l, ret, "unterminated %s", what);
            return;
        }
        if (c == quote)
            break;
    }
    emit(l, kind, ret);
}

static void lex_raw(struct lexer *l, struct tok *ret)
{
    ssize_t end = str_find_char(rest_of(l), '`');

    if (end < 0) {
        fail(l, ret, "unterminated raw quoted string");
        return;
    }
    l->pos += (size_t)end + 1;
    emit(l, TOK_RAW, ret);
}

static bool accept(struct lexer *l, const char *set)
{
    char c = l->pos < l->text.len ? l->text.p[l->pos] : '\0';

    if (!c || !strchr(set, c))
        return false;
    l->pos++;
    return true;
}

static bool scan_number(struct lexer *l)
{
    static const char decimal[] = "0123456789_";
    static const char hex[] = "0123456789abcdefABCDEF_";
    const char *digits = decimal;
    size_t width;
    int32_t c;

    accept(l, "+-");
    if (accept(l, "0"))
        digits = accept(l, "xX")   ? hex
                 : accept(l, "oO") ? "01234567_"
                 : accept(l, "bB") ? "01_"
                                   : digits;
    while (accept(l, digits))
        ;
    if (accept(l, "."))
        while (accept(l, digits))
            ;
    if ((digits == decimal && accept(l, "eE")) || (digits == hex && accept(l, "pP"))) {
        accept(l, "+-");
        while (accept(l, decimal))
            ;
    }
    accept(l, "i");
    c = peek(l, &width);
    if (c < 0 || !text_is_alnum((uint32_t)c))
        return true;
    l->pos += width;
    return false;
}

static void lex_number(struct lexer *l, struct tok *ret)
{
    bool is_good = scan_number(l), is_pair = false;

    if (is_good && l->pos < l->text.len && strchr("+-", l->text.p[l->pos]) && l->text.p[l->pos]) {
        is_pair = true;
        is_good = scan_number(l) && l->text.p[l->pos - 1] == 'i';
    }
    if (is_good)
        emit(l, is_pair ? TOK_COMPLEX : TOK_NUMBER, ret);
    else
        fail(l, ret, "bad number syntax: \"%.*s\"",
             STR_ARG(str_sub(l->text, l->start, l->pos - l->start)));
}

/* A token that begins with c, which is no space, letter or digit and already read. */
static void lex_punctuation(struct lexer *l, int32_t c, struct tok *ret)
{
    switch (c) {
    case '=':
        emit(l, TOK_ASSIGN, ret);
        break;
    case ':':
        if (next(l) == '=')
            emit(l, TOK_DECLARE, ret);
        else
            fail(l, ret, "expected :=");
        break;
    case '|':
        emit(l, TOK_PIPE, ret);
        break;
    case '(':
        l->parens++;
        emit(l, TOK_LPAREN, ret);
        break;
    case ')':
        if (--l->parens < 0)
            fail(l, ret, "unexpected right paren");
        else
            emit(l, TOK_RPAREN, ret);
        break;
    default:
        if (c >= 0x20 && c < 0x7f) {
            emit(l, TOK_CHAR, ret);
            break;
        }
        l->pos = l->start;
        bad_character(l, ret, "unrecognized character in action: ");
    }
}

static void lex_token(struct lexer *l, int32_t c, struct tok *ret)
{
    bool digit_next = l->pos < l->text.len && l->text.p[l->pos] >= '0' && l->text.p[l->pos] <= '9';

    if (c == '"') {
        lex_quoted(l, '"', TOK_STRING, "quoted string", ret);
    } else if (c == '\'') {
        lex_quoted(l, '\'', TOK_CHARCONST, "character constant", ret);
    } else if (c == '`') {
        lex_raw(l, ret);
    } else if (c == '$') {
        lex_word(l, TOK_VARIABLE, ret);
    } else if (c == '.' && !(digit_next)) {
        if (at_terminator(l))
            emit(l, TOK_DOT, ret);
        else
            lex_word(l, TOK_FIELD, ret);
    } else if (c == '.' || c == '+' || c == '-' || (c >= '0' && c <= '9')) {
        l->pos = l->start;
        lex_number(l, ret);
    } else if (text_is_alnum((uint32_t)c)) {
        lex_ident(l, ret);
    } else {
        lex_punctuation(l, c, ret);
    }
}

static void lex_action(struct lexer *l, struct tok *ret)
{
    bool trim;
    int32_t c;

    if (at_right(l, &trim)) {
        if (l->parens == 0)
            lex_right(l, ret);
        else
            fail(l, ret, "unclosed left paren");
        return;
    }
    c = next(l);
    if (c == END_OF_TEXT)
        fail(l, ret, "unclosed action");
    else if (is_space(c))
        lex_space(l, ret);
    else
        lex_token(l, c, ret);
}

void lex_next(struct lexer *l, struct tok *ret)
{
    if (l->is_done) {
        *ret = (struct tok){TOK_EOF, (uint32_t)l->start, STR_NONE};
        return;
    }
    if (l->in_action) {
        lex_action(l, ret);
        return;
    }
    for (;;) {
        if (!str_starts(rest_of(l), l->left) && lex_text(l, ret))
            return;
        if (lex_left(l, ret))
            return;
    }
}

uint32_t lex_line(str text, size_t pos)
{
    uint32_t line = 1;

    for (const char *p = text.p, *end = text.p + MIN(pos, text.len);
         p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
        line++;
    return line;
}

void lex_show(const struct tok *t, struct buf *out)
{
    if (t->kind == TOK_EOF) {
        buf_add_cstr(out, "EOF");
    } else if (t->kind == TOK_ERROR) {
        buf_add_str(out, t->text);
    } else if (t->kind >= TOK_KEYWORD) {
        buf_addf(out, "<%.*s>", STR_ARG(t->text));
    } else {
        str shown = text_chars(t->text, 10);

        text_quote(shown, false, out);
        if (shown.len < t->text.len)
            buf_add_cstr(out, "...");
    }
}
