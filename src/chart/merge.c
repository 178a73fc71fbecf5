#include "chart/merge.h"

void chart_merge_over(struct doc_set *set, struct doc_node *dst, const struct doc_node *src)
{
    struct doc_iter it = doc_children(src);

    while (doc_next(&it)) {
        struct doc_node *old = doc_get(dst, it.key);

        if (doc_is_map(old) && doc_is_map(it.value))
            chart_merge_over(set, old, it.value);
        else
            doc_set_field(set, dst, it.key, doc_copy(set, it.value));
    }
}

static void drop_nulls(struct doc_node *map)
{
    struct doc_iter it = doc_children(map);

    while (doc_is_map(map) && doc_next(&it)) {
        if (doc_is_null(it.value))
            doc_remove(map, it.key);
        else
            drop_nulls(it.value);
    }
}

struct doc_node *chart_without_nulls(struct doc_set *set, const struct doc_node *values)
{
    struct doc_node *copy = doc_copy(set, values);

    drop_nulls(copy);
    return copy;
}

void chart_merge_under(struct doc_set *set, struct doc_node *dst, const struct doc_node *src,
                       bool keeps_null)
{
    struct doc_iter it = doc_children(src);

    while (doc_next(&it)) {
        struct doc_node *have = doc_get(dst, it.key);

        if (!have)
            doc_set_field(set, dst, it.key, doc_copy(set, it.value));
        else if (doc_is_null(have) && !keeps_null && !doc_is_null(it.value))
            doc_remove(dst, it.key);
        else if (doc_is_map(have) && doc_is_map(it.value))
            chart_merge_under(set, have, it.value, keeps_null);
    }
}

/* ---- coalescing */

static bool is_child(const struct chart *c, str name)
{
    for (size_t i = 0; i < c->child_count; i++)
        if (str_eq(c->children[i]->name, name))
            return true;
    return false;
}

/* One member of the chart's own defaults. */
static void coalesce_default(struct doc_set *set, const struct chart *c, struct doc_node *values,
                             str key, const struct doc_node *fallback, bool keeps_null)
{
    struct doc_node *have = doc_get(values, key);

    if (!have) {
        if (keeps_null)
            doc_set_field(set, values, key, doc_copy(set, fallback));
        else if (!doc_is_null(fallback))
            doc_set_field(set, values, key, chart_without_nulls(set, fallback));
    } else if (doc_is_null(have)) {
        if (!keeps_null)
            doc_remove(values, key);
    } else if (doc_is_map(have) && doc_is_map(fallback)) {
        keeps_null = keeps_null || is_child(c, key);
        chart_merge_under(set, have, keeps_null ? fallback : chart_without_nulls(set, fallback),
                          keeps_null);
    }
}

static void copy_global(struct doc_set *set, struct doc_node *to, str key,
                        const struct doc_node *value)
{
    struct doc_node *have = doc_get(to, key), *mine;

    if (!doc_is_map(value)) {
        if (!doc_is_map(have))
            doc_set_field(set, to, key, doc_copy(set, value));
        return;
    }
    if (have && !doc_is_map(have))
        return;
    mine = doc_copy(set, value);
    if (have)
        chart_merge_under(set, mine, have, true);
    doc_set_field(set, to, key, mine);
}

/* The parent's globals win over those of the child. */
static void pass_globals(struct doc_set *set, struct doc_node *child, const struct doc_node *parent)
{
    const struct doc_node *from = doc_get_lit(parent, "global");
    struct doc_node *to = doc_get_lit(child, "global");
    struct doc_iter it = doc_children(from);

    if ((from && !doc_is_map(from)) || (to && !doc_is_map(to)))
        return;
    if (!to)
        to = doc_set_field(set, child, STR("global"), doc_new_map(set));
    while (doc_next(&it))
        copy_global(set, to, it.key, it.value);
}

/* As Go prints a value of another type with %t. */
static int fail_mismatch(str name, const struct doc_node *n, struct err *e)
{
    static const char *const types[] = {"<nil>", "", "float64", "string", "[]interface {}", "", ""};

    if (doc_type(n) == DOC_BOOL)
        return err_set(e, ERR_INVALID, "type mismatch on %.*s: %s", STR_ARG(name),
                       doc_bool(n, false) ? "true" : "false");
    if (doc_is_null(n))
        return err_set(e, ERR_INVALID, "type mismatch on %.*s: %%!t(<nil>)", STR_ARG(name));
    return err_set(e, ERR_INVALID, "type mismatch on %.*s: %%!t(%s=%.*s)", STR_ARG(name),
                   types[doc_type(n)], STR_ARG(doc_text(n, STR(""))));
}

/* Depth is bounded by that of subcharts. */
static int coalesce(struct doc_set *set, const struct chart *c, struct doc_node *values,
                    bool keeps_null, struct err *e)
{
    struct doc_iter it = doc_children(c->values);

    while (doc_next(&it))
        coalesce_default(set, c, values, it.key, it.value, keeps_null);
    for (size_t i = 0; i < c->child_count; i++) {
        const struct chart *child = c->children[i];
        struct doc_node *below = doc_get(values, child->name);

        if (!below)
            below = doc_set_field(set, values, child->name, doc_new_map(set));
        else if (!doc_is_map(below))
            return fail_mismatch(child->name, below, e);
        pass_globals(set, below, values);
        if (coalesce(set, child, below, keeps_null, e) < 0)
            return -1;
    }
    return 0;
}

struct doc_node *chart_coalesce(struct doc_set *set, const struct chart *c,
                                const struct doc_node *values, bool keeps_null, struct err *e)
{
    struct doc_node *copy = doc_is_map(values) ? doc_copy(set, values) : doc_new_map(set);

    return coalesce(set, c, copy, keeps_null, e) < 0 ? NULL : copy;
}

struct doc_node *chart_table(const struct doc_node *values, str path)
{
    const struct doc_node *n = values;

    while (path.p && n)
        n = doc_get(n, str_cut(path, '.', &path));
    return doc_is_map(n) ? (struct doc_node *)n : NULL;
}
