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

static void add_orderings(const struct cel_rows *to, const char *op, cel_function_fn *fn)
{
    static const char pairs[][24] = {"bool,bool",           "int,int",           "uint,uint",
                                     "double,double",       "string,string",     "bytes,bytes",
                                     "timestamp,timestamp", "duration,duration", "int,uint",
                                     "int,double",          "uint,int",          "uint,double",
                                     "double,int",          "double,uint"};

    for (size_t i = 0; i < ARRAY_LEN(pairs); i++)
        cel_add_row(to, op, false, pairs[i], "bool", fn);
}

void cel_rows_compare(const struct cel_rows *to)
{
    add_orderings(to, "_<_", is_less);
    add_orderings(to, "_<=_", is_less_or_equal);
    add_orderings(to, "_>_", is_greater);
    add_orderings(to, "_>=_", is_greater_or_equal);
}
