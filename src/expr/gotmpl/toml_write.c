/* Values as TOML: scalars first, then tables, their contents indented (template spec 16.3). */
#include <math.h>

#include "expr/gotmpl/format_priv.h"
#include "expr/gotmpl/objects_priv.h"

struct writer {
    struct tmpl_run *r;
    struct buf *out, *why;
    struct buf path; /* of the table that is being written */
    unsigned depth;
};

static bool write_value(struct writer *w, struct tmpl_value v);
static bool write_table(struct writer *w, struct tmpl_value map);
static bool is_tables(struct tmpl_run *r, struct tmpl_value v);
static bool is_sub(struct tmpl_run *r, struct tmpl_value v);

static void write_string(struct buf *out, str s)
{
    static const char codes[] = "\b\t\n\f\r\"\\", names[] = "btnfr\"\\";

    buf_add_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        const char *found = s.p[i] ? strchr(codes, s.p[i]) : NULL;

        if (found)
            buf_addf(out, "\\%c", names[found - codes]);
        else if ((unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f)
            buf_addf(out, "\\u00%02x", (unsigned char)s.p[i]);
        else
            buf_add_char(out, s.p[i]);
    }
    buf_add_char(out, '"');
}

static void write_key(struct buf *out, str key)
{
    bool is_bare = key.len;

    for (size_t i = 0; i < key.len; i++) {
        char c = key.p[i];

        is_bare = is_bare && ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
                              c == '_' || c == '-');
    }
    if (is_bare)
        buf_add_str(out, key);
    else
        write_string(out, key);
}

static bool fail(struct writer *w, const char *why)
{
    if (!w->why->len)
        buf_add_cstr(w->why, why);
    return false;
}

static void write_float(struct writer *w, double f)
{
    size_t before = w->out->len;

    if (isnan(f) || isinf(f)) {
        buf_add_cstr(w->out, isnan(f) ? "nan" : f < 0 ? "-inf" : "inf");
        return;
    }
    value_add_float(f, w->out);
    if (!memchr(w->out->p + before, '.', w->out->len - before) &&
        !memchr(w->out->p + before, 'e', w->out->len - before))
        buf_add_cstr(w->out, ".0");
}

static bool is_table(struct tmpl_value v) { return v.type == TMPL_MAP || value_is_struct(v); }

static const struct tmpl_entry *entries_of(struct tmpl_run *r, struct tmpl_value table,
                                           size_t *ret_count)
{
    return table.type == TMPL_MAP ? value_entries(r, table, ret_count)
                                  : struct_entries(r, table, ret_count);
}

/* What a date without a time, or a time without a zone, was read from says its zone's name. */
static void write_time(struct writer *w, struct moment at)
{
    static const struct {
        const char *zone, *layout;
    } rows[] = {{"date-local", "2006-01-02"},
                {"time-local", "15:04:05.999999999"},
                {"datetime-local", "2006-01-02T15:04:05.999999999"}};
    const char *layout = "2006-01-02T15:04:05.999999999Z07:00";
    struct civil civil;

    civil_of(at, &civil);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (str_eq(civil.zone, str_of(rows[i].zone)))
            layout = rows[i].layout;
    layout_format(at, str_of(layout), w->out);
}

static bool write_list(struct writer *w, struct tmpl_value v)
{
    const struct tmpl_value *items = value_items(w->r, v);

    buf_add_char(w->out, '[');
    for (size_t i = 0; i < v.len; i++) {
        buf_add_cstr(w->out, i ? ", " : "");
        if (tmpl_is_nil(items[i]))
            return fail(w, "toml: cannot encode array with nil element");
        if (!write_value(w, items[i]))
            return false;
    }
    buf_add_char(w->out, ']');
    return true;
}

static bool write_inline(struct writer *w, struct tmpl_value v)
{
    size_t count;
    const struct tmpl_entry *entries = entries_of(w->r, v, &count);
    const char *between = "";

    buf_add_char(w->out, '{');
    for (int round = 0; round < 2; round++) /* tables behind the rest, as everywhere */
        for (size_t i = 0; i < count; i++) {
            if (tmpl_is_nil(entries[i].value) || is_sub(w->r, entries[i].value) != (round == 1))
                continue;
            buf_add_cstr(w->out, between);
            between = ", ";
            write_key(w->out, entries[i].key);
            buf_add_cstr(w->out, " = ");
            if (!write_value(w, entries[i].value))
                return false;
        }
    buf_add_char(w->out, '}');
    return true;
}

static bool write_value(struct writer *w, struct tmpl_value v)
{
    if (trun_step(w->r) < 0 || trun_room(w->r, w->out->len) < 0)
        return fail(w, "toml: the value is too large");
    switch ((enum tmpl_type)v.type) {
    case TMPL_FLOAT:
        write_float(w, v.f);
        return true;
    case TMPL_STRING:
        write_string(w->out, tmpl_text(v));
        return true;
    case TMPL_LIST:
        return write_list(w, v);
    case TMPL_MAP:
        return write_inline(w, v);
    case TMPL_OBJECT:
        if (value_is_struct(v))
            return write_inline(w, v);
        if (value_is(v, &object_time))
            write_time(w, time_of(v));
        else
            write_string(w->out, value_strval(w->r, v));
        return true;
    case TMPL_INVALID:
    case TMPL_NIL:
    case TMPL_COMPLEX:
        return fail(w, "toml: unsupported type");
    case TMPL_BOOL:
    case TMPL_INT:
    case TMPL_INT64:
    case TMPL_UINT8:
    case TMPL_UINT64:
        value_print(w->r, v, w->out);
        return true;
    }
    return false;
}

static bool is_sub(struct tmpl_run *r, struct tmpl_value v)
{
    return is_table(v) || is_tables(r, v);
}

static bool is_tables(struct tmpl_run *r, struct tmpl_value v)
{
    const struct tmpl_value *items;

    if (v.type != TMPL_LIST || !v.len)
        return false;
    items = value_items(r, v);
    for (size_t i = 0; i < v.len; i++)
        if (!is_table(items[i]))
            return false;
    return true;
}

static void indent(const struct writer *w, unsigned depth)
{
    buf_add_repeat(w->out, ' ', (size_t)depth * 2);
}

/* "[a.b]" or "[[a.b]]" for the table at w->path; an empty line stands before those at the top and
 * before items of lists. */
static void write_header(struct writer *w, bool is_item)
{
    if (w->out->len && (is_item || w->depth == 0))
        buf_add_char(w->out, '\n');
    indent(w, w->depth);
    buf_addf(w->out, is_item ? "[[%s]]\n" : "[%s]\n", buf_cstr(&w->path));
}

static bool write_inner(struct writer *w, struct tmpl_value map, bool is_item)
{
    bool is_good;

    write_header(w, is_item);
    w->depth++;
    is_good = write_table(w, map);
    w->depth--;
    return is_good;
}

static bool write_tables(struct writer *w, str key, struct tmpl_value v)
{
    size_t before = w->path.len;
    bool is_good = true;

    buf_add_cstr(&w->path, before ? "." : "");
    write_key(&w->path, key);
    if (is_table(v)) {
        is_good = write_inner(w, v, false);
    } else {
        const struct tmpl_value *items = value_items(w->r, v);

        for (size_t i = 0; is_good && i < v.len; i++)
            is_good = write_inner(w, items[i], true);
    }
    buf_trunc(&w->path, before);
    return is_good;
}

static bool write_table(struct writer *w, struct tmpl_value map)
{
    size_t count;
    const struct tmpl_entry *entries = entries_of(w->r, map, &count);

    if (trun_step(w->r) < 0)
        return fail(w, "toml: the value is too large");
    for (size_t i = 0; i < count; i++) {
        struct tmpl_value v = entries[i].value;

        if (tmpl_is_nil(v) || is_sub(w->r, v))
            continue;
        indent(w, w->depth);
        write_key(w->out, entries[i].key);
        buf_add_cstr(w->out, " = ");
        if (!write_value(w, v))
            return false;
        buf_add_char(w->out, '\n');
    }
    for (size_t i = 0; i < count; i++) {
        struct tmpl_value v = entries[i].value;

        if (is_sub(w->r, v) && !write_tables(w, entries[i].key, v))
            return false;
    }
    return true;
}

bool format_toml(struct tmpl_run *r, struct tmpl_value v, struct buf *out, struct buf *why)
{
    struct writer w = {.r = r, .out = out, .why = why};
    bool is_good;

    if (is_table(v))
        is_good = write_table(&w, v);
    else
        is_good = tmpl_is_nil(v) ? fail(&w, "reflect: call of reflect.Value.Type on zero Value")
                  : (v.type == TMPL_LIST && is_tables(r, v))
                      ? fail(&w, "toml: top-level values must be Go maps or structs")
                      : write_value(&w, v);
    buf_done(&w.path);
    return is_good;
}
