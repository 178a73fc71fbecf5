/* Maps (template spec 14.8). */
#include "expr/gotmpl/fn_priv.h"

static int f_dict(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_map *map = tmpl_map_new(&c->run->arena, TMPL_ANY);

    for (size_t i = 0; i < c->argc; i += 2)
        tmpl_map_set(map, value_strval(c->run, c->args[i]),
                     i + 1 < c->argc ? c->args[i + 1] : tmpl_string(STR("")));
    *ret = tmpl_map_value(map);
    return 0;
}

static int f_get(struct tmpl_call *c, struct tmpl_value *ret)
{
    if (!value_get(c->run, c->args[0], arg_text(c, 1), ret))
        *ret = tmpl_string(STR(""));
    return 0;
}

static int f_set(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_map *map = value_thaw(c->run, c->args[0]);

    if (!map)
        return call_fail(c, "assignment to entry in nil map");
    tmpl_map_set(map, arg_text(c, 1), c->args[2]);
    *ret = c->args[0];
    return 0;
}

static int f_unset(struct tmpl_call *c, struct tmpl_value *ret)
{
    tmpl_map_remove(value_thaw(c->run, c->args[0]), arg_text(c, 1));
    *ret = c->args[0];
    return 0;
}

static int f_has_key(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v;

    return ret_bool(ret, value_get(c->run, c->args[0], arg_text(c, 1), &v));
}

static int f_pluck(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value *items = trun_array(c->run, c->argc);
    size_t count = 0;

    for (size_t i = 1; i < c->argc; i++)
        count += value_get(c->run, c->args[i], arg_text(c, 0), &items[count]);
    return ret_list(ret, TMPL_ANY, items, count);
}

static int f_keys(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(str_vec_done) struct str_vec keys = {0};

    for (size_t i = 0; i < c->argc; i++) {
        size_t count;
        const struct tmpl_entry *entries = value_entries(c->run, c->args[i], &count);

        for (size_t k = 0; k < count; k++)
            vec_push(&keys, entries[k].key);
    }
    *ret = trun_string_list(c->run, keys.v, keys.len);
    return 0;
}

static int f_values(struct tmpl_call *c, struct tmpl_value *ret)
{
    size_t count;
    const struct tmpl_entry *entries = value_entries(c->run, c->args[0], &count);
    struct tmpl_value *items = trun_array(c->run, count);

    for (size_t i = 0; i < count; i++)
        items[i] = entries[i].value;
    return ret_list(ret, TMPL_ANY, items, count);
}

static int f_pick(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_map *map = tmpl_map_new(&c->run->arena, TMPL_ANY);
    struct tmpl_value v;

    for (size_t i = 1; i < c->argc; i++)
        if (value_get(c->run, c->args[0], arg_text(c, i), &v))
            tmpl_map_set(map, arg_text(c, i), v);
    *ret = tmpl_map_value(map);
    return 0;
}

static int f_omit(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_map *map = tmpl_map_new(&c->run->arena, TMPL_ANY);
    size_t count;
    const struct tmpl_entry *entries = value_entries(c->run, c->args[0], &count);

    for (size_t i = 0; i < count; i++)
        tmpl_map_set(map, entries[i].key, entries[i].value);
    for (size_t i = 1; i < c->argc; i++)
        tmpl_map_remove(map, arg_text(c, i));
    *ret = tmpl_map_value(map);
    return 0;
}

/* ---- merging */

/* Without overwrite only what is empty in `to` is replaced, and nil never comes over. */
static void merge(struct tmpl_run *r, struct tmpl_value to, struct tmpl_value from, bool overwrite)
{
    struct tmpl_map *map = value_thaw(r, to);
    size_t count;
    const struct tmpl_entry *entries = value_entries(r, from, &count);

    if (trun_step(r) < 0)
        return;
    for (size_t i = 0; i < count; i++) {
        struct tmpl_value old, new = entries[i].value;
        bool has = tmpl_map_get(map, entries[i].key, &old);

        if (tmpl_is_nil(new) && !overwrite)
            continue;
        if (has && old.type == TMPL_MAP && new.type == TMPL_MAP &&value_len(r, old))
            merge(r, old, new, overwrite);
        else if (!has || overwrite || value_is_empty(r, old))
            tmpl_map_set(map, entries[i].key, new);
    }
}

static int merge_all(struct tmpl_call *c, bool overwrite, struct tmpl_value *ret)
{
    *ret = c->args[0];
    if (!value_thaw(c->run, *ret))
        *ret = tmpl_map_value(tmpl_map_new(&c->run->arena, TMPL_ANY));
    for (size_t i = 1; i < c->argc; i++)
        merge(c->run, *ret, c->args[i], overwrite);
    return 0;
}

static int f_merge(struct tmpl_call *c, struct tmpl_value *ret) { return merge_all(c, false, ret); }
static int f_overwrite(struct tmpl_call *c, struct tmpl_value *ret)
{
    return merge_all(c, true, ret);
}

static int f_deep_copy(struct tmpl_call *c, struct tmpl_value *ret)
{
    if (tmpl_is_nil(c->args[0]))
        return call_fail(c, "reflect: call of reflect.Value.Type on zero Value");
    *ret = value_copy(c->run, c->args[0]);
    return 0;
}

static int f_deep_equal(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_bool(ret, value_equal(c->run, c->args[0], c->args[1]));
}

/* As Go calls the type of what an interface holds. */
static const char *interface_type(struct tmpl_value v)
{
    return tmpl_is_nil(v) ? "nil" : value_type(v);
}

static int f_dig(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value at;

    if (c->argc < 3)
        return call_fail(c, "dig needs at least three arguments");
    at = c->args[c->argc - 1];
    for (size_t i = 0; i < c->argc - 2; i++) {
        if (at.type != TMPL_MAP || at.elem != TMPL_ANY || c->args[i].type != TMPL_STRING)
            return call_fail(
                c, "interface conversion: interface {} is %s, not %s",
                at.type == TMPL_MAP && at.elem == TMPL_ANY ? interface_type(c->args[i])
                                                           : interface_type(at),
                at.type == TMPL_MAP && at.elem == TMPL_ANY ? "string" : "map[string]interface {}");
        if (!value_get(c->run, at, arg_text(c, i), &at)) {
            *ret = c->args[c->argc - 2];
            return 0;
        }
    }
    *ret = at;
    return 0;
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "dict", "A*", f_dict, 0, "A map of pairs of key and value", "{{ dict \"a\" 1 }}",
             "map[a:1]");
    func_add(to, "get", "DS", f_get, 0, "A member, or the empty text",
             "{{ get (dict \"a\" 1) \"a\" }}", "1");
    func_add(to, "set", "DSA", f_set, 0, "Changes a member of the map itself, and returns the map",
             "{{ set (dict \"a\" 1) \"b\" 2 }}", "map[a:1 b:2]");
    func_add(to, "unset", "DS", f_unset, 0,
             "Removes a member of the map itself, and returns the map",
             "{{ unset (dict \"a\" 1 \"b\" 2) \"b\" }}", "map[a:1]");
    func_add(to, "hasKey", "DS", f_has_key, 0, "True when the map has the member",
             "{{ hasKey (dict \"a\" 1) \"a\" }}", "true");
    func_add(to, "pluck", "SD*", f_pluck, 0, "The member of that name of each map that has it",
             "{{ pluck \"a\" (dict \"a\" 1) (dict \"a\" 2) }}", "[1 2]");
    func_add(to, "keys", "D*", f_keys, 0, "The keys of the maps, sorted for each",
             "{{ keys (dict \"b\" 1 \"a\" 2) }}", "[a b]");
    func_add(to, "values", "D", f_values, 0, "The values of the map, in the order of the keys",
             "{{ values (dict \"b\" 1 \"a\" 2) }}", "[2 1]");
    func_add(to, "pick", "DS*", f_pick, 0, "A new map of these members",
             "{{ pick (dict \"a\" 1 \"b\" 2) \"a\" }}", "map[a:1]");
    func_add(to, "omit", "DS*", f_omit, 0, "A new map without these members",
             "{{ omit (dict \"a\" 1 \"b\" 2) \"a\" }}", "map[b:2]");
    func_add(to, "merge", "DD*", f_merge, 0,
             "Fills what is empty in the first map from the others, and returns it",
             "{{ merge (dict \"a\" 1) (dict \"a\" 2 \"b\" 3) }}", "map[a:1 b:3]");
    func_add(to, "mustMerge", "DD*", f_merge, 0, "The same as merge",
             "{{ mustMerge (dict) (dict \"b\" 3) }}", "map[b:3]");
    func_add(to, "mergeOverwrite", "DD*", f_overwrite, 0,
             "Puts the members of the others into the first map, and returns it",
             "{{ mergeOverwrite (dict \"a\" 1) (dict \"a\" 2) }}", "map[a:2]");
    func_add(to, "mustMergeOverwrite", "DD*", f_overwrite, 0, "The same as mergeOverwrite",
             "{{ mustMergeOverwrite (dict \"a\" 1) (dict \"a\" 2) }}", "map[a:2]");
    func_add(to, "deepCopy", "A", f_deep_copy, 0,
             "A copy, changes of which leave the original alone", "{{ deepCopy (dict \"a\" 1) }}",
             "map[a:1]");
    func_add(to, "mustDeepCopy", "A", f_deep_copy, 0, "The same as deepCopy",
             "{{ mustDeepCopy (list 1) }}", "[1]");
    func_add(to, "deepEqual", "AA", f_deep_equal, 0,
             "True when the values and their types are equal", "{{ deepEqual (list 1) (list 1) }}",
             "true");
    func_add(to, "dig", "A*", f_dig, 0, "A member of a member …, or a default where one is missing",
             "{{ dict \"a\" (dict \"b\" 1) | dig \"a\" \"b\" \"none\" }}", "1");
}
FUNC_GROUP(func_maps, "Maps", add_rows, IN_SPRIG);
