/* Lists of strings (template spec 14.2). */
#include "expr/gotmpl/fn_priv.h"

#include "base/order.h"

/* sprig's strslice: the items of a list as texts, nil ones left out; a text for other values. */
static struct str_vec fn_texts(struct tmpl_run *r, struct tmpl_value v)
{
    struct str_vec texts = {0};
    const struct tmpl_value *items;

    if (v.type != TMPL_LIST || v.elem == TMPL_BYTES) {
        if (!tmpl_is_nil(v))
            vec_push(&texts, value_strval(r, v));
        return texts;
    }
    items = value_items(r, v);
    for (size_t i = 0; i < v.len; i++)
        if (!tmpl_is_nil(items[i]))
            vec_push(&texts, value_strval(r, items[i]));
    return texts;
}

static int f_join(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(str_vec_done) struct str_vec texts = fn_texts(c->run, c->args[1]);
    struct buf *b = trun_borrow(c->run);

    for (size_t i = 0; i < texts.len && trun_room(c->run, b->len) == 0; i++) {
        if (i)
            buf_add_str(b, arg_text(c, 0));
        buf_add_str(b, texts.v[i]);
    }
    return ret_text(c, b, ret);
}

/* At most limit pieces, the last the rest; an empty separator divides characters. */
static void split(str sep, str s, size_t limit, struct str_vec *ret)
{
    while (ret->len + 1 < limit) {
        ssize_t at = sep.len ? str_find(s, sep) : -1;
        size_t width = 0;

        if (!sep.len && s.len) {
            str_utf8_at(s, 0, &width);
            at = width < s.len ? (ssize_t)width : -1;
        }
        if (at < 0)
            break;
        vec_push(ret, str_sub(s, 0, (size_t)at));
        s = str_from(s, (size_t)at + sep.len);
    }
    if (limit && (sep.len || s.len))
        vec_push(ret, s);
}

static int f_split_list(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(str_vec_done) struct str_vec parts = {0};

    split(arg_text(c, 0), arg_text(c, 1), SIZE_MAX, &parts);
    *ret = trun_string_list(c->run, parts.v, parts.len);
    return 0;
}

static int split_map(struct tmpl_call *c, str sep, str s, int64_t limit, struct tmpl_value *ret)
{
    AUTO(str_vec_done) struct str_vec parts = {0};
    struct tmpl_map *map = tmpl_map_new(&c->run->arena, TMPL_STRINGS);

    split(sep, s, limit < 0 ? SIZE_MAX : (size_t)limit, &parts);
    for (size_t i = 0; i < parts.len; i++)
        tmpl_map_set(map, arena_printf(&c->run->arena, "_%zu", i), tmpl_string(parts.v[i]));
    *ret = tmpl_map_value(map);
    return 0;
}

static int f_split(struct tmpl_call *c, struct tmpl_value *ret)
{
    return split_map(c, arg_text(c, 0), arg_text(c, 1), -1, ret);
}

static int f_splitn(struct tmpl_call *c, struct tmpl_value *ret)
{
    return split_map(c, arg_text(c, 0), arg_text(c, 2), c->args[1].i, ret);
}

static int f_sort_alpha(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(str_vec_done) struct str_vec texts = fn_texts(c->run, c->args[0]);

    if (c->args[0].type == TMPL_LIST)
        vec_sort(&texts, order_str);
    else if (!texts.len) /* a nil is its text here */
        vec_push(&texts, STR("<nil>"));
    *ret = trun_string_list(c->run, texts.v, texts.len);
    return 0;
}

static int f_to_strings(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(str_vec_done) struct str_vec texts = fn_texts(c->run, c->args[0]);

    *ret = trun_string_list(c->run, texts.v, texts.len);
    return 0;
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "join", "SA", f_join, 0, "The items as one text, a text between them",
             "{{ list 1 2 | join \"-\" }}", "1-2");
    func_add(to, "splitList", "SS", f_split_list, 0, "The parts between a text, as a list",
             "{{ splitList \",\" \"a,b\" }}", "[a b]");
    func_add(to, "split", "SS", f_split, 0, "The parts between a text, as a map of _0, _1, …",
             "{{ (split \",\" \"a,b\")._1 }}", "b");
    func_add(to, "splitn", "SIS", f_splitn, 0, "As split, at most so many parts",
             "{{ (splitn \",\" 2 \"a,b,c\")._1 }}", "b,c");
    func_add(to, "sortAlpha", "A", f_sort_alpha, 0, "The items as texts, sorted by bytes",
             "{{ list \"b\" \"a\" | sortAlpha }}", "[a b]");
    func_add(to, "toStrings", "A", f_to_strings, 0, "The items as texts",
             "{{ list 1 true | toStrings }}", "[1 true]");
}
FUNC_GROUP(func_string_lists, "Lists of strings", add_rows, IN_SPRIG);
