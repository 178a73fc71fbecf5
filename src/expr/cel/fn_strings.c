/* The strings library but for format (cel spec 10.1). Positions are code points. */
#include "expr/cel/fn_priv.h"
#include "expr/gotmpl/text_priv.h"

static struct cel_value bad_index(struct cel_run *r, int64_t i)
{
    return cel_fail(r->arena, CEL_OUT_OF_RANGE, "index out of range: %lld", (long long)i);
}

FN(char_at)
{
    size_t at, width = 0;

    if (a[1].i < 0 || a[1].i > cel_code_points(a[0].s))
        return bad_index(r, a[1].i);
    at = cel_offset_of(a[0].s, a[1].i);
    if (at < a[0].s.len)
        str_utf8_at(a[0].s, at, &width);
    return cel_make_string(str_sub(a[0].s, at, width));
}

/* ---- searching */

/* Of a byte offset, or of nothing (-1). */
static struct cel_value position(str s, ssize_t at)
{
    return cel_make_int(at < 0 ? -1 : cel_code_points(str_sub(s, 0, (size_t)at)));
}

FN(index_of) { return position(a[0].s, str_find(a[0].s, a[1].s)); }

/* An empty needle is wherever it is looked for, even beyond the end. */
FN(index_of_from)
{
    size_t from;
    ssize_t at;

    if (!a[1].s.len)
        return a[2];
    if (a[2].i < 0)
        return bad_index(r, a[2].i);
    from = cel_offset_of(a[0].s, a[2].i);
    at = str_find(str_from(a[0].s, from), a[1].s);
    return position(a[0].s, at < 0 ? -1 : at + (ssize_t)from);
}

static ssize_t find_last(str s, str needle, size_t last)
{
    if (needle.len > s.len)
        return -1;
    for (size_t i = MIN(last, s.len - needle.len) + 1; i-- > 0;) {
        if (memcmp(s.p + i, needle.p, needle.len) == 0)
            return (ssize_t)i;
    }
    return -1;
}

FN(last_index_of)
{
    if (!a[1].s.len)
        return cel_make_int(cel_code_points(a[0].s));
    return position(a[0].s, find_last(a[0].s, a[1].s, a[0].s.len));
}

FN(last_index_of_to)
{
    if (!a[1].s.len)
        return a[2];
    if (a[2].i < 0)
        return bad_index(r, a[2].i);
    if (a[2].i >= cel_code_points(a[0].s))
        return cel_make_int(-1);
    return position(a[0].s, find_last(a[0].s, a[1].s, cel_offset_of(a[0].s, a[2].i)));
}

/* ---- parts */

FN(substring_from)
{
    if (a[1].i < 0 || a[1].i > cel_code_points(a[0].s))
        return bad_index(r, a[1].i);
    return cel_make_string(str_from(a[0].s, cel_offset_of(a[0].s, a[1].i)));
}

FN(substring)
{
    int64_t size = cel_code_points(a[0].s);
    size_t from;

    if (a[1].i > a[2].i)
        return cel_fail(r->arena, CEL_OUT_OF_RANGE,
                        "invalid substring range. start: %lld, end: %lld", (long long)a[1].i,
                        (long long)a[2].i);
    if (a[1].i < 0 || a[1].i > size)
        return bad_index(r, a[1].i);
    if (a[2].i > size)
        return bad_index(r, a[2].i);
    from = cel_offset_of(a[0].s, a[1].i);
    return cel_make_string(str_sub(a[0].s, from, cel_offset_of(a[0].s, a[2].i) - from));
}

FN(trim) { return cel_make_string(text_trim_space(a[0].s)); }

/* The next piece: up to the separator, or one character when that is empty. */
static str next_piece(str *rest, str separator)
{
    ssize_t at = str_find(*rest, separator);
    size_t len = at < 0 ? rest->len : (size_t)at;
    str piece;

    if (!separator.len)
        str_utf8_at(*rest, 0, &len);
    piece = str_sub(*rest, 0, len);
    *rest = str_from(*rest, len + separator.len);
    return piece;
}

static bool has_piece(str rest, str separator, bool ended)
{
    return separator.len ? !ended : rest.len > 0;
}

/* At most limit pieces, < 0: all. The last is the rest. */
static struct cel_value split_into(struct cel_run *r, str s, str separator, int64_t limit)
{
    struct cel_value *v;
    size_t most = (size_t)cel_code_points(s) + 1, n = 0;
    bool ended = false;

    if (!cel_spend(r, most))
        return cel_work_exceeded(r);
    v = ARENA_ARRAY(r->arena, struct cel_value, most);
    while (limit != 0 && has_piece(s, separator, ended)) {
        if (limit > 0 && (int64_t)n + 1 == limit) {
            v[n++] = cel_make_string(s);
            break;
        }
        ended = separator.len && str_find(s, separator) < 0;
        v[n++] = cel_make_string(next_piece(&s, separator));
    }
    return cel_make_list(r->arena, v, n);
}

FN(split) { return split_into(r, a[0].s, a[1].s, -1); }
FN(split_limit) { return split_into(r, a[0].s, a[1].s, a[2].i); }

/* ---- changing */

static struct cel_value with_case(struct cel_run *r, str s, char first, char last, int shift)
{
    char *p = arena_alloc(r->arena, s.len + 1);

    for (size_t i = 0; i < s.len; i++)
        p[i] = (char)(s.p[i] >= first && s.p[i] <= last ? s.p[i] + shift : s.p[i]);
    return cel_make_string((str){p, s.len});
}

FN(lower_ascii) { return with_case(r, a[0].s, 'A', 'Z', 'a' - 'A'); }
FN(upper_ascii) { return with_case(r, a[0].s, 'a', 'z', 'A' - 'a'); }

/* An empty text stands before every character and at the end. */
static void replace_empty(str s, str with, int64_t limit, struct buf *out)
{
    size_t at = 0, width;

    while (limit != 0) {
        buf_add_str(out, with);
        limit--;
        if (at >= s.len)
            return;
        str_utf8_at(s, at, &width);
        buf_add_str(out, str_sub(s, at, width));
        at += width;
    }
    buf_add_str(out, str_from(s, at));
}

static struct cel_value replace_some(struct cel_run *r, str s, str old, str with, int64_t limit)
{
    AUTO(buf_done) struct buf out = {0};
    ssize_t at;

    if (with.len && !cel_spend(r, s.len / (old.len + 1) * with.len / 64))
        return cel_work_exceeded(r);
    if (!old.len) {
        replace_empty(s, with, limit, &out);
        return cel_keep_string(r, &out);
    }
    while (limit != 0 && (at = str_find(s, old)) >= 0) {
        buf_add_str(&out, str_sub(s, 0, (size_t)at));
        buf_add_str(&out, with);
        s = str_from(s, (size_t)at + old.len);
        limit--;
    }
    buf_add_str(&out, s);
    return cel_keep_string(r, &out);
}

FN(replace) { return replace_some(r, a[0].s, a[1].s, a[2].s, -1); }
FN(replace_limit) { return replace_some(r, a[0].s, a[1].s, a[2].s, a[3].i); }

static struct cel_value join_with(struct cel_run *r, const struct cel_list *l, str separator)
{
    AUTO(buf_done) struct buf out = {0};

    if (!cel_spend(r, l->len))
        return cel_work_exceeded(r);
    for (size_t i = 0; i < l->len; i++) {
        struct cel_value text = cel_to_string(r->arena, &l->v[i]);

        if (text.kind == CEL_ERROR)
            return text;
        if (l->v[i].kind != CEL_STRING)
            return cel_fail(r->arena, CEL_OTHER, "join: invalid input: %.*s", STR_ARG(text.s));
        if (i)
            buf_add_str(&out, separator);
        buf_add_str(&out, text.s);
    }
    return cel_keep_string(r, &out);
}

FN(join) { return join_with(r, a[0].list, STR("")); }
FN(join_separated) { return join_with(r, a[0].list, a[1].s); }

FN(reverse)
{
    str s = a[0].s;
    char *p = arena_alloc(r->arena, s.len + 1);

    for (size_t at = 0, width; at < s.len; at += width) {
        str_utf8_at(s, at, &width);
        memcpy(p + s.len - at - width, s.p + at, width);
    }
    return cel_make_string((str){p, s.len});
}

FN(quote)
{
    static const char special[] = "\a\b\f\n\r\t\v\\\"", letters[] = "abfnrtv\\\"";
    AUTO(buf_done) struct buf out = {0};

    buf_add_char(&out, '"');
    for (size_t i = 0; i < a[0].s.len; i++) {
        char c = a[0].s.p[i];
        const char *at = c ? strchr(special, c) : NULL;

        if (at)
            buf_add_char(&out, '\\');
        buf_add_char(&out, at ? letters[at - special] : c);
    }
    buf_add_char(&out, '"');
    return cel_keep_string(r, &out);
}

void cel_rows_strings(const struct cel_rows *to)
{
    cel_add_row(to, "charAt", true, "string,int", "string", char_at);
    cel_add_row(to, "indexOf", true, "string,string", "int", index_of);
    cel_add_row(to, "indexOf", true, "string,string,int", "int", index_of_from);
    cel_add_row(to, "lastIndexOf", true, "string,string", "int", last_index_of);
    cel_add_row(to, "lastIndexOf", true, "string,string,int", "int", last_index_of_to);
    cel_add_row(to, "join", true, "list(string)", "string", join);
    cel_add_row(to, "join", true, "list(string),string", "string", join_separated);
    cel_add_row(to, "lowerAscii", true, "string", "string", lower_ascii);
    cel_add_row(to, "upperAscii", true, "string", "string", upper_ascii);
    cel_add_row(to, "replace", true, "string,string,string", "string", replace);
    cel_add_row(to, "replace", true, "string,string,string,int", "string", replace_limit);
    cel_add_row(to, "split", true, "string,string", "list(string)", split);
    cel_add_row(to, "split", true, "string,string,int", "list(string)", split_limit);
    cel_add_row(to, "substring", true, "string,int", "string", substring_from);
    cel_add_row(to, "substring", true, "string,int,int", "string", substring);
    cel_add_row(to, "trim", true, "string", "string", trim);
    cel_add_row(to, "strings.quote", false, "string", "string", quote);
}

void cel_rows_reverse(const struct cel_rows *to)
{
    cel_add_row(to, "reverse", true, "string", "string", reverse);
}
