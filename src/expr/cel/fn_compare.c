/* Orderings (cel spec 5.4). */
#include "expr/cel/fn_priv.h"

/* True with -1, 0 or 1 in *ret, or false with why not. */
static bool order(struct cel_run *r, const struct cel_value *a, int *ret, struct cel_value *why)
{
    *ret = cel_compare(&a[0], &a[1]);
    if (*ret == 3)
        *why = cel_fail(r->arena, CEL_OTHER, "NaN values cannot be ordered");
    else if (*ret == 2)
        *why = cel_no_match(r);
    return *ret < 2;
}

FN(is_less)
{
    struct cel_value why;
    int c;

    return order(r, a, &c, &why) ? cel_make_bool(c < 0) : why;
}

FN(is_less_or_equal)
{
    struct cel_value why;
    int c;

    return order(r, a, &c, &why) ? cel_make_bool(c <= 0) : why;
}

FN(is_greater)
{
    struct cel_value why;
    int c;

    return order(r, a, &c, &why) ? cel_make_bool(c > 0) : why;
}

FN(is_greater_or_equal)
{
    struct cel_value why;
    int c;

    return order(r, a, &c, &why) ? cel_make_bool(c >= 0) : why;
}

#define ORDERINGS(op, fn)                                                                  \
    {op, false, "bool,bool", "bool", fn}, {op, false, "int,int", "bool", fn},              \
        {op, false, "uint,uint", "bool", fn}, {op, false, "double,double", "bool", fn},    \
        {op, false, "string,string", "bool", fn}, {op, false, "bytes,bytes", "bool", fn},  \
        {op, false, "timestamp,timestamp", "bool", fn},                                    \
        {op, false, "duration,duration", "bool", fn}, {op, false, "int,uint", "bool", fn}, \
        {op, false, "int,double", "bool", fn}, {op, false, "uint,int", "bool", fn},        \
        {op, false, "uint,double", "bool", fn}, {op, false, "double,int", "bool", fn},     \
    {                                                                                      \
        op, false, "double,uint", "bool", fn                                               \
    }

const struct cel_row cel_rows_compare[] = {
    ORDERINGS("_<_", is_less),
    ORDERINGS("_<=_", is_less_or_equal),
    ORDERINGS("_>_", is_greater),
    ORDERINGS("_>=_", is_greater_or_equal),
};
