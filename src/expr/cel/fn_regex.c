/* Texts that a pattern matches (cel spec 11). */
#include "expr/cel/fn_priv.h"

static struct cel_value bad_pattern(struct cel_run *r, const struct err *e)
{
    return cel_fail(r->arena, CEL_OTHER, "Illegal regex: %s", err_text(e));
}

static str matched(str s, struct re_span span)
{
    return str_sub(s, (size_t)span.from, (size_t)(span.to - span.from));
}

FN(find)
{
    AUTO(err_done) struct err e = {0};
    const struct re *re = cel_pattern(r, a[1].s, &e);
    struct re_span span;

    if (!re)
        return bad_pattern(r, &e);
    return cel_make_string(re_find(re, a[0].s, 0, &span, 1) ? matched(a[0].s, span) : STR(""));
}

static struct cel_value all(struct cel_run *r, const struct re *re, str s, int64_t limit)
{
    VEC(struct cel_value) found = {0};
    struct re_span span;
    struct re_iter it = re_find_all(re, s, &span, 1);
    struct cel_value *v;
    size_t len;

    while ((limit < 0 || (int64_t)found.len < limit) && re_next(&it))
        vec_push(&found, cel_make_string(matched(s, span)));
    len = found.len;
    v = ARENA_ARRAY(r->arena, struct cel_value, len);
    if (len)
        memcpy(v, found.v, len * sizeof(*v));
    vec_done(&found);
    return cel_spend(r, len) ? cel_make_list(r->arena, v, len) : cel_work_exceeded(r);
}

static struct cel_value find_up_to(struct cel_run *r, const struct cel_value *a, int64_t limit)
{
    AUTO(err_done) struct err e = {0};
    const struct re *re = cel_pattern(r, a[1].s, &e);

    return re ? all(r, re, a[0].s, limit) : bad_pattern(r, &e);
}

FN(find_all) { return find_up_to(r, a, -1); }
FN(find_some) { return find_up_to(r, a, a[2].i); }

void cel_rows_regex(const struct cel_rows *to)
{
    cel_add_row(to, "find", true, "string,string", "string", find);
    cel_add_row(to, "findAll", true, "string,string", "list(string)", find_all);
    cel_add_row(to, "findAll", true, "string,string,int", "list(string)", find_some);
}
