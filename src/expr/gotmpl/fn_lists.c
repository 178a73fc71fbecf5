/* Lists: making them and taking them apart (template spec 14.7). */
#include "expr/gotmpl/lists_priv.h"

bool list_check(struct tmpl_call *c, struct tmpl_value v, const char *what)
{
    if (v.type == TMPL_LIST)
        return true;
    if (tmpl_is_nil(v))
        call_fail(c, "runtime error: invalid memory address or nil pointer dereference");
    else
        call_fail(c, "Cannot %s type %s", what, value_kind(v));
    return false;
}

static int f_list(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value *items = trun_array(c->run, c->argc);

    if (c->argc)
        memcpy(items, c->args, c->argc * sizeof(*items));
    return ret_list(ret, TMPL_ANY, items, c->argc);
}

static int f_first(struct tmpl_call *c, struct tmpl_value *ret)
{
    if (!list_check(c, c->args[0], "find first on"))
        return -1;
    if (c->args[0].len)
        *ret = value_item(c->run, c->args[0], 0);
    return 0;
}

static int f_last(struct tmpl_call *c, struct tmpl_value *ret)
{
    if (!list_check(c, c->args[0], "find last on"))
        return -1;
    if (c->args[0].len)
        *ret = value_item(c->run, c->args[0], c->args[0].len - 1);
    return 0;
}

static int f_rest(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[0];

    if (!list_check(c, v, "find rest on"))
        return -1;
    return ret_list(ret, TMPL_ANY, v.len ? value_items(c->run, v) + 1 : NULL,
                    v.len ? v.len - 1 : 0);
}

static int f_initial(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[0];

    if (!list_check(c, v, "find initial on"))
        return -1;
    return ret_list(ret, TMPL_ANY, v.len ? value_items(c->run, v) : NULL, v.len ? v.len - 1 : 0);
}

/* A copy of the items of v behind `front` free places, with `back` free places at the end. */
static struct tmpl_value *copy_items(struct tmpl_call *c, struct tmpl_value v, size_t front,
                                     size_t back)
{
    struct tmpl_value *items = trun_array(c->run, front + v.len + back);

    if (v.len)
        memcpy(items + front, value_items(c->run, v), v.len * sizeof(*items));
    return items;
}

static int f_append(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[0], *items;

    if (!list_check(c, v, "push on"))
        return -1;
    items = copy_items(c, v, 0, 1);
    items[v.len] = c->args[1];
    return ret_list(ret, TMPL_ANY, items, v.len + (size_t)1);
}

static int f_prepend(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[0], *items;

    if (!list_check(c, v, "prepend on"))
        return -1;
    items = copy_items(c, v, 1, 0);
    items[0] = c->args[1];
    return ret_list(ret, TMPL_ANY, items, v.len + (size_t)1);
}

static int f_concat(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value *items;
    size_t total = 0, at = 0;

    for (size_t i = 0; i < c->argc; i++) {
        if (tmpl_is_nil(c->args[i]))
            return list_check(c, c->args[i], "") - 1;
        if (c->args[i].type != TMPL_LIST)
            return call_fail(c, "Cannot concat type %s as list", value_kind(c->args[i]));
        total += c->args[i].len;
    }
    if (!total)
        return ret_list(ret, TMPL_ANY, NULL, 0);
    items = trun_array(c->run, total);
    for (size_t i = 0; i < c->argc; i++) {
        if (c->args[i].len)
            memcpy(items + at, value_items(c->run, c->args[i]), c->args[i].len * sizeof(*items));
        at += c->args[i].len;
    }
    return ret_list(ret, TMPL_ANY, items, total);
}

static int f_reverse(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[0], *items;

    if (!list_check(c, v, "find reverse on"))
        return -1;
    items = copy_items(c, v, 0, 0);
    for (size_t i = 0, j = v.len; i + 1 < j; i++) {
        struct tmpl_value kept = items[i];

        items[i] = items[--j];
        items[j] = kept;
    }
    return ret_list(ret, TMPL_ANY, items, v.len);
}

static int f_slice(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[0];
    int64_t from = 0, to = v.len;

    if (tmpl_is_nil(v))
        return list_check(c, v, "") - 1;
    if (v.type != TMPL_LIST)
        return call_fail(c, "list should be type of slice or array but %s", value_kind(v));
    if (!v.len)
        return 0;
    if (c->argc > 1)
        from = fn_to_int(c->args[1]);
    if (c->argc > 2)
        to = fn_to_int(c->args[2]);
    if (from < 0 || to < from || to > (int64_t)v.len)
        return call_fail(c, "reflect.Value.Slice: slice index out of bounds");
    if (v.elem == TMPL_BYTES) {
        *ret = tmpl_bytes(str_sub(tmpl_text(v), (size_t)from, (size_t)(to - from)));
        return 0;
    }
    return ret_list(ret, v.elem, value_items(c->run, v) + from, (size_t)(to - from));
}

static int f_chunk(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct tmpl_value v = c->args[1], *chunks;
    const struct tmpl_value *items;
    int64_t size = c->args[0].i;
    size_t count;

    if (!list_check(c, v, "chunk"))
        return -1;
    if (size <= 0 &&
        (size == 0 || v.len == 0 || (int64_t)v.len > 1 - size || (size == -1 && v.len == 1)))
        return call_fail(c, "runtime error: makeslice: len out of range");
    if (size <= 0 && v.len > 1)
        return ret_list(ret, TMPL_LISTS, trun_array(c->run, 0), 0);
    if (size <= 0)
        size = 1; /* sprig's formula gives a list of one item whole */
    size = MIN(size, (int64_t)v.len + 1);
    count = (v.len + (size_t)size - 1) / (size_t)size;
    items = value_items(c->run, v);
    chunks = trun_array(c->run, count);
    for (size_t i = 0; i < count; i++)
        chunks[i] = tmpl_list(TMPL_ANY, items + i * (size_t)size,
                              MIN((size_t)size, v.len - i * (size_t)size));
    return ret_list(ret, TMPL_LISTS, chunks, count);
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "list", "A*", f_list, 0, "A list of the values", "{{ list 1 \"a\" }}", "[1 a]");
    func_add(to, "tuple", "A*", f_list, 0, "The same as list", "{{ tuple 1 2 }}", "[1 2]");
    func_add(to, "first", "A", f_first, 0, "The first item", "{{ list 1 2 3 | first }}", "1");
    func_add(to, "mustFirst", "A", f_first, 0, "The first item", "{{ list 1 2 3 | mustFirst }}",
             "1");
    func_add(to, "last", "A", f_last, 0, "The last item", "{{ list 1 2 3 | last }}", "3");
    func_add(to, "mustLast", "A", f_last, 0, "The last item", "{{ list 1 2 3 | mustLast }}", "3");
    func_add(to, "rest", "A", f_rest, 0, "All but the first item", "{{ list 1 2 3 | rest }}",
             "[2 3]");
    func_add(to, "mustRest", "A", f_rest, 0, "All but the first item",
             "{{ list 1 2 3 | mustRest }}", "[2 3]");
    func_add(to, "initial", "A", f_initial, 0, "All but the last item",
             "{{ list 1 2 3 | initial }}", "[1 2]");
    func_add(to, "mustInitial", "A", f_initial, 0, "All but the last item",
             "{{ list 1 2 3 | mustInitial }}", "[1 2]");
    func_add(to, "append", "AA", f_append, 0, "A new list with a value at the end",
             "{{ append (list 1) 2 }}", "[1 2]");
    func_add(to, "push", "AA", f_append, 0, "The same as append", "{{ push (list 1) 2 }}", "[1 2]");
    func_add(to, "mustAppend", "AA", f_append, 0, "A new list with a value at the end",
             "{{ mustAppend (list 1) 2 }}", "[1 2]");
    func_add(to, "mustPush", "AA", f_append, 0, "The same as mustAppend",
             "{{ mustPush (list 1) 2 }}", "[1 2]");
    func_add(to, "prepend", "AA", f_prepend, 0, "A new list with a value in front",
             "{{ prepend (list 1) 2 }}", "[2 1]");
    func_add(to, "mustPrepend", "AA", f_prepend, 0, "A new list with a value in front",
             "{{ mustPrepend (list 1) 2 }}", "[2 1]");
    func_add(to, "concat", "A*", f_concat, 0, "The lists joined",
             "{{ concat (list 1) (list 2 3) }}", "[1 2 3]");
    func_add(to, "reverse", "A", f_reverse, 0, "The items from last to first",
             "{{ list 1 2 3 | reverse }}", "[3 2 1]");
    func_add(to, "mustReverse", "A", f_reverse, 0, "The items from last to first",
             "{{ list 1 2 3 | mustReverse }}", "[3 2 1]");
    func_add(to, "slice", "AA*", f_slice, 0, "The items from one bound to before another",
             "{{ slice (list 1 2 3) 1 2 }}", "[2]");
    func_add(to, "mustSlice", "AA*", f_slice, 0, "The items from one bound to before another",
             "{{ mustSlice (list 1 2 3) 1 }}", "[2 3]");
    func_add(to, "chunk", "IA", f_chunk, 0, "Lists of so many items", "{{ list 1 2 3 | chunk 2 }}",
             "[[1 2] [3]]");
    func_add(to, "mustChunk", "IA", f_chunk, 0, "Lists of so many items",
             "{{ list 1 2 3 | mustChunk 2 }}", "[[1 2] [3]]");
}
FUNC_GROUP(func_lists, "Lists", add_rows, IN_SPRIG);
