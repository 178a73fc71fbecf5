/* Conversions (cel spec 9), size and type. */
#include "base/num.h"
#include "expr/cel/fn_priv.h"
#include "expr/gotmpl/text_priv.h"

#include <math.h>

static struct cel_value unreadable(struct cel_run *r, const char *type)
{
    return cel_fail(r->arena, CEL_OTHER, "type conversion error from 'string' to '%s'", type);
}

static struct cel_value int_overflow(struct cel_run *r)
{
    return cel_fail(r->arena, CEL_OVERFLOW, "integer overflow");
}

static struct cel_value uint_overflow(struct cel_run *r)
{
    return cel_fail(r->arena, CEL_OVERFLOW, "unsigned integer overflow");
}

FN(same) { return a[0]; }

/* ---- int */

FN(int_of_uint) { return a[0].u > INT64_MAX ? int_overflow(r) : cel_make_int((int64_t)a[0].u); }

FN(int_of_double)
{
    if (!(a[0].d > -9223372036854775808.0 && a[0].d < 9223372036854775808.0))
        return int_overflow(r);
    return cel_make_int((int64_t)a[0].d);
}

FN(int_of_string)
{
    int64_t i;

    return text_to_int(a[0].s, 10, &i) ? cel_make_int(i) : unreadable(r, "int");
}

FN(int_of_time) { return cel_make_int(a[0].time.seconds); }
FN(int_of_duration) { return cel_make_int(a[0].i); }

/* ---- uint */

FN(uint_of_int) { return a[0].i < 0 ? uint_overflow(r) : cel_make_uint((uint64_t)a[0].i); }

FN(uint_of_double)
{
    if (!(a[0].d >= 0 && a[0].d < 18446744073709551616.0))
        return uint_overflow(r);
    return cel_make_uint((uint64_t)a[0].d);
}

FN(uint_of_string)
{
    uint64_t u;

    return text_to_uint(a[0].s, 10, &u) ? cel_make_uint(u) : unreadable(r, "uint");
}

/* ---- double */

FN(double_of_int) { return cel_make_double((double)a[0].i); }
FN(double_of_uint) { return cel_make_double((double)a[0].u); }

FN(double_of_string)
{
    double d;

    if (!text_to_float(a[0].s, &d))
        return unreadable(r, "double");
    return cel_make_double(d);
}

/* ---- bool, bytes, times */

FN(bool_of_string)
{
    static const char yes[][5] = {"1", "t", "T", "true", "TRUE", "True"};
    static const char no[][6] = {"0", "f", "F", "false", "FALSE", "False"};

    for (size_t i = 0; i < ARRAY_LEN(yes); i++) {
        if (str_eq(a[0].s, str_of(yes[i])) || str_eq(a[0].s, str_of(no[i])))
            return cel_make_bool(str_eq(a[0].s, str_of(yes[i])));
    }
    return unreadable(r, "bool");
}

FN(bytes_of_string) { return cel_make_bytes(a[0].s); }

static struct cel_value checked_time(struct cel_run *r, struct cel_time t)
{
    if (!cel_time_in_range(&t))
        return cel_fail(r->arena, CEL_OVERFLOW, "timestamp overflow");
    return (struct cel_value){CEL_TIMESTAMP, .time = t};
}

FN(time_of_int) { return checked_time(r, (struct cel_time){a[0].i, 0, 0}); }

FN(time_of_string)
{
    struct cel_time t;

    if (!cel_time_parse(a[0].s, &t))
        return unreadable(r, "google.protobuf.Timestamp");
    return checked_time(r, t);
}

FN(duration_of_string)
{
    int64_t ns;

    if (!cel_duration_parse(a[0].s, &ns))
        return unreadable(r, "google.protobuf.Duration");
    return cel_make_duration(ns);
}

/* The reference knows the pair of types and no way to convert. */
FN(duration_of_int)
{
    return cel_fail(r->arena, CEL_OTHER,
                    "type conversion error from 'int' to 'google.protobuf.Duration'");
}

/* ---- string */

void cel_add_double(double d, struct buf *out) { num_add_double(out, d, NUM_G); }

static bool is_text(str s)
{
    size_t bad;

    return str_is_utf8(s, &bad);
}

/* An address or a type has a text of its own; other kinds have none. */
static bool add_text(const struct cel_value *v, struct buf *out)
{
    switch (v->kind) {
    case CEL_BOOL:
        buf_add_cstr(out, v->b ? "true" : "false");
        return true;
    case CEL_INT:
        buf_addf(out, "%lld", (long long)v->i);
        return true;
    case CEL_UINT:
        buf_addf(out, "%llu", (unsigned long long)v->u);
        return true;
    case CEL_DOUBLE:
        cel_add_double(v->d, out);
        return true;
    case CEL_TIMESTAMP:
        cel_time_print(&v->time, out);
        return true;
    case CEL_DURATION:
        cel_duration_print(v->i, out);
        return true;
    case CEL_STRING:
    case CEL_BYTES:
        buf_add_str(out, v->s);
        return true;
    case CEL_NULL:
        buf_add_cstr(out, "null");
        return true;
    case CEL_TYPE:
        buf_add_str(out, cel_type_runtime_name(v->type));
        return true;
    case CEL_ERROR:
    case CEL_LIST:
    case CEL_MAP:
    case CEL_OPTIONAL:
    case CEL_OBJECT:
        return false;
    }
    return false;
}

struct cel_value cel_to_string(struct arena *arena, const struct cel_value *v)
{
    AUTO(buf_done) struct buf out = {0};

    if (v->kind == CEL_STRING)
        return *v;
    if (v->kind == CEL_BYTES && !is_text(v->s))
        return cel_fail(arena, CEL_INVALID_ARGUMENT,
                        "invalid UTF-8 in bytes, cannot convert to string");
    if (!add_text(v, &out))
        return cel_no_overload(arena, "string");
    return cel_make_string(arena_dup(arena, buf_view(&out)));
}

FN(to_string) { return cel_to_string(r->arena, &a[0]); }

/* ---- size and type */

FN(size_of)
{
    switch (a[0].kind) {
    case CEL_STRING:
        return cel_make_int(cel_code_points(a[0].s));
    case CEL_BYTES:
        return cel_make_int((int64_t)a[0].s.len);
    case CEL_LIST:
        return cel_make_int((int64_t)a[0].list->len);
    case CEL_MAP:
        return cel_make_int((int64_t)cel_map_len(a[0].map));
    default:
        return cel_no_overload(r->arena, "size");
    }
}

FN(type_of) { return cel_make_type(cel_type_of_value(r->arena, &a[0])); }

void cel_rows_convert(const struct cel_rows *to)
{
    for (int is_member = 0; is_member < 2; is_member++) { /* in the order of upstream */
        cel_add_row(to, "size", is_member, "bytes", "int", size_of);
        cel_add_row(to, "size", is_member, "list(A)", "int", size_of);
        cel_add_row(to, "size", is_member, "map(A,B)", "int", size_of);
        cel_add_row(to, "size", is_member, "string", "int", size_of);
    }
    cel_add_row(to, "type", false, "A", "type(A)", type_of);
    cel_add_row(to, "dyn", false, "A", "dyn", same);
    cel_add_row(to, "int", false, "int", "int", same);
    cel_add_row(to, "int", false, "uint", "int", int_of_uint);
    cel_add_row(to, "int", false, "double", "int", int_of_double);
    cel_add_row(to, "int", false, "string", "int", int_of_string);
    cel_add_row(to, "int", false, "timestamp", "int", int_of_time);
    cel_add_row(to, "int", false, "duration", "int", int_of_duration);
    cel_add_row(to, "uint", false, "uint", "uint", same);
    cel_add_row(to, "uint", false, "int", "uint", uint_of_int);
    cel_add_row(to, "uint", false, "double", "uint", uint_of_double);
    cel_add_row(to, "uint", false, "string", "uint", uint_of_string);
    cel_add_row(to, "double", false, "double", "double", same);
    cel_add_row(to, "double", false, "int", "double", double_of_int);
    cel_add_row(to, "double", false, "uint", "double", double_of_uint);
    cel_add_row(to, "double", false, "string", "double", double_of_string);
    cel_add_row(to, "string", false, "string", "string", same);
    cel_add_row(to, "string", false, "bool", "string", to_string);
    cel_add_row(to, "string", false, "int", "string", to_string);
    cel_add_row(to, "string", false, "uint", "string", to_string);
    cel_add_row(to, "string", false, "double", "string", to_string);
    cel_add_row(to, "string", false, "bytes", "string", to_string);
    cel_add_row(to, "string", false, "timestamp", "string", to_string);
    cel_add_row(to, "string", false, "duration", "string", to_string);
    cel_add_row(to, "bytes", false, "bytes", "bytes", same);
    cel_add_row(to, "bytes", false, "string", "bytes", bytes_of_string);
    cel_add_row(to, "bool", false, "bool", "bool", same);
    cel_add_row(to, "bool", false, "string", "bool", bool_of_string);
    cel_add_row(to, "timestamp", false, "timestamp", "timestamp", same);
    cel_add_row(to, "timestamp", false, "int", "timestamp", time_of_int);
    cel_add_row(to, "timestamp", false, "string", "timestamp", time_of_string);
    cel_add_row(to, "duration", false, "duration", "duration", same);
    cel_add_row(to, "duration", false, "int", "duration", duration_of_int);
    cel_add_row(to, "duration", false, "string", "duration", duration_of_string);
}
