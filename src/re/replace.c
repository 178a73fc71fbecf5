#include "re/re_priv.h"

static bool is_name_char(uint32_t c)
{
    return (c < 0x80 && re_is_word((int)c)) ||
           (c >= 0x80 && (re_unicode_is("L", c) || re_unicode_is("Nd", c)));
}

static size_t name_length(str s)
{
    size_t at = 0, width;

    while (at < s.len && is_name_char(str_utf8_at(s, at, &width)))
        at += width;
    return at;
}

/* $name or ${name} at the beginning of *rest, which moves behind it; false when the dollar stands
 * for itself. */
static bool take_name(str *rest, str *ret)
{
    str s = str_from(*rest, 1);
    bool has_brace = str_drop_prefix(&s, STR("{"));
    size_t len = name_length(s);

    if (len == 0 || (has_brace && (len == s.len || s.p[len] != '}')))
        return false;
    *ret = str_sub(s, 0, len);
    *rest = str_from(s, len + has_brace);
    return true;
}

/* All digits, no leading zero. */
static bool is_number(str name, uint64_t *ret)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.p[i] < '0' || name.p[i] > '9')
            return false;
    return (name.len == 1 || name.p[0] != '0') && name.len <= 8 && str_to_uint64(name, ret);
}

static void add_span(str text, struct re_span span, struct buf *out)
{
    if (span.from >= 0)
        buf_add_str(out, str_sub(text, (size_t)span.from, (size_t)(span.to - span.from)));
}

static void add_group(const struct re *re, str text, str name, const struct re_span *spans,
                      struct buf *out)
{
    uint64_t number;

    if (is_number(name, &number)) {
        if (number <= re->names.len)
            add_span(text, spans[number], out);
        return;
    }
    for (size_t i = 0; i < re->names.len; i++) {
        if (str_eq(re->names.v[i], name) && spans[i + 1].from >= 0) {
            add_span(text, spans[i + 1], out);
            return;
        }
    }
}

/* Appends the template for one match. spans: all groups of re, the whole match first. */
static void re_expand(const struct re *re, str text, str template, const struct re_span *spans,
                      struct buf *out)
{
    while (template.len) {
        ssize_t dollar = str_find_char(template, '$');
        str name;

        if (dollar < 0)
            break;
        buf_add(out, template.p, (size_t)dollar);
        template = str_from(template, (size_t)dollar);
        if (str_starts(template, STR("$$"))) {
            buf_add_char(out, '$');
            template = str_from(template, 2);
        } else if (take_name(&template, &name)) {
            add_group(re, text, name, spans, out);
        } else {
            buf_add_char(out, '$');
            template = str_from(template, 1);
        }
    }
    buf_add_str(out, template);
}

/* is_literal: the template is the replacement itself. */
static void replace(const struct re *re, str text, str template, bool is_literal, struct buf *out)
{
    size_t count = is_literal ? 1 : re->names.len + 1, done = 0;
    struct re_span *spans = mem_zalloc(count * sizeof(*spans));
    struct re_iter it = re_find_all(re, text, spans, count);

    while (re_next(&it)) {
        buf_add_str(out, str_sub(text, done, (size_t)spans[0].from - done));
        if (is_literal)
            buf_add_str(out, template);
        else
            re_expand(re, text, template, spans, out);
        done = (size_t)spans[0].to;
    }
    buf_add_str(out, str_from(text, done));
    mem_free(spans);
}

void re_replace_all(const struct re *re, str text, str template, struct buf *out)
{
    replace(re, text, template, str_find_char(template, '$') < 0, out);
}

void re_replace_all_literal(const struct re *re, str text, str with, struct buf *out)
{
    replace(re, text, with, true, out);
}

void re_split(const struct re *re, str text, int limit, struct str_vec *ret)
{
    struct re_span span;
    struct re_iter it = re_find_all(re, text, &span, 1);
    size_t begin = 0, end = 0, count = 0;

    if (limit == 0)
        return;
    if (text.len == 0 && re->pattern.len) {
        vec_push(ret, STR(""));
        return;
    }
    while ((limit < 0 || count < (size_t)limit - 1) && re_next(&it)) {
        end = (size_t)span.from;
        if (span.to != 0) { /* an empty match at the beginning divides nothing */
            vec_push(ret, str_sub(text, begin, end - begin));
            count++;
        }
        begin = (size_t)span.to;
    }
    if (end != text.len)
        vec_push(ret, str_from(text, begin));
}

void re_quote_meta(str text, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] && strchr("\\.+*?()|[]{}^$", text.p[i]))
            buf_add_char(out, '\\');
        buf_add_char(out, text.p[i]);
    }
}
