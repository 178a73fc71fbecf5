/* Values as text: %v, and sprig's text of a value (template spec 10). */
#include <math.h>

#include "base/num.h"
#include "expr/gotmpl/objects_priv.h"

void value_add_float(double f, struct buf *out)
{
    enum { PLAIN_BELOW = 1000000 };

    if (fabs(f) < PLAIN_BELOW && (double)(int32_t)f == f && (f != 0 || !signbit(f)))
        buf_addf(out, "%d", (int32_t)f);
    else
        num_add_double(out, f, NUM_G);
}

static void add_int(int64_t i, struct buf *out)
{
    char text[24], *p = text + sizeof(text);
    uint64_t rest = i < 0 ? 0 - (uint64_t)i : (uint64_t)i;

    do
        *--p = (char)('0' + rest % 10);
    while (rest /= 10);
    if (i < 0)
        *--p = '-';
    buf_add(out, p, (size_t)(text + sizeof(text) - p));
}

static void print_list(struct tmpl_run *r, struct tmpl_value v, struct buf *out)
{
    const struct tmpl_value *items = value_items(r, v);

    buf_add_char(out, '[');
    for (size_t i = 0; i < v.len && trun_room(r, out->len) == 0; i++) {
        if (i)
            buf_add_char(out, ' ');
        value_print(r, items[i], out);
    }
    buf_add_char(out, ']');
}

static void print_map(struct tmpl_run *r, struct tmpl_value v, struct buf *out)
{
    size_t count;
    const struct tmpl_entry *entries = value_entries(r, v, &count);

    buf_add_cstr(out, "map[");
    for (size_t i = 0; i < count && trun_room(r, out->len) == 0; i++) {
        if (i)
            buf_add_char(out, ' ');
        buf_add_str(out, entries[i].key);
        buf_add_char(out, ':');
        value_print(r, entries[i].value, out);
    }
    buf_add_char(out, ']');
}

static void print_complex(const double *pair, struct buf *out)
{
    buf_add_char(out, '(');
    value_add_float(pair[0], out);
    if (!signbit(pair[1]) || isnan(pair[1]))
        buf_add_char(out, '+');
    value_add_float(pair[1], out);
    buf_add_cstr(out, "i)");
}

void value_print(struct tmpl_run *r, struct tmpl_value v, struct buf *out)
{
    switch ((enum tmpl_type)v.type) {
    case TMPL_INVALID:
    case TMPL_NIL:
        buf_add_cstr(out, "<nil>");
        break;
    case TMPL_BOOL:
        buf_add_cstr(out, v.b ? "true" : "false");
        break;
    case TMPL_INT:
    case TMPL_INT64:
    case TMPL_UINT8:
        add_int(v.i, out);
        break;
    case TMPL_UINT64:
        buf_addf(out, "%llu", (unsigned long long)v.u);
        break;
    case TMPL_FLOAT:
        value_add_float(v.f, out);
        break;
    case TMPL_COMPLEX:
        print_complex(v.pair, out);
        break;
    case TMPL_STRING:
        buf_add_str(out, tmpl_text(v));
        break;
    case TMPL_LIST:
        if (trun_step(r) == 0)
            print_list(r, v, out);
        break;
    case TMPL_MAP:
        if (trun_step(r) == 0)
            print_map(r, v, out);
        break;
    case TMPL_OBJECT:
        if (!v.object->class->fields) {
            v.object->class->print(v.object, out);
        } else {
            buf_add_cstr(out, v.object->class->type[0] == '*' ? "&" : "");
            struct_print(r, v, out);
        }
        break;
    }
}

str value_strval(struct tmpl_run *r, struct tmpl_value v)
{
    struct buf *b;
    str text;

    if (v.type == TMPL_STRING || (v.type == TMPL_LIST && v.elem == TMPL_BYTES))
        return tmpl_text(v);
    b = trun_borrow(r);
    value_print(r, v, b);
    text = trun_keep(r, b);
    trun_give(r, b);
    return text;
}
