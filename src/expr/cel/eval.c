/* Running programs (cel spec 5, 6, 10). Errors are values that flow to the top unless && and ||
 * absorb them. */
#include "expr/cel/cel_priv.h"

enum { MAX_ARGS = 6 };

static bool is_error(const struct cel_value *v) { return v->kind == CEL_ERROR; }

/* ---- names and fields */

static struct cel_value eval_ident(struct cel_run *r, const struct cel_node *n)
{
    struct cel_value v;

    if (n->is_local)
        return r->locals[n->slot];
    if (r->lookup && r->lookup(r->ctx, n->name, &v))
        return v;
    return cel_fail(r->arena, CEL_UNDECLARED, "no such attribute(s): %.*s", STR_ARG(n->name));
}

static struct cel_value no_key(struct cel_run *r, const struct cel_value *key)
{
    struct cel_value text = cel_to_string(r->arena, key);

    return cel_fail(r->arena, CEL_NO_SUCH_KEY, "no such key: %.*s",
                    STR_ARG(text.kind == CEL_STRING ? text.s : STR("?")));
}

static struct cel_value select_of(struct cel_run *r, const struct cel_value *of, str name)
{
    struct cel_value key = cel_make_string(name), found;

    if (of->kind == CEL_MAP)
        return cel_map_get(r->arena, of->map, &key, &found) ? found : no_key(r, &key);
    if (of->kind == CEL_LIST)
        return cel_fail(r->arena, CEL_INVALID_ARGUMENT, "unsupported index type 'string' in list");
    if (r->program->env->flags & CEL_NO_CHECK)
        return cel_no_overload(r->arena, NULL);
    return no_key(r, &key);
}

static bool is_key(const struct cel_value *v)
{
    return v->kind == CEL_BOOL || cel_is_number(v) || v->kind == CEL_STRING;
}

/* What a step into an optional, or an optional step, finds. */
static struct cel_value optional_step(struct cel_run *r, const struct cel_value *of,
                                      const struct cel_value *key)
{
    struct cel_value found;
    int64_t index;

    if (of->kind == CEL_OPTIONAL)
        return of->inner ? optional_step(r, of->inner, key) : cel_make_optional(r->arena, NULL);
    if (of->kind == CEL_MAP && cel_map_get(r->arena, of->map, key, &found))
        return cel_make_optional(r->arena, &found);
    if (!is_key(key) || (of->kind == CEL_LIST && !cel_is_number(key)))
        return cel_index(r, of, key);
    if (of->kind == CEL_LIST && cel_to_index(key, &index) && index >= 0 &&
        (size_t)index < of->list->len)
        return cel_make_optional(r->arena, &of->list->v[index]);
    return cel_make_optional(r->arena, NULL);
}

static struct cel_value eval_test(struct cel_run *r, const struct cel_node *n,
                                  const struct cel_value *of)
{
    struct cel_value key = cel_make_string(n->name), found;

    if (of->kind == CEL_OPTIONAL) {
        found = optional_step(r, of, &key);
        return cel_make_bool(found.inner != NULL);
    }
    if (of->kind == CEL_LIST)
        return select_of(r, of, n->name);
    return cel_make_bool(of->kind == CEL_MAP && cel_map_get(r->arena, of->map, &key, &found));
}

static struct cel_value eval_select(struct cel_run *r, const struct cel_node *n)
{
    struct cel_value of = cel_eval_node(r, n->args[0]), key = cel_make_string(n->name);

    if (is_error(&of))
        return of;
    if (n->is_test)
        return eval_test(r, n, &of);
    if (n->is_optional || of.kind == CEL_OPTIONAL)
        return optional_step(r, &of, &key);
    return select_of(r, &of, n->name);
}

/* ---- operators */

/* false && x and true || x, whichever side they stand on. */
static struct cel_value eval_logic(struct cel_run *r, const struct cel_node *n, bool decides)
{
    struct cel_value a = cel_eval_node(r, n->args[0]), b;

    if (a.kind == CEL_BOOL && a.b == decides)
        return a;
    b = cel_eval_node(r, n->args[1]);
    if (b.kind == CEL_BOOL && b.b == decides)
        return b;
    if (a.kind == CEL_BOOL && b.kind == CEL_BOOL)
        return cel_make_bool(!decides);
    if (is_error(&a))
        return a;
    return is_error(&b) ? b : cel_no_overload(r->arena, NULL);
}

static struct cel_value eval_condition(struct cel_run *r, const struct cel_node *n)
{
    struct cel_value c = cel_eval_node(r, n->args[0]);

    if (is_error(&c))
        return c;
    if (c.kind != CEL_BOOL)
        return cel_no_overload(r->arena, NULL);
    return cel_eval_node(r, n->args[c.b ? 1 : 2]);
}

static struct cel_value eval_equality(struct cel_run *r, const struct cel_node *n, bool is_not)
{
    struct cel_value a = cel_eval_node(r, n->args[0]), b;

    if (is_error(&a))
        return a;
    b = cel_eval_node(r, n->args[1]);
    if (is_error(&b))
        return b;
    if (!is_not && a.kind == CEL_OBJECT && b.kind != CEL_NULL &&
        (b.kind != CEL_OBJECT || b.object->class != a.object->class))
        return cel_no_overload(r->arena, NULL);
    return cel_make_bool(cel_equal(&a, &b) != is_not);
}

/* ---- calls */

static bool kind_fits(const struct cel_type *t, const struct cel_value *v)
{
    static const uint8_t kinds[] = {
        [CEL_NULL] = T_NULL,           [CEL_BOOL] = T_BOOL,         [CEL_INT] = T_INT,
        [CEL_UINT] = T_UINT,           [CEL_DOUBLE] = T_DOUBLE,     [CEL_STRING] = T_STRING,
        [CEL_BYTES] = T_BYTES,         [CEL_LIST] = T_LIST,         [CEL_MAP] = T_MAP,
        [CEL_TIMESTAMP] = T_TIMESTAMP, [CEL_DURATION] = T_DURATION, [CEL_TYPE] = T_TYPE,
        [CEL_OPTIONAL] = T_OPTIONAL,   [CEL_OBJECT] = T_OBJECT,
    };

    if (t->kind == T_DYN || t->kind == T_PARAM)
        return true;
    if (t->kind == T_WRAPPER)
        return v->kind == CEL_NULL || kind_fits(t->of[0], v);
    if (kinds[v->kind] != t->kind)
        return false;
    if (t->kind == T_OBJECT)
        return str_eq(t->name, str_of(v->object->class->name));
    /* lists that say of what: their first element tells; lists of lists take any */
    return t->kind != T_LIST || !t->of[0] || t->of[0]->kind == T_LIST || !v->list->len ||
           kind_fits(t->of[0], &v->list->v[0]);
}

static bool takes(const struct cel_function *f, const struct cel_value *args, size_t count)
{
    size_t k = 0;

    while (k < count && kind_fits(f->params[k], &args[k]))
        k++;
    return k == count;
}

/* The checker's candidates come first. What it took for a type parameter (the result of an index on
 * a dyn) was bound by the first overload it tried, and may be anything at run time. */
static const struct cel_function *pick(const struct cel_run *r, const struct cel_node *n,
                                       const struct cel_value *args)
{
    const struct cel_function *f;

    for (size_t i = 0; i < n->candidate_count; i++)
        if (n->candidates[i]->count == SIZE_MAX || takes(n->candidates[i], args, n->count))
            return n->candidates[i];
    for (f = map_get(&r->program->env->functions, n->name); f; f = f->next)
        if (f->is_member == n->is_member && f->count == n->count && takes(f, args, n->count))
            return f;
    return NULL;
}

static bool is_plain_word(str name) { return name.len && !memchr("_@-!", name.p[0], 4); }

/* Is there an operator of that name for values of the kind on its left? */
static bool has_trait(str name, enum cel_kind kind)
{
    static const struct {
        char names[5][8];
        unsigned kinds;
    } rows[] = {
        {{"_+_"},
         1u << CEL_INT | 1u << CEL_UINT | 1u << CEL_DOUBLE | 1u << CEL_BYTES | 1u << CEL_LIST},
        {{"_-_", "_*_", "_/_"}, 1u << CEL_INT | 1u << CEL_UINT | 1u << CEL_DOUBLE},
        {{"_%_"}, 1u << CEL_INT | 1u << CEL_UINT},
        {{"-_"}, 1u << CEL_INT | 1u << CEL_DOUBLE | 1u << CEL_BOOL},
        {{"_<_", "_<=_", "_>_", "_>=_"},
         1u << CEL_INT | 1u << CEL_UINT | 1u << CEL_DOUBLE | 1u << CEL_BYTES | 1u << CEL_BOOL},
        {{"size", "sort", "matches"}, 0},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        for (size_t k = 0; k < ARRAY_LEN(rows[i].names) && rows[i].names[k][0]; k++)
            if (str_eq(name, str_of(rows[i].names[k])))
                return rows[i].kinds >> kind & 1;
    return true; /* "!_", "@in" and the like have no name in messages */
}

static const char *told_type(struct cel_run *r, const struct cel_value *v)
{
    return v->kind == CEL_MAP
               ? "map(dyn, dyn)"
               : arena_cstr(r->arena, cel_type_runtime_name(cel_type_of_value(r->arena, v)));
}

/* No overload takes what a dyn turned out to be. Upstream most functions name themselves and the
 * types; its oldest ones do not. */
static struct cel_value no_candidate(struct cel_run *r, const struct cel_node *n,
                                     const struct cel_value *args)
{
    static const char silent[][12] = {"contains", "startsWith", "endsWith", "find", "findAll"};
    AUTO(buf_done) struct buf what = {0};
    size_t skipped = 0;
    bool can_receive =
        args[0].kind == CEL_STRING || args[0].kind == CEL_TIMESTAMP || args[0].kind == CEL_DURATION;

    if (str_eq(n->name, STR("sort")) && args[0].kind == CEL_LIST)
        return cel_fail(r->arena, CEL_OTHER, "list elements must be comparable");
    for (size_t i = 0; i < ARRAY_LEN(silent); i++)
        if (str_eq(n->name, str_of(silent[i])))
            return cel_no_overload(r->arena, NULL);
    if (str_eq(n->name, STR("size")) || str_eq(n->name, STR("sort")) ||
        str_eq(n->name, STR("matches")) || !is_plain_word(n->name))
        return cel_no_overload(r->arena, can_receive || has_trait(n->name, args[0].kind)
                                             ? NULL
                                             : arena_cstr(r->arena, n->name));
    if (str_eq(n->name, STR("flatten"))) { /* as the checker writes calls of members */
        buf_addf(&what, "%s.", told_type(r, &args[0]));
        skipped = 1;
    }
    buf_addf(&what, "%.*s(", STR_ARG(cel_told_name(n->name)));
    for (size_t i = skipped; i < n->count; i++)
        buf_addf(&what, "%s%.*s", i > skipped ? ", " : "",
                 STR_ARG(cel_type_runtime_name(cel_type_of_value(r->arena, &args[i]))));
    buf_add_char(&what, ')');
    return cel_no_overload(r->arena, buf_cstr(&what));
}

static struct cel_value dispatch(struct cel_run *r, const struct cel_node *n,
                                 const struct cel_value *args)
{
    const struct cel_function *f = pick(r, n, args);

    r->work++;
    if (f && f->run && n->re)
        return cel_make_bool(re_match(n->re, args[0].s));
    if (f && f->run)
        return f->run(r, args, n->count);
    if (str_eq(n->name, STR("-_")) && args[0].kind == CEL_DURATION) /* of a dyn: by trait */
        return args[0].i == INT64_MIN ? cel_fail(r->arena, CEL_OVERFLOW, "integer overflow")
                                      : cel_make_duration(-args[0].i);
    if (str_eq(n->name, STR("_[_]"))) /* words of its own for what has no index */
        return cel_index(r, &args[0], &args[1]);
    if (r->program->env->flags & CEL_NO_CHECK && n->candidate_count == 0 &&
        is_plain_word(n->name) && !map_has(&r->program->env->functions, n->name))
        return cel_fail(r->arena, CEL_UNDECLARED, "unbound function: %.*s", STR_ARG(n->name));
    return n->count ? no_candidate(r, n, args) : cel_no_overload(r->arena, NULL);
}

/* Is the target the whole answer, so that the argument is not looked at? It becomes that answer:
 * what an optional value holds, or none where an index goes into none. */
static bool target_decides(const struct cel_node *n, struct cel_value *target)
{
    if (n->count != 2)
        return false;
    if (target->kind != CEL_OPTIONAL) /* upstream does not ask whether a dyn is an optional value */
        return n->is_member && (str_eq(n->name, STR("orValue")) || str_eq(n->name, STR("or")));
    if (!target->inner)
        return str_eq(n->name, STR("_[_]")) || str_eq(n->name, STR("_[?_]"));
    if (!n->is_member || !str_eq(n->name, STR("orValue")))
        return n->is_member && str_eq(n->name, STR("or"));
    *target = *target->inner;
    return true;
}

static struct cel_value eval_call(struct cel_run *r, const struct cel_node *n)
{
    struct cel_value few[MAX_ARGS] = {0}, *args = few;

    if (!n->is_member && n->name.p[0] == '_') {
        if (str_eq(n->name, STR("_&&_")))
            return eval_logic(r, n, false);
        if (str_eq(n->name, STR("_||_")))
            return eval_logic(r, n, true);
        if (str_eq(n->name, STR("_?_:_")))
            return eval_condition(r, n);
        if (str_eq(n->name, STR("_==_")) || str_eq(n->name, STR("_!=_")))
            return eval_equality(r, n, n->name.p[1] == '!');
    }
    if (n->count > MAX_ARGS)
        args = ARENA_ARRAY(r->arena, struct cel_value, n->count);
    for (size_t i = 0; i < n->count; i++) {
        args[i] = cel_eval_node(r, n->args[i]);
        if (is_error(&args[i]) || (i == 0 && target_decides(n, &args[i])))
            return args[i];
    }
    if (n->is_member && n->count == 2 && str_eq(n->name, STR("or")))
        return args[1];
    if (str_eq(n->name, STR("_[?_]")) ||
        (str_eq(n->name, STR("_[_]")) && args[0].kind == CEL_OPTIONAL))
        return optional_step(r, &args[0], &args[1]);
    return dispatch(r, n, args);
}

/* ---- literals */

static struct cel_value not_optional(struct cel_run *r, const char *what, const struct cel_value *v)
{
    AUTO(buf_done) struct buf text = {0};

    cel_go_text(r->arena, v, 0, &text);
    return cel_fail(r->arena, CEL_NO_SUCH_OVERLOAD,
                    "cannot initialize optional %s from non-optional value %s", what,
                    buf_cstr(&text));
}

static struct cel_value eval_list(struct cel_run *r, const struct cel_node *n)
{
    struct cel_value *v = ARENA_ARRAY(r->arena, struct cel_value, n->count);
    size_t len = 0;

    for (size_t i = 0; i < n->count; i++) {
        struct cel_value item = cel_eval_node(r, n->args[i]);

        if (is_error(&item))
            return item;
        if (!n->optional[i])
            v[len++] = item;
        else if (item.kind != CEL_OPTIONAL)
            return not_optional(r, "list element", &item);
        else if (item.inner)
            v[len++] = *item.inner;
    }
    r->work += len;
    return cel_make_list(r->arena, v, len);
}

/* Of two equal keys of one type the last wins. */
static size_t put(struct cel_entry *v, size_t len, struct cel_value key, struct cel_value value)
{
    for (size_t i = 0; i < len && len < 64; i++)
        if (v[i].key.kind == key.kind && cel_equal(&v[i].key, &key)) {
            v[i].value = value;
            return len;
        }
    v[len] = (struct cel_entry){key, value};
    return len + 1;
}

static struct cel_value eval_map(struct cel_run *r, const struct cel_node *n)
{
    struct cel_entry *v = ARENA_ARRAY(r->arena, struct cel_entry, n->count / 2);
    size_t len = 0;

    for (size_t i = 0; i < n->count; i += 2) {
        struct cel_value key = cel_eval_node(r, n->args[i]), value;

        if (is_error(&key))
            return key;
        if (!is_key(&key))
            return cel_fail(r->arena, CEL_UNSUPPORTED_KEY, "unsupported key type");
        value = cel_eval_node(r, n->args[i + 1]);
        if (is_error(&value))
            return value;
        if (!n->optional[i])
            len = put(v, len, key, value);
        else if (value.kind != CEL_OPTIONAL)
            return not_optional(r, "entry", &value);
        else if (value.inner)
            len = put(v, len, key, *value.inner);
    }
    r->work += len;
    return cel_make_map(r->arena, v, len);
}

/* ---- the rest */

static struct cel_value eval_block(struct cel_run *r, const struct cel_node *n)
{
    for (size_t i = 0; i < n->args[0]->count; i++)
        r->locals[n->slot + i] = cel_eval_node(r, n->args[0]->args[i]);
    return cel_eval_node(r, n->args[1]);
}

struct cel_value cel_eval_node(struct cel_run *r, const struct cel_node *n)
{
    if (r->work > CEL_MAX_WORK)
        return cel_work_exceeded(r);
    switch (n->kind) {
    case N_CONST:
        return n->value;
    case N_IDENT:
        return eval_ident(r, n);
    case N_SELECT:
        return eval_select(r, n);
    case N_CALL:
        return eval_call(r, n);
    case N_LIST:
        return eval_list(r, n);
    case N_MAP:
        return eval_map(r, n);
    case N_FOLD:
        return cel_eval_fold(r, n);
    case N_BLOCK:
        return eval_block(r, n);
    case N_INDEX_OF_BLOCK:
        return r->locals[n->slot];
    case N_STRUCT:
        break;
    }
    return cel_no_overload(r->arena, NULL);
}

/* ---- patterns that are no constants */

const struct re *cel_pattern(struct cel_run *r, str pattern, struct err *e)
{
    struct re **slot;

    for (size_t i = 0; i < ARRAY_LEN(r->patterns); i++)
        if (r->patterns[i] && str_eq(re_pattern(r->patterns[i]), pattern))
            return r->patterns[i];
    slot = &r->patterns[r->next_pattern++ % ARRAY_LEN(r->patterns)];
    re_free(*slot);
    *slot = re_compile(pattern, 0, e);
    return *slot;
}

struct cel_value cel_eval(const struct cel_program *p, cel_lookup_fn *lookup, void *ctx,
                          struct arena *arena)
{
    struct cel_run r = {.program = p, .lookup = lookup, .ctx = ctx, .arena = arena};

    struct cel_value v;

    if (p->bad_pattern.len)
        return cel_fail(arena, CEL_OTHER, "%.*s", STR_ARG(p->bad_pattern));
    r.locals = ARENA_ARRAY(arena, struct cel_value, p->slots);
    v = cel_eval_node(&r, p->root);
    for (size_t i = 0; i < MIN((size_t)r.next_pattern, ARRAY_LEN(r.patterns)); i++)
        re_free(r.patterns[i]);
    return v;
}
