/* Calls: which overloads fit, and what constants already tell (cel spec 4, 5). */
#include "expr/cel/check_priv.h"

static const struct cel_type *refuse_call(struct cel_checker *c, const struct cel_node *n,
                                          const struct cel_type *const *types)
{
    AUTO(buf_done) struct buf applied = {0};

    for (size_t i = 0; i < n->count; i++) {
        str type = cel_check_printed(c, types[i]);

        if (n->is_member && i == 0)
            buf_addf(&applied, "%.*s.(", STR_ARG(type));
        else
            buf_addf(&applied, "%s%.*s",
                     i == 0                     ? "("
                     : i > (size_t)n->is_member ? ", "
                                                : "",
                     STR_ARG(type));
    }
    if (n->count == 0)
        buf_add_char(&applied, '(');
    buf_add_char(&applied, ')');
    cel_problem(c->p, n->at, CEL_NO_SUCH_OVERLOAD,
                "found no matching overload for '%.*s' applied to '%s'",
                STR_ARG(cel_told_name(n->name)), buf_cstr(&applied));
    return &cel_error_type;
}

/* What is not known yet is bound by the first overload that fits: a list, or a map of such keys.
 * Returns the type of what is in it. */
static const struct cel_type *indexed_unknown(struct cel_checker *c, const struct cel_type *of,
                                              const struct cel_type *key)
{
    const struct cel_type *item = cel_check_fresh(c), *list, *map;

    list = cel_type_new(c->p->arena, T_LIST, item, NULL);
    map = cel_type_new(c->p->arena, T_MAP, key, item);
    cel_check_try_fits(c, of, cel_check_try_fits(c, &cel_int, key) ? list : map);
    return item;
}

/* l[?i], and indexes of optional values. */
static const struct cel_type *check_optional_index(struct cel_checker *c, struct cel_node *n,
                                                   const struct cel_type *const *types)
{
    bool was_optional;
    const struct cel_type *of =
        cel_check_resolve(c, cel_check_unwrapped(cel_check_resolve(c, types[0]), &was_optional));
    const struct cel_type *item = &cel_dyn;

    if (of->kind == T_LIST) {
        item = of->of[0] ? of->of[0] : &cel_dyn;
        if (!cel_check_try_fits(c, &cel_int, types[1]))
            return refuse_call(c, n, types);
    } else if (of->kind == T_MAP) {
        item = of->of[1] ? of->of[1] : &cel_dyn;
        if (of->of[0] && !cel_check_try_fits(c, of->of[0], types[1]))
            return refuse_call(c, n, types);
    } else if (of->kind == T_PARAM) {
        item = indexed_unknown(c, of, types[1]);
    } else if (of->kind != T_DYN && of->kind != T_ERROR && of->kind != T_NULL) {
        return refuse_call(c, n, types);
    } else if ((!was_optional && of->kind != T_NULL) || cel_check_try_fits(c, &cel_int, types[1])) {
        return &cel_dyn; /* of a list, or of a map: upstream's overloads differ */
    } else {
        item = cel_check_fresh(c);
    }
    return cel_type_new(c->p->arena, T_OPTIONAL, item, NULL);
}
/* math.greatest(1, 2): a target that is a namespace. */
static void flatten_namespace(struct cel_checker *c, struct cel_node *n)
{
    AUTO(buf_done) struct buf name = {0};
    const struct cel_node *root;
    str full;

    if (!n->is_member || !cel_check_chain(n->args[0], &name))
        return;
    root = cel_check_chain_root(n->args[0]);
    if (!root->is_rooted && cel_check_local(c, root->name))
        return;
    buf_addf(&name, ".%.*s", STR_ARG(n->name));
    if (!cel_check_function(c, buf_view(&name), root->is_rooted, &full))
        return;
    n->is_member = false;
    n->name = full;
    n->args++;
    n->count--;
}

static bool overload_fits(struct cel_checker *c, const struct cel_function *f,
                          const struct cel_type *const *types, size_t count,
                          const struct cel_type **ret)
{
    struct cel_instance in = {0};
    size_t before = c->bound.len;
    const struct cel_type **saved = ARENA_ARRAY(c->p->arena, const struct cel_type *, before);

    if (before)
        memcpy(saved, c->bound.v, before * sizeof(*saved));
    for (size_t i = 0; f->count != SIZE_MAX && i < count; i++)
        if (!cel_check_fits(c, cel_check_instantiate(c, &in, f->params[i]), types[i])) {
            if (before)
                memcpy(c->bound.v, saved, before * sizeof(*saved));
            c->bound.len = before;
            return false;
        }
    *ret = cel_check_substitute(c, cel_check_instantiate(c, &in, f->result), false);
    return true;
}

static const struct cel_type *choose(struct cel_checker *c, struct cel_node *n,
                                     const struct cel_type *const *types)
{
    str full = n->name;
    const struct cel_function *first = cel_check_function(c, n->name, n->is_member, &full);
    const struct cel_function **found;
    const struct cel_type *result = NULL, *one;
    size_t count = 0;

    if (!first && !c->is_typed)
        return &cel_dyn;
    if (!first) {
        cel_problem(c->p, n->at, CEL_UNDECLARED,
                    "undeclared reference to '%s%.*s' (in container '%.*s')",
                    n->is_rooted ? "." : "", STR_ARG(n->name), STR_ARG(c->p->env->container));
        return &cel_error_type;
    }
    for (const struct cel_function *f = first; f; f = f->next)
        count++;
    found = ARENA_ARRAY(c->p->arena, const struct cel_function *, count);
    count = 0;
    for (const struct cel_function *f = first; f; f = f->next) {
        if (f->is_member != n->is_member || (f->count != n->count && f->count != SIZE_MAX))
            continue;
        if (!c->is_typed) {
            found[count++] = f;
            result = &cel_dyn;
        } else if (overload_fits(c, f, types, n->count, &one)) {
            found[count++] = f;
            if (!result)
                result = one;
            else if (result->kind != T_DYN && !cel_check_is_same(c, result, one))
                result = &cel_dyn;
        }
    }
    n->name = full;
    n->candidates = found;
    n->candidate_count = count;
    if (!result && !c->is_typed)
        return &cel_dyn;
    return result ? result : refuse_call(c, n, types);
}

static const struct cel_type *check_condition(struct cel_checker *c, struct cel_node *n,
                                              const struct cel_type *const *types)
{
    const struct cel_type *joint = cel_check_fresh(c);

    if (!c->is_typed)
        return &cel_dyn;
    if (!cel_check_try_fits(c, &cel_bool, types[0]) || !cel_check_try_fits(c, joint, types[1]) ||
        !cel_check_try_fits(c, joint, types[2]))
        return refuse_call(c, n, types);
    return cel_check_substitute(c, joint, false);
}

static bool check_equality(struct cel_checker *c, const struct cel_type *const *types)
{
    const struct cel_type *joint = cel_check_fresh(c);

    return cel_check_try_fits(c, joint, types[0]) &&
           (cel_check_try_fits(c, joint, types[1]) || cel_check_try_fits(c, types[1], types[0]));
}

/* null is assignable to optional values, and to nothing else that has an index. */
static bool indexes_optional(const struct cel_checker *c, const struct cel_type *t)
{
    enum cel_type_kind kind = cel_check_resolve(c, t)->kind;

    return kind == T_OPTIONAL || kind == T_NULL;
}

static const struct cel_type *check_operator(struct cel_checker *c, struct cel_node *n,
                                             const struct cel_type *const *types, bool *ret_is_one)
{
    bool is_logic = str_eq(n->name, STR("_&&_")) || str_eq(n->name, STR("_||_"));

    *ret_is_one = !n->is_member;
    if (n->is_member)
        return NULL;
    if (is_logic) {
        bool is_good = true;

        for (size_t i = 0; c->is_typed && i < n->count; i++) {
            if (cel_check_try_fits(c, &cel_bool, types[i]))
                continue;
            is_good = false;
            cel_problem(c->p, n->args[i]->at, CEL_NO_SUCH_OVERLOAD,
                        "expected type 'bool' but found '%.*s'",
                        STR_ARG(cel_check_printed(c, types[i])));
        }
        return is_good ? &cel_bool : &cel_error_type;
    }
    if (str_eq(n->name, STR("_?_:_")))
        return check_condition(c, n, types);
    if (str_eq(n->name, STR("_==_")) || str_eq(n->name, STR("_!=_")))
        return c->is_typed && !check_equality(c, types) ? refuse_call(c, n, types) : &cel_bool;
    if (str_eq(n->name, STR("_[?_]")) ||
        (str_eq(n->name, STR("_[_]")) && indexes_optional(c, types[0])))
        return c->is_typed ? check_optional_index(c, n, types) : &cel_dyn;
    *ret_is_one = false;
    return NULL;
}

static bool is_text(const struct cel_node *n)
{
    return n->kind == N_CONST && n->value.kind == CEL_STRING;
}

/* Upstream's validator looks at the first argument of matches, which is the pattern of
 * s.matches(re) and the text of matches(s, re). */
static void doubt_pattern(struct cel_checker *c, const struct cel_node *n)
{
    const struct cel_node *arg = n->args[n->is_member];
    AUTO(err_done) struct err e = {0};
    AUTO(re_free) struct re *re = is_text(arg) ? re_compile(arg->value.s, 0, &e) : NULL;

    if (!re && is_text(arg))
        cel_doubt(c->p, arg->at, CEL_OTHER, "invalid matches argument");
}

/* A pattern that does not change is compiled once. Upstream looks at those of find and findAll, and
 * Kubernetes at those of matches, when it plans the expression: it never runs with a bad one. */
static void compile_pattern(struct cel_checker *c, struct cel_node *n)
{
    AUTO(err_done) struct err e = {0};
    bool is_strict = c->p->env->flags & CEL_STRICT, is_find;
    bool is_matches = n->count == 2 && str_eq(n->name, STR("matches"));
    struct re *re;

    is_find = n->is_member && n->count > 1 &&
              (str_eq(n->name, STR("find")) || str_eq(n->name, STR("findAll")));
    if (is_matches && is_strict)
        doubt_pattern(c, n);
    if ((!is_matches && !is_find) || !is_text(n->args[1]))
        return;
    re = re_compile(n->args[1]->value.s, 0, &e);
    if (re)
        vec_push(&c->program->patterns, re);
    else if ((is_find || is_strict) && !c->program->bad_pattern.len)
        c->program->bad_pattern = arena_dup(&c->program->arena, str_of(err_text(&e)));
    if (is_matches)
        n->re = re;
}

/* timestamp and duration of constants that cannot be right (strict). */
static void check_constant(struct cel_checker *c, const struct cel_node *n)
{
    const struct cel_node *arg = n->count == 1 ? n->args[0] : NULL;
    struct cel_time time;
    int64_t ns;

    if (!(c->p->env->flags & CEL_STRICT) || !arg || arg->kind != N_CONST)
        return;
    if (arg->value.kind == CEL_INT && str_eq(n->name, STR("timestamp")) &&
        !cel_time_in_range(&(struct cel_time){.seconds = arg->value.i}))
        cel_doubt(c->p, arg->at, CEL_OTHER, "invalid timestamp argument");
    if (arg->value.kind != CEL_STRING)
        return;
    if (str_eq(n->name, STR("timestamp")) && !cel_time_parse(arg->value.s, &time))
        cel_doubt(c->p, arg->at, CEL_OTHER, "invalid timestamp argument");
    if (str_eq(n->name, STR("duration")) && !cel_duration_parse(arg->value.s, &ns))
        cel_doubt(c->p, arg->at, CEL_OTHER, "invalid duration argument");
}

/* Some value of a type; CEL_ERROR where the type does not tell. */
static struct cel_value example(struct cel_checker *c, const struct cel_type *t)
{
    static const enum cel_kind kinds[] = {
        [T_NULL] = CEL_NULL,         [T_BOOL] = CEL_BOOL,           [T_INT] = CEL_INT,
        [T_UINT] = CEL_UINT,         [T_DOUBLE] = CEL_DOUBLE,       [T_STRING] = CEL_STRING,
        [T_BYTES] = CEL_BYTES,       [T_TIMESTAMP] = CEL_TIMESTAMP, [T_DURATION] = CEL_DURATION,
        [T_OPTIONAL] = CEL_OPTIONAL,
    };
    struct cel_value v = {.kind = CEL_ERROR};

    t = cel_check_resolve(c, t);
    if (t->kind == T_STRING)
        return cel_make_string(STR("NaN")); /* fits every clause that takes a text */
    if (t->kind == T_LIST)
        return cel_make_list(c->p->arena, NULL, 0);
    if (t->kind == T_MAP)
        return cel_make_map(c->p->arena, NULL, 0);
    if (t->kind == T_TYPE)
        return cel_make_type(&cel_int);
    if (t->kind == T_OBJECT) {
        struct cel_object *o = ARENA_NEW(c->p->arena, struct cel_object);
        struct cel_object_class *class = ARENA_NEW(c->p->arena, struct cel_object_class);

        class->name = arena_cstr(c->p->arena, t->name);
        o->class = class;
        return (struct cel_value){CEL_OBJECT, .object = o};
    }
    if (t->kind < ARRAY_LEN(kinds))
        v.kind = kinds[t->kind];
    return v;
}

/* A format and a list that are literals: every item has its clause, and is of its type. */
static void check_format(struct cel_checker *c, const struct cel_node *n)
{
    const struct cel_node *list = n->args[1], *format = n->args[0];
    struct cel_value *items, found;
    size_t bad;

    if (!c->is_typed || format->kind != N_CONST || format->value.kind != CEL_STRING ||
        list->kind != N_LIST)
        return;
    items = ARENA_ARRAY(c->p->arena, struct cel_value, list->count);
    for (size_t i = 0; i < list->count; i++)
        items[i] = example(c, list->args[i]->type);
    found = cel_format_check(c->p->arena, format->value.s, items, list->count, &bad);
    if (found.kind == CEL_ERROR)
        cel_doubt(c->p, bad < list->count ? list->args[bad]->at : n->at, found.error->failure,
                  "%.*s", STR_ARG(found.error->text));
}

const struct cel_type *cel_check_call(struct cel_checker *c, struct cel_node *n)
{
    const struct cel_type **types, *result;
    bool is_operator;
    bool is_format = n->is_member && n->count == 2 && str_eq(n->name, STR("format"));

    flatten_namespace(c, n);
    types = ARENA_ARRAY(c->p->arena, const struct cel_type *, n->count);
    for (size_t i = 0; i < n->count; i++)
        types[i] = cel_check_node(c, n->args[i]);
    if (is_format && n->is_member)
        check_format(c, n);
    result = check_operator(c, n, types, &is_operator);
    if (is_operator)
        return result;
    result = choose(c, n, types);
    /* of a list, a map or an optional value: they differ */
    if (str_eq(n->name, STR("_[_]")) && cel_check_resolve(c, types[0])->kind == T_DYN)
        result = &cel_dyn;
    compile_pattern(c, n);
    check_constant(c, n);
    return result;
}
