/* Arithmetic, joining, membership and indexes (cel spec 5). */
#include "expr/cel/fn_priv.h"

struct cel_value cel_no_match(struct cel_run *r)
{
    return cel_fail(r->arena, CEL_NO_SUCH_OVERLOAD, "no such overload");
}

static struct cel_value int_result(struct cel_run *r, bool overflows, int64_t i)
{
    return overflows ? cel_fail(r->arena, CEL_OVERFLOW, "integer overflow") : cel_make_int(i);
}

static struct cel_value uint_result(struct cel_run *r, bool overflows, uint64_t u)
{
    return overflows ? cel_fail(r->arena, CEL_OVERFLOW, "unsigned integer overflow")
                     : cel_make_uint(u);
}

static struct cel_value duration_result(struct cel_run *r, bool overflows, int64_t ns)
{
    return overflows ? cel_fail(r->arena, CEL_OVERFLOW, "integer overflow") : cel_make_duration(ns);
}

static struct cel_value by_zero(struct cel_run *r, const char *what)
{
    return cel_fail(r->arena, CEL_DIVIDE_BY_ZERO, "%s by zero", what);
}

/* ---- numbers */

FN(add_ints)
{
    int64_t i = 0;
    bool overflows = __builtin_add_overflow(a[0].i, a[1].i, &i);

    return int_result(r, overflows, i);
}

FN(subtract_ints)
{
    int64_t i = 0;
    bool overflows = __builtin_sub_overflow(a[0].i, a[1].i, &i);

    return int_result(r, overflows, i);
}

FN(multiply_ints)
{
    int64_t i = 0;
    bool overflows = __builtin_mul_overflow(a[0].i, a[1].i, &i);

    return int_result(r, overflows, i);
}

FN(divide_ints)
{
    if (a[1].i == 0)
        return by_zero(r, "division");
    if (a[0].i == INT64_MIN && a[1].i == -1)
        return int_result(r, true, 0);
    return cel_make_int(a[0].i / a[1].i);
}

FN(modulo_ints)
{
    if (a[1].i == 0)
        return by_zero(r, "modulus");
    if (a[0].i == INT64_MIN && a[1].i == -1)
        return int_result(r, true, 0);
    return cel_make_int(a[0].i % a[1].i);
}

FN(negate_int)
{
    int64_t i = 0;
    bool overflows = __builtin_sub_overflow((int64_t)0, a[0].i, &i);

    return int_result(r, overflows, i);
}

FN(add_uints)
{
    uint64_t u = 0;
    bool overflows = __builtin_add_overflow(a[0].u, a[1].u, &u);

    return uint_result(r, overflows, u);
}

FN(subtract_uints)
{
    uint64_t u = 0;
    bool overflows = __builtin_sub_overflow(a[0].u, a[1].u, &u);

    return uint_result(r, overflows, u);
}

FN(multiply_uints)
{
    uint64_t u = 0;
    bool overflows = __builtin_mul_overflow(a[0].u, a[1].u, &u);

    return uint_result(r, overflows, u);
}

FN(divide_uints) { return a[1].u ? cel_make_uint(a[0].u / a[1].u) : by_zero(r, "division"); }

FN(modulo_uints) { return a[1].u ? cel_make_uint(a[0].u % a[1].u) : by_zero(r, "modulus"); }

FN(add_doubles) { return cel_make_double(a[0].d + a[1].d); }
FN(subtract_doubles) { return cel_make_double(a[0].d - a[1].d); }
FN(multiply_doubles) { return cel_make_double(a[0].d * a[1].d); }
FN(divide_doubles) { return cel_make_double(a[0].d / a[1].d); }
FN(negate_double) { return cel_make_double(-a[0].d); }
FN(negate_bool) { return cel_make_bool(!a[0].b); }

/* ---- joining */

static str join(struct cel_run *r, str x, str y)
{
    char *p = arena_alloc(r->arena, x.len + y.len + 1);

    if (x.len)
        memcpy(p, x.p, x.len);
    if (y.len)
        memcpy(p + x.len, y.p, y.len);
    return (str){p, x.len + y.len};
}

FN(join_strings) { return cel_make_string(join(r, a[0].s, a[1].s)); }
FN(join_bytes) { return cel_make_bytes(join(r, a[0].s, a[1].s)); }

FN(join_lists)
{
    const struct cel_list *x = a[0].list, *y = a[1].list;
    struct cel_value *v;

    if (!cel_spend(r, x->len + y->len))
        return cel_work_exceeded(r);
    v = ARENA_ARRAY(r->arena, struct cel_value, x->len + y->len);
    if (x->len)
        memcpy(v, x->v, x->len * sizeof(*v));
    if (y->len)
        memcpy(v + x->len, y->v, y->len * sizeof(*v));
    return cel_make_list(r->arena, v, x->len + y->len);
}

/* ---- times */

static struct cel_value moved(struct cel_run *r, struct cel_time t, __int128 ns)
{
    if (!cel_time_add(&t, ns))
        return cel_fail(r->arena, CEL_OVERFLOW, "timestamp overflow");
    return (struct cel_value){CEL_TIMESTAMP, .time = t};
}

FN(add_to_time) { return moved(r, a[0].time, a[1].i); }
FN(add_time) { return moved(r, a[1].time, a[0].i); }
FN(subtract_from_time) { return moved(r, a[0].time, -(__int128)a[1].i); }

FN(subtract_times)
{
    __int128 ns = ((__int128)a[0].time.seconds - a[1].time.seconds) * 1000000000 +
                  (a[0].time.nanos - a[1].time.nanos);

    return duration_result(r, ns < INT64_MIN || ns > INT64_MAX, (int64_t)ns);
}

FN(add_durations)
{
    int64_t ns = 0;
    bool overflows = __builtin_add_overflow(a[0].i, a[1].i, &ns);

    return duration_result(r, overflows, ns);
}

FN(subtract_durations)
{
    int64_t ns = 0;
    bool overflows = __builtin_sub_overflow(a[0].i, a[1].i, &ns);

    return duration_result(r, overflows, ns);
}

/* ---- membership and index */

FN(in_list)
{
    const struct cel_list *l = a[1].list;

    if (!cel_spend(r, l->len))
        return cel_work_exceeded(r);
    for (size_t i = 0; i < l->len; i++) {
        if (cel_equal(&l->v[i], &a[0]))
            return cel_make_bool(true);
    }
    return cel_make_bool(false);
}

FN(in_map)
{
    struct cel_value found;

    return cel_make_bool(cel_map_get(r->arena, a[1].map, &a[0], &found));
}

static bool is_qualifier(const struct cel_value *v)
{
    return v->kind == CEL_BOOL || v->kind == CEL_STRING || cel_is_number(v);
}

static str name_of_type(struct cel_run *r, const struct cel_value *v)
{
    return cel_type_runtime_name(cel_type_of_value(r->arena, v));
}

static struct cel_value list_item(struct cel_run *r, const struct cel_list *l,
                                  const struct cel_value *key)
{
    int64_t i;

    if (!cel_is_number(key))
        return cel_fail(r->arena, CEL_INVALID_ARGUMENT, "unsupported index type '%.*s' in list",
                        STR_ARG(name_of_type(r, key)));
    if (!cel_to_index(key, &i))
        return cel_fail(r->arena, CEL_INVALID_ARGUMENT, "unsupported index value %.*s in list",
                        STR_ARG(cel_to_string(r->arena, key).s));
    if (i < 0 || (uint64_t)i >= l->len)
        return cel_fail(r->arena, CEL_INVALID_ARGUMENT, "index out of bounds: %lld", (long long)i);
    return l->v[i];
}

struct cel_value cel_index(struct cel_run *r, const struct cel_value *v,
                           const struct cel_value *key)
{
    struct cel_value found, text;

    if (!is_qualifier(key))
        return cel_fail(r->arena, CEL_UNSUPPORTED_KEY, "invalid qualifier type: %.*s",
                        STR_ARG(cel_go_name(r->arena, key)));
    if (v->kind == CEL_LIST)
        return list_item(r, v->list, key);
    if (v->kind == CEL_MAP && cel_map_get(r->arena, v->map, key, &found))
        return found;
    text = cel_to_string(r->arena, key);
    return cel_fail(r->arena, CEL_NO_SUCH_KEY, "no such key: %.*s", STR_ARG(text.s));
}

FN(item_at) { return cel_index(r, &a[0], &a[1]); }

/* In the order of upstream: the first that fits binds what the checker does not know yet. */
void cel_rows_operators(const struct cel_rows *to)
{
    cel_add_row(to, "_+_", false, "bytes,bytes", "bytes", join_bytes);
    cel_add_row(to, "_+_", false, "double,double", "double", add_doubles);
    cel_add_row(to, "_+_", false, "duration,duration", "duration", add_durations);
    cel_add_row(to, "_+_", false, "duration,timestamp", "timestamp", add_time);
    cel_add_row(to, "_+_", false, "timestamp,duration", "timestamp", add_to_time);
    cel_add_row(to, "_+_", false, "int,int", "int", add_ints);
    cel_add_row(to, "_+_", false, "list(A),list(A)", "list(A)", join_lists);
    cel_add_row(to, "_+_", false, "string,string", "string", join_strings);
    cel_add_row(to, "_+_", false, "uint,uint", "uint", add_uints);
    cel_add_row(to, "_-_", false, "double,double", "double", subtract_doubles);
    cel_add_row(to, "_-_", false, "duration,duration", "duration", subtract_durations);
    cel_add_row(to, "_-_", false, "int,int", "int", subtract_ints);
    cel_add_row(to, "_-_", false, "timestamp,duration", "timestamp", subtract_from_time);
    cel_add_row(to, "_-_", false, "timestamp,timestamp", "duration", subtract_times);
    cel_add_row(to, "_-_", false, "uint,uint", "uint", subtract_uints);
    cel_add_row(to, "_*_", false, "double,double", "double", multiply_doubles);
    cel_add_row(to, "_*_", false, "int,int", "int", multiply_ints);
    cel_add_row(to, "_*_", false, "uint,uint", "uint", multiply_uints);
    cel_add_row(to, "_/_", false, "double,double", "double", divide_doubles);
    cel_add_row(to, "_/_", false, "int,int", "int", divide_ints);
    cel_add_row(to, "_/_", false, "uint,uint", "uint", divide_uints);
    cel_add_row(to, "_%_", false, "int,int", "int", modulo_ints);
    cel_add_row(to, "_%_", false, "uint,uint", "uint", modulo_uints);
    cel_add_row(to, "-_", false, "double", "double", negate_double);
    cel_add_row(to, "-_", false, "int", "int", negate_int);
    cel_add_row(to, "!_", false, "bool", "bool", negate_bool);
    cel_add_row(to, "@in", false, "A,list(A)", "bool", in_list);
    cel_add_row(to, "@in", false, "A,map(A,B)", "bool", in_map);
    cel_add_row(to, "_[_]", false, "list(A),int", "A", item_at);
    cel_add_row(to, "_[_]", false, "map(A,B),A", "B", item_at);
}
