/* Values as JSON text, as Go's encoding/json writes it (template spec 16.2). */
#include <math.h>

#include "base/escape.h"
#include "base/num.h"
#include "doc/parse.h"
#include "expr/gotmpl/format_priv.h"
#include "expr/gotmpl/objects_priv.h"

struct writer {
    struct tmpl_run *r;
    struct buf *out;
    unsigned flags, depth;
    const char *why; /* what cannot be written, or NULL */
};

static void write_value(struct writer *w, struct tmpl_value v);

static void line(const struct writer *w)
{
    if (w->flags & JSON_PRETTY) {
        buf_add_char(w->out, '\n');
        buf_add_repeat(w->out, ' ', (size_t)w->depth * 2);
    }
}

/* Bytes that stand for themselves in JSON, with HTML's escapes too. */
static bool is_plain(str s)
{
    static const bool plain[256] = {
        [' '] = true, ['!'] = true,         ['#' ... '%'] = true,  ['\'' ... ';'] = true,
        ['='] = true, ['?' ... '['] = true, [']' ... 0x7f] = true,
    };

    for (size_t i = 0; i < s.len; i++)
        if (!plain[(unsigned char)s.p[i]])
            return false;
    return true;
}

static void write_plain(struct buf *out, str s)
{
    buf_grow(out, s.len + 2);
    out->p[out->len++] = '"';
    if (s.len)
        memcpy(out->p + out->len, s.p, s.len);
    out->len += s.len;
    buf_add_char(out, '"');
}

static void write_string(const struct writer *w, str s)
{
    AUTO(buf_done) struct buf fixed = {0};
    ssize_t at;

    if (is_plain(s)) {
        write_plain(w->out, s);
        return;
    }
    buf_add_char(w->out, '"');
    escape_json(s, w->flags & JSON_HTML, &fixed);
    for (str rest = buf_view(&fixed); rest.len; rest = str_from(rest, (size_t)at)) {
        /* U+2028 and U+2029 are escaped with every setting. */
        at = str_find(rest, STR("\xe2\x80\xa8"));
        if (at < 0 || (w->flags & JSON_HTML))
            at = str_find(rest, STR("\xe2\x80\xa9"));
        at = at < 0 ? (ssize_t)rest.len : at;
        buf_add(w->out, rest.p, (size_t)at);
        if ((size_t)at < rest.len) {
            buf_addf(w->out, "\\u202%c", rest.p[at + 2] == '\xa8' ? '8' : '9');
            at += 3;
        }
    }
    buf_add_char(w->out, '"');
}

static void write_list(struct writer *w, struct tmpl_value v)
{
    const struct tmpl_value *items;

    if (v.elem == TMPL_BYTES) {
        buf_add_char(w->out, '"');
        escape_base64(tmpl_text(v), true, w->out);
        buf_add_char(w->out, '"');
        return;
    }
    items = value_items(w->r, v);
    if (!items || !v.len) {
        buf_add_cstr(w->out, items ? "[]" : "null");
        return;
    }
    buf_add_char(w->out, '[');
    w->depth++;
    for (size_t i = 0; i < v.len && !w->why; i++) {
        if (i)
            buf_add_char(w->out, ',');
        line(w);
        write_value(w, items[i]);
    }
    w->depth--;
    line(w);
    buf_add_char(w->out, ']');
}

static void write_map(struct writer *w, struct tmpl_value v)
{
    size_t count;
    const struct tmpl_entry *entries = value_entries(w->r, v, &count);

    if (!count) {
        buf_add_cstr(w->out, v.map || v.flags & TMPL_IS_DOC ? "{}" : "null");
        return;
    }
    buf_add_char(w->out, '{');
    w->depth++;
    for (size_t i = 0; i < count && !w->why; i++) {
        if (i)
            buf_add_char(w->out, ',');
        line(w);
        write_string(w, entries[i].key);
        buf_add_char(w->out, ':');
        if (w->flags & JSON_PRETTY)
            buf_add_char(w->out, ' ');
        write_value(w, entries[i].value);
    }
    w->depth--;
    line(w);
    buf_add_char(w->out, '}');
}

static void write_struct(struct writer *w, struct tmpl_value v)
{
    const struct tmpl_field *fields = v.object->class->fields;
    bool is_first = true;

    buf_add_char(w->out, '{');
    w->depth++;
    for (const struct tmpl_field *f = fields; f->name && !w->why; f++) {
        struct tmpl_value value = struct_values(v)[f - fields];

        if (f->is_hidden || (f->omits_empty && !value_truth(w->r, value)))
            continue;
        if (!is_first)
            buf_add_char(w->out, ',');
        is_first = false;
        line(w);
        write_string(w, str_of(f->json));
        buf_add_cstr(w->out, w->flags & JSON_PRETTY ? ": " : ":");
        write_value(w, value);
    }
    w->depth--;
    line(w);
    buf_add_char(w->out, '}');
}

static void write_object(struct writer *w, struct tmpl_value v)
{
    AUTO(buf_done) struct buf text = {0};

    if (value_is_struct(v)) {
        write_struct(w, v);
    } else if (value_is(v, &object_duration)) {
        buf_addf(w->out, "%lld", (long long)duration_of(v));
    } else if (value_is(v, &object_certificate)) {
        const struct certificate_object *o = (const struct certificate_object *)v.object;

        buf_add_cstr(w->out, "{\"Cert\":");
        write_string(w, o->cert);
        buf_add_cstr(w->out, ",\"Key\":");
        write_string(w, o->key);
        buf_add_char(w->out, '}');
    } else {
        if (value_is(v, &object_time))
            layout_format(time_of(v), STR("2006-01-02T15:04:05.999999999Z07:00"), &text);
        else
            v.object->class->print(v.object, &text);
        write_string(w, buf_view(&text));
    }
}

static void write_float(struct writer *w, double f)
{
    if (isnan(f) || isinf(f))
        w->why = isnan(f) ? "json: unsupported value: NaN"
                 : f > 0  ? "json: unsupported value: +Inf"
                          : "json: unsupported value: -Inf";
    else
        num_add_double(w->out, f, NUM_JSON);
}

static void write_value(struct writer *w, struct tmpl_value v)
{
    if (trun_step(w->r) < 0 || trun_room(w->r, w->out->len) < 0) {
        w->why = "json: the value is too large";
        return;
    }
    switch ((enum tmpl_type)v.type) {
    case TMPL_INVALID:
    case TMPL_NIL:
        buf_add_cstr(w->out, "null");
        break;
    case TMPL_FLOAT:
        write_float(w, v.f);
        break;
    case TMPL_COMPLEX:
        w->why = "json: unsupported type: complex128";
        break;
    case TMPL_STRING:
        write_string(w, tmpl_text(v));
        break;
    case TMPL_LIST:
        write_list(w, v);
        break;
    case TMPL_MAP:
        write_map(w, v);
        break;
    case TMPL_OBJECT:
        write_object(w, v);
        break;
    case TMPL_BOOL:
    case TMPL_INT:
    case TMPL_INT64:
    case TMPL_UINT8:
    case TMPL_UINT64:
        value_print(w->r, v, w->out);
        break;
    }
}

int format_json(struct tmpl_run *r, struct tmpl_value v, unsigned flags, struct buf *out,
                const char **ret_why)
{
    struct writer w = {.r = r, .out = out, .flags = flags};

    write_value(&w, v);
    *ret_why = w.why;
    return w.why ? -1 : 0;
}

/* A number that no float64 holds; its message is appended. */
static bool find_too_large(const struct doc_node *n, struct buf *why)
{
    struct doc_iter it = doc_children(n);
    double d = 0;

    if (doc_type(n) == DOC_NUMBER) {
        doc_to_double(n, &d);
        if (isinf(d))
            buf_addf(why, "json: cannot unmarshal number %.*s into Go value of type float64",
                     STR_ARG(doc_text(n, STR_NONE)));
        return isinf(d);
    }
    while (doc_next(&it))
        if (find_too_large(it.value, why))
            return true;
    return false;
}

const struct doc_node *parse_json(struct tmpl_run *r, str text, struct buf *why)
{
    AUTO(err_done) struct err e = {0};
    struct doc_set *set = trun_doc_set(r);
    const struct doc_node *n = doc_parse_json_flags(set, text, DOC_LAST_WINS, "json", &e);

    if (n && !find_too_large(n, why))
        return n;
    if (n)
        return NULL;
    json_explain(text, why);
    if (!why->len)
        buf_add_cstr(why, err_text(&e));
    return NULL;
}
