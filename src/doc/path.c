#include "doc/path.h"

#include "base/vec.h"

enum { MOST_STEPS = 1000 };

void doc_path_done(struct doc_path *path) { vec_done(path); }

/* ---- splitting */

/* Removes the backslashes that stand before delimiters. */
static str unescape(struct arena *a, str step, char delimiter)
{
    char *text, *to;

    if (str_find_char(step, '\\') < 0)
        return arena_dup(a, step);
    text = to = arena_alloc(a, step.len + 1);
    for (size_t i = 0; i < step.len; i++)
        if (step.p[i] != '\\' || i + 1 == step.len || step.p[i + 1] != delimiter)
            *to++ = step.p[i];
    *to = '\0';
    return str_range(text, to);
}

/* The next step as it is written; false at the end. rest.p is NULL there. */
static bool next_step(str *rest, char delimiter, str *ret)
{
    size_t at = 0;

    if (!rest->p)
        return false;
    while (at < rest->len && (rest->p[at] != delimiter || (at > 0 && rest->p[at - 1] == '\\')))
        at++;
    *ret = str_sub(*rest, 0, at);
    *rest = at < rest->len ? str_from(*rest, at + 1) : STR_NONE;
    return true;
}

static str without_lead(str path, char delimiter)
{
    if (!path.p)
        path = STR("");
    return path.len && path.p[0] == delimiter ? str_from(path, 1) : path;
}

bool doc_path_next(struct arena *a, str *rest, char delimiter, str *ret)
{
    if (!next_step(rest, delimiter, ret))
        return false;
    if (str_find_char(*ret, '\\') >= 0)
        *ret = unescape(a, *ret, delimiter);
    return true;
}

void doc_path_split(struct arena *a, str path, char delimiter, struct doc_path *ret)
{
    str rest = without_lead(path, delimiter), step;

    while (next_step(&rest, delimiter, &step))
        vec_push(ret, unescape(a, step, delimiter));
}

static str without_brackets(str s)
{
    while (s.len && (s.p[0] == '[' || s.p[0] == ']'))
        s = str_from(s, 1);
    return str_trim_right(s, "[]");
}

void doc_path_split_smart(struct arena *a, str path, char delimiter, struct doc_path *ret)
{
    str rest = without_lead(path, delimiter), step;

    while (next_step(&rest, delimiter, &step)) {
        str more = step;

        if (!str_starts(step, STR("[")) || str_ends(step, STR("]"))) {
            vec_push(ret, unescape(a, step, delimiter));
            continue;
        }
        while (!str_ends(more, STR("]")) && next_step(&rest, delimiter, &more))
            step = str_range(step.p, more.p + more.len);
        step = unescape(a, step, delimiter);
        if (str_find_char(step, '=') < 0)
            step = without_brackets(step);
        vec_push(ret, step);
    }
}

bool doc_path_condition(str step, str *ret_key, str *ret_value)
{
    str inside;

    if (step.len < 3 || step.p[0] != '[' || step.p[step.len - 1] != ']')
        return false;
    inside = str_sub(step, 1, step.len - 2);
    *ret_key = str_cut(inside, '=', ret_value);
    return ret_value->p != NULL;
}

static bool is_index(str step, size_t *ret)
{
    uint64_t value;

    if (step.len == 0 || step.p[0] < '0' || step.p[0] > '9' || !str_to_uint64(step, &value) ||
        value > UINT32_MAX)
        return false;
    *ret = value;
    return true;
}

/* ---- finding */

struct finder {
    const struct doc_path *path;
    struct doc_path_options options;
    struct doc_list *found;
    struct err *e;
};

static int find(struct finder *f, struct doc_node *n, size_t at);

static struct doc_node *make(struct finder *f, enum doc_type type)
{
    struct doc_set *set = f->options.set;
    struct doc_node *n;

    if (type == DOC_LIST)
        return doc_new_list(set);
    if (type == DOC_MAP)
        return doc_new_map(set);
    n = doc_new_null(set); /* prints as nothing until it gets a value */
    n->len = 0;
    return n;
}

/* What a missing part before step `at` has to be. */
static struct doc_node *make_for(struct finder *f, size_t at)
{
    str step, key, value;
    size_t index;

    if (at == f->path->len)
        return make(f, f->options.create);
    step = f->path->v[at];
    return make(f, is_index(step, &index) || str_eq(step, STR("-")) ||
                           doc_path_condition(step, &key, &value)
                       ? DOC_LIST
                       : DOC_MAP);
}

static int misfit(struct finder *f, const struct doc_node *n, str step)
{
    static const char names[][9] = {
        [DOC_NULL] = "null",      [DOC_BOOL] = "a bool", [DOC_NUMBER] = "a number",
        [DOC_STRING] = "a text",  [DOC_LIST] = "a list", [DOC_MAP] = "a map",
        [DOC_ALIAS] = "an alias",
    };

    return err_set(f->e, ERR_INVALID, "step \"%.*s\" does not fit %s", STR_ARG(step),
                   names[doc_type(n)]);
}

static int find_index(struct finder *f, struct doc_node *n, size_t at, size_t index)
{
    if (index == n->len && f->options.set)
        doc_append(n, make_for(f, at + 1));
    if (index >= n->len)
        return err_set(f->e, ERR_INVALID, "index %zu specified but only %u elements found", index,
                       n->len);
    return find(f, doc_item(n, index), at + 1);
}

static bool is_wanted(const struct finder *f, const struct doc_node *item, str key, str wanted)
{
    const struct doc_node *value = key.len ? doc_get(item, key) : item;
    str text = doc_text(value, STR_NONE);

    if (!doc_is_scalar(value))
        return false;
    return f->options.match ? f->options.match(f->options.ctx, wanted, text) : str_eq(wanted, text);
}

static int find_matching(struct finder *f, struct doc_node *n, size_t at, str key, str wanted)
{
    struct doc_iter it = doc_children(n);
    size_t before = f->found->len;
    struct doc_node *item;

    while (doc_next(&it))
        if (is_wanted(f, it.value, key, wanted) && find(f, it.value, at + 1) < 0)
            return -1;
    if (f->found->len > before || !f->options.set)
        return 0;
    item = doc_new_string(f->options.set, wanted);
    if (key.len) {
        struct doc_node *map = doc_new_map(f->options.set);

        doc_set_field(f->options.set, map, key, item);
        item = map;
    }
    return find(f, doc_append(n, item), at + 1);
}

static int find_in_list(struct finder *f, struct doc_node *n, size_t at)
{
    str step = f->path->v[at], key, wanted;
    struct doc_iter it = doc_children(n);
    size_t index;

    if (is_index(step, &index))
        return find_index(f, n, at, index);
    if (doc_path_condition(step, &key, &wanted))
        return find_matching(f, n, at, key, wanted);
    if (str_eq(step, STR("-")))
        return n->len || f->options.set ? find_index(f, n, at, n->len ? n->len - 1 : 0) : 0;
    if (!str_eq(step, STR("*")))
        return misfit(f, n, step);
    while (doc_next(&it))
        if (find(f, it.value, at + 1) < 0)
            return -1;
    return 0;
}

static int find_field(struct finder *f, struct doc_node *map, size_t at)
{
    str key = f->path->v[at];
    struct doc_node *field = doc_get(map, key);
    bool is_last = at + 1 == f->path->len;

    if (f->options.set && (!field || (!is_last && field->type == DOC_NULL)))
        field = doc_set_field(f->options.set, map, key, make_for(f, at + 1));
    return field ? find(f, field, at + 1) : 0;
}

static int find(struct finder *f, struct doc_node *n, size_t at)
{
    if (at == f->path->len) {
        vec_push(f->found, n);
        return 0;
    }
    switch (doc_type(n)) {
    case DOC_MAP:
        return find_field(f, n, at);
    case DOC_LIST:
        return find_in_list(f, n, at);
    case DOC_ALIAS:
        return find(f, n->extra->target, at);
    case DOC_NULL:
        return 0;
    case DOC_BOOL:
    case DOC_NUMBER:
    case DOC_STRING:
        break;
    }
    return misfit(f, n, f->path->v[at]);
}

int doc_path_find(struct doc_node *root, const struct doc_path *path,
                  const struct doc_path_options *options, struct doc_list *ret, struct err *e)
{
    struct finder f = {path, options ? *options : (struct doc_path_options){0}, ret, e};

    if (path->len > MOST_STEPS)
        return err_set(e, ERR_INVALID, "a path of more than %d steps", MOST_STEPS);
    return find(&f, root, 0);
}

struct doc_node *doc_path_get(const struct doc_node *root, str path, char delimiter)
{
    AUTO(doc_path_done) struct doc_path steps = {0};
    AUTO(doc_list_done) struct doc_list found = {0};
    AUTO(err_done) struct err e = {0};
    struct arena arena = {0};

    doc_path_split_smart(&arena, path, delimiter, &steps);
    if (doc_path_find((struct doc_node *)root, &steps, NULL, &found, &e) < 0)
        found.len = 0;
    arena_done(&arena);
    return found.len ? found.v[0] : NULL;
}
