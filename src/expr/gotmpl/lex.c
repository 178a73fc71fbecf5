#include "expr/gotmpl/lex_priv.h"

#include "expr/gotmpl/text_priv.h"

enum { END_OF_TEXT = -1, TRIM_MARKER = 2 };

/* What a byte is inside an action. */
enum { SPACE = 1, WORD = 2, DIGIT = 4, TERMINATOR = 8, PLAIN = 16 /* inside quotes */ };
static const uint8_t class_of[256] = {
    ['\t'] = SPACE | TERMINATOR,
    ['\n'] = SPACE | TERMINATOR,
    ['\r'] = SPACE | TERMINATOR,
    [' '] = SPACE | TERMINATOR | PLAIN,
    ['.'] = TERMINATOR | PLAIN,
    [','] = TERMINATOR | PLAIN,
    ['|'] = TERMINATOR | PLAIN,
    [':'] = TERMINATOR | PLAIN,
    [')'] = TERMINATOR | PLAIN,
    ['('] = TERMINATOR | PLAIN,
    ['0' ... '9'] = WORD | DIGIT | PLAIN,
    ['A' ... 'Z'] = WORD | PLAIN,
    ['a' ... 'z'] = WORD | PLAIN,
    ['_'] = WORD | PLAIN,
    ['!'] = PLAIN,
    ['#' ... '&'] = PLAIN, /* no quotes, no backslash */
    ['*' ... '+'] = PLAIN,
    ['-'] = PLAIN,
    ['/'] = PLAIN,
    [';' ... '@'] = PLAIN,
    ['['] = PLAIN,
    [']' ... '^'] = PLAIN,
    ['`'] = PLAIN,
    ['{'] = PLAIN,
    ['}' ... '~'] = PLAIN,
    [0x80 ... 0xff] = PLAIN,
};
static inline bool is(char c, unsigned classes) { return class_of[(unsigned char)c] & classes; }
static bool is_space(char c) { return is(c, SPACE); }

/* The first byte at or behind the place that is of none of the classes. */
static inline size_t skip(const struct lexer *l, unsigned classes)
{
    size_t at = l->pos;

    while (at < l->text.len && is(l->text.p[at], classes))
        at++;
    return at;
}

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

static __attribute__((noinline)) void grow(struct lexer *l) { vec_reserve(&l->toks, 64); }

static inline void emit(struct lexer *l, enum tok_kind kind)
{
    if (UNLIKELY(l->toks.len == l->toks.cap))
        grow(l);
    l->toks.v[l->toks.len++] =
        (struct tok){kind, (uint32_t)l->start, (uint32_t)(l->pos - l->start)};
    l->start = l->pos;
}

static void fail(struct lexer *l, const char *fmt, ...) PRINTF(2, 3);
static void fail(struct lexer *l, const char *fmt, ...)
{
    va_list args;

    buf_clear(l->message);
    va_start(args, fmt);
    buf_addv(l->message, fmt, args);
    va_end(args);
    vec_push(&l->toks, {TOK_ERROR, (uint32_t)l->start, 0});
    l->is_done = true;
}

/* *ret_trim: with " -" before it. */
static bool at_right(const struct lexer *l, bool *ret_trim)
{
    str rest = rest_of(l);

    *ret_trim = rest.len > TRIM_MARKER && rest.p[1] == '-' && is_space(rest.p[0]) &&
                str_starts(str_from(rest, TRIM_MARKER), l->right);
    return *ret_trim || (rest.len && rest.p[0] == l->right.p[0] && str_starts(rest, l->right));
}

static void skip_space(struct lexer *l) { l->pos = skip(l, SPACE); }

static bool has_left_trim(str s)
{
    return s.len >= TRIM_MARKER && s.p[0] == '-' && is_space(s.p[1]);
}

/* Where the next left delimiter is, or the end of the text. */
static size_t find_left(const struct lexer *l)
{
    const char *p = l->text.p + l->pos, *end = l->text.p + l->text.len;

    while (p < end && (p = memchr(p, l->left.p[0], (size_t)(end - p)))) {
        if (str_starts(str_range(p, end), l->left))
            return (size_t)(p - l->text.p);
        p++;
    }
    return l->text.len;
}

/* The text up to the next action, or the end; nothing when an action begins here. */
static void lex_outside(struct lexer *l)
{
    size_t stop = find_left(l), end = stop;

    if (stop < l->text.len && has_left_trim(str_from(l->text, stop + l->left.len)))
        while (end > l->pos && is_space(l->text.p[end - 1]))
            end--;
    if (end > l->pos) {
        l->pos = end;
        emit(l, TOK_TEXT);
    } else if (stop == l->text.len) {
        emit(l, TOK_EOF);
        l->is_done = true;
    }
    l->pos = l->start = stop;
}

/* Behind the left delimiter of a comment, which is skipped. */
static void lex_comment(struct lexer *l)
{
    ssize_t end;
    bool trim;

    l->pos += 2;
    end = str_find(rest_of(l), STR("*/"));
    if (end < 0) {
        fail(l, "unclosed comment");
        return;
    }
    l->pos += (size_t)end + 2;
    if (!at_right(l, &trim)) {
        fail(l, "comment ends before closing delimiter");
        return;
    }
    l->pos += (trim ? TRIM_MARKER : 0) + l->right.len;
    if (trim)
        skip_space(l);
    l->start = l->pos;
}

/* At a left delimiter; a comment gives no token. */
static void lex_left(struct lexer *l)
{
    str after = str_from(l->text, l->pos + l->left.len);
    size_t marker = has_left_trim(after) ? TRIM_MARKER : 0;

    l->pos += l->left.len;
    if (str_starts(str_from(after, marker), STR("/*"))) {
        l->pos += marker;
        l->start = l->pos;
        lex_comment(l);
        return;
    }
    emit(l, TOK_LEFT);
    l->pos += marker;
    l->start = l->pos;
    l->in_action = true;
    l->parens = 0;
}

static void lex_right(struct lexer *l, bool trim)
{
    if (trim)
        l->pos += TRIM_MARKER;
    l->start = l->pos;
    l->pos += l->right.len;
    emit(l, TOK_RIGHT);
    if (trim)
        skip_space(l);
    l->start = l->pos;
    l->in_action = false;
}

/* At a space that does not begin the end of the action. */
static void lex_space(struct lexer *l)
{
    bool trim;

    skip_space(l);
    if (l->pos < l->text.len && l->text.p[l->pos] == '-') {
        l->pos--; /* the last blank may belong to the trim marker */
        if (!at_right(l, &trim) || !trim)
            l->pos++;
    }
    emit(l, TOK_SPACE);
}

static inline bool at_terminator(const struct lexer *l)
{
    return l->pos >= l->text.len || is(l->text.p[l->pos], TERMINATOR) ||
           (l->text.p[l->pos] == l->right.p[0] && str_starts(rest_of(l), l->right));
}

static void bad_character(struct lexer *l, const char *what)
{
    AUTO(buf_done) struct buf shown = {0};
    size_t width;
    int32_t c = peek(l, &width);

    text_add_code_point(c < 0 ? 0xfffd : (uint32_t)c, true, &shown);
    fail(l, "%s%s", what, buf_cstr(&shown));
}

/* The rest of a word that is not all ASCII, or does not end well. */
static __attribute__((noinline)) void lex_odd_word(struct lexer *l, enum tok_kind kind)
{
    size_t width;

    for (int32_t c;; l->pos += width) {
        l->pos = skip(l, WORD);
        c = peek(l, &width);
        if (c < 0x80 || !text_is_alnum((uint32_t)c))
            break;
    }
    if (at_terminator(l))
        emit(l, kind);
    else
        bad_character(l, "bad character ");
}

/* A word whose first character is read. */
static inline void lex_word(struct lexer *l, enum tok_kind kind)
{
    l->pos = skip(l, WORD);
    if (LIKELY(l->pos < l->text.len && is(l->text.p[l->pos], TERMINATOR)))
        emit(l, kind);
    else
        lex_odd_word(l, kind);
}

/* "break" and so on, most words begin with other letters. */
static enum tok_kind keyword(const char *p, size_t len)
{
    enum { LONGEST = 8 };
    static const struct {
        char word[9];
        enum tok_kind kind;
    } words[] = {
        {"block", TOK_BLOCK},
        {"break", TOK_BREAK},
        {"continue", TOK_CONTINUE},
        {"define", TOK_DEFINE},
        {"else", TOK_ELSE},
        {"end", TOK_END},
        {"if", TOK_IF},
        {"nil", TOK_NIL},
        {"range", TOK_RANGE},
        {"template", TOK_TEMPLATE},
        {"with", TOK_WITH},
        {"true", TOK_BOOL},
        {"false", TOK_BOOL},
    };
    static const uint32_t first_letters =
        1u << ('b' - 'a') | 1u << ('c' - 'a') | 1u << ('d' - 'a') | 1u << ('e' - 'a') |
        1u << ('f' - 'a') | 1u << ('i' - 'a') | 1u << ('n' - 'a') | 1u << ('r' - 'a') |
        1u << ('t' - 'a') | 1u << ('w' - 'a');

    if (len > LONGEST || p[0] < 'a' || p[0] > 'z' || !(first_letters >> (p[0] - 'a') & 1))
        return TOK_IDENT;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (words[i].word[0] == p[0] && str_eq((str){p, len}, str_of(words[i].word)))
            return words[i].kind;
    return TOK_IDENT;
}

static void lex_ident(struct lexer *l)
{
    struct tok *t;

    lex_word(l, TOK_IDENT);
    t = &vec_last(&l->toks);
    if (t->kind == TOK_IDENT)
        t->kind = keyword(l->text.p + t->pos, t->len);
}

/* Up to the closing quote; with a backslash the next character counts for nothing. */
static void lex_quoted(struct lexer *l, char quote, enum tok_kind kind, const char *what)
{
    for (;;) {
        int32_t c;

        l->pos = skip(l, PLAIN);
        c = next(l);
        if (c == '\\') {
            c = next(l);
            if (c != END_OF_TEXT && c != '\n')
                continue;
        }
        if (c == END_OF_TEXT || c == '\n') {
            fail(l, "unterminated %s", what);
            return;
        }
        if (c == quote)
            break;
    }
    emit(l, kind);
}

static void lex_raw(struct lexer *l)
{
    ssize_t end = str_find_char(rest_of(l), '`');

    if (end < 0) {
        fail(l, "unterminated raw quoted string");
        return;
    }
    l->pos += (size_t)end + 1;
    emit(l, TOK_RAW);
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

static void lex_number(struct lexer *l)
{
    bool is_good = scan_number(l), is_pair = false;

    if (is_good && l->pos < l->text.len && strchr("+-", l->text.p[l->pos]) && l->text.p[l->pos]) {
        is_pair = true;
        is_good = scan_number(l) && l->text.p[l->pos - 1] == 'i';
    }
    if (is_good)
        emit(l, is_pair ? TOK_COMPLEX : TOK_NUMBER);
    else
        fail(l, "bad number syntax: \"%.*s\"",
             STR_ARG(str_sub(l->text, l->start, l->pos - l->start)));
}

/* A token that begins with c, which is no space, letter or digit and already read. */
static void lex_punctuation(struct lexer *l, int32_t c)
{
    switch (c) {
    case '=':
        emit(l, TOK_ASSIGN);
        break;
    case ':':
        if (next(l) == '=')
            emit(l, TOK_DECLARE);
        else
            fail(l, "expected :=");
        break;
    case '|':
        emit(l, TOK_PIPE);
        break;
    case '(':
        l->parens++;
        emit(l, TOK_LPAREN);
        break;
    case ')':
        if (--l->parens < 0)
            fail(l, "unexpected right paren");
        else
            emit(l, TOK_RPAREN);
        break;
    default:
        if (c >= 0x20 && c < 0x7f) {
            emit(l, TOK_CHAR);
            break;
        }
        l->pos = l->start;
        bad_character(l, "unrecognized character in action: ");
    }
}

static void lex_token(struct lexer *l, int32_t c)
{
    bool digit_next = l->pos < l->text.len && is(l->text.p[l->pos], DIGIT);

    if (c == '"') {
        lex_quoted(l, '"', TOK_STRING, "quoted string");
    } else if (c == '\'') {
        lex_quoted(l, '\'', TOK_CHARCONST, "character constant");
    } else if (c == '`') {
        lex_raw(l);
    } else if (c == '$') {
        lex_word(l, TOK_VARIABLE);
    } else if (c == '.' && !(digit_next)) {
        if (at_terminator(l))
            emit(l, TOK_DOT);
        else
            lex_word(l, TOK_FIELD);
    } else if (c == '.' || c == '+' || c == '-' || (c >= '0' && c <= '9')) {
        l->pos = l->start;
        lex_number(l);
    } else if (text_is_alnum((uint32_t)c)) {
        lex_ident(l);
    } else {
        lex_punctuation(l, c);
    }
}

/* Cheap, and false where at_right cannot be true. */
static inline bool may_end(const struct lexer *l, char first)
{
    return first == l->right.p[0] ||
           (is_space(first) && l->pos + 1 < l->text.len && l->text.p[l->pos + 1] == '-');
}

static void lex_action(struct lexer *l)
{
    char first = l->pos < l->text.len ? l->text.p[l->pos] : '\0';
    bool trim;

    if (may_end(l, first) && at_right(l, &trim)) {
        if (l->parens == 0)
            lex_right(l, trim);
        else
            fail(l, "unclosed left paren");
    } else if (is_space(first)) {
        lex_space(l);
    } else if (is(first, WORD) && !is(first, DIGIT)) {
        lex_ident(l);
    } else if (l->pos < l->text.len) {
        lex_token(l, next(l));
    } else {
        fail(l, "unclosed action");
    }
}

void lex_fill(struct lexer *l)
{
    l->toks.len = 0;
    if (l->is_done)
        vec_push(&l->toks, {TOK_EOF, (uint32_t)l->start, 0});
    while (l->toks.len == 0) {
        lex_outside(l);
        if (l->toks.len == 0)
            lex_left(l);
    }
    while (l->in_action && !l->is_done)
        lex_action(l);
}

uint32_t lex_line(str text, size_t pos)
{
    uint32_t line = 1;

    for (const char *p = text.p, *end = text.p + MIN(pos, text.len);
         p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
        line++;
    return line;
}

void lex_show(const struct lexer *l, struct tok t, struct buf *out)
{
    str text = lex_text(l, t);

    if (t.kind == TOK_EOF) {
        buf_add_cstr(out, "EOF");
    } else if (t.kind == TOK_ERROR) {
        buf_add_str(out, text);
    } else if (t.kind >= TOK_KEYWORD) {
        buf_addf(out, "<%.*s>", STR_ARG(text));
    } else {
        str shown = text_chars(text, 10);

        text_quote(shown, false, out);
        if (shown.len < text.len)
            buf_add_cstr(out, "...");
    }
}
