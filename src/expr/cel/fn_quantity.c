/* The library of quantities of Kubernetes (cel spec 11). */
#include "expr/cel/fn_priv.h"
#include "res/quantity.h"

static struct res_quantity quantity_of(const struct cel_object *o)
{
    return (struct res_quantity){.number = o->number, .scale = o->scale, .is_small = o->has_number};
}

static int compare(const struct cel_object *a, const struct cel_object *b)
{
    struct res_quantity x = quantity_of(a), y = quantity_of(b);

    return res_quantity_compare(&x, &y);
}

static bool is_equal(const struct cel_object *a, const struct cel_object *b)
{
    return compare(a, b) == 0;
}

static const struct cel_object_class class = {"kubernetes.Quantity", is_equal};

static struct cel_value make(struct cel_run *r, str text, struct res_quantity q)
{
    struct cel_object *o = cel_new_object(r, &class);

    o->text = text;
    o->number = q.number;
    o->scale = q.scale;
    o->has_number = q.is_small;
    return cel_make_object(o);
}

FN(to_quantity)
{
    struct res_quantity q;

    switch (res_quantity_parse(a[0].s, &q)) {
    case RES_QUANTITY_FINE:
        break;
    case RES_QUANTITY_BAD_FORM:
        return cel_fail(r->arena, CEL_OTHER,
                        "quantities must match the regular expression "
                        "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    case RES_QUANTITY_BAD_SUFFIX:
        return cel_fail(r->arena, CEL_OTHER, "unable to parse quantity's suffix");
    }
    return make(r, a[0].s, q);
}

FN(is_quantity)
{
    struct res_quantity q;

    return cel_make_bool(res_quantity_parse(a[0].s, &q) == RES_QUANTITY_FINE);
}

FN(sign) { return cel_make_int((a[0].object->number > 0) - (a[0].object->number < 0)); }

FN(is_integer)
{
    struct res_quantity q = quantity_of(a[0].object);
    int64_t i;

    return cel_make_bool(res_quantity_to_int(&q, &i));
}

FN(as_integer)
{
    struct res_quantity q = quantity_of(a[0].object);
    int64_t i;

    if (!res_quantity_to_int(&q, &i))
        return cel_fail(r->arena, CEL_OTHER, "cannot convert value to integer");
    return cel_make_int(i);
}

FN(as_double)
{
    struct res_quantity q = quantity_of(a[0].object);

    return cel_make_double(res_quantity_to_double(&q));
}

/* The second operand: a quantity or an int. */
static struct res_quantity operand(const struct cel_value *v)
{
    return v->kind == CEL_INT ? (struct res_quantity){.number = v->i, .is_small = true}
                              : quantity_of(v->object);
}

FN(add) { return make(r, STR(""), res_quantity_add(quantity_of(a[0].object), operand(&a[1]))); }

FN(subtract)
{
    struct res_quantity less = res_quantity_negate(operand(&a[1]));

    return make(r, STR(""), res_quantity_add(quantity_of(a[0].object), less));
}

FN(compare_to) { return cel_make_int(compare(a[0].object, a[1].object)); }
FN(is_greater) { return cel_make_bool(compare(a[0].object, a[1].object) > 0); }
FN(is_less) { return cel_make_bool(compare(a[0].object, a[1].object) < 0); }

#define QUANTITY "kubernetes.Quantity"

void cel_rows_quantity(const struct cel_rows *to)
{
    cel_add_row(to, "quantity", false, "string", QUANTITY, to_quantity);
    cel_add_row(to, "isQuantity", false, "string", "bool", is_quantity);
    cel_add_row(to, "sign", false, QUANTITY, "int", sign);
    cel_add_row(to, "isInteger", true, QUANTITY, "bool", is_integer);
    cel_add_row(to, "asInteger", true, QUANTITY, "int", as_integer);
    cel_add_row(to, "asApproximateFloat", true, QUANTITY, "double", as_double);
    cel_add_row(to, "add", true, QUANTITY "," QUANTITY, QUANTITY, add);
    cel_add_row(to, "add", true, QUANTITY ",int", QUANTITY, add);
    cel_add_row(to, "sub", true, QUANTITY "," QUANTITY, QUANTITY, subtract);
    cel_add_row(to, "sub", true, QUANTITY ",int", QUANTITY, subtract);
    cel_add_row(to, "compareTo", true, QUANTITY "," QUANTITY, "int", compare_to);
    cel_add_row(to, "isGreaterThan", true, QUANTITY "," QUANTITY, "bool", is_greater);
    cel_add_row(to, "isLessThan", true, QUANTITY "," QUANTITY, "bool", is_less);
}
