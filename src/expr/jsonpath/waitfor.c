#include "expr/jsonpath/waitfor.h"

/* Divides "jsonpath=" text behind its '=': the expression and, behind an '=' (p NULL without one),
 * the value. */
static int split_braced(str text, str *ret_path, str *ret_value, struct err *e)
{
    ssize_t close = str_rfind_char(text, '}');

    if (close < 0)
        return err_set(e, ERR_INVALID, "the jsonpath expression has no closing brace");
    *ret_path = str_sub(text, 0, (size_t)close + 1);
    *ret_value = str_from(text, (size_t)close + 1);
    if (ret_value->len == 0)
        *ret_value = STR_NONE;
    else if (!str_drop_prefix(ret_value, STR("=")))
        return err_set(
            e, ERR_INVALID,
            "after the closing brace of a jsonpath expression only \"=VALUE\" may follow");
    return 0;
}

static int split_bare(str text, struct arena *arena, str *ret_path, str *ret_value, struct err *e)
{
    str path = str_cut(text, '=', ret_value);

    if (path.len == 0)
        return err_set(e, ERR_INVALID, "empty jsonpath expression");
    if (str_find_char(path, '{') >= 0 || str_find_char(path, '}') >= 0)
        return err_set(e, ERR_INVALID,
                       "a jsonpath expression is either bare or wholly inside braces");
    str_drop_prefix(&path, STR("."));
    *ret_path = arena_printf(arena, "{.%.*s}", STR_ARG(path));
    return 0;
}

/* kubectl takes quotes off the value, and none of '=' inside. */
static int kubectl_value(str *value, struct err *e)
{
    static const char format[] =
        "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or "
        "--for=jsonpath='{.status.readyReplicas}'";

    if (str_find_char(*value, '=') >= 0)
        return err_set(e, ERR_INVALID, "%s", format);
    while (value->len && (value->p[0] == '\'' || value->p[0] == '"'))
        *value = str_from(*value, 1);
    *value = str_trim_right(*value, "'\"");
    if (value->len == 0)
        return err_set(e, ERR_INVALID,
                       "jsonpath wait has to have a value after equal sign, like "
                       "--for=jsonpath='{.status.readyReplicas}'=3");
    return 0;
}

static int parse_jsonpath(struct wait_for *w, str text, struct err *e)
{
    str path = STR_NONE, value = STR_NONE;
    int rc = str_starts(text, STR("{")) ? split_braced(text, &path, &value, e)
                                        : split_bare(text, &w->arena, &path, &value, e);

    if (rc < 0)
        return -1;
    if (w->dialect == WAIT_KUBECTL && value.p && kubectl_value(&value, e) < 0)
        return -1;
    w->kind = WAIT_JSONPATH;
    w->name = arena_dup(&w->arena, path);
    w->value = value.len ? arena_dup(&w->arena, value) : STR_NONE;
    w->path = jsonpath_compile(w->name, e);
    if (!w->path || (w->dialect == WAIT_KHOOK && jsonpath_check(w->path, e) < 0))
        return err_wrap(e, "bad jsonpath expression %.*s", STR_ARG(path));
    return 0;
}

static int parse_condition(struct wait_for *w, str text, struct err *e)
{
    str value, name = str_cut(text, '=', &value);

    if (name.len == 0)
        return err_set(e, ERR_INVALID, "the name of the condition is empty");
    if (value.p && value.len == 0 && w->dialect == WAIT_KHOOK)
        return err_set(e, ERR_INVALID, "the value of condition \"%.*s\" is empty", STR_ARG(name));
    w->kind = WAIT_CONDITION;
    w->name = arena_dup(&w->arena, name);
    w->value = arena_dup(&w->arena, value.p ? value : STR("True"));
    return 0;
}

static int parse_any(struct wait_for *w, str text, struct err *e)
{
    if (str_eq(text, STR("delete")))
        return 0;
    if (str_drop_prefix(&text, STR("condition=")))
        return parse_condition(w, text, e);
    if (str_drop_prefix(&text, STR("jsonpath=")))
        return parse_jsonpath(w, text, e);
    return err_set(e, ERR_INVALID,
                   "unknown condition \"%.*s\": expected condition=NAME[=VALUE], "
                   "jsonpath=EXPR[=VALUE] or delete",
                   STR_ARG(text));
}

int wait_for_parse(str text, enum wait_dialect dialect, struct wait_for *ret, struct err *e)
{
    struct wait_for w = {.kind = WAIT_DELETE, .dialect = dialect};
    int rc = parse_any(&w, text, e);

    if (rc < 0)
        wait_for_done(&w);
    *ret = w;
    return rc;
}

void wait_for_done(struct wait_for *w)
{
    jsonpath_free(w->path);
    arena_done(&w->arena);
    *w = (struct wait_for){0};
}

static bool condition_met(const struct wait_for *w, const struct doc_node *object)
{
    struct doc_iter it = doc_children(doc_at(object, "status/conditions"));

    while (doc_next(&it)) {
        if (str_eq(doc_string(doc_get_lit(it.value, "type"), STR_NONE), w->name))
            return str_eq_nocase(doc_string(doc_get_lit(it.value, "status"), STR_NONE), w->value);
    }
    return false;
}

static bool value_counts(const struct wait_for *w, const struct doc_node *value)
{
    AUTO(buf_done) struct buf text = {0};

    if (doc_is_map(value) || doc_is_list(value))
        return !w->value.p && doc_len(value) > 0;
    if (doc_is_null(value))
        return false;
    jsonpath_value_text(value, &text);
    return w->value.p ? str_eq(buf_view(&text), w->value) : text.len > 0;
}

static bool any_result_counts(const struct wait_for *w, const struct jsonpath_results *results)
{
    for (size_t i = 0; i < results->len; i++)
        for (size_t j = 0; j < results->v[i].len; j++)
            if (!jsonpath_is_text(w->path, results->v[i].v[j]) &&
                value_counts(w, results->v[i].v[j]))
                return true;
    return false;
}

/* Several parts are also taken together, as kubectl prints them: {.a}/{.b}=1/2. */
static bool whole_equals(const struct wait_for *w, const struct jsonpath_results *results)
{
    AUTO(buf_done) struct buf text = {0};

    if (!w->value.p || results->len < 2)
        return false;
    for (size_t i = 0; i < results->len; i++)
        for (size_t j = 0; j < results->v[i].len; j++) {
            const struct doc_node *value = results->v[i].v[j];

            if (doc_is_map(value) || doc_is_list(value) || doc_is_null(value))
                return false;
            if (j)
                buf_add_char(&text, ' ');
            jsonpath_value_text(value, &text);
        }
    return str_eq(buf_view(&text), w->value);
}

static int kubectl_met(const struct wait_for *w, const struct jsonpath_results *results,
                       struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    const struct doc_node *value;

    if (results->len == 0 || results->v[0].len == 0)
        return 0;
    if (results->len > 1)
        return err_set(e, ERR_INVALID, "given jsonpath expression matches more than one list");
    if (results->v[0].len > 1)
        return err_set(e, ERR_INVALID, "given jsonpath expression matches more than one value");
    if (!w->value.p)
        return 1;
    value = results->v[0].v[0];
    if (doc_is_map(value) || doc_is_list(value))
        return err_set(e, ERR_INVALID,
                       "jsonpath leads to a nested object or list which is not supported");
    jsonpath_value_text(value, &text);
    return str_eq(str_trim(buf_view(&text)), str_trim(w->value));
}

static int jsonpath_met(const struct wait_for *w, const struct doc_node *object, struct err *e)
{
    AUTO(arena_done) struct arena arena = {0};
    struct jsonpath_results results;
    int rc = jsonpath_find(w->path, object, JSONPATH_ALLOW_MISSING, &arena, &results, e);

    if (w->dialect == WAIT_KUBECTL)
        return rc < 0 ? -1 : kubectl_met(w, &results, e);
    if (rc < 0) { /* an index out of bounds, a filter over a map: not there yet */
        err_done(e);
        return 0;
    }
    return any_result_counts(w, &results) || whole_equals(w, &results);
}

int wait_for_met(const struct wait_for *w, const struct doc_node *object, struct err *e)
{
    switch (w->kind) {
    case WAIT_DELETE:
        return object == NULL;
    case WAIT_CONDITION:
        return object && condition_met(w, object);
    case WAIT_JSONPATH:
        return object ? jsonpath_met(w, object, e) : 0;
    }
    return 0;
}
