#include "expr/gotmpl/compare_priv.h"

#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/objects_priv.h"
#include "expr/gotmpl/printf_priv.h"

enum basic { NOT_BASIC, OF_BOOL, OF_INT, OF_UINT, OF_FLOAT, OF_COMPLEX, OF_STRING };

static enum basic basic_of(struct tmpl_value v)
{
    static const enum basic kinds[] = {
        [TMPL_BOOL] = OF_BOOL,       [TMPL_INT] = OF_INT,       [TMPL_INT64] = OF_INT,
        [TMPL_UINT8] = OF_UINT,      [TMPL_UINT64] = OF_UINT,   [TMPL_FLOAT] = OF_FLOAT,
        [TMPL_COMPLEX] = OF_COMPLEX, [TMPL_STRING] = OF_STRING, [TMPL_OBJECT] = NOT_BASIC};

    return value_is(v, &object_duration) ? OF_INT : kinds[v.type];
}

static int64_t int_of(struct tmpl_value v) { return v.type == TMPL_OBJECT ? duration_of(v) : v.i; }

/* "map[a:%!s(int=1)]: map[string]interface {}", as Go prints a value and its type. */
static int not_comparable(struct tmpl_call *c, struct tmpl_value v)
{
    AUTO(buf_done) struct buf shown = {0};

    printf_value(c->run, 's', v, &shown);
    return call_fail(c, "non-comparable type %s: %s", buf_cstr(&shown), value_type(v));
}

static int incompatible(struct tmpl_call *c, struct tmpl_value a, struct tmpl_value b)
{
    return call_fail(c, "incompatible types for comparison: %s and %s", value_type(a),
                     value_type(b));
}

/* Two kinds of values that are neither basic nor of one type. */
static int not_comparable_pair(struct tmpl_call *c, struct tmpl_value a, struct tmpl_value b)
{
    AUTO(buf_done) struct buf x = {0}, y = {0};

    printf_value(c->run, 's', a, &x);
    printf_value(c->run, 'v', b, &y);
    return call_fail(c, "non-comparable types %s: %s, %s: %s", buf_cstr(&x), value_type(a),
                     value_type(b), buf_cstr(&y));
}

static int equal_basic(struct tmpl_value a, struct tmpl_value b, enum basic kind)
{
    switch (kind) {
    case OF_BOOL:
        return a.b == b.b;
    case OF_INT:
    case OF_UINT:
        return int_of(a) == int_of(b);
    case OF_FLOAT:
        return a.f == b.f;
    case OF_COMPLEX:
        return a.pair[0] == b.pair[0] && a.pair[1] == b.pair[1];
    case OF_STRING:
        return str_eq(tmpl_text(a), tmpl_text(b));
    case NOT_BASIC:
        break;
    }
    return 0;
}

static bool is_int_like(enum basic kind) { return kind == OF_INT || kind == OF_UINT; }

/* A list or map that Go has no memory for. */
static bool is_nil_collection(struct tmpl_value v)
{
    return (v.type == TMPL_LIST && !(v.flags & TMPL_IS_DOC) && v.elem != TMPL_BYTES && !v.items) ||
           (v.type == TMPL_MAP && !(v.flags & TMPL_IS_DOC) && !v.map);
}

/* 1 equal, 0 not, -1 no comparison. */
static int equal(struct tmpl_call *c, struct tmpl_value a, struct tmpl_value b)
{
    enum basic x = basic_of(a), y = basic_of(b);
    bool nil_a = tmpl_is_nil(a), nil_b = tmpl_is_nil(b);

    if (x != y && is_int_like(x) && is_int_like(y))
        return int_of(a) == int_of(b) && int_of(a) >= 0;
    if (nil_a || nil_b)
        return nil_a && nil_b;
    if (x != y)
        return incompatible(c, a, b);
    if (x != NOT_BASIC)
        return equal_basic(a, b, x);
    if (strcmp(value_kind(a), value_kind(b)) != 0)
        return not_comparable_pair(c, a, b);
    if (is_nil_collection(a) || is_nil_collection(b))
        return is_nil_collection(a) && is_nil_collection(b);
    if (b.type == TMPL_LIST || b.type == TMPL_MAP)
        return not_comparable(c, b);
    if (value_is(b, &object_version)) /* pointers */
        return a.object == b.object;
    return value_equal(c->run, a, b);
}

int compare_eq(struct tmpl_call *c, struct tmpl_value *ret)
{
    int rc = 0;

    if (c->argc == 1)
        return call_fail(c, "missing argument for comparison");
    for (size_t i = 1; i < c->argc && rc == 0; i++)
        rc = equal(c, c->args[0], c->args[i]);
    *ret = tmpl_bool(rc > 0);
    return MIN(rc, 0);
}

int compare_ne(struct tmpl_call *c, struct tmpl_value *ret)
{
    int rc = equal(c, c->args[0], c->args[1]);

    *ret = tmpl_bool(rc == 0);
    return MIN(rc, 0);
}

static int less_mixed(struct tmpl_value a, struct tmpl_value b, enum basic x)
{
    if (x == OF_INT)
        return int_of(a) < 0 || (uint64_t)int_of(a) < b.u;
    return int_of(b) >= 0 && a.u < (uint64_t)int_of(b);
}

/* 1 less, 0 not, -1 no comparison. */
static int less(struct tmpl_call *c, struct tmpl_value a, struct tmpl_value b)
{
    enum basic x = basic_of(a), y = basic_of(b);

    if (x == NOT_BASIC || y == NOT_BASIC)
        return call_fail(c, "invalid type for comparison");
    if (x != y && is_int_like(x) && is_int_like(y))
        return less_mixed(a, b, x);
    if (x != y)
        return incompatible(c, a, b);
    switch (x) {
    case OF_INT:
        return int_of(a) < int_of(b);
    case OF_UINT:
        return a.u < b.u;
    case OF_FLOAT:
        return a.f < b.f;
    case OF_STRING:
        return str_cmp(tmpl_text(a), tmpl_text(b)) < 0;
    default:
        return call_fail(c, "invalid type for comparison");
    }
}

int compare_lt(struct tmpl_call *c, struct tmpl_value *ret)
{
    int rc = less(c, c->args[0], c->args[1]);

    *ret = tmpl_bool(rc > 0);
    return MIN(rc, 0);
}

int compare_le(struct tmpl_call *c, struct tmpl_value *ret)
{
    int rc = less(c, c->args[0], c->args[1]);

    if (rc == 0)
        rc = equal(c, c->args[0], c->args[1]);
    *ret = tmpl_bool(rc > 0);
    return MIN(rc, 0);
}

int compare_gt(struct tmpl_call *c, struct tmpl_value *ret)
{
    int rc = compare_le(c, ret);

    ret->b = !ret->b;
    return rc;
}

int compare_ge(struct tmpl_call *c, struct tmpl_value *ret)
{
    int rc = compare_lt(c, ret);

    ret->b = !ret->b;
    return rc;
}
