/* Defaults and logic (template spec 14.4). */
#include "expr/gotmpl/fn_priv.h"

static int f_default(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = c->args[c->argc == 1 || value_is_empty(c->run, c->args[1]) ? 0 : 1];
    return 0;
}

static int f_empty(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_bool(ret, value_is_empty(c->run, c->args[0]));
}

static int f_coalesce(struct tmpl_call *c, struct tmpl_value *ret)
{
    for (size_t i = 0; i < c->argc; i++)
        if (!value_is_empty(c->run, c->args[i])) {
            *ret = c->args[i];
            break;
        }
    return 0;
}

static int f_all(struct tmpl_call *c, struct tmpl_value *ret)
{
    for (size_t i = 0; i < c->argc; i++)
        if (value_is_empty(c->run, c->args[i]))
            return ret_bool(ret, false);
    return ret_bool(ret, true);
}

static int f_any(struct tmpl_call *c, struct tmpl_value *ret)
{
    for (size_t i = 0; i < c->argc; i++)
        if (!value_is_empty(c->run, c->args[i]))
            return ret_bool(ret, true);
    return ret_bool(ret, false);
}

static int f_ternary(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = c->args[c->args[2].b ? 0 : 1];
    return 0;
}

static int f_fail(struct tmpl_call *c, struct tmpl_value *ret UNUSED)
{
    return call_fail(c, "%.*s", STR_ARG(arg_text(c, 0)));
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "default", "AA*", f_default, 0,
             "The second, or the first when the second is empty", "{{ \"\" | default \"x\" }}",
             "x");
    func_add(to, "empty", "A", f_empty, 0,
             "True for nil, false, zero, and a text, list or map with nothing in it",
             "{{ empty 0 }}", "true");
    func_add(to, "coalesce", "A*", f_coalesce, 0, "The first that is not empty",
             "{{ coalesce 0 \"\" \"x\" }}", "x");
    func_add(to, "all", "A*", f_all, 0, "True when none is empty", "{{ all 1 \"\" }}", "false");
    func_add(to, "any", "A*", f_any, 0, "True when one is not empty", "{{ any 1 \"\" }}", "true");
    func_add(to, "ternary", "AAB", f_ternary, 0,
             "The first when the condition is true, else the second",
             "{{ ternary \"yes\" \"no\" true }}", "yes");
    func_add(to, "fail", "S", f_fail, 0, "Ends the template with a message", NULL, NULL);
}
FUNC_GROUP(func_defaults, "Defaults and logic", add_rows, IN_SPRIG);
