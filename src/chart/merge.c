#include "chart/merge.h"

#include "base/log.h"
#include "base/num.h"
#include "expr/gotmpl/value.h"

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

/* A copy without the null members of maps at any depth. */
static struct doc_node *chart_without_nulls(struct doc_set *set, const struct doc_node *values)
{
    struct doc_node *copy = doc_copy(set, values);

    drop_nulls(copy);
    return copy;
}

/* What merging under is told: path (NULL: nobody is warned) is that of the map in the values.
 * Values themselves are never shown: they may be secret. */
struct merging {
    struct doc_set *set;
    bool keeps_null;
    bool drops_null; /* those of the source are as if they were not there */
    struct buf *path;
};

static struct doc_node *copy_of(const struct merging *m, const struct doc_node *n)
{
    return m->drops_null ? chart_without_nulls(m->set, n) : doc_copy(m->set, n);
}

/* Where what is below a key is told of; ends with buf_trunc. */
static void enter(const struct merging *m, str key)
{
    if (!m->path)
        return;
    buf_add_char(m->path, '.');
    buf_add_str(m->path, key);
}

static void warn(const struct merging *m, str key, const char *fmt)
{
    AUTO(buf_done) struct buf text = {0}, path = {0};

    if (!m->path)
        return;
    buf_addf(&path, "%s.%.*s", buf_cstr(m->path), STR_ARG(key));
    buf_add_cstr(&text, "warning: ");
    for (; *fmt; fmt++) {
        if (*fmt == '@')
            buf_add_str(&text, buf_view(&path));
        else
            buf_add_char(&text, *fmt);
    }
    log_record(LOG_WARN, buf_view(&text), NULL, 0);
}

static void merge_under(const struct merging *m, struct doc_node *dst, const struct doc_node *src)
{
    struct doc_iter it = doc_children(src);

    while (doc_next(&it)) {
        struct doc_node *have = doc_get(dst, it.key);
        size_t length = m->path ? m->path->len : 0;

        if (m->drops_null && doc_is_null(it.value))
            continue;
        if (!have) {
            doc_set_field(m->set, dst, it.key, copy_of(m, it.value));
        } else if (doc_is_null(have) && !m->keeps_null && !doc_is_null(it.value)) {
            doc_remove(dst, it.key);
        } else if (doc_is_map(have) && doc_is_map(it.value)) {
            enter(m, it.key);
            merge_under(m, have, it.value);
            if (m->path)
                buf_trunc(m->path, length);
        } else if (doc_is_map(have) && !doc_is_null(it.value)) {
            warn(m, it.key, "destination for @ is a table. Ignoring non-table value");
        } else if (doc_is_map(it.value) && !doc_is_null(have)) {
            warn(m, it.key, "cannot overwrite table with non table for @");
        }
    }
}

void chart_merge_under(struct doc_set *set, struct doc_node *dst, const struct doc_node *src,
                       bool keeps_null)
{
    struct merging m = {.set = set, .keeps_null = keeps_null};

    merge_under(&m, dst, src);
}

/* ---- coalescing */

/* One member of the chart's own defaults. */
static void coalesce_default(const struct merging *m, const struct chart *c,
                             struct doc_node *values, str key, const struct doc_node *fallback)
{
    struct doc_node *have = doc_get(values, key);
    bool keeps_null = m->keeps_null;

    if (!have) {
        if (keeps_null)
            doc_set_field(m->set, values, key, doc_copy(m->set, fallback));
        else if (!doc_is_null(fallback))
            doc_set_field(m->set, values, key, chart_without_nulls(m->set, fallback));
    } else if (doc_is_null(have)) {
        if (!keeps_null)
            doc_remove(values, key);
    } else if (doc_is_map(have) && doc_is_map(fallback)) {
        struct merging below = *m;
        size_t length = m->path ? m->path->len : 0;

        below.keeps_null = keeps_null || chart_has_child(c, key);
        enter(m, key);
        below.drops_null = !below.keeps_null;
        merge_under(&below, have, fallback);
        if (m->path)
            buf_trunc(m->path, length);
    } else if (doc_is_map(have) && !doc_is_null(fallback)) {
        warn(m, key, "skipped value for @: Not a table.");
    }
}

static void copy_global(const struct merging *m, struct doc_node *to, str key,
                        const struct doc_node *value)
{
    struct doc_node *have = doc_get(to, key), *mine;

    if (!doc_is_map(value)) {
        if (!doc_is_map(have))
            doc_set_field(m->set, to, key, doc_copy(m->set, value));
        return;
    }
    if (have && !doc_is_map(have))
        return;
    mine = doc_copy(m->set, value);
    if (have)
        chart_merge_under(m->set, mine, have, true);
    doc_set_field(m->set, to, key, mine);
}

static bool is_no_table(const struct merging *m, const struct doc_node *n, const char *which)
{
    if (!n || doc_is_map(n))
        return false;
    if (m->path && !doc_is_null(n))
        log_warn("warning: skipping globals because a global is not a table.",
                 LOG_STR("of", str_of(which)), LOG_STR("at", buf_view(m->path)));
    return true;
}

/* The parent's globals win over those of the child. */
static void pass_globals(const struct merging *m, struct doc_node *child,
                         const struct doc_node *parent)
{
    const struct doc_node *from = doc_get_lit(parent, "global");
    struct doc_node *to = doc_get_lit(child, "global");
    struct doc_iter it = doc_children(from);

    if (is_no_table(m, from, "parent") || is_no_table(m, to, "subchart"))
        return;
    if (!to)
        to = doc_set_field(m->set, child, STR("global"), doc_new_map(m->set));
    while (doc_next(&it))
        copy_global(m, to, it.key, it.value);
}

/* As Go prints a value with %t, which fits booleans alone. */
static void add_truth(const struct doc_node *n, struct buf *out)
{
    struct doc_iter it = doc_children(n);
    double number = 0;

    switch (doc_type(n)) {
    case DOC_NULL:
    case DOC_ALIAS:
        buf_add_cstr(out, "%!t(<nil>)");
        break;
    case DOC_BOOL:
        buf_add_cstr(out, doc_bool(n, false) ? "true" : "false");
        break;
    case DOC_NUMBER:
        if (n->extra && str_eq(n->extra->tag, TMPL_TAG_INT64)) {
            buf_addf(out, "%%!t(int64=%.*s)", STR_ARG(doc_text(n, STR_NONE)));
            break;
        }
        doc_to_double(n, &number);
        buf_add_cstr(out, "%!t(float64=");
        num_add_double(out, number, NUM_G);
        buf_add_char(out, ')');
        break;
    case DOC_STRING:
        buf_addf(out, "%%!t(string=%.*s)", STR_ARG(doc_text(n, STR_NONE)));
        break;
    case DOC_LIST:
    case DOC_MAP:
        buf_add_cstr(out, doc_is_map(n) ? "map[" : "[");
        for (const char *blank = ""; doc_next(&it); blank = " ") {
            buf_add_cstr(out, blank);
            if (doc_is_map(n))
                buf_addf(out, "%%!t(string=%.*s):", STR_ARG(it.key));
            if (doc_is_null(it.value))
                buf_add_cstr(out, "<nil>");
            else
                add_truth(it.value, out);
        }
        buf_add_char(out, ']');
        break;
    }
}

static int fail_mismatch(const struct merging *m, str name, const struct doc_node *n, struct err *e)
{
    AUTO(buf_done) struct buf shown = {0};
    struct doc_node *sorted = doc_copy(m->set, n);

    doc_sort_keys(sorted);
    add_truth(sorted, &shown);
    return err_set(e, ERR_INVALID, "type mismatch on %.*s: %s", STR_ARG(name), buf_cstr(&shown));
}

/* Depth is bounded by that of subcharts. */
static int coalesce(const struct merging *m, const struct chart *c, struct doc_node *values,
                    struct err *e)
{
    struct doc_iter it = doc_children(c->values);
    size_t length = m->path ? m->path->len : 0;

    while (doc_next(&it))
        coalesce_default(m, c, values, it.key, it.value);
    for (size_t i = 0; i < c->child_count; i++) {
        const struct chart *child = c->children[i];
        struct doc_node *below = doc_get(values, child->name);

        if (!below)
            below = doc_set_field(m->set, values, child->name, doc_new_map(m->set));
        else if (!doc_is_map(below))
            return fail_mismatch(m, child->name, below, e);
        enter(m, child->name);
        pass_globals(m, below, values);
        if (coalesce(m, child, below, e) < 0)
            return -1;
        if (m->path)
            buf_trunc(m->path, length);
    }
    return 0;
}

static struct doc_node *coalesce_copy(const struct merging *m, const struct chart *c,
                                      const struct doc_node *values, struct err *e)
{
    struct doc_node *copy = doc_is_map(values) ? doc_copy(m->set, values) : doc_new_map(m->set);

    return coalesce(m, c, copy, e) < 0 ? NULL : copy;
}

struct doc_node *chart_coalesce(struct doc_set *set, const struct chart *c,
                                const struct doc_node *values, bool keeps_null, struct err *e)
{
    struct merging m = {.set = set, .keeps_null = keeps_null};

    return coalesce_copy(&m, c, values, e);
}

struct doc_node *chart_coalesce_warning(struct doc_set *set, const struct chart *c,
                                        const struct doc_node *values, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};
    struct merging m = {.set = set, .path = &path};

    buf_add_str(&path, c->name);
    return coalesce_copy(&m, c, values, e);
}

struct doc_node *chart_table(const struct doc_node *values, str path)
{
    const struct doc_node *n = values;

    while (path.p && n)
        n = doc_get(n, str_cut(path, '.', &path));
    return doc_is_map(n) ? (struct doc_node *)n : NULL;
}
