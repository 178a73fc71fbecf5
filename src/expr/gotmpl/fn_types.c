/* Types of values (template spec 14.9). */
#include "expr/gotmpl/fn_priv.h"

static int f_type_of(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, str_of(value_type(c->args[0])));
}

static int f_type_is(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_bool(ret, str_eq(arg_text(c, 0), str_of(value_type(c->args[1]))));
}

static int f_type_is_like(struct tmpl_call *c, struct tmpl_value *ret)
{
    str type = str_of(value_type(c->args[1])), want = arg_text(c, 0);

    return ret_bool(ret,
                    str_eq(want, type) || (type.p[0] == '*' && str_eq(want, str_from(type, 1))));
}

static int f_kind_of(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, str_of(value_kind(c->args[0])));
}

static int f_kind_is(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_bool(ret, str_eq(arg_text(c, 0), str_of(value_kind(c->args[1]))));
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "typeOf", "A", f_type_of, 0, "The name of the value's type", "{{ typeOf (list) }}",
             "[]interface {}");
    func_add(to, "typeIs", "SA", f_type_is, 0, "True when the value has that type",
             "{{ typeIs \"int\" 1 }}", "true");
    func_add(to, "typeIsLike", "SA", f_type_is_like, 0,
             "True when the value has that type or points to it",
             "{{ typeIsLike \"semver.Version\" (semver \"1.0.0\") }}", "true");
    func_add(to, "kindOf", "A", f_kind_of, 0, "The kind of the value's type", "{{ kindOf (dict) }}",
             "map");
    func_add(to, "kindIs", "SA", f_kind_is, 0, "True when the value is of that kind",
             "{{ kindIs \"slice\" (list) }}", "true");
}
FUNC_GROUP(func_types, "Types", add_rows, IN_SPRIG);
