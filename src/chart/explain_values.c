#include "chart/explain_values.h"

/* What is at a path of names with '.' between; "" is the whole. */
static const struct doc_node *at_path(const struct doc_node *n, str path)
{
    while (path.len && n)
        n = doc_get(n, str_cut(path, '.', &path));
    return n;
}

static void add(struct chart_origins *ret, str source, const struct doc_node *value)
{
    if (value)
        vec_push(ret, {source, value});
}

/* Subcharts first: what a parent's file says of them lies over their own. below: the part of the
 * path that is inside the chart's own values. */
static void add_defaults(struct doc_set *set, const struct chart *c, str path,
                         struct chart_origins *ret)
{
    str rest, first = str_cut(path, '.', &rest);

    for (size_t i = 0; i < c->child_count; i++)
        if (str_eq(c->children[i]->name, first))
            add_defaults(set, c->children[i], rest, ret);
    add(ret, arena_printf(&set->arena, "values.yaml of %.*s", STR_ARG(chart_full_name(set, c))),
        at_path(c->values, path));
}

static int add_file(struct doc_set *set, str name, str path, struct chart_origins *ret,
                    struct err *e)
{
    struct chart_user_values one = {0};
    struct doc_node *values;

    vec_push(&one.files, name);
    values = chart_user_values_read(set, &one, e);
    chart_user_values_done(&one);
    if (!values)
        return -1;
    add(ret, name, at_path(values, path));
    return 0;
}

static int add_set(struct doc_set *set, enum chart_set_kind kind, str text, str path,
                   struct chart_origins *ret, struct err *e)
{
    static const char flags[][14] = {"--set", "--set-string", "--set-file", "--set-json",
                                     "--set-literal"};
    struct chart_user_values one = {0};
    struct doc_node *values;

    vec_push(&one.sets[kind], text);
    values = chart_user_values_read(set, &one, e);
    chart_user_values_done(&one);
    if (!values)
        return -1;
    add(ret, arena_printf(&set->arena, "%s %.*s", flags[kind], STR_ARG(text)),
        at_path(values, path));
    return 0;
}

int chart_explain_value(struct doc_set *set, const struct chart *c,
                        const struct chart_user_values *given, str path, struct chart_origins *ret,
                        struct err *e)
{
    static const enum chart_set_kind order[] = {CHART_SET_JSON, CHART_SET_TYPED, CHART_SET_STRING,
                                                CHART_SET_FILE, CHART_SET_LITERAL};

    add_defaults(set, c, path, ret);
    for (size_t i = 0; i < given->files.len; i++)
        if (add_file(set, given->files.v[i], path, ret, e) < 0)
            return -1;
    for (size_t i = 0; i < ARRAY_LEN(order); i++)
        for (size_t k = 0; k < given->sets[order[i]].len; k++)
            if (add_set(set, order[i], given->sets[order[i]].v[k], path, ret, e) < 0)
                return -1;
    return 0;
}
