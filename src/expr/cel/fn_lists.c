/* Lists: parts, order, duplicates (cel spec 10.3). */
#include "expr/cel/fn_priv.h"

static struct cel_value part_of(struct cel_run *r, const struct cel_list *l, size_t from, size_t to)
{
    return cel_make_list(r->arena, l->v + from, to - from);
}

FN(slice)
{
    const struct cel_list *l = a[0].list;
    long long from = a[1].i, to = a[2].i;

    if (from < 0 || to < 0)
        return cel_fail(r->arena, CEL_OTHER,
                        "cannot slice(%lld, %lld), negative indexes not supported", from, to);
    if (from > to)
        return cel_fail(
            r->arena, CEL_OTHER,
            "cannot slice(%lld, %lld), start index must be less than or equal to end index", from,
            to);
    if ((size_t)to > l->len)
        return cel_fail(r->arena, CEL_OTHER, "cannot slice(%lld, %lld), list is length %zu", from,
                        to, l->len);
    return part_of(r, l, (size_t)from, (size_t)to);
}

/* ---- flatten */

enum { MOST_LEVELS = 250 }; /* as deep as expressions nest */

static size_t flat_len(const struct cel_list *l, int64_t depth)
{
    size_t n = 0;

    for (size_t i = 0; i < l->len; i++)
        n += depth && l->v[i].kind == CEL_LIST ? flat_len(l->v[i].list, depth - 1) : 1;
    return n;
}

static struct cel_value *add_flat(const struct cel_list *l, int64_t depth, struct cel_value *to)
{
    for (size_t i = 0; i < l->len; i++) {
        if (depth && l->v[i].kind == CEL_LIST)
            to = add_flat(l->v[i].list, depth - 1, to);
        else
            *to++ = l->v[i];
    }
    return to;
}

static struct cel_value flat(struct cel_run *r, const struct cel_list *l, int64_t depth)
{
    struct cel_value *v;
    size_t n;

    if (depth < 0)
        return cel_fail(r->arena, CEL_OTHER, "level must be non-negative");
    depth = MIN(depth, (int64_t)MOST_LEVELS);
    n = flat_len(l, depth);
    if (!cel_spend(r, n))
        return cel_work_exceeded(r);
    v = ARENA_ARRAY(r->arena, struct cel_value, n);
    add_flat(l, depth, v);
    return cel_make_list(r->arena, v, n);
}

FN(flatten) { return flat(r, a[0].list, 1); }
FN(flatten_to) { return flat(r, a[0].list, a[1].i); }

/* ---- order */

struct keyed {
    const struct cel_value *key;
    size_t at;
};

static int compare_keyed(const void *x, const void *y)
{
    const struct keyed *a = x, *b = y;
    int c = cel_compare(a->key, b->key);

    return c == 0 || c > 1 ? (a->at > b->at) - (a->at < b->at) : c;
}

bool cel_is_orderable(enum cel_kind kind)
{
    return (kind >= CEL_BOOL && kind <= CEL_BYTES) || kind == CEL_TIMESTAMP || kind == CEL_DURATION;
}

struct cel_value cel_sort(struct cel_run *r, const struct cel_list *items,
                          const struct cel_list *keys)
{
    struct keyed *order = ARENA_ARRAY(r->arena, struct keyed, keys->len);
    struct cel_value *v = ARENA_ARRAY(r->arena, struct cel_value, keys->len);

    if (!cel_spend(r, keys->len))
        return cel_work_exceeded(r);
    if (keys->len && !cel_is_orderable(keys->v[0].kind))
        return cel_fail(r->arena, CEL_OTHER, "list elements must be comparable");
    for (size_t i = 0; i < keys->len; i++) {
        if (keys->v[i].kind != keys->v[0].kind)
            return cel_fail(r->arena, CEL_OTHER, "list elements must have the same type");
        order[i] = (struct keyed){&keys->v[i], i};
    }
    if (keys->len > 1)
        qsort(order, keys->len, sizeof(*order), compare_keyed);
    for (size_t i = 0; i < keys->len; i++)
        v[i] = items->v[order[i].at];
    return cel_make_list(r->arena, v, keys->len);
}

FN(sort) { return cel_sort(r, a[0].list, a[0].list); }

FN(reverse)
{
    const struct cel_list *l = a[0].list;
    struct cel_value *v;

    if (!cel_spend(r, l->len))
        return cel_work_exceeded(r);
    v = ARENA_ARRAY(r->arena, struct cel_value, l->len);
    for (size_t i = 0; i < l->len; i++)
        v[i] = l->v[l->len - 1 - i];
    return cel_make_list(r->arena, v, l->len);
}

FN(range)
{
    size_t n = a[0].i > 0 ? (size_t)a[0].i : 0;
    struct cel_value *v;

    if (n > CEL_MAX_WORK || !cel_spend(r, n))
        return cel_work_exceeded(r);
    v = ARENA_ARRAY(r->arena, struct cel_value, n);
    for (size_t i = 0; i < n; i++)
        v[i] = cel_make_int((int64_t)i);
    return cel_make_list(r->arena, v, n);
}

FN(first) { return cel_make_optional(r->arena, a[0].list->len ? &a[0].list->v[0] : NULL); }

FN(last)
{
    const struct cel_list *l = a[0].list;

    return cel_make_optional(r->arena, l->len ? &l->v[l->len - 1] : NULL);
}

void cel_rows_lists(const struct cel_rows *to)
{
    cel_add_row(to, "slice", true, "list(A),int,int", "list(A)", slice);
    cel_add_row(to, "flatten", true, "list(list(A))", "list(A)", flatten);
    cel_add_row(to, "flatten", true, "list(dyn),int", "list(dyn)", flatten_to);
    cel_add_row(to, "sort", true, "list(int)", "list(int)", sort);
    cel_add_row(to, "sort", true, "list(uint)", "list(uint)", sort);
    cel_add_row(to, "sort", true, "list(double)", "list(double)", sort);
    cel_add_row(to, "sort", true, "list(bool)", "list(bool)", sort);
    cel_add_row(to, "sort", true, "list(duration)", "list(duration)", sort);
    cel_add_row(to, "sort", true, "list(timestamp)", "list(timestamp)", sort);
    cel_add_row(to, "sort", true, "list(string)", "list(string)", sort);
    cel_add_row(to, "sort", true, "list(bytes)", "list(bytes)", sort);
    cel_add_row(to, "reverse", true, "list(A)", "list(A)", reverse);
    cel_add_row(to, "lists.range", false, "int", "list(int)", range);
    cel_add_row(to, "first", true, "list(A)", "optional_type(A)", first);
    cel_add_row(to, "last", true, "list(A)", "optional_type(A)", last);
}
