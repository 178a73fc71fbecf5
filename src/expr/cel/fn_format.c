/* string.format, as version 2 of the strings library has it (cel spec 10.1). */
#include "expr/cel/fn_priv.h"
#include "expr/cel/format_priv.h"

enum { MOST_DIGITS = 1000 }; /* of a fraction, and the widest field */

struct format {
    struct arena *arena;
    struct buf out;
    struct cel_value error; /* CEL_ERROR when something is wrong */
    bool unfit;             /* an argument does not fit its clause */
};

static bool fail(struct format *f, const char *text)
{
    f->error = cel_fail(f->arena, CEL_OTHER, "%s", text);
    return false;
}

static bool unfit(struct format *f, const char *rule, const struct cel_value *v)
{
    str name = cel_type_runtime_name(cel_type_of_value(f->arena, v));

    f->unfit = true;
    f->error = cel_fail(f->arena, CEL_OTHER, "error during formatting: %s, was given %.*s", rule,
                        STR_ARG(name));
    return false;
}

/* ---- clauses */

static bool add_string(struct format *f, const struct cel_value *v, int precision UNUSED)
{
    AUTO(buf_done) struct buf why = {0};

    if (cel_format_value(f->arena, v, false, &f->out, &why))
        return true;
    if (!why.len)
        return unfit(f,
                     "string clause can only be used on strings, bools, bytes, ints, doubles, "
                     "maps, lists, types, durations, and timestamps",
                     v);
    f->error = cel_fail(f->arena, CEL_OTHER, "error during formatting: %s", buf_cstr(&why));
    return false;
}

static bool add_decimal(struct format *f, const struct cel_value *v, int precision UNUSED)
{
    if (v->kind == CEL_INT)
        buf_addf(&f->out, "%lld", (long long)v->i);
    else if (v->kind == CEL_UINT)
        buf_addf(&f->out, "%llu", (unsigned long long)v->u);
    else
        return unfit(f, "decimal clause can only be used on integers", v);
    return true;
}

/* Digits of an integer in a base that is a power of two. */
static void add_power(struct buf *out, const struct cel_value *v, int shift, const char *digits)
{
    bool is_negative = v->kind == CEL_INT && v->i < 0;
    uint64_t u = is_negative ? -(uint64_t)v->i : v->u;
    char text[65];
    size_t at = sizeof(text);

    do {
        text[--at] = digits[u & ((1u << shift) - 1)];
        u >>= shift;
    } while (u);
    if (is_negative)
        buf_add_char(out, '-');
    buf_add(out, text + at, sizeof(text) - at);
}

static bool is_integer(const struct cel_value *v)
{
    return v->kind == CEL_INT || v->kind == CEL_UINT;
}

static bool add_binary(struct format *f, const struct cel_value *v, int precision UNUSED)
{
    if (v->kind == CEL_BOOL)
        buf_add_char(&f->out, v->b ? '1' : '0');
    else if (is_integer(v))
        add_power(&f->out, v, 1, "01");
    else
        return unfit(f, "only integers and bools can be formatted as binary", v);
    return true;
}

static bool add_octal(struct format *f, const struct cel_value *v, int precision UNUSED)
{
    if (!is_integer(v))
        return unfit(f, "octal clause can only be used on integers", v);
    add_power(&f->out, v, 3, "01234567");
    return true;
}

static bool add_hex_with(struct format *f, const struct cel_value *v, const char *digits)
{
    if (is_integer(v)) {
        add_power(&f->out, v, 4, digits);
        return true;
    }
    if (v->kind != CEL_STRING && v->kind != CEL_BYTES)
        return unfit(f, "only integers, byte buffers, and strings can be formatted as hex", v);
    for (size_t i = 0; i < v->s.len; i++) {
        unsigned char c = (unsigned char)v->s.p[i];

        buf_add_char(&f->out, digits[c >> 4]);
        buf_add_char(&f->out, digits[c & 15]);
    }
    return true;
}

static bool add_hex(struct format *f, const struct cel_value *v, int precision UNUSED)
{
    return add_hex_with(f, v, "0123456789abcdef");
}

static bool add_upper_hex(struct format *f, const struct cel_value *v, int precision UNUSED)
{
    return add_hex_with(f, v, "0123456789ABCDEF");
}

/* Doubles, and the names of those that JSON cannot say. */
static bool to_double(const struct cel_value *v, double *ret)
{
    if (v->kind == CEL_DOUBLE)
        *ret = v->d;
    else if (v->kind == CEL_STRING && str_eq(v->s, STR("NaN")))
        *ret = __builtin_nan("");
    else if (v->kind == CEL_STRING && str_eq(v->s, STR("Infinity")))
        *ret = __builtin_inf();
    else if (v->kind == CEL_STRING && str_eq(v->s, STR("-Infinity")))
        *ret = -__builtin_inf();
    else
        return false;
    return true;
}

static bool add_fixed(struct format *f, const struct cel_value *v, int precision)
{
    double d;

    if (!to_double(v, &d))
        return unfit(f, "fixed-point clause can only be used on doubles", v);
    cel_format_fixed(d, precision < 0 ? 6 : precision, &f->out);
    return true;
}

static bool add_scientific(struct format *f, const struct cel_value *v, int precision)
{
    double d;

    if (!to_double(v, &d))
        return unfit(f, "scientific clause can only be used on doubles", v);
    cel_format_scientific(d, precision < 0 ? 6 : precision, &f->out);
    return true;
}

/* ---- the format */

static const struct clause {
    char letter;
    bool (*add)(struct format *f, const struct cel_value *v, int precision);
} clauses[] = {
    {'s', add_string}, {'d', add_decimal},   {'b', add_binary}, {'o', add_octal},
    {'x', add_hex},    {'X', add_upper_hex}, {'f', add_fixed},  {'e', add_scientific},
};

/* ".3" of "%.3f"; -1 when there is none. */
static bool take_precision(struct format *f, str *rest, int *ret)
{
    size_t digits = 0;

    *ret = -1;
    if (!rest->len || rest->p[0] != '.')
        return true;
    *rest = str_from(*rest, 1);
    for (*ret = 0; digits < rest->len && rest->p[digits] >= '0' && rest->p[digits] <= '9'; digits++)
        *ret = MIN(*ret * 10 + (rest->p[digits] - '0'), (int)MOST_DIGITS);
    *rest = str_from(*rest, digits);
    if (!rest->len)
        return fail(f, "could not parse formatting clause: error while parsing precision: could "
                       "not find end of precision specifier");
    if (!digits)
        return fail(f, "could not parse formatting clause: error while parsing precision: error "
                       "while converting precision to integer: strconv.Atoi: parsing \"\": invalid "
                       "syntax");
    return true;
}

static const struct clause *take_clause(struct format *f, str *rest)
{
    size_t width;

    for (size_t i = 0; i < ARRAY_LEN(clauses); i++) {
        if (rest->p[0] == clauses[i].letter) {
            *rest = str_from(*rest, 1);
            return &clauses[i];
        }
    }
    str_utf8_at(*rest, 0, &width);
    f->error =
        cel_fail(f->arena, CEL_OTHER,
                 "could not parse formatting clause: unrecognized formatting clause \"%.*s\"",
                 STR_ARG(str_sub(*rest, 0, width)));
    return NULL;
}

/* What stands behind a '%'. Arguments that are errors are not known yet, and only counted. */
static bool add_clause(struct format *f, str *rest, const struct cel_value *args, size_t count,
                       size_t *used)
{
    const struct clause *clause;
    int precision;

    if (!rest->len)
        return fail(f, "unexpected end of string");
    if (*used >= count) {
        f->error = cel_fail(f->arena, CEL_OUT_OF_RANGE, "index %zu out of range", *used);
        return false;
    }
    if (!take_precision(f, rest, &precision))
        return false;
    clause = take_clause(f, rest);
    if (!clause)
        return false;
    args += (*used)++;
    return args->kind == CEL_ERROR || clause->add(f, args, precision);
}

static bool format(struct format *f, str rest, const struct cel_value *args, size_t count,
                   size_t *used)
{
    *used = 0;
    while (rest.len) {
        ssize_t at = str_find_char(rest, '%');

        if (at < 0)
            at = (ssize_t)rest.len;
        buf_add_str(&f->out, str_sub(rest, 0, (size_t)at));
        rest = str_from(rest, (size_t)at);
        if (!rest.len)
            break;
        rest = str_from(rest, 1);
        if (rest.len && rest.p[0] == '%') {
            buf_add_char(&f->out, '%');
            rest = str_from(rest, 1);
        } else if (!add_clause(f, &rest, args, count, used)) {
            return false;
        }
    }
    return true;
}

struct cel_value cel_format_check(struct arena *arena, str text, const struct cel_value *args,
                                  size_t count, size_t *ret_bad)
{
    struct format f = {.arena = arena, .error = cel_make_null()};
    size_t used;
    bool is_good = format(&f, text, args, count, &used);

    *ret_bad = f.unfit && used ? used - 1 : count;
    if (is_good && used < count)
        f.error = cel_fail(arena, CEL_OTHER,
                           "too many arguments supplied to string.format (expected %zu, got %zu)",
                           used, count);
    buf_done(&f.out);
    return f.error;
}

FN(format_string)
{
    struct format f = {.arena = r->arena};
    struct cel_value ret;
    size_t used;

    ret = format(&f, a[0].s, a[1].list->v, a[1].list->len, &used) ? cel_keep_string(r, &f.out)
                                                                  : f.error;
    r->work += used;
    buf_done(&f.out);
    return ret;
}

void cel_rows_format(const struct cel_rows *to)
{
    cel_add_row(to, "format", true, "string,list(dyn)", "string", format_string);
}
