/* The math library (cel spec 10.2). */
#include "expr/cel/fn_priv.h"

#include <math.h>

/* ---- rounding and kinds of doubles */

FN(math_ceil) { return cel_make_double(ceil(a[0].d)); }
FN(math_floor) { return cel_make_double(floor(a[0].d)); }
FN(math_round)
{
    double whole = trunc(a[0].d);

    return cel_make_double(fabs(a[0].d - whole) >= 0.5 ? whole + copysign(1, a[0].d) : whole);
}
FN(math_trunc) { return cel_make_double(trunc(a[0].d)); }
FN(is_nan) { return cel_make_bool(isnan(a[0].d)); }
FN(is_inf) { return cel_make_bool(isinf(a[0].d)); }
FN(is_finite) { return cel_make_bool(isfinite(a[0].d)); }
FN(same) { return a[0]; }

FN(abs_int)
{
    if (a[0].i == INT64_MIN)
        return cel_fail(r->arena, CEL_OVERFLOW, "integer overflow");
    return cel_make_int(a[0].i < 0 ? -a[0].i : a[0].i);
}

FN(abs_double) { return cel_make_double(fabs(a[0].d)); }
FN(sign_int) { return cel_make_int((a[0].i > 0) - (a[0].i < 0)); }
FN(sign_uint) { return cel_make_uint(a[0].u > 0); }

FN(sign_double) { return isnan(a[0].d) ? a[0] : cel_make_double((a[0].d > 0) - (a[0].d < 0)); }

FN(sqrt_int) { return cel_make_double(sqrt((double)a[0].i)); }
FN(sqrt_uint) { return cel_make_double(sqrt((double)a[0].u)); }
FN(sqrt_double) { return cel_make_double(sqrt(a[0].d)); }

/* ---- bits */

FN(and_ints) { return cel_make_int(a[0].i & a[1].i); }
FN(and_uints) { return cel_make_uint(a[0].u & a[1].u); }
FN(or_ints) { return cel_make_int(a[0].i | a[1].i); }
FN(or_uints) { return cel_make_uint(a[0].u | a[1].u); }
FN(xor_ints) { return cel_make_int(a[0].i ^ a[1].i); }
FN(xor_uints) { return cel_make_uint(a[0].u ^ a[1].u); }
FN(not_int) { return cel_make_int(~a[0].i); }
FN(not_uint) { return cel_make_uint(~a[0].u); }

static struct cel_value negative_shift(struct cel_run *r, const char *way, int64_t by)
{
    return cel_fail(r->arena, CEL_OUT_OF_RANGE, "math.bitShift%s() negative offset: %lld", way,
                    (long long)by);
}

static uint64_t left(uint64_t u, int64_t by) { return by > 63 ? 0 : u << by; }
static uint64_t right(uint64_t u, int64_t by) { return by > 63 ? 0 : u >> by; }

FN(shift_int_left)
{
    if (a[1].i < 0)
        return negative_shift(r, "Left", a[1].i);
    return cel_make_int((int64_t)left((uint64_t)a[0].i, a[1].i));
}

FN(shift_uint_left)
{
    return a[1].i < 0 ? negative_shift(r, "Left", a[1].i) : cel_make_uint(left(a[0].u, a[1].i));
}

FN(shift_int_right)
{
    if (a[1].i < 0)
        return negative_shift(r, "Right", a[1].i);
    return cel_make_int((int64_t)right((uint64_t)a[0].i, a[1].i));
}

FN(shift_uint_right)
{
    return a[1].i < 0 ? negative_shift(r, "Right", a[1].i) : cel_make_uint(right(a[0].u, a[1].i));
}

/* ---- the greatest and the least; the first of equal ones */

static struct cel_value pick(struct cel_run *r, const struct cel_value *v, size_t count, int wanted)
{
    const struct cel_value *best = v;

    if (!cel_spend(r, count))
        return cel_work_exceeded(r);
    for (size_t i = 0; i < count; i++) {
        int c;

        if (!cel_is_number(&v[i]))
            return cel_no_overload(r->arena, wanted > 0 ? "math.@max" : "math.@min");
        c = cel_compare(&v[i], best);
        if (c > 1 && count > 1)
            return cel_fail(r->arena, CEL_OTHER, "NaN values cannot be ordered");
        if (c == wanted)
            best = &v[i];
    }
    return *best;
}

/* One list, or numbers. */
static struct cel_value pick_of(struct cel_run *r, const struct cel_value *a, size_t count,
                                int wanted)
{
    if (count == 1 && a[0].kind == CEL_LIST) {
        count = a[0].list->len;
        a = a[0].list->v;
    }
    if (!count)
        return cel_fail(r->arena, CEL_OTHER, "math.%s(list) argument must not be empty",
                        wanted > 0 ? "@max" : "@min");
    return pick(r, a, count, wanted);
}

FN(greatest) { return pick_of(r, a, count, 1); }
FN(least) { return pick_of(r, a, count, -1); }

static void add_both(const struct cel_rows *to, const char *name, cel_function_fn *ints,
                     cel_function_fn *uints)
{
    cel_add_row(to, name, false, "int,int", "int", ints);
    cel_add_row(to, name, false, "uint,uint", "uint", uints);
}

/* More than two become a list, see cel_macro. */
static void add_choice(const struct cel_rows *to, const char *name, cel_function_fn *run)
{
    static const char types[][8] = {"double", "int", "uint"};
    static const char lists[][16] = {"list(double)", "list(int)", "list(uint)"};
    static const char pairs[][16] = {"double,double", "double,int", "double,uint",
                                     "int,double",    "int,int",    "int,uint",
                                     "uint,double",   "uint,int",   "uint,uint"};

    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        cel_add_row(to, name, false, types[i], types[i], run);
    for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
        cel_add_row(to, name, false, pairs[i], i % 4 ? "dyn" : types[i / 4], run);
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        cel_add_row(to, name, false, lists[i], types[i], run);
}

void cel_rows_math(const struct cel_rows *to)
{
    cel_add_row(to, "math.ceil", false, "double", "double", math_ceil);
    cel_add_row(to, "math.floor", false, "double", "double", math_floor);
    cel_add_row(to, "math.round", false, "double", "double", math_round);
    cel_add_row(to, "math.trunc", false, "double", "double", math_trunc);
    cel_add_row(to, "math.isNaN", false, "double", "bool", is_nan);
    cel_add_row(to, "math.isInf", false, "double", "bool", is_inf);
    cel_add_row(to, "math.isFinite", false, "double", "bool", is_finite);
    cel_add_row(to, "math.abs", false, "double", "double", abs_double);
    cel_add_row(to, "math.abs", false, "int", "int", abs_int);
    cel_add_row(to, "math.abs", false, "uint", "uint", same);
    cel_add_row(to, "math.sign", false, "double", "double", sign_double);
    cel_add_row(to, "math.sign", false, "int", "int", sign_int);
    cel_add_row(to, "math.sign", false, "uint", "uint", sign_uint);
    cel_add_row(to, "math.sqrt", false, "int", "double", sqrt_int);
    cel_add_row(to, "math.sqrt", false, "uint", "double", sqrt_uint);
    cel_add_row(to, "math.sqrt", false, "double", "double", sqrt_double);
    add_both(to, "math.bitAnd", and_ints, and_uints);
    add_both(to, "math.bitOr", or_ints, or_uints);
    add_both(to, "math.bitXor", xor_ints, xor_uints);
    cel_add_row(to, "math.bitNot", false, "int", "int", not_int);
    cel_add_row(to, "math.bitNot", false, "uint", "uint", not_uint);
    cel_add_row(to, "math.bitShiftLeft", false, "int,int", "int", shift_int_left);
    cel_add_row(to, "math.bitShiftLeft", false, "uint,int", "uint", shift_uint_left);
    cel_add_row(to, "math.bitShiftRight", false, "int,int", "int", shift_int_right);
    cel_add_row(to, "math.bitShiftRight", false, "uint,int", "uint", shift_uint_right);
    add_choice(to, "math.greatest", greatest);
    add_choice(to, "math.least", least);
}
