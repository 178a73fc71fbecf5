#include "doc/scalar_priv.h"

#include "base/utf8.h"

/* The text is UTF-8. Line breaks are LF, CR, U+0085, U+2028 and U+2029, as in YAML 1.1. */

enum { BEST_INDENT = 2 };

static inline size_t char_width(unsigned char c)
{
    return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

static inline size_t width_at(str s, size_t i)
{
    return MIN(char_width((unsigned char)s.p[i]), s.len - i);
}

static inline bool is_break(str s, size_t i)
{
    unsigned char c = i < s.len ? (unsigned char)s.p[i] : 0;

    if (c == '\n' || c == '\r')
        return true;
    if (c == 0xc2)
        return i + 1 < s.len && (unsigned char)s.p[i + 1] == 0x85;
    return c == 0xe2 && i + 2 < s.len && (unsigned char)s.p[i + 1] == 0x80 &&
           ((unsigned char)s.p[i + 2] & 0xfe) == 0xa8;
}

static inline bool is_blank_or_end(str s, size_t i)
{
    return i >= s.len || s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '\0' || is_break(s, i);
}

static bool is_space(str s, size_t i) { return i < s.len && s.p[i] == ' '; }

static inline bool is_printable(str s, size_t i)
{
    unsigned char c = (unsigned char)s.p[i], d = i + 1 < s.len ? (unsigned char)s.p[i + 1] : 0;
    unsigned char e = i + 2 < s.len ? (unsigned char)s.p[i + 2] : 0;

    if (c < 0x80)
        return c == '\n' || (c >= 0x20 && c < 0x7f);
    if (c == 0xc2)
        return d >= 0xa0;
    if (c == 0xed) /* surrogates */
        return d < 0xa0;
    if (c == 0xef) /* U+FEFF, U+FFFE, U+FFFF */
        return !(d == 0xbb && e == 0xbf) && !(d == 0xbf && (e == 0xbe || e == 0xbf));
    return c > 0xc2 && c < 0xf0;
}

bool scalar_has_break(str s)
{
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.p[i];

        if (UNLIKELY(c == '\n' || c == '\r' || c == 0xc2 || c == 0xe2) && is_break(s, i))
            return true;
    }
    return false;
}

/* ---- what styles a text allows */

struct scan {
    struct scalar_look look;
    bool leading_space, leading_break, trailing_space, trailing_break;
    bool break_space, space_break; /* a blank behind a break, a break behind a blank */
    bool special, tab, flow_indicator, block_indicator;
};

/* An indicator at i, and what it forbids there. */
static inline void look_at_indicator(struct scan *k, str s, size_t i, bool after_blank)
{
    bool before_blank = is_blank_or_end(s, i + 1);

    switch (s.p[i]) {
    case '#':
        if (i == 0 || after_blank)
            k->flow_indicator = k->block_indicator = true;
        break;
    case '&':
    case '*':
    case '!':
    case '|':
    case '>':
    case '\'':
    case '"':
    case '%':
    case '@':
    case '`':
        if (i == 0)
            k->flow_indicator = k->block_indicator = true;
        break;
    case ',':
    case '[':
    case ']':
    case '{':
    case '}':
        k->flow_indicator = true;
        if (i == 0)
            k->block_indicator = true;
        break;
    case '?':
        k->flow_indicator = true;
        if (i == 0 && before_blank)
            k->block_indicator = true;
        break;
    case ':':
        k->flow_indicator = true;
        if (before_blank)
            k->block_indicator = true;
        break;
    case '-':
        if (i == 0 && before_blank)
            k->flow_indicator = k->block_indicator = true;
        break;
    default:
        break;
    }
}

/* Letters, digits and what names hold besides. */
static const bool in_word[256] = {
    ['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true,
    ['/'] = true,         ['.'] = true,         ['-'] = true,
};

static void look_at_blanks(struct scan *k, str s)
{
    bool after_space = false, after_break = false, after_blank = true;

    for (size_t i = 0, width; i < s.len; i += width) {
        bool at_break, at_end;

        if (LIKELY(i > 0 && in_word[(unsigned char)s.p[i]])) {
            after_space = after_break = after_blank = false;
            width = 1;
            continue;
        }
        at_break = is_break(s, i);
        width = width_at(s, i);
        at_end = i + width == s.len;
        look_at_indicator(k, s, i, after_blank);
        k->tab |= s.p[i] == '\t';
        k->special |= !is_printable(s, i) && s.p[i] != '\t';
        if (s.p[i] == ' ') {
            k->leading_space |= i == 0;
            k->trailing_space |= at_end;
            k->break_space |= after_break;
        } else if (at_break) {
            k->look.is_multiline = true;
            k->leading_break |= i == 0;
            k->trailing_break |= at_end;
            k->space_break |= after_space;
        }
        after_space = s.p[i] == ' ';
        after_break = at_break;
        after_blank = is_blank_or_end(s, i);
    }
}

/* A word, as most scalars are, may be written in any way. */
static bool is_word(str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!in_word[(unsigned char)s.p[i]])
            return false;
    return s.p[0] != '-' && s.p[0] != '.';
}

struct scalar_look scalar_analyze(str s, bool is_v3)
{
    struct scan k = {
        .look = {.flow_plain = true, .block_plain = true, .single = true, .block = true}};
    struct scalar_look *l = &k.look;

    if (s.len == 0)
        return (struct scalar_look){.block_plain = true, .single = true};
    if (is_word(s))
        return k.look;
    if (str_starts(s, STR("---")) || str_starts(s, STR("...")))
        k.flow_indicator = k.block_indicator = true;
    look_at_blanks(&k, s);
    if (!is_v3)
        k.special |= k.tab;
    if (k.leading_space || k.leading_break || k.trailing_space || k.trailing_break)
        l->flow_plain = l->block_plain = false;
    if (k.trailing_space)
        l->block = false;
    if (k.break_space)
        l->flow_plain = l->block_plain = l->single = false;
    if (k.space_break || k.tab || k.special)
        l->flow_plain = l->block_plain = l->single = false;
    if (k.space_break || k.special)
        l->block = false;
    if (l->is_multiline)
        l->flow_plain = l->block_plain = false;
    l->flow_plain &= !k.flow_indicator;
    l->block_plain &= !k.block_indicator;
    return k.look;
}

/* ---- writing */

static size_t column(const struct yaml_pen *y)
{
    const char *p = y->pen.out->p + y->line;

    if (y->width == SIZE_MAX ||
        (size_t)(y->pen.p - p) <= y->width) /* bytes are no fewer than characters */
        return 0;
    return utf8_count(str_range(p, y->pen.p));
}

static void next_line(struct yaml_pen *y, size_t indent)
{
    yaml_new_line(y);
    yaml_pad(y, indent);
}

static inline void put_char(struct yaml_pen *y, str s, size_t i, size_t width)
{
    pen_put(&y->pen, s.p + i, width);
}

/* How many bytes from i on are neither blank, quote nor the possible beginning of a break. */
static size_t run_length(str s, size_t i)
{
    static const unsigned char stops[256] = {
        [' '] = 1, ['\''] = 1, ['\n'] = 1, ['\r'] = 1, [0xc2] = 1, [0xe2] = 1,
    };
    size_t from = i;

    while (i < s.len && !stops[(unsigned char)s.p[i]])
        i++;
    return i - from;
}

static void put_break(struct yaml_pen *y, str s, size_t i)
{
    if (s.p[i] == '\n') {
        yaml_new_line(y);
        return;
    }
    put_char(y, s, i, width_at(s, i));
    y->line = (size_t)(y->pen.p - y->pen.out->p);
}

/* Plain and single-quoted text: blanks where a long line is broken, doubled breaks. */
static void put_folding(struct yaml_pen *y, str s, size_t indent, bool may_break, bool is_quoted)
{
    bool after_space = false, after_break = false;

    for (size_t i = 0, width; i < s.len; i += width) {
        width = width_at(s, i);
        if (s.p[i] == ' ') {
            bool is_inside = !is_quoted || (i > 0 && i + 1 < s.len);

            if (may_break && !after_space && is_inside && !is_space(s, i + 1) &&
                column(y) > y->width)
                next_line(y, indent);
            else
                yaml_put_char(y, ' ');
            after_space = true;
            continue;
        }
        if (is_break(s, i)) {
            if (!after_break && s.p[i] == '\n')
                yaml_new_line(y);
            put_break(y, s, i);
            after_break = true;
            continue;
        }
        if (after_break)
            yaml_pad(y, indent);
        if (is_quoted && s.p[i] == '\'')
            yaml_put_char(y, '\'');
        width += run_length(s, i + width);
        put_char(y, s, i, width);
        after_space = after_break = false;
    }
}

/* Whether all bytes are printable ASCII, eight at a time. */
static bool is_plain_ascii(const char *p, size_t len)
{
    const uint64_t ones = 0x0101010101010101u, tops = 0x8080808080808080u;
    uint64_t v, odd = 0;

    for (; len >= 8; p += 8, len -= 8) {
        memcpy(&v, p, 8);
        odd |= ((v - ones * ' ') & ~v) | v | (v + ones);
    }
    for (; len; p++, len--)
        if (*p < ' ' || *p > '~')
            return false;
    return (odd & tops) == 0;
}

/* As put_folding does, a line at a time. False for what is not so simple. */
static bool put_words(struct yaml_pen *y, str s, size_t indent)
{
    const char *line = y->pen.out->p + y->line;
    size_t before = (size_t)(y->pen.p - line), from = 0, at;

    if (s.len == 0 || s.p[0] == ' ' || before > y->width || y->width > s.len + before ||
        !is_plain_ascii(line, before) || !is_plain_ascii(s.p, s.len))
        return false;
    for (at = y->width - before + 1; at < s.len; at++) {
        const char *blank = memchr(s.p + at, ' ', s.len - at - 1);

        if (!blank)
            break;
        at = (size_t)(blank - s.p);
        if (blank[-1] == ' ' || blank[1] == ' ')
            continue;
        pen_put(&y->pen, s.p + from, at - from);
        next_line(y, indent);
        from = at + 1;
        at = from + (y->width > indent ? y->width - indent : 0);
    }
    pen_put(&y->pen, s.p + from, s.len - from);
    return true;
}

void scalar_plain(struct yaml_pen *y, str text, size_t indent, bool may_break)
{
    if (!may_break || !put_words(y, text, indent))
        put_folding(y, text, indent, may_break, false);
}

void scalar_single(struct yaml_pen *y, str text, size_t indent, bool may_break)
{
    yaml_put_char(y, '\'');
    put_folding(y, text, indent, may_break, true);
    yaml_put_char(y, '\'');
}

static uint32_t decode(str s, size_t i, size_t width)
{
    static const unsigned char mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t c = (unsigned char)s.p[i] & mask[width];

    for (size_t k = 1; k < width; k++)
        c = c << 6 | ((unsigned char)s.p[i + k] & 0x3f);
    return c;
}

static void put_escape(struct yaml_pen *y, uint32_t c)
{
    static const char letters[256] = {
        [0] = '0',     ['\a'] = 'a', ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n',
        ['\v'] = 'v',  ['\f'] = 'f', ['\r'] = 'r', [0x1b] = 'e', ['"'] = '"',
        ['\\'] = '\\', [0x85] = 'N', [0xa0] = '_',
    };
    char text[12];
    int len;

    if (c < 256 && letters[c])
        len = snprintf(text, sizeof(text), "\\%c", letters[c]);
    else if (c == 0x2028 || c == 0x2029)
        len = snprintf(text, sizeof(text), "\\%c", c == 0x2028 ? 'L' : 'P');
    else
        len = snprintf(text, sizeof(text),
                       c < 0x100     ? "\\x%02X"
                       : c < 0x10000 ? "\\u%04X"
                                     : "\\U%08X",
                       c);
    pen_put(&y->pen, text, (size_t)len);
}

/* How many bytes from i on are printable ASCII without a blank, a quote and a backslash. */
static size_t plain_length(str s, size_t i)
{
    size_t from = i;

    while (i < s.len && s.p[i] > ' ' && s.p[i] < 0x7f && s.p[i] != '"' && s.p[i] != '\\')
        i++;
    return i - from;
}

void scalar_double(struct yaml_pen *y, str s, size_t indent, bool may_break)
{
    bool after_space = false, has_mark = str_starts(s, STR("\xef\xbb\xbf"));

    yaml_put_char(y, '"');
    for (size_t i = 0, width; i < s.len; i += width) {
        width = has_mark ? 0 : plain_length(s, i);
        if (width) {
            put_char(y, s, i, width);
            after_space = false;
            continue;
        }
        width = width_at(s, i);
        /* Upstream escapes everything behind a byte-order mark in first place. */
        if (has_mark || !is_printable(s, i) || is_break(s, i) || s.p[i] == '"' || s.p[i] == '\\') {
            put_escape(y, decode(s, i, width));
            after_space = false;
        } else if (s.p[i] == ' ') {
            if (may_break && !after_space && i > 0 && i + 1 < s.len && column(y) > y->width) {
                next_line(y, indent);
                if (is_space(s, i + 1))
                    yaml_put_char(y, '\\');
            } else {
                yaml_put_char(y, ' ');
            }
            after_space = true;
        } else {
            put_char(y, s, i, width);
            after_space = false;
        }
    }
    yaml_put_char(y, '"');
}

/* ---- block scalars */

static size_t last_char(str s, size_t end)
{
    while (end > 0 && ((unsigned char)s.p[--end] & 0xc0) == 0x80) {
    }
    return end;
}

static void put_hints(struct yaml_pen *y, str s)
{
    size_t last;

    if (is_space(s, 0) || is_break(s, 0))
        yaml_put_char(y, '0' + BEST_INDENT);
    last = last_char(s, s.len);
    if (s.len == 0 || !is_break(s, last))
        yaml_put_char(y, '-');
    else if (last == 0 || is_break(s, last_char(s, last)))
        yaml_put_char(y, '+');
}

void scalar_block_header(struct yaml_pen *y, char indicator, str s)
{
    yaml_put_char(y, indicator);
    put_hints(y, s);
}

/* How many bytes from i on hold no break: up to the line end, or to a byte that may begin U+2028.
 */
static size_t line_length(str s, size_t i)
{
    const char *p = s.p + i, *end, *wide;

    end = i < s.len ? memchr(p, '\n', s.len - i) : NULL;
    if (!end)
        end = s.p + s.len;
    wide = end > p ? memchr(p, 0xe2, (size_t)(end - p)) : NULL;
    return (size_t)((wide ? wide : end) - p);
}

void scalar_literal(struct yaml_pen *y, str s, size_t indent)
{
    bool after_break = true;

    for (size_t i = 0, width; i < s.len; i += width) {
        width = width_at(s, i);
        if (is_break(s, i)) {
            put_break(y, s, i);
            after_break = true;
            continue;
        }
        if (after_break)
            yaml_pad(y, indent);
        width += line_length(s, i + width);
        put_char(y, s, i, width);
        after_break = false;
    }
}

/* A line break of the text becomes two where text follows; upstream looks at the text's beginning
 * to tell. */
static bool needs_second_break(str s)
{
    size_t i = 0;

    while (is_break(s, i))
        i += width_at(s, i);
    return !is_blank_or_end(s, i);
}

void scalar_folded(struct yaml_pen *y, str s, size_t indent)
{
    bool after_break = true, leading_spaces = true;

    for (size_t i = 0, width; i < s.len; i += width) {
        width = width_at(s, i);
        if (is_break(s, i)) {
            if (!after_break && !leading_spaces && s.p[i] == '\n' && needs_second_break(s))
                yaml_new_line(y);
            put_break(y, s, i);
            after_break = true;
            continue;
        }
        if (after_break) {
            yaml_pad(y, indent);
            leading_spaces = s.p[i] == ' ' || s.p[i] == '\t';
        }
        if (!after_break && s.p[i] == ' ' && !is_space(s, i + 1) && column(y) > y->width)
            next_line(y, indent);
        else
            put_char(y, s, i, width);
        after_break = false;
    }
}
