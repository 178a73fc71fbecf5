#include "chart/depend.h"

#include "base/log.h"

/* ---- who takes part */

struct children {
    struct chart **v;
    size_t len, cap;
};
static void children_done(struct children *c) { vec_done(c); }
AUTO_VALUE(struct children, children_done)

static void set_children(struct doc_set *set, struct chart *c, const struct children *children)
{
    c->children = ARENA_ARRAY(&set->arena, struct chart *, children->len + 1);
    c->child_count = children->len;
    for (size_t i = 0; i < children->len; i++) {
        c->children[i] = children->v[i];
        c->children[i]->parent = c;
    }
}

static bool is_meant(const struct chart_dependency *d, const struct chart *child)
{
    return str_eq(d->name, child->name) && chart_is_compatible(d->version, child->version);
}

#define MAX_COPIES 4096 /* of charts: aliases inside aliases multiply */

/* A copy, so that one chart under several aliases knows its place: its own children too. */
static struct chart *copy_child(struct doc_set *set, const struct chart *from, size_t *copies)
{
    struct chart *c = ARENA_NEW(&set->arena, struct chart);

    *c = *from;
    if (++*copies > MAX_COPIES)
        return c;
    c->children = ARENA_ARRAY(&set->arena, struct chart *, from->child_count + 1);
    for (size_t i = 0; i < from->child_count; i++) {
        c->children[i] = copy_child(set, from->children[i], copies);
        c->children[i]->parent = c;
    }
    c->dependencies = ARENA_ARRAY(&set->arena, struct chart_dependency, from->dependency_count + 1);
    for (size_t i = 0; i < from->dependency_count; i++)
        c->dependencies[i] = from->dependencies[i];
    return c;
}

static struct chart *take_child(struct doc_set *set, const struct chart *c,
                                const struct chart_dependency *d, size_t *copies)
{
    for (size_t i = 0; i < c->child_count; i++) {
        struct chart *copy;

        if (!is_meant(d, c->children[i]))
            continue;
        copy = copy_child(set, c->children[i], copies);
        if (d->alias.len)
            copy->name = d->alias;
        return copy;
    }
    return NULL;
}

/* The subcharts no entry speaks of, then those of the entries in order. */
static void choose_children(struct doc_set *set, struct chart *c, size_t *copies)
{
    AUTO(children_done) struct children chosen = {0};

    for (size_t i = 0; i < c->child_count; i++) {
        bool is_named = false;

        for (size_t k = 0; k < c->dependency_count && !is_named; k++)
            is_named = is_meant(&c->dependencies[k], c->children[i]);
        if (!is_named)
            vec_push(&chosen, c->children[i]);
    }
    for (size_t i = 0; i < c->dependency_count; i++) {
        struct chart_dependency *d = &c->dependencies[i];
        struct chart *child = take_child(set, c, d, copies);

        if (child)
            vec_push(&chosen, child);
        if (d->alias.len)
            d->name = d->alias;
    }
    set_children(set, c, &chosen);
}

/* ---- switches */

static bool tags_enable(const struct chart_dependency *d, const struct doc_node *tags)
{
    struct doc_iter it = doc_children(d->tags);
    bool has_true = false, has_false = false;

    while (doc_next(&it)) {
        const struct doc_node *value = doc_get(tags, doc_text(it.value, STR_NONE));

        if (doc_type(value) != DOC_BOOL) {
            if (value)
                log_warn("returned non-bool value", LOG_STR("tag", doc_text(it.value, STR_NONE)),
                         LOG_STR("chart", d->name));
            continue;
        }
        has_true = has_true || doc_bool(value, false);
        has_false = has_false || !doc_bool(value, true);
    }
    return has_true || !has_false;
}

static const struct doc_node *value_at(const struct doc_node *values, str prefix, str path)
{
    const struct doc_node *n = values;

    while (prefix.len && n)
        n = doc_get(n, str_cut(prefix, '.', &prefix));
    while (path.p && n)
        n = doc_get(n, str_cut(path, '.', &path));
    return n;
}

static bool is_switched_on(const struct chart_dependency *d, const struct doc_node *values,
                           str prefix)
{
    str paths = str_trim(d->condition);

    while (paths.len) {
        str path = str_cut(paths, ',', &paths);
        const struct doc_node *value = path.len ? value_at(values, prefix, path) : NULL;

        if (doc_type(value) == DOC_BOOL)
            return doc_bool(value, true);
        if (value && !doc_is_null(value))
            log_warn("returned non-bool value", LOG_STR("path", path), LOG_STR("chart", d->name));
    }
    return tags_enable(d, chart_table(values, STR("tags")));
}

static bool is_disabled(const struct chart *c, str name)
{
    for (size_t i = 0; i < c->dependency_count; i++)
        if (!c->dependencies[i].is_enabled && str_eq(c->dependencies[i].name, name))
            return true;
    return false;
}

static void drop_disabled(struct doc_set *set, struct chart *c)
{
    AUTO(children_done) struct children kept = {0};
    struct chart_dependency *all = c->dependencies;
    size_t count = 0;
    struct chart_dependency *left =
        ARENA_ARRAY(&set->arena, struct chart_dependency, c->dependency_count + 1);

    for (size_t i = 0; i < c->child_count; i++)
        if (!is_disabled(c, c->children[i]->name))
            vec_push(&kept, c->children[i]);
    for (size_t i = 0; i < c->dependency_count; i++)
        if (!is_disabled(c, all[i].name))
            left[count++] = all[i];
    c->dependencies = left;
    c->dependency_count = count;
    set_children(set, c, &kept);
}

/* prefix: names of the charts below the top, each with '.' behind it. */
static int resolve(struct doc_set *set, struct chart *c, const struct doc_node *values, str prefix,
                   size_t *copies, struct err *e)
{
    struct doc_node *all;

    if (!c->dependency_count)
        return 0;
    choose_children(set, c, copies);
    if (*copies > MAX_COPIES)
        return err_set(e, ERR_LIMIT, "the chart has more than %d subcharts", MAX_COPIES);
    all = chart_coalesce(set, c, values, false, e);
    if (!all)
        return -1;
    for (size_t i = 0; i < c->dependency_count; i++)
        c->dependencies[i].is_enabled = is_switched_on(&c->dependencies[i], all, prefix);
    drop_disabled(set, c);
    for (size_t i = 0; i < c->child_count; i++) {
        struct chart *child = c->children[i];
        str below = arena_printf(&set->arena, "%.*s%.*s.", STR_ARG(prefix), STR_ARG(child->name));

        if (resolve(set, child, all, below, copies, e) < 0)
            return -1;
    }
    return 0;
}

/* ---- imported values */

/* Wraps a table in maps for the names of a path; "." is the table itself. */
static struct doc_node *at_path(struct doc_set *set, str path, const struct doc_node *table)
{
    struct doc_node *top = doc_new_map(set), *map = top;

    if (str_eq(path, STR(".")))
        return doc_copy(set, table);
    while (path.p) {
        str name = str_cut(path, '.', &path);

        map = doc_set_field(set, map, name, path.p ? doc_new_map(set) : doc_copy(set, table));
    }
    return top;
}

/* Notes in `done` what it imported. */
static void import_one(struct doc_set *set, const struct chart_dependency *d,
                       const struct doc_node *import, const struct doc_node *values,
                       struct doc_node *ret, struct doc_node *done)
{
    struct doc_node *note = doc_append(done, doc_new_map(set));
    bool is_map = doc_is_map(import);
    str parent = is_map ? doc_text(doc_get_lit(import, "parent"), STR("<nil>")) : STR(".");
    str child = doc_text(is_map ? doc_get_lit(import, "child") : import, STR("<nil>"));
    str path = is_map ? child : arena_printf(&set->arena, "exports.%.*s", STR_ARG(child));
    const struct doc_node *table = chart_table(
        values, arena_printf(&set->arena, "%.*s.%.*s", STR_ARG(d->name), STR_ARG(path)));

    doc_set_string(set, note, STR("child"), path);
    doc_set_string(set, note, STR("parent"), parent);
    if (table)
        chart_merge_under(set, ret, at_path(set, parent, table), true);
    else
        log_warn("ImportValues missing table from chart", LOG_STR("chart", d->name),
                 LOG_STR("table", path));
}

static int import_values(struct doc_set *set, struct chart *c, struct err *e)
{
    struct doc_node *values, *imported = doc_new_map(set);

    for (size_t i = 0; i < c->child_count; i++)
        if (import_values(set, c->children[i], e) < 0)
            return -1;
    if (!c->dependency_count)
        return 0;
    values = chart_coalesce(set, c, NULL, true, e);
    if (!values)
        return -1;
    for (size_t i = 0; i < c->dependency_count; i++) {
        struct doc_iter it = doc_children(c->dependencies[i].imports);
        struct doc_node *done = doc_new_list(set);

        while (doc_next(&it))
            import_one(set, &c->dependencies[i], it.value, values, imported, done);
        c->dependencies[i].imports = done;
    }
    chart_merge_under(set, values, imported, true);
    c->values = values;
    return 0;
}

int chart_resolve(struct doc_set *set, struct chart *c, const struct doc_node *values,
                  struct err *e)
{
    size_t copies = 0;

    return resolve(set, c, values, STR(""), &copies, e) < 0 ? -1 : import_values(set, c, e);
}
