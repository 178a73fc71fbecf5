/* Lists: choosing items by what they are (template spec 14.7). */
#include "expr/gotmpl/lists_priv.h"

static bool is_among(struct tmpl_run *r, const struct tmpl_value *items, size_t count,
                     struct tmpl_value v)
{
    for (size_t i = 0; i < count; i++)
        if (value_equal(r, items[i], v))
            return true;
    return false;
}

static int f_uniq(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[0], *kept;
    const struct tmpl_value *items;
    size_t count = 0;

    if (!list_check(c, v, "find uniq on"))
        return -1;
    items = value_items(c->run, v);
    kept = trun_array(c->run, v.len);
    for (size_t i = 0; i < v.len && trun_step(c->run) == 0; i++)
        if (!is_among(c->run, kept, count, items[i]))
            kept[count++] = items[i];
    return ret_list(ret, TMPL_ANY, kept, count);
}

static int f_without(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[0], *kept;
    const struct tmpl_value *items;
    size_t count = 0;

    if (!list_check(c, v, "find without on"))
        return -1;
    items = value_items(c->run, v);
    kept = trun_array(c->run, v.len);
    for (size_t i = 0; i < v.len && trun_step(c->run) == 0; i++)
        if (!is_among(c->run, c->args + 1, c->argc - 1, items[i]))
            kept[count++] = items[i];
    return ret_list(ret, TMPL_ANY, kept, count);
}

static int f_has(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[1];

    if (tmpl_is_nil(v))
        return ret_bool(ret, false);
    if (!list_check(c, v, "find has on"))
        return -1;
    return ret_bool(ret, is_among(c->run, value_items(c->run, v), v.len, c->args[0]));
}

static int f_compact(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[0], *kept;
    const struct tmpl_value *items;
    size_t count = 0;

    if (!list_check(c, v, "compact on"))
        return -1;
    items = value_items(c->run, v);
    kept = trun_array(c->run, v.len);
    for (size_t i = 0; i < v.len; i++)
        if (!value_is_empty(c->run, items[i]))
            kept[count++] = items[i];
    return ret_list(ret, TMPL_ANY, kept, count);
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "uniq", "A", f_uniq, 0, "Each item once", "{{ list 1 1 2 | uniq }}", "[1 2]");
    func_add(to, "mustUniq", "A", f_uniq, 0, "Each item once", "{{ list 1 1 2 | mustUniq }}",
             "[1 2]");
    func_add(to, "without", "AA*", f_without, 0, "The items that equal none of the values",
             "{{ without (list 1 2 3) 2 }}", "[1 3]");
    func_add(to, "mustWithout", "AA*", f_without, 0, "The items that equal none of the values",
             "{{ mustWithout (list 1 2 3) 2 }}", "[1 3]");
    func_add(to, "has", "AA", f_has, 0, "True when the list has an item equal to the value",
             "{{ list 1 2 | has 2 }}", "true");
    func_add(to, "mustHas", "AA", f_has, 0, "True when the list has an item equal to the value",
             "{{ list 1 2 | mustHas 3 }}", "false");
    func_add(to, "compact", "A", f_compact, 0, "The items that are not empty",
             "{{ list 1 \"\" 2 | compact }}", "[1 2]");
    func_add(to, "mustCompact", "A", f_compact, 0, "The items that are not empty",
             "{{ list 1 0 2 | mustCompact }}", "[1 2]");
}
FUNC_GROUP(func_more_lists, "Lists", add_rows, IN_SPRIG);
