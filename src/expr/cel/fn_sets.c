/* Lists as sets (cel spec 10.3). Membership is by ==; a table of hashes keeps it near linear. */
#include "expr/cel/fn_priv.h"

struct set {
    const struct cel_value **slots; /* open addressing */
    size_t mask;
};

/* Equal values have equal hashes: numbers of all types count as doubles, and what has parts counts
 * by its kind alone. */
static uint32_t hash_of(const struct cel_value *v)
{
    double d;

    switch (v->kind) {
    case CEL_STRING:
    case CEL_BYTES:
        return str_hash(v->s);
    case CEL_INT:
        d = (double)v->i;
        break;
    case CEL_UINT:
        d = (double)v->u;
        break;
    case CEL_DOUBLE:
        d = v->d == 0 ? 0 : v->d; /* of both signs */
        break;
    case CEL_BOOL:
        return v->b;
    default:
        return 7;
    }
    return str_hash((str){(const char *)&d, sizeof(d)});
}

static struct set set_for(struct cel_run *r, size_t len)
{
    size_t size = 8;

    while (size < len * 2)
        size *= 2;
    return (struct set){ARENA_ARRAY(r->arena, const struct cel_value *, size), size - 1};
}

/* The slot that holds an equal value, or an empty one. */
static const struct cel_value **find(struct cel_run *r, const struct set *s,
                                     const struct cel_value *v)
{
    size_t at = hash_of(v) & s->mask;

    for (; s->slots[at]; at = (at + 1) & s->mask) {
        if (!cel_spend(r, 1) || cel_equal(s->slots[at], v))
            break;
    }
    return &s->slots[at];
}

static struct set set_of(struct cel_run *r, const struct cel_list *l)
{
    struct set s = set_for(r, l->len);

    for (size_t i = 0; i < l->len && cel_spend(r, 1); i++)
        *find(r, &s, &l->v[i]) = &l->v[i];
    return s;
}

/* How many of the list's elements are in the set. */
static size_t count_in(struct cel_run *r, const struct set *s, const struct cel_list *l)
{
    size_t n = 0;

    for (size_t i = 0; i < l->len && cel_spend(r, 1); i++)
        n += *find(r, s, &l->v[i]) != NULL;
    return n;
}

static struct cel_value answer(struct cel_run *r, bool b)
{
    return cel_spend(r, 0) ? cel_make_bool(b) : cel_work_exceeded(r);
}

static bool holds(struct cel_run *r, const struct cel_list *all, const struct cel_list *some)
{
    struct set s = set_of(r, all);

    return count_in(r, &s, some) == some->len;
}

FN(contains) { return answer(r, holds(r, a[0].list, a[1].list)); }

FN(equivalent)
{
    return answer(r, holds(r, a[0].list, a[1].list) && holds(r, a[1].list, a[0].list));
}

FN(intersects)
{
    struct set s = set_of(r, a[0].list);

    return answer(r, count_in(r, &s, a[1].list) > 0);
}

FN(distinct)
{
    const struct cel_list *l = a[0].list;
    struct set s = set_for(r, l->len);
    struct cel_value *v = ARENA_ARRAY(r->arena, struct cel_value, l->len);
    size_t n = 0;

    for (size_t i = 0; i < l->len; i++) {
        const struct cel_value **slot = find(r, &s, &l->v[i]);

        if (!cel_spend(r, 1))
            return cel_work_exceeded(r);
        if (*slot)
            continue;
        *slot = &l->v[i];
        v[n++] = l->v[i];
    }
    return cel_make_list(r->arena, v, n);
}

void cel_rows_sets(const struct cel_rows *to)
{
    cel_add_row(to, "sets.contains", false, "list(A),list(A)", "bool", contains);
    cel_add_row(to, "sets.equivalent", false, "list(A),list(A)", "bool", equivalent);
    cel_add_row(to, "sets.intersects", false, "list(A),list(A)", "bool", intersects);
    cel_add_row(to, "distinct", true, "list(A)", "list(A)", distinct);
}
