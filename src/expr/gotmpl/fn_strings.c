/* Strings, one at a time (template spec 14.1). */
#include "expr/gotmpl/fn_priv.h"

static int f_trim(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, text_trim_space(arg_text(c, 0)));
}

/* Whether the set holds the character at the beginning of s. */
static bool holds(str set, str s) { return s.len && str_contains(set, s); }

static int f_trim_all(struct tmpl_call *c, struct tmpl_value *ret)
{
    str set = arg_text(c, 0), s = arg_text(c, 1);
    size_t width;

    while (s.len) {
        str_utf8_at(s, 0, &width);
        if (!holds(set, str_sub(s, 0, width)))
            break;
        s = str_from(s, width);
    }
    while (s.len) {
        size_t start = s.len - 1;

        while (start && ((unsigned char)s.p[start] & 0xc0) == 0x80)
            start--;
        if (!holds(set, str_from(s, start)))
            break;
        s.len = start;
    }
    return ret_view(ret, s);
}

static int f_trim_prefix(struct tmpl_call *c, struct tmpl_value *ret)
{
    str s = arg_text(c, 1);

    str_drop_prefix(&s, arg_text(c, 0));
    return ret_view(ret, s);
}

static int f_trim_suffix(struct tmpl_call *c, struct tmpl_value *ret)
{
    str suffix = arg_text(c, 0), s = arg_text(c, 1);

    return ret_view(ret, str_ends(s, suffix) ? str_sub(s, 0, s.len - suffix.len) : s);
}

static int map_chars(struct tmpl_call *c, str s, uint32_t (*way)(uint32_t), struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);
    size_t width;

    for (size_t at = 0; at < s.len; at += width)
        buf_add_utf8(b, way(str_utf8_at(s, at, &width)));
    return ret_text(c, b, ret);
}

static int f_upper(struct tmpl_call *c, struct tmpl_value *ret)
{
    return map_chars(c, arg_text(c, 0), text_upper, ret);
}

static int f_lower(struct tmpl_call *c, struct tmpl_value *ret)
{
    return map_chars(c, arg_text(c, 0), text_lower, ret);
}

static int f_title(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);
    str s = arg_text(c, 0);
    uint32_t before = ' ';
    size_t width;

    for (size_t at = 0; at < s.len; at += width) {
        uint32_t ch = str_utf8_at(s, at, &width);
        bool starts = !text_is_alnum(before) && (before < 0x80 || text_is_space(before));

        buf_add_utf8(b, starts ? text_title(ch) : ch);
        before = ch;
    }
    return ret_text(c, b, ret);
}

static int f_untitle(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);
    str s = arg_text(c, 0);
    bool starts = true;
    size_t width;

    for (size_t at = 0; at < s.len; at += width) {
        uint32_t ch = str_utf8_at(s, at, &width);

        buf_add_utf8(b, starts ? text_lower(ch) : ch);
        starts = text_is_space(ch);
    }
    return ret_text(c, b, ret);
}

static int f_repeat(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b;
    str s = arg_text(c, 1);
    size_t total;

    if (c->args[0].i < 0)
        return call_fail(c, "strings: negative Repeat count");
    if (__builtin_mul_overflow(s.len, (size_t)c->args[0].i, &total))
        total = SIZE_MAX;
    if (trun_room(c->run, total) < 0)
        return -1;
    b = trun_borrow(c->run);
    for (int64_t i = 0; s.len && i < c->args[0].i; i++)
        buf_add_str(b, s);
    return ret_text(c, b, ret);
}

static int f_substr(struct tmpl_call *c, struct tmpl_value *ret)
{
    int64_t from = c->args[0].i, to = c->args[1].i;
    str s = arg_text(c, 2);

    if (from < 0 && to < 0)
        return call_fail(c, "runtime error: slice bounds out of range [:%lld]", (long long)to);
    if (from < 0 && (uint64_t)to > s.len)
        return call_fail(c, "runtime error: slice bounds out of range [:%lld] with length %zu",
                         (long long)to, s.len);
    if (from < 0)
        from = 0;
    if (to < 0 || (uint64_t)to > s.len)
        to = (int64_t)s.len;
    if (from > to)
        return call_fail(c, "runtime error: slice bounds out of range [%lld:%lld]", (long long)from,
                         (long long)to);
    return ret_view(ret, str_sub(s, (size_t)from, (size_t)(to - from)));
}

/* Upstream takes each byte for a character, unless there is nothing to leave out: what is no ASCII
 * comes out as other characters, and the byte A0 of "à" is a space. */
static int f_nospace(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);
    str s = arg_text(c, 0);
    size_t count = 0;

    for (size_t at = 0; at < s.len; at++) {
        uint32_t byte = (unsigned char)s.p[at];

        if (text_is_space(byte))
            continue;
        buf_add_utf8(b, byte);
        count++;
    }
    if (count < s.len)
        return ret_text(c, b, ret);
    trun_give(c->run, b);
    return ret_view(ret, s);
}

static int f_trunc(struct tmpl_call *c, struct tmpl_value *ret)
{
    int64_t n = c->args[0].i;
    str s = arg_text(c, 1);

    if (n < 0 && (uint64_t)-n < s.len)
        s = str_from(s, s.len - (size_t)-n);
    else if (n >= 0 && (uint64_t)n < s.len)
        s = str_sub(s, 0, (size_t)n);
    return ret_view(ret, s);
}

/* goutils' abbreviation: at most width bytes from offset on, "..." for what is left out. */
static void abbreviate(str s, int64_t offset, int64_t width, struct buf *out)
{
    int64_t len = (int64_t)s.len;

    offset = MIN(offset, len);
    if (len - offset < width - 3)
        offset = len - (width - 3);
    if (offset <= 4) {
        buf_add_str(out, str_sub(s, 0, (size_t)(width - 3)));
        buf_add_cstr(out, "...");
        return;
    }
    buf_add_cstr(out, "...");
    if (offset + width - 3 < len) {
        buf_add_str(out, str_sub(s, (size_t)offset, (size_t)MAX(width - 6, (int64_t)0)));
        buf_add_cstr(out, "...");
    } else {
        buf_add_str(out, str_from(s, (size_t)(len - (width - 3))));
    }
}

static int abbrev(struct tmpl_call *c, int64_t offset, int64_t width, str s, struct tmpl_value *ret)
{
    struct buf *b;

    if (width < 4 || (offset > 0 && width < 7) || (int64_t)s.len <= width)
        return ret_view(ret, s);
    b = trun_borrow(c->run);
    abbreviate(s, MAX(offset, (int64_t)0), width, b);
    return ret_text(c, b, ret);
}

static int f_abbrev(struct tmpl_call *c, struct tmpl_value *ret)
{
    return abbrev(c, 0, c->args[0].i, arg_text(c, 1), ret);
}

static int f_abbrevboth(struct tmpl_call *c, struct tmpl_value *ret)
{
    return abbrev(c, c->args[0].i, c->args[1].i, arg_text(c, 2), ret);
}

/* sprig takes each byte for a character: of "é" it sees U+00C3 and U+00A9. */
static int f_initials(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);
    str s = arg_text(c, 0);
    bool starts = true;

    for (size_t at = 0; at < s.len; at++) {
        unsigned char ch = (unsigned char)s.p[at];

        if (starts && !text_is_space(ch))
            buf_add_utf8(b, ch);
        starts = text_is_space(ch);
    }
    return ret_text(c, b, ret);
}

static int f_contains(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_bool(ret, str_contains(arg_text(c, 1), arg_text(c, 0)));
}

static int f_has_prefix(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_bool(ret, str_starts(arg_text(c, 1), arg_text(c, 0)));
}

static int f_has_suffix(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_bool(ret, str_ends(arg_text(c, 1), arg_text(c, 0)));
}

static int quote_all(struct tmpl_call *c, bool single, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);

    for (size_t i = 0; i < c->argc; i++) {
        if (tmpl_is_nil(c->args[i]))
            continue;
        if (b->len)
            buf_add_char(b, ' ');
        if (!single) {
            text_quote(value_strval(c->run, c->args[i]), false, b);
            continue;
        }
        buf_add_char(b, '\'');
        value_print(c->run, c->args[i], b);
        buf_add_char(b, '\'');
    }
    return ret_text(c, b, ret);
}

static int f_quote(struct tmpl_call *c, struct tmpl_value *ret) { return quote_all(c, false, ret); }
static int f_squote(struct tmpl_call *c, struct tmpl_value *ret) { return quote_all(c, true, ret); }

static int f_cat(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);

    for (size_t i = 0; i < c->argc && trun_room(c->run, b->len) == 0; i++) {
        if (tmpl_is_nil(c->args[i]))
            continue;
        if (b->len)
            buf_add_char(b, ' ');
        value_print(c->run, c->args[i], b);
    }
    return ret_text(c, b, ret);
}

static int indent(struct tmpl_call *c, const char *before, struct tmpl_value *ret)
{
    str s = arg_text(c, 1), line;
    int64_t blanks = c->args[0].i;
    struct buf *b;

    if (blanks < 0)
        return call_fail(c, "strings: negative Repeat count");
    if (trun_room(c->run, (size_t)blanks) < 0)
        return -1;
    b = trun_borrow(c->run);
    buf_add_cstr(b, before);
    for (str rest = s;;) {
        line = str_cut(rest, '\n', &rest);
        if (trun_room(c->run, b->len + (size_t)blanks) < 0)
            break;
        buf_add_repeat(b, ' ', (size_t)blanks);
        buf_add_str(b, line);
        if (!rest.p)
            break;
        buf_add_char(b, '\n');
    }
    return ret_text(c, b, ret);
}

static int f_indent(struct tmpl_call *c, struct tmpl_value *ret) { return indent(c, "", ret); }
static int f_nindent(struct tmpl_call *c, struct tmpl_value *ret) { return indent(c, "\n", ret); }

static int f_replace(struct tmpl_call *c, struct tmpl_value *ret)
{
    str old = arg_text(c, 0), new = arg_text(c, 1), s = arg_text(c, 2);
    struct buf *b = trun_borrow(c->run);
    size_t width;

    while (trun_room(c->run, b->len) == 0) {
        ssize_t at = old.len ? str_find(s, old) : 0;

        if (at < 0 || (!old.len && !s.len)) {
            buf_add_str(b, s);
            if (!old.len)
                buf_add_str(b, new);
            break;
        }
        buf_add_str(b, str_sub(s, 0, (size_t)at));
        buf_add_str(b, new);
        s = str_from(s, (size_t)at + old.len);
        if (!old.len) { /* an empty text stands before each character */
            str_utf8_at(s, 0, &width);
            buf_add(b, s.p, width);
            s = str_from(s, width);
        }
    }
    return ret_text(c, b, ret);
}

static int f_plural(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = c->args[c->args[2].i == 1 ? 0 : 1];
    return 0;
}

static int f_to_string(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, value_strval(c->run, c->args[0]));
}

static int f_hello(struct tmpl_call *c UNUSED, struct tmpl_value *ret)
{
    return ret_view(ret, STR("Hello!"));
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "trim", "S", f_trim, 0, "Without white space at both ends", "{{ trim \"  a \" }}",
             "a");
    func_add(to, "trimAll", "SS", f_trim_all, 0, "Without the characters of the first at both ends",
             "{{ trimAll \"-\" \"--a-\" }}", "a");
    func_add(to, "trimall", "SS", f_trim_all, 0, "The same as trimAll",
             "{{ trimall \"$\" \"$5\" }}", "5");
    func_add(to, "trimPrefix", "SS", f_trim_prefix, 0, "Without a prefix, if it has it",
             "{{ trimPrefix \"v\" \"v1\" }}", "1");
    func_add(to, "trimSuffix", "SS", f_trim_suffix, 0, "Without a suffix, if it has it",
             "{{ trimSuffix \"-\" \"a-\" }}", "a");
    func_add(to, "upper", "S", f_upper, 0, "In upper case", "{{ upper \"abc\" }}", "ABC");
    func_add(to, "lower", "S", f_lower, 0, "In lower case", "{{ lower \"ABC\" }}", "abc");
    func_add(to, "title", "S", f_title, 0, "With a capital at the start of each word",
             "{{ title \"two words\" }}", "Two Words");
    func_add(to, "untitle", "S", f_untitle, 0, "With a small letter at the start of each word",
             "{{ untitle \"Two Words\" }}", "two words");
    func_add(to, "repeat", "IS", f_repeat, 0, "So many times", "{{ repeat 3 \"ab\" }}", "ababab");
    func_add(to, "substr", "IIS", f_substr, 0,
             "The bytes from start to before end; a negative end is the end of the text",
             "{{ substr 1 3 \"hello\" }}", "el");
    func_add(to, "nospace", "S", f_nospace, 0, "Without any white space", "{{ nospace \"a b c\" }}",
             "abc");
    func_add(to, "trunc", "IS", f_trunc, 0, "The first bytes; of a negative count the last",
             "{{ trunc -3 \"hello\" }}", "llo");
    func_add(to, "abbrev", "IS", f_abbrev, 0, "At most so many bytes, \"...\" for the rest",
             "{{ abbrev 5 \"hello world\" }}", "he...");
    func_add(to, "abbrevboth", "IIS", f_abbrevboth, 0, "Abbreviated at both ends, from an offset",
             "{{ abbrevboth 5 10 \"1234 5678 9123\" }}", "...5678...");
    func_add(to, "initials", "S", f_initials, 0, "The first character of each word",
             "{{ initials \"First Try\" }}", "FT");
    func_add(to, "contains", "SS", f_contains, 0, "True when the second holds the first",
             "{{ contains \"cat\" \"catch\" }}", "true");
    func_add(to, "hasPrefix", "SS", f_has_prefix, 0, "True when the second begins with the first",
             "{{ hasPrefix \"ca\" \"catch\" }}", "true");
    func_add(to, "hasSuffix", "SS", f_has_suffix, 0, "True when the second ends with the first",
             "{{ hasSuffix \"ch\" \"catch\" }}", "true");
    func_add(to, "quote", "A*", f_quote, 0, "Each value in double quotes", "{{ quote \"a\" 1 }}",
             "\"a\" \"1\"");
    func_add(to, "squote", "A*", f_squote, 0, "Each value in single quotes, nothing escaped",
             "{{ squote \"a\" 1 }}", "'a' '1'");
    func_add(to, "cat", "A*", f_cat, 0, "The values with blanks between", "{{ cat \"a\" 1 true }}",
             "a 1 true");
    func_add(to, "indent", "IS", f_indent, 0, "Every line behind so many blanks",
             "{{ indent 2 \"a\\nb\" }}", "  a\n  b");
    func_add(to, "nindent", "IS", f_nindent, 0, "A line end, then as indent",
             "{{ nindent 2 \"a\" }}", "\n  a");
    func_add(to, "replace", "SSS", f_replace, 0, "Every occurrence of the first by the second",
             "{{ \"a.b.c\" | replace \".\" \"-\" }}", "a-b-c");
    func_add(to, "plural", "SSI", f_plural, 0, "The first for 1, else the second",
             "{{ plural \"one\" \"many\" 2 }}", "many");
    func_add(to, "toString", "A", f_to_string, 0, "Any value as text", "{{ toString 1.5 }}", "1.5");
    func_add(to, "hello", "", f_hello, 0, "A greeting", "{{ hello }}", "Hello!");
}
FUNC_GROUP(func_strings, "Strings", add_rows, IN_SPRIG);
