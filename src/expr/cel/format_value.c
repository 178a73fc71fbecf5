#include "expr/cel/format_priv.h"

#include <math.h>

#include "expr/gotmpl/text_priv.h"

#define INFINITY_SIGN "\xe2\x88\x9e"

/* ---- doubles */

static bool add_special(double d, struct buf *out)
{
    if (isnan(d))
        buf_add_cstr(out, "NaN");
    else if (isinf(d))
        buf_add_cstr(out, d < 0 ? "-" INFINITY_SIGN : INFINITY_SIGN);
    return !isfinite(d);
}

void cel_format_fixed(double d, int precision, struct buf *out)
{
    AUTO(buf_done) struct buf plain = {0};
    size_t whole;
    str text;

    if (add_special(d, out))
        return;
    buf_addf(&plain, "%.*f", precision, d);
    text = buf_view(&plain);
    if (str_drop_prefix(&text, STR("-")))
        buf_add_char(out, '-');
    whole = str_cut(text, '.', NULL).len;
    for (size_t i = 0; i < whole; i++) {
        if (i && (whole - i) % 3 == 0)
            buf_add_char(out, ',');
        buf_add_char(out, text.p[i]);
    }
    buf_add_str(out, str_from(text, whole));
}

static void add_exponent(const char *p, struct buf *out)
{
    static const char digits[][4] = {"\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",
                                     "\xe2\x81\xb4", "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7",
                                     "\xe2\x81\xb8", "\xe2\x81\xb9"};

    if (*p == '-')
        buf_add_cstr(out, "\xe2\x81\xbb");
    for (p++; *p; p++)
        buf_add_cstr(out, digits[*p - '0']);
}

void cel_format_scientific(double d, int width, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};
    int64_t shown;

    if (!add_special(d, &text)) {
        char plain[40];
        char *e;

        snprintf(plain, sizeof(plain), "%.6e", d);
        e = strchr(plain, 'e');
        buf_add(&text, plain, (size_t)(e - plain));
        buf_add_cstr(&text, "\xc3\x97"
                            "10");
        add_exponent(e + 1, &text);
    }
    shown = cel_code_points(buf_view(&text));
    if (shown < width)
        buf_add_repeat(out, ' ', (size_t)(width - shown));
    buf_add_str(out, buf_view(&text));
}

/* ---- lists and maps */

static bool add_list(struct arena *arena, const struct cel_list *l, struct buf *out,
                     struct buf *why)
{
    buf_add_char(out, '[');
    for (size_t i = 0; i < l->len; i++) {
        if (i)
            buf_add_cstr(out, ", ");
        if (!cel_format_value(arena, &l->v[i], true, out, why))
            return false;
    }
    buf_add_char(out, ']');
    return true;
}

struct printed {
    str key;
    const struct cel_value *value;
};

static int compare_printed(const void *x, const void *y)
{
    const struct printed *a = x, *b = y;

    return str_cmp(a->key, b->key);
}

static bool print_key(struct arena *arena, const struct cel_value *key, str *ret, struct buf *why)
{
    AUTO(buf_done) struct buf text = {0};
    str name;

    if (key->kind == CEL_BOOL || key->kind == CEL_INT || key->kind == CEL_UINT ||
        key->kind == CEL_STRING) {
        cel_format_value(arena, key, true, &text, why);
        *ret = arena_dup(arena, buf_view(&text));
        return true;
    }
    name = cel_type_runtime_name(cel_type_of_value(arena, key));
    buf_addf(why, "no formatting function for map key of type %.*s", STR_ARG(name));
    return false;
}

static bool add_map(struct arena *arena, const struct cel_map *m, struct buf *out, struct buf *why)
{
    const struct cel_entry *entries = cel_map_entries(arena, m);
    size_t len = cel_map_len(m);
    struct printed *sorted = ARENA_ARRAY(arena, struct printed, len);

    for (size_t i = 0; i < len; i++) {
        sorted[i].value = &entries[i].value;
        if (!print_key(arena, &entries[i].key, &sorted[i].key, why))
            return false;
    }
    if (len > 1)
        qsort(sorted, len, sizeof(*sorted), compare_printed);
    buf_add_char(out, '{');
    for (size_t i = 0; i < len; i++) {
        if (i)
            buf_add_cstr(out, ", ");
        buf_add_str(out, sorted[i].key);
        buf_add_char(out, ':');
        if (!cel_format_value(arena, sorted[i].value, true, out, why))
            return false;
    }
    buf_add_char(out, '}');
    return true;
}

/* ---- inside them */

static void add_nested_double(double d, struct buf *out)
{
    if (isnan(d))
        buf_add_cstr(out, "\"NaN\"");
    else if (isinf(d))
        buf_add_cstr(out, d < 0 ? "\"-Inf\"" : "\"+Inf\"");
    else
        buf_addf(out, "%f", d);
}

/* Kinds that look different inside; false: this is none. */
static bool add_nested(const struct cel_value *v, str text, struct buf *out)
{
    switch (v->kind) {
    case CEL_DOUBLE:
        add_nested_double(v->d, out);
        return true;
    case CEL_STRING:
        text_quote(v->s, false, out);
        return true;
    case CEL_BYTES:
        buf_add_char(out, 'b');
        text_quote(v->s, false, out);
        return true;
    case CEL_TIMESTAMP:
    case CEL_DURATION:
        buf_addf(out, "%s(\"%.*s\")", v->kind == CEL_DURATION ? "duration" : "timestamp",
                 STR_ARG(text));
        return true;
    default:
        return false;
    }
}

bool cel_format_value(struct arena *arena, const struct cel_value *v, bool is_nested,
                      struct buf *out, struct buf *why)
{
    struct cel_value text;

    if (v->kind == CEL_LIST)
        return add_list(arena, v->list, out, why);
    if (v->kind == CEL_MAP)
        return add_map(arena, v->map, out, why);
    if (v->kind == CEL_OBJECT || v->kind == CEL_OPTIONAL || v->kind == CEL_ERROR)
        return false;
    text = cel_to_string(arena, v);
    if (text.kind == CEL_ERROR) {
        buf_addf(why, "could not convert argument \"%.*s\" to string", STR_ARG(text.error->text));
        return false;
    }
    if (!is_nested || !add_nested(v, text.s, out))
        buf_add_str(out, text.s);
    return true;
}
