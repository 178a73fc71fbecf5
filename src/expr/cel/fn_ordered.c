/* Kubernetes' functions on lists of one kind (cel spec 11). */
#include "expr/cel/fn_priv.h"

FN(is_sorted)
{
    const struct cel_list *l = a[0].list;

    if (!cel_spend(r, l->len))
        return cel_work_exceeded(r);
    for (size_t i = 1; i < l->len; i++) {
        if (!cel_is_orderable(l->v[i].kind))
            return cel_no_match(r);
        if (cel_compare(&l->v[i - 1], &l->v[i]) == 1)
            return cel_make_bool(false);
    }
    return cel_make_bool(true);
}

/* What is of another kind leaves the one before in its place. */
static struct cel_value pick(struct cel_run *r, const struct cel_list *l, int wanted)
{
    const struct cel_value *best = l->v;

    if (!l->len)
        return cel_fail(r->arena, CEL_OTHER, "%s called on empty list", wanted > 0 ? "max" : "min");
    if (!cel_spend(r, l->len))
        return cel_work_exceeded(r);
    for (size_t i = 1; i < l->len; i++) {
        if (!cel_is_orderable(l->v[i].kind))
            return cel_no_match(r);
        if (cel_compare(&l->v[i], best) == wanted)
            best = &l->v[i];
    }
    return *best;
}

FN(min) { return pick(r, a[0].list, -1); }
FN(max) { return pick(r, a[0].list, 1); }

/* ---- sums */

static struct cel_value overflow(struct cel_run *r, const char *text)
{
    return cel_fail(r->arena, CEL_OVERFLOW, "%s", text);
}

static struct cel_value plus(struct cel_run *r, struct cel_value x, const struct cel_value *y)
{
    if (x.kind != y->kind)
        return cel_no_match(r);
    if (x.kind == CEL_DOUBLE)
        return cel_make_double(x.d + y->d);
    if (x.kind == CEL_UINT)
        return __builtin_add_overflow(x.u, y->u, &x.u) ? overflow(r, "unsigned integer overflow")
                                                       : x;
    if (x.kind != CEL_INT && x.kind != CEL_DURATION)
        return cel_no_match(r);
    return __builtin_add_overflow(x.i, y->i, &x.i) ? overflow(r, "integer overflow") : x;
}

static struct cel_value sum(struct cel_run *r, const struct cel_list *l, struct cel_value zero)
{
    struct cel_value total = l->len ? l->v[0] : zero;

    if (!cel_spend(r, l->len))
        return cel_work_exceeded(r);
    if (total.kind != CEL_DURATION && !cel_is_number(&total))
        return cel_no_match(r);
    for (size_t i = 1; i < l->len && total.kind != CEL_ERROR; i++)
        total = plus(r, total, &l->v[i]);
    return total;
}

FN(sum_ints) { return sum(r, a[0].list, cel_make_int(0)); }
FN(sum_uints) { return sum(r, a[0].list, cel_make_uint(0)); }
FN(sum_doubles) { return sum(r, a[0].list, cel_make_double(0)); }
FN(sum_durations) { return sum(r, a[0].list, cel_make_duration(0)); }

/* ---- places */

FN(index_of)
{
    const struct cel_list *l = a[0].list;

    if (!cel_spend(r, l->len))
        return cel_work_exceeded(r);
    for (size_t i = 0; i < l->len; i++) {
        if (cel_equal(&l->v[i], &a[1]))
            return cel_make_int((int64_t)i);
    }
    return cel_make_int(-1);
}

FN(last_index_of)
{
    const struct cel_list *l = a[0].list;

    if (!cel_spend(r, l->len))
        return cel_work_exceeded(r);
    for (size_t i = l->len; i-- > 0;) {
        if (cel_equal(&l->v[i], &a[1]))
            return cel_make_int((int64_t)i);
    }
    return cel_make_int(-1);
}

/* type: of the elements of list */
static void add_ordered(const struct cel_rows *to, const char *list, const char *type)
{
    cel_add_row(to, "isSorted", true, list, "bool", is_sorted);
    cel_add_row(to, "min", true, list, type, min);
    cel_add_row(to, "max", true, list, type, max);
}

void cel_rows_ordered(const struct cel_rows *to)
{
    add_ordered(to, "list(int)", "int");
    add_ordered(to, "list(uint)", "uint");
    add_ordered(to, "list(double)", "double");
    add_ordered(to, "list(bool)", "bool");
    add_ordered(to, "list(string)", "string");
    add_ordered(to, "list(bytes)", "bytes");
    add_ordered(to, "list(duration)", "duration");
    add_ordered(to, "list(timestamp)", "timestamp");
    cel_add_row(to, "sum", true, "list(int)", "int", sum_ints);
    cel_add_row(to, "sum", true, "list(uint)", "uint", sum_uints);
    cel_add_row(to, "sum", true, "list(double)", "double", sum_doubles);
    cel_add_row(to, "sum", true, "list(duration)", "duration", sum_durations);
    cel_add_row(to, "indexOf", true, "list(A),A", "int", index_of);
    cel_add_row(to, "lastIndexOf", true, "list(A),A", "int", last_index_of);
}
