#include "expr/gotmpl/glob_priv.h"

#include "base/buf.h"

/* "[...]" at *at as a class of a regular expression; false when it has no end. */
static bool add_class(str pattern, size_t *at, struct buf *out)
{
    size_t i = *at + 1;

    buf_add_char(out, '[');
    if (i < pattern.len && (pattern.p[i] == '!' || pattern.p[i] == '^')) {
        buf_add_char(out, '^');
        i++;
    }
    for (; i < pattern.len && pattern.p[i] != ']'; i++) {
        if (pattern.p[i] == '\\' && i + 1 < pattern.len)
            i++;
        if (pattern.p[i] != '-' && strchr("[]\\^", pattern.p[i]) && pattern.p[i])
            buf_add_char(out, '\\');
        buf_add_char(out, pattern.p[i]);
    }
    buf_add_char(out, ']');
    *at = i;
    return i < pattern.len;
}

/* The pattern as a regular expression; false when it is none. */
static bool translate(str pattern, struct buf *out)
{
    unsigned braces = 0;
    size_t width = 1;

    for (size_t i = 0; i < pattern.len; i += width) {
        char c = pattern.p[i];

        width = 1;
        if (c == '*' && i + 1 < pattern.len && pattern.p[i + 1] == '*') {
            buf_add_cstr(out, "(?s:.*)");
            width = 2;
        } else if (c == '*' || c == '?') {
            buf_add_cstr(out, c == '*' ? "[^/]*" : "[^/]");
        } else if (c == '[') {
            if (!add_class(pattern, &i, out))
                return false;
        } else if (c == '{') {
            braces++;
            buf_add_cstr(out, "(?:");
        } else if (c == '}' && braces) {
            braces--;
            buf_add_char(out, ')');
        } else if (c == ',' && braces) {
            buf_add_char(out, '|');
        } else {
            if (c == '\\' && ++i == pattern.len)
                return false;
            str_utf8_at(pattern, i, &width);
            re_quote_meta(str_sub(pattern, i, width), out);
        }
    }
    return braces == 0;
}

struct re *glob_compile(str pattern)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};

    return translate(pattern, &text) ? re_compile(buf_view(&text), 0, &e) : NULL;
}
