/* Optional values (cel spec 10.4). */
#include "expr/cel/fn_priv.h"

static bool is_zero(const struct cel_value *v)
{
    switch (v->kind) {
    case CEL_NULL:
        return true;
    case CEL_BOOL:
        return !v->b;
    case CEL_INT:
    case CEL_DURATION:
        return v->i == 0;
    case CEL_UINT:
        return v->u == 0;
    case CEL_DOUBLE:
        return v->d == 0;
    case CEL_STRING:
    case CEL_BYTES:
        return v->s.len == 0;
    case CEL_LIST:
        return v->list->len == 0;
    case CEL_MAP:
        return cel_map_len(v->map) == 0;
    case CEL_ERROR:
    case CEL_TIMESTAMP:
    case CEL_TYPE:
    case CEL_OPTIONAL:
    case CEL_OBJECT:
        return false;
    }
    return false;
}

FN(none) { return cel_make_optional(r->arena, NULL); }
FN(some) { return cel_make_optional(r->arena, &a[0]); }
FN(some_if_not_zero) { return cel_make_optional(r->arena, is_zero(&a[0]) ? NULL : &a[0]); }
FN(has_value) { return cel_make_bool(a[0].inner != NULL); }

FN(value)
{
    if (!a[0].inner)
        return cel_fail(r->arena, CEL_OTHER, "optional.none() dereference");
    return *a[0].inner;
}

FN(value_or) { return a[0].inner ? *a[0].inner : a[1]; }
FN(either) { return a[0].inner ? a[0] : a[1]; }

static struct cel_value not_optional(struct cel_run *r, const struct cel_value *v)
{
    AUTO(buf_done) struct buf text = {0};

    cel_go_text(r->arena, v, 0, &text);
    return cel_fail(r->arena, CEL_NO_SUCH_OVERLOAD, "value %s is not optional", buf_cstr(&text));
}

FN(unwrap)
{
    const struct cel_list *l = a[0].list;
    struct cel_value *v;
    size_t n = 0;

    if (!cel_spend(r, l->len))
        return cel_work_exceeded(r);
    v = ARENA_ARRAY(r->arena, struct cel_value, l->len);
    for (size_t i = 0; i < l->len; i++) {
        if (l->v[i].kind != CEL_OPTIONAL)
            return not_optional(r, &l->v[i]);
        if (l->v[i].inner)
            v[n++] = *l->v[i].inner;
    }
    return cel_make_list(r->arena, v, n);
}

void cel_rows_optional(const struct cel_rows *to)
{
    cel_add_row(to, "optional.none", false, "", "optional_type(A)", none);
    cel_add_row(to, "optional.of", false, "A", "optional_type(A)", some);
    cel_add_row(to, "optional.ofNonZeroValue", false, "A", "optional_type(A)", some_if_not_zero);
    cel_add_row(to, "hasValue", true, "optional_type(A)", "bool", has_value);
    cel_add_row(to, "value", true, "optional_type(A)", "A", value);
    cel_add_row(to, "orValue", true, "optional_type(A),A", "A", value_or);
    cel_add_row(to, "or", true, "optional_type(A),optional_type(A)", "optional_type(A)", either);
    cel_add_row(to, "optional.unwrap", false, "list(optional_type(A))", "list(A)", unwrap);
    cel_add_row(to, "unwrapOpt", true, "list(optional_type(A))", "list(A)", unwrap);
}
