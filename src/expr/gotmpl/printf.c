#include "expr/gotmpl/printf_priv.h"

#include "expr/gotmpl/objects_priv.h"

enum { LARGEST_NUMBER = 1000000 /* of widths, precisions and argument indexes */ };

struct printer {
    struct tmpl_run *r;
    struct verb f;
    bool is_reporting; /* inside %!verb(…) */
};

static void print_arg(struct printer *p, struct tmpl_value v, bool is_inner);

/* ---- values by a verb */

static void bad_verb(struct printer *p, struct tmpl_value v)
{
    uint32_t letter = p->f.letter;
    bool was = p->is_reporting;

    p->is_reporting = true;
    buf_add_cstr(p->f.out, "%!");
    buf_add_utf8(p->f.out, letter);
    buf_add_char(p->f.out, '(');
    if (tmpl_is_nil(v)) {
        buf_add_cstr(p->f.out, "<nil>");
    } else {
        buf_add_cstr(p->f.out, value_type(v));
        buf_add_char(p->f.out, '=');
        p->f.letter = 'v';
        print_arg(p, v, false);
        p->f.letter = letter;
    }
    buf_add_char(p->f.out, ')');
    p->is_reporting = was;
}

static void print_int(struct printer *p, struct tmpl_value v)
{
    bool is_signed = v.type == TMPL_INT || v.type == TMPL_INT64;
    uint32_t c = v.u > 0x10ffff ? 0xfffd : (uint32_t)v.u;

    switch (p->f.letter) {
    case 'v':
        verb_int(&p->f, v.u, is_signed, p->f.sharp_v && !is_signed ? 16 : 10, false);
        break;
    case 'd':
        verb_int(&p->f, v.u, is_signed, 10, false);
        break;
    case 'b':
        verb_int(&p->f, v.u, is_signed, 2, false);
        break;
    case 'o':
    case 'O':
        verb_int(&p->f, v.u, is_signed, 8, false);
        break;
    case 'x':
    case 'X':
        verb_int(&p->f, v.u, is_signed, 16, p->f.letter == 'X');
        break;
    case 'c':
        verb_char(&p->f, c);
        break;
    case 'q':
        verb_quoted_char(&p->f, c);
        break;
    case 'U':
        verb_unicode(&p->f, v.u);
        break;
    default:
        bad_verb(p, v);
    }
}

static void print_double(struct printer *p, struct tmpl_value v, double value)
{
    switch (p->f.letter) {
    case 'v':
        verb_float(&p->f, value, 'g', -1);
        break;
    case 'b':
    case 'g':
    case 'G':
    case 'x':
    case 'X':
        verb_float(&p->f, value, (char)p->f.letter, -1);
        break;
    case 'f':
    case 'e':
    case 'E':
    case 'F':
        verb_float(&p->f, value, p->f.letter == 'F' ? 'f' : (char)p->f.letter, 6);
        break;
    default:
        bad_verb(p, v);
    }
}

static void print_complex(struct printer *p, struct tmpl_value v)
{
    bool plus = p->f.plus;

    if (!strchr("vbgGxXfFeE", (int)p->f.letter)) {
        bad_verb(p, v);
        return;
    }
    buf_add_char(p->f.out, '(');
    print_double(p, v, v.pair[0]);
    p->f.plus = true;
    print_double(p, v, v.pair[1]);
    p->f.plus = plus;
    buf_add_cstr(p->f.out, "i)");
}

static void print_text(struct printer *p, struct tmpl_value v, str s)
{
    switch (p->f.letter) {
    case 'v':
        if (p->f.sharp_v)
            verb_quoted(&p->f, s);
        else
            verb_text(&p->f, s);
        break;
    case 's':
        verb_text(&p->f, s);
        break;
    case 'x':
    case 'X':
        verb_hex(&p->f, s, p->f.letter == 'X');
        break;
    case 'q':
        verb_quoted(&p->f, s);
        break;
    default:
        bad_verb(p, v);
    }
}

static bool begin_items(struct printer *p, struct tmpl_value v, const char *open)
{
    if (trun_step(p->r) < 0)
        return false;
    if (p->f.sharp_v)
        buf_add_cstr(p->f.out, value_type(v));
    buf_add_cstr(p->f.out, p->f.sharp_v ? "{" : open);
    return true;
}

static void print_list(struct printer *p, struct tmpl_value v)
{
    const struct tmpl_value *items;

    if (v.elem == TMPL_BYTES && p->f.letter < 0x80 && strchr("sqxX", (int)p->f.letter)) {
        print_text(p, v, tmpl_text(v));
        return;
    }
    items = value_items(p->r, v);
    if (p->f.sharp_v && !items) {
        buf_addf(p->f.out, "%s(nil)", value_type(v));
        return;
    }
    if (!begin_items(p, v, "["))
        return;
    for (size_t i = 0; i < v.len && trun_room(p->r, p->f.out->len) == 0; i++) {
        if (i)
            buf_add_cstr(p->f.out, p->f.sharp_v ? ", " : " ");
        print_arg(p, items[i], true);
    }
    buf_add_char(p->f.out, p->f.sharp_v ? '}' : ']');
}

static void print_map(struct printer *p, struct tmpl_value v)
{
    size_t count;
    const struct tmpl_entry *entries = value_entries(p->r, v, &count);

    if (!begin_items(p, v, "map["))
        return;
    for (size_t i = 0; i < count && trun_room(p->r, p->f.out->len) == 0; i++) {
        if (i)
            buf_add_cstr(p->f.out, p->f.sharp_v ? ", " : " ");
        print_text(p, tmpl_string(entries[i].key), entries[i].key);
        buf_add_char(p->f.out, ':');
        print_arg(p, entries[i].value, true);
    }
    buf_add_char(p->f.out, p->f.sharp_v ? '}' : ']');
}

static void print_struct(struct printer *p, struct tmpl_value v)
{
    const struct tmpl_field *fields = v.object->class->fields;
    const char *type = value_type(v);
    bool is_pointer = type[0] == '*';

    if (trun_step(p->r) < 0)
        return;
    buf_addf(p->f.out, "%s%s{", is_pointer ? "&" : "", p->f.sharp_v ? type + is_pointer : "");
    for (const struct tmpl_field *f = fields; f->name; f++) {
        if (f != fields)
            buf_add_cstr(p->f.out, p->f.sharp_v ? ", " : " ");
        if (p->f.plus_v || p->f.sharp_v)
            buf_addf(p->f.out, "%s:", f->name);
        print_arg(p, struct_values(v)[f - fields], true);
    }
    buf_add_char(p->f.out, '}');
}

static void print_object(struct printer *p, struct tmpl_value v)
{
    AUTO(buf_done) struct buf text = {0};

    if (value_is_struct(v)) {
        print_struct(p, v);
        return;
    }
    if (v.object->class == &object_duration && p->f.letter < 0x80 &&
        (p->f.sharp_v || p->is_reporting || strchr("dbocOU", (int)p->f.letter))) {
        print_int(p, tmpl_int64(duration_of(v)));
        return;
    }
    v.object->class->print(v.object, &text);
    print_text(p, v, buf_view(&text));
}

static void print_pointer(struct printer *p, struct tmpl_value v)
{
    if (v.type == TMPL_LIST || v.type == TMPL_MAP)
        verb_text(&p->f, STR("0xc000000000")); /* an address would say something about this run */
    else
        bad_verb(p, v);
}

static void print_nil(struct printer *p, bool is_inner)
{
    if (is_inner)
        buf_add_cstr(p->f.out, p->f.sharp_v ? "interface {}(nil)" : "<nil>");
    else if (p->f.letter == 'T' || p->f.letter == 'v')
        verb_pad(&p->f, STR("<nil>"), false);
    else
        bad_verb(p, TMPL_NOTHING);
}

static void print_arg(struct printer *p, struct tmpl_value v, bool is_inner)
{
    if (tmpl_is_nil(v)) {
        print_nil(p, is_inner);
        return;
    }
    if (!is_inner && p->f.letter == 'T') {
        verb_text(&p->f, str_of(value_type(v)));
        return;
    }
    if (!is_inner && p->f.letter == 'p') {
        print_pointer(p, v);
        return;
    }
    switch ((enum tmpl_type)v.type) {
    case TMPL_INVALID:
    case TMPL_NIL:
        break;
    case TMPL_BOOL:
        if (p->f.letter == 't' || p->f.letter == 'v')
            verb_pad(&p->f, v.b ? STR("true") : STR("false"), p->f.zero && !p->f.minus);
        else
            bad_verb(p, v);
        break;
    case TMPL_INT:
    case TMPL_INT64:
    case TMPL_UINT8:
    case TMPL_UINT64:
        print_int(p, v);
        break;
    case TMPL_FLOAT:
        print_double(p, v, v.f);
        break;
    case TMPL_COMPLEX:
        print_complex(p, v);
        break;
    case TMPL_STRING:
        print_text(p, v, tmpl_text(v));
        break;
    case TMPL_LIST:
        print_list(p, v);
        break;
    case TMPL_MAP:
        print_map(p, v);
        break;
    case TMPL_OBJECT:
        print_object(p, v);
        break;
    }
}

void printf_value(struct tmpl_run *r, char verb, struct tmpl_value v, struct buf *out)
{
    struct printer p = {.r = r, .f = {.letter = (unsigned char)verb, .out = out}};

    print_arg(&p, v, false);
}

/* ---- the format */

struct format {
    str text;
    size_t at;
    const struct tmpl_value *args;
    size_t count, arg;
    bool is_reordered, is_good, after_index;
};

static bool read_number(struct format *f, size_t *ret)
{
    size_t start = f->at;

    *ret = 0;
    for (; f->at < f->text.len && f->text.p[f->at] >= '0' && f->text.p[f->at] <= '9'; f->at++) {
        *ret = *ret * 10 + (size_t)(f->text.p[f->at] - '0');
        if (*ret > LARGEST_NUMBER) {
            f->at = f->text.len;
            *ret = 0;
            return false;
        }
    }
    return f->at > start;
}

/* "[n]" at the place, if any. */
static void read_index(struct format *f)
{
    struct format inside = *f;
    str rest = str_from(f->text, f->at);
    ssize_t close;
    size_t index;
    bool is_number;

    f->after_index = false;
    if (!rest.len || rest.p[0] != '[')
        return;
    f->is_reordered = true;
    close = rest.len < 3 ? -1 : str_find_char(rest, ']');
    if (close < 0) {
        f->is_good = false;
        f->at++;
        return;
    }
    inside.text = str_sub(f->text, 0, f->at + (size_t)close);
    inside.at++;
    is_number = read_number(&inside, &index) && inside.at == inside.text.len;
    f->at += (size_t)close + 1;
    f->after_index = is_number;
    if (is_number && index >= 1 && index <= f->count)
        f->arg = index - 1;
    else
        f->is_good = false;
}

/* The argument of a "*". */
static bool read_star(struct format *f, int64_t *ret)
{
    struct tmpl_value v;

    *ret = 0;
    f->at++;
    f->after_index = false;
    if (f->arg >= f->count)
        return false;
    v = f->args[f->arg++];
    if (!tmpl_is_int(v) || v.i > LARGEST_NUMBER || v.i < -LARGEST_NUMBER)
        return false;
    *ret = v.i;
    return true;
}

static bool is_at(const struct format *f, char c)
{
    return f->at < f->text.len && f->text.p[f->at] == c;
}

static void read_flags(struct format *f, struct verb *v)
{
    for (; f->at < f->text.len; f->at++) {
        switch (f->text.p[f->at]) {
        case '#':
            v->sharp = true;
            break;
        case '0':
            v->zero = true;
            break;
        case '+':
            v->plus = true;
            break;
        case '-':
            v->minus = true;
            break;
        case ' ':
            v->space = true;
            break;
        default:
            return;
        }
    }
}

static void read_width(struct format *f, struct verb *v)
{
    int64_t star;

    if (!is_at(f, '*')) {
        v->has_width = read_number(f, &v->width);
        if (f->after_index && v->has_width)
            f->is_good = false;
        return;
    }
    v->has_width = read_star(f, &star);
    if (!v->has_width)
        buf_add_cstr(v->out, "%!(BADWIDTH)");
    if (star < 0)
        v->minus = true;
    v->width = (size_t)(star < 0 ? -star : star);
}

static void read_precision(struct format *f, struct verb *v)
{
    int64_t star;

    if (!is_at(f, '.'))
        return;
    f->at++;
    if (f->after_index)
        f->is_good = false;
    read_index(f);
    if (!is_at(f, '*')) {
        read_number(f, &v->precision);
        v->has_precision = true;
        return;
    }
    v->has_precision = read_star(f, &star) && star >= 0;
    v->precision = v->has_precision ? (size_t)star : 0;
    if (!v->has_precision)
        buf_add_cstr(v->out, "%!(BADPREC)");
}

static void do_verb(struct printer *p, struct format *f)
{
    struct verb *v = &p->f;

    if (v->letter == '%') {
        buf_add_char(v->out, '%');
    } else if (!f->is_good || f->arg >= f->count) {
        buf_add_cstr(v->out, "%!");
        buf_add_utf8(v->out, v->letter);
        buf_add_cstr(v->out, f->is_good ? "(MISSING)" : "(BADINDEX)");
    } else {
        if (v->letter == 'v') {
            v->sharp_v = v->sharp;
            v->plus_v = v->plus;
            v->sharp = v->plus = false;
        }
        print_arg(p, f->args[f->arg++], false);
    }
}

/* From behind a '%' to behind its verb. */
static void do_directive(struct printer *p, struct format *f)
{
    size_t width;

    p->f = (struct verb){.out = p->f.out};
    f->is_good = true;
    read_flags(f, &p->f);
    read_index(f);
    read_width(f, &p->f);
    read_precision(f, &p->f);
    if (!f->after_index)
        read_index(f);
    if (f->at >= f->text.len) {
        buf_add_cstr(p->f.out, "%!(NOVERB)");
        return;
    }
    p->f.letter = str_utf8_at(f->text, f->at, &width);
    f->at += width;
    do_verb(p, f);
}

static void add_extra(struct printer *p, const struct format *f)
{
    p->f = (struct verb){.out = p->f.out, .letter = 'v'};
    buf_add_cstr(p->f.out, "%!(EXTRA ");
    for (size_t i = f->arg; i < f->count; i++) {
        if (i > f->arg)
            buf_add_cstr(p->f.out, ", ");
        if (!tmpl_is_nil(f->args[i])) {
            buf_add_cstr(p->f.out, value_type(f->args[i]));
            buf_add_char(p->f.out, '=');
        }
        print_arg(p, f->args[i], false);
    }
    buf_add_char(p->f.out, ')');
}

void printf_run(struct tmpl_run *r, str format, const struct tmpl_value *args, size_t count,
                struct buf *out)
{
    struct printer p = {.r = r, .f = {.out = out}};
    struct format f = {.text = format, .args = args, .count = count};

    while (f.at < format.len && trun_room(r, out->len) == 0) {
        const char *percent = memchr(format.p + f.at, '%', format.len - f.at);
        size_t stop = percent ? (size_t)(percent - format.p) : format.len;

        buf_add(out, format.p + f.at, stop - f.at);
        f.at = stop + 1;
        if (percent)
            do_directive(&p, &f);
    }
    if (!f.is_reordered && f.arg < f.count)
        add_extra(&p, &f);
}
