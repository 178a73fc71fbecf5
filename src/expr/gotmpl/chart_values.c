/* The methods of ".Values" and of a chart's dot: helm's type common.Values. A method hides the
 * member of its name. */
#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/format_priv.h"
#include "expr/gotmpl/objects_priv.h"

static int m_as_map(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = c->self;
    ret->elem = TMPL_ANY;
    return 0;
}

static int m_yaml(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);
    const char *why;

    if (format_yaml(c->run, c->self, false, b, &why)) {
        buf_add_char(b, '\n');
        return ret_text(c, b, ret);
    }
    trun_give(c->run, b);
    return call_fail(c, "%s", why);
}

/* Steps down the names of a path; false at the first that is no map, which *ret_name tells. */
static bool find_table(struct tmpl_call *c, str path, struct tmpl_value *ret, str *ret_name)
{
    *ret = c->self;
    while (path.p) {
        struct tmpl_value below;

        *ret_name = str_cut(path, '.', &path);
        if (!value_get(c->run, *ret, *ret_name, &below) || below.type != TMPL_MAP)
            return false;
        *ret = below;
    }
    ret->elem = TMPL_VALUES;
    return true;
}

static int m_table(struct tmpl_call *c, struct tmpl_value *ret)
{
    str name = STR_NONE;

    if (find_table(c, arg_text(c, 0), ret, &name))
        return 0;
    return call_fail(c, "\"%.*s\" is not a table", STR_ARG(name));
}

static int m_path_value(struct tmpl_call *c, struct tmpl_value *ret)
{
    str path = arg_text(c, 0), name;
    ssize_t dot = str_rfind_char(path, '.');
    struct tmpl_value table = c->self;

    if (!path.len)
        return call_fail(c, "YAML path cannot be empty");
    if ((dot < 0 || find_table(c, str_sub(path, 0, (size_t)dot), &table, &name)) &&
        value_get(c->run, table, str_from(path, (size_t)(dot + 1)), ret) && ret->type != TMPL_MAP)
        return 0;
    name = str_from(path, (size_t)(dot + 1));
    return call_fail(c, "\"%.*s\" is not a value", STR_ARG(name));
}

const struct tmpl_member values_members[] = {
    {"AsMap", "", m_as_map},          {"YAML", "", m_yaml}, {"Table", "S", m_table},
    {"PathValue", "S", m_path_value}, {NULL, NULL, NULL},
};
