/* Strings seen as words: cases, wrapping (template spec 14.1). */
#include "expr/gotmpl/fn_priv.h"

static bool is_connector(uint32_t c) { return c == '_' || c == '-' || text_is_space(c); }

/* The character at a place, 0 behind the end. */
static uint32_t char_at(str s, size_t at)
{
    size_t width;

    return at < s.len ? str_utf8_at(s, at, &width) : 0;
}

/* A word begins at an upper letter behind a lower one or a digit, or before a lower one. */
static bool begins_word(uint32_t before, uint32_t c, uint32_t after)
{
    if (!text_is_upper(c))
        return false;
    return text_is_lower(before) || text_is_digit(before) ||
           (text_is_upper(before) && text_is_lower(after));
}

static bool has_case(uint32_t c) { return text_is_upper(c) || text_is_lower(c); }

/* Symbols and letters without case. */
static bool is_other(uint32_t c)
{
    return c && !has_case(c) && !text_is_digit(c) && !text_is_punct(c) && !text_is_space(c);
}

/* They are a word of their own, which digits may go on. */
static bool begins_other(uint32_t before, uint32_t c)
{
    return is_other(c) ? has_case(before) || text_is_digit(before)
                       : is_other(before) && has_case(c);
}

/* Digits begin a word when small letters follow them, as in "foo_1bar", unless the word before has
 * digits already. */
static bool begins_number(uint32_t before, str rest)
{
    size_t at = 0, width;

    if (!has_case(before) && !is_other(before))
        return false;
    for (uint32_t c; (c = char_at(rest, at)) && text_is_digit(c); at += width)
        str_utf8_at(rest, at, &width);
    return at && text_is_lower(char_at(rest, at));
}

static int join_words(struct tmpl_call *c, char connector, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);
    str s = arg_text(c, 0);
    uint32_t before = 0;
    bool has_digits = false; /* the word so far */
    bool keeps = false;
    size_t width;

    for (size_t at = 0; at < s.len; at += width) {
        uint32_t ch = str_utf8_at(s, at, &width);

        if (text_is_punct(before) && !is_connector(before)) /* it keeps '-' and '_' behind it */
            keeps = true;
        keeps = keeps && (ch == '-' || ch == '_');
        if (is_connector(ch)) {
            buf_add_char(b, keeps ? (char)ch : connector);
            has_digits = false;
        } else {
            if (begins_word(before, ch, char_at(s, at + width)) || begins_other(before, ch) ||
                (!has_digits && begins_number(before, str_from(s, at)))) {
                buf_add_char(b, connector);
                has_digits = false;
            }
            has_digits = text_is_digit(ch) || (has_digits && !is_other(ch));
            buf_add_utf8(b, text_lower(ch));
        }
        before = ch;
    }
    return ret_text(c, b, ret);
}

static int f_snakecase(struct tmpl_call *c, struct tmpl_value *ret)
{
    return join_words(c, '_', ret);
}

static int f_kebabcase(struct tmpl_call *c, struct tmpl_value *ret)
{
    return join_words(c, '-', ret);
}

static int f_camelcase(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);
    str s = arg_text(c, 0);
    uint32_t last = 0; /* a connector that is not written yet, or the last character */
    bool leads = true;
    bool is_mixed = false; /* the word is not all capitals: they stay as they are */
    size_t width;

    for (size_t at = 0; at < s.len; at += width) {
        uint32_t ch = str_utf8_at(s, at, &width);

        if (is_connector(ch)) { /* kept in front, at the end, and all but one of several */
            if (leads || is_connector(last))
                buf_add_utf8(b, leads ? ch : last);
        } else {
            if (leads || is_connector(last)) {
                buf_add_utf8(b, text_upper(ch));
                is_mixed = false;
            } else {
                buf_add_utf8(b, is_mixed ? ch : text_lower(ch));
            }
            is_mixed = is_mixed || !text_is_upper(ch);
            leads = false;
        }
        last = ch;
    }
    if (is_connector(last)) /* upstream doubles the last of a text of connectors alone */
        buf_add_utf8(b, last);
    return ret_text(c, b, ret);
}

static int f_swapcase(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);
    str s = arg_text(c, 0);
    bool starts = true;
    size_t width;

    for (size_t at = 0; at < s.len; at += width) {
        uint32_t ch = str_utf8_at(s, at, &width);

        if (text_is_lower(ch))
            buf_add_utf8(b, starts ? text_title(ch) : text_upper(ch));
        else
            buf_add_utf8(b, text_lower(ch));
        starts = text_is_space(ch);
    }
    return ret_text(c, b, ret);
}

struct wrap {
    str text, line_end;
    size_t width;
    bool cuts_words;
};

/* One line from *at on; lines break at blanks. */
static void wrap_line(const struct wrap *w, size_t *at, struct buf *out)
{
    str rest = str_from(w->text, *at);
    ssize_t blank = str_rfind_char(str_sub(rest, 0, w->width + 1), ' ');

    if (blank < 0 && w->cuts_words) {
        buf_add_str(out, str_sub(rest, 0, w->width));
        buf_add_str(out, w->line_end);
        *at += w->width;
        return;
    }
    if (blank < 0) { /* a long word stays whole */
        blank = str_find_char(str_from(rest, w->width), ' ');
        if (blank < 0) {
            buf_add_str(out, rest);
            *at = w->text.len;
            return;
        }
        blank += (ssize_t)w->width;
    }
    buf_add_str(out, str_sub(rest, 0, (size_t)blank));
    buf_add_str(out, w->line_end);
    *at += (size_t)blank + 1;
}

static int wrap_text(struct tmpl_call *c, struct wrap w, int64_t width, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);
    size_t at = 0;

    w.width = (size_t)MAX(width, (int64_t)1);
    while (w.text.len - at > w.width && trun_room(c->run, b->len) == 0) {
        if (w.text.p[at] == ' ')
            at++;
        else
            wrap_line(&w, &at, b);
    }
    buf_add_str(b, str_from(w.text, at));
    return ret_text(c, b, ret);
}

static int f_wrap(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct wrap w = {.text = arg_text(c, 1), .line_end = STR("\n")};

    return wrap_text(c, w, c->args[0].i, ret);
}

static int f_wrap_with(struct tmpl_call *c, struct tmpl_value *ret)
{
    str end = arg_text(c, 1);
    struct wrap w = {
        .text = arg_text(c, 2), .line_end = end.len ? end : STR("\n"), .cuts_words = true};

    return wrap_text(c, w, c->args[0].i, ret);
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "snakecase", "S", f_snakecase, 0, "The words in small letters, \"_\" between",
             "{{ snakecase \"FirstName\" }}", "first_name");
    func_add(to, "kebabcase", "S", f_kebabcase, 0, "The words in small letters, \"-\" between",
             "{{ kebabcase \"FirstName\" }}", "first-name");
    func_add(to, "camelcase", "S", f_camelcase, 0, "The words with capitals, nothing between",
             "{{ camelcase \"http_server\" }}", "HttpServer");
    func_add(to, "swapcase", "S", f_swapcase, 0,
             "Small letters for capitals and the other way round", "{{ swapcase \"Hello\" }}",
             "hELLO");
    func_add(to, "wrap", "IS", f_wrap, 0,
             "Lines of at most so many characters; long words stay whole",
             "{{ wrap 5 \"Hello World\" }}", "Hello\nWorld");
    func_add(to, "wrapWith", "ISS", f_wrap_with, 0,
             "Lines of at most so many characters with a line end of choice; long words are cut",
             "{{ wrapWith 5 \"|\" \"Hello World\" }}", "Hello|World");
}
FUNC_GROUP(func_words, "Strings", add_rows, IN_SPRIG);
