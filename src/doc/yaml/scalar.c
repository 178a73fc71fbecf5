/* Block, quoted and plain scalars: folding, chomping, escapes (libyaml 0.2.5, scanner). A scalar
 * that reads as it is written stays a view into the text. */
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "doc/yaml/comments_priv.h"

/* Adds the line break at p, all but LS and PS as a line feed, and steps over it. */
static void take_break(struct scanner *s, struct buf *to)
{
    size_t len = break_len(s->p);

    if (len == 3)
        buf_add(to, s->p, 3);
    else if (len)
        buf_add_char(to, '\n');
    s->p += len;
    if (len) {
        s->line = s->p;
        s->line_number++;
    }
}

static void join(struct buf *to, struct buf *from)
{
    buf_add(to, from->p, from->len);
    buf_clear(from);
}

/* What the line breaks between two parts of a folded scalar become. */
static void fold(struct scanner *s)
{
    if (s->first_break.len && s->first_break.p[0] == '\n') {
        if (s->breaks.len == 0)
            buf_add_char(&s->scratch, ' ');
        buf_clear(&s->first_break);
    }
    join(&s->scratch, &s->first_break);
    join(&s->scratch, &s->breaks);
}

static void scratch_start(struct scanner *s)
{
    buf_clear(&s->scratch);
    buf_clear(&s->blanks);
    buf_clear(&s->first_break);
    buf_clear(&s->breaks);
}

static str scratch_keep(struct scanner *s)
{
    char *copy = arena_alloc(s->arena, s->scratch.len);

    if (s->scratch.len)
        memcpy(copy, s->scratch.p, s->scratch.len);
    return (str){copy, s->scratch.len};
}

/* ---- block scalars */

enum chomping { CHOMP_STRIP, CHOMP_CLIP, CHOMP_KEEP };
static const char *const in_block = "while scanning a block scalar";

struct block {
    const char *start;
    enum chomping chomping;
    int32_t indent; /* 0: to be found */
    const char *end;
};

static bool scan_block_indicator(struct scanner *s, struct block *b)
{
    if (*s->p == '+' || *s->p == '-') {
        b->chomping = *s->p++ == '+' ? CHOMP_KEEP : CHOMP_STRIP;
    } else if (*s->p >= '0' && *s->p <= '9') {
        if (*s->p == '0')
            return scan_fail(s, in_block, b->start, "found an indentation indicator equal to 0");
        b->indent = MAX(s->indent, 0) + (*s->p++ - '0');
    }
    return true;
}

static bool scan_block_header(struct scanner *s, struct block *b)
{
    bool had_chomping;

    s->p++;
    if (!scan_block_indicator(s, b))
        return false;
    had_chomping = b->chomping != CHOMP_CLIP;
    if (had_chomping ? *s->p >= '0' && *s->p <= '9' : b->indent && (*s->p == '+' || *s->p == '-'))
        if (!scan_block_indicator(s, b))
            return false;
    while (ch_is(s->p, CH_BLANK))
        s->p++;
    if (*s->p == '#' && s->comments)
        comments_behind(s, at(s, b->start));
    if (*s->p == '#')
        while (!is_breakz(s->p))
            s->p++;
    if (!is_breakz(s->p))
        return scan_fail(s, in_block, b->start, "did not find expected comment or line break");
    if (*s->p)
        skip_line(s);
    b->end = s->p;
    return true;
}

/* Indentation and empty lines before the next line of content; finds the indentation when it is not
 * known yet. */
static bool scan_block_breaks(struct scanner *s, struct block *b)
{
    int32_t widest = 0;

    b->end = s->p;
    for (;;) {
        while ((!b->indent || column(s) < b->indent) && *s->p == ' ')
            s->p++;
        widest = MAX(widest, column(s));
        if ((!b->indent || column(s) < b->indent) && *s->p == '\t')
            return scan_fail(s, in_block, b->start,
                             "found a tab character where an indentation space is expected");
        if (!break_len(s->p))
            break;
        take_break(s, &s->breaks);
        b->end = s->p;
    }
    if (!b->indent)
        b->indent = MAX(MAX(widest, s->indent + 1), 1);
    return true;
}

/* Printable ASCII is passed over sixteen bytes at a time. */
static const char *line_end(const struct scanner *s, const char *p)
{
#ifdef __SSE2__
    const __m128i low = _mm_set1_epi8(' ');

    for (; s->end - p >= 16; p += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
        unsigned mask = (unsigned)_mm_movemask_epi8(_mm_cmplt_epi8(v, low));

        for (; mask; mask &= mask - 1)
            if (is_breakz(p + __builtin_ctz(mask)))
                return p + __builtin_ctz(mask);
    }
#endif
    while (!is_breakz(p))
        p++;
    return p;
}

bool scan_block_scalar(struct scanner *s, struct token *t)
{
    struct block b = {.start = s->p, .chomping = CHOMP_CLIP};
    bool is_literal = *s->p == '|', was_blank = false;

    scratch_start(s);
    if (!scan_block_header(s, &b) || !scan_block_breaks(s, &b))
        return false;
    while (column(s) == b.indent && *s->p) {
        bool is_blank = ch_is(s->p, CH_BLANK);
        const char *begin = s->p;

        if (!is_literal && !was_blank && !is_blank && s->first_break.len &&
            s->first_break.p[0] == '\n') {
            if (s->breaks.len == 0)
                buf_add_char(&s->scratch, ' ');
            buf_clear(&s->first_break);
        }
        join(&s->scratch, &s->first_break);
        join(&s->scratch, &s->breaks);
        was_blank = is_blank;
        s->p = line_end(s, s->p);
        buf_add(&s->scratch, begin, (size_t)(s->p - begin));
        take_break(s, &s->first_break);
        if (!scan_block_breaks(s, &b))
            return false;
    }
    if (b.chomping != CHOMP_STRIP)
        join(&s->scratch, &s->first_break);
    if (b.chomping == CHOMP_KEEP)
        join(&s->scratch, &s->breaks);
    *t = (struct token){.type = TOKEN_SCALAR,
                        .style = is_literal ? DOC_LITERAL : DOC_FOLDED,
                        .begin = at(s, b.start),
                        .end = at(s, b.end),
                        .value = scratch_keep(s)};
    return true;
}

/* ---- quoted scalars */

static const struct {
    char letter;
    uint8_t digits;   /* of a code point that follows, else 0 */
    uint16_t meaning; /* code point */
} escapes[] = {
    {'0', 0, 0},    {'a', 0, 7},      {'b', 0, 8},      {'t', 0, '\t'},  {'\t', 0, '\t'},
    {'n', 0, '\n'}, {'v', 0, 11},     {'f', 0, 12},     {'r', 0, '\r'},  {'e', 0, 27},
    {' ', 0, ' '},  {'"', 0, '"'},    {'/', 0, '/'},    {'\\', 0, '\\'}, {'N', 0, 0x85},
    {'_', 0, 0xA0}, {'L', 0, 0x2028}, {'P', 0, 0x2029}, {'x', 2, 0},     {'u', 4, 0},
    {'U', 8, 0},
};

static bool scan_escaped_code(struct scanner *s, const char *start, unsigned digits)
{
    uint32_t code = 0;

    for (unsigned i = 0; i < digits; i++) {
        char c = s->p[i];

        if (!ch_is(&s->p[i], CH_HEX))
            return scan_fail(s, "while parsing a quoted scalar", start,
                             "did not find expected hexdecimal number");
        code = code << 4 | (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    if ((code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF)
        return scan_fail(s, "while parsing a quoted scalar", start,
                         "found invalid Unicode character escape code");
    buf_add_utf8(&s->scratch, code);
    s->p += digits;
    return true;
}

static bool scan_escape(struct scanner *s, const char *start)
{
    for (size_t i = 0; i < ARRAY_LEN(escapes); i++) {
        if (escapes[i].letter != s->p[1])
            continue;
        s->p += 2;
        if (escapes[i].digits)
            return scan_escaped_code(s, start, escapes[i].digits);
        buf_add_utf8(&s->scratch, escapes[i].meaning);
        return true;
    }
    return scan_fail(s, "while parsing a quoted scalar", start, "found unknown escape character");
}

static const char *quoted_run_end(const char *p, char quote)
{
    while (*p != quote && *p != '\\' && !is_blankz(p))
        p++;
    return p;
}

/* The run of text up to white space or the closing quote. *ret_folds: it ended in an escaped line
 * break. */
static bool scan_quoted_run(struct scanner *s, const char *start, bool *ret_folds)
{
    char quote = *start;

    for (;;) {
        const char *begin = s->p;

        s->p = quoted_run_end(s->p, quote);
        buf_add(&s->scratch, begin, (size_t)(s->p - begin));
        if (*s->p == quote) {
            if (quote == '"' || s->p[1] != '\'')
                return true;
            buf_add_char(&s->scratch, '\'');
            s->p += 2;
        } else if (*s->p == '\\' && quote == '"') {
            if (break_len(s->p + 1)) {
                s->p++;
                skip_line(s);
                *ret_folds = true;
                return true;
            }
            if (!scan_escape(s, start))
                return false;
        } else if (*s->p == '\\') {
            buf_add_char(&s->scratch, *s->p++);
        } else {
            return true;
        }
    }
}

/* White space between two runs; afterwards it is in the scratch buffer, folded. */
static void scan_quoted_space(struct scanner *s, bool folds)
{
    while (ch_is(s->p, CH_BLANK) || break_len(s->p)) {
        if (!break_len(s->p)) {
            if (!folds)
                buf_add_char(&s->blanks, *s->p);
            s->p++;
        } else if (!folds) {
            buf_clear(&s->blanks);
            take_break(s, &s->first_break);
            folds = true;
        } else {
            take_break(s, &s->breaks);
        }
    }
    if (folds)
        fold(s);
    else
        join(&s->scratch, &s->blanks);
}

/* A quoted scalar on one line without escapes: its closing quote, or NULL. */
static const char *quick_quote(const char *p)
{
    char quote = *p++;

    while (*p != quote && *p != '\\' && *p && !break_len(p))
        p++;
    return *p == quote && (quote == '"' || p[1] != quote) ? p : NULL;
}

bool scan_flow_scalar(struct scanner *s, struct token *t)
{
    const char *start = s->p, *close = quick_quote(s->p);

    *t = (struct token){.type = TOKEN_SCALAR,
                        .style = *start == '"' ? DOC_DOUBLE : DOC_SINGLE,
                        .begin = at(s, start)};
    if (close) {
        t->value = str_range(start + 1, close);
        s->p = close + 1;
        t->end = at(s, s->p);
        return true;
    }
    scratch_start(s);
    s->p++;
    for (;;) {
        bool folds = false;

        if (is_document_marker(s))
            return scan_fail(s, "while scanning a quoted scalar", start,
                             "found unexpected document indicator");
        if (*s->p == '\0')
            return scan_fail(s, "while scanning a quoted scalar", start,
                             "found unexpected end of stream");
        if (!scan_quoted_run(s, start, &folds))
            return false;
        if (*s->p == *start)
            break;
        scan_quoted_space(s, folds);
    }
    s->p++;
    t->value = scratch_keep(s);
    t->end = at(s, s->p);
    return true;
}

/* ---- plain scalars */

/* Whether the character ends a plain scalar; *ret_bad: libyaml refuses what stands here. */
static bool ends_plain(const struct scanner *s, bool *ret_bad)
{
    if (*s->p == ':') {
        if (s->flow_level && !s->is_go && s->p[1] && strchr(",?[]{}", s->p[1]))
            *ret_bad = true;
        return *ret_bad || is_blankz(s->p + 1);
    }
    return s->flow_level && ch_is(s->p, CH_FLOW);
}

/* White space behind a run; false on a tab that stands for indentation. */
static bool scan_plain_space(struct scanner *s, const char *start, bool *folds)
{
    while (ch_is(s->p, CH_BLANK) || break_len(s->p)) {
        if (!break_len(s->p)) {
            if (*folds && column(s) < s->indent + 1 && *s->p == '\t')
                return scan_fail(s, "while scanning a plain scalar", start,
                                 "found a tab character that violates indentation");
            if (!*folds)
                buf_add_char(&s->blanks, *s->p);
            s->p++;
        } else if (!*folds) {
            buf_clear(&s->blanks);
            take_break(s, &s->first_break);
            *folds = true;
        } else {
            take_break(s, &s->breaks);
        }
    }
    return true;
}

/* A scalar being put together: a view while it is one run, copied from the second on. */
struct plain {
    const char *start, *end;
    bool folds, is_copied;
};

static void add_run(struct scanner *s, struct plain *p, const char *run)
{
    if (p->folds || p->is_copied) {
        if (!p->is_copied)
            buf_add(&s->scratch, p->start, (size_t)(p->end - p->start));
        p->is_copied = true;
        if (p->folds)
            fold(s);
        else
            join(&s->scratch, &s->blanks);
        buf_add(&s->scratch, run, (size_t)(s->p - run));
    }
    buf_clear(&s->blanks);
    p->folds = false;
    p->end = s->p;
}

bool scan_plain_scalar(struct scanner *s, struct token *t)
{
    struct plain p = {.start = s->p, .end = s->p};

    scratch_start(s);
    for (;;) {
        const char *run = s->p;
        bool is_bad = false;

        if (is_document_marker(s) || *s->p == '#')
            break;
        while (!is_blankz(s->p) && !ends_plain(s, &is_bad))
            s->p++;
        if (s->p > run)
            add_run(s, &p, run);
        if (is_bad)
            return scan_fail(s, "while scanning a plain scalar", p.start, "found unexpected ':'");
        if (!ch_is(s->p, CH_BLANK) && !break_len(s->p))
            break;
        if (!scan_plain_space(s, p.start, &p.folds))
            return false;
        if (!s->flow_level && column(s) < s->indent + 1)
            break;
    }
    if (p.folds)
        s->is_key_allowed = true;
    *t = (struct token){.type = TOKEN_SCALAR,
                        .style = DOC_PLAIN,
                        .begin = at(s, p.start),
                        .end = at(s, p.end),
                        .value = p.is_copied ? scratch_keep(s) : str_range(p.start, p.end)};
    return true;
}
