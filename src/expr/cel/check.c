/* Names and types (cel spec 2, 4). Without types (CEL_NO_CHECK) everything is dyn. */
#include "expr/cel/check_priv.h"

enum { MAX_FOLDS = 16 };

static const struct cel_type *want(struct cel_checker *c, const struct cel_node *n,
                                   const struct cel_type *to, const struct cel_type *from)
{
    if (c->is_typed && !cel_check_try_fits(c, to, from))
        cel_problem(c->p, n->at, CEL_NO_SUCH_OVERLOAD, "expected type '%.*s' but found '%.*s'",
                    STR_ARG(cel_check_printed(c, to)), STR_ARG(cel_check_printed(c, from)));
    return to;
}
/* ---- selections */

/* Upstream the types of the network are no structs. */
static bool is_struct(const struct cel_type *t)
{
    return t->kind == T_OBJECT && !str_starts(t->name, STR("net."));
}

static const struct cel_type *declared_field(struct cel_checker *c, const struct cel_node *n,
                                             const struct cel_type *of)
{
    for (const struct cel_field *f = of->fields; f; f = f->next)
        if (str_eq(f->name, n->name))
            return f->type;
    if (!c->is_typed)
        return &cel_dyn;
    cel_problem(c->p, n->at, CEL_UNDECLARED, "undefined field '%.*s'", STR_ARG(n->name));
    return &cel_error_type;
}

static const struct cel_type *field_type(struct cel_checker *c, const struct cel_node *n,
                                         const struct cel_type *of)
{
    of = cel_check_resolve(c, of);
    if (of->has_fields)
        return declared_field(c, n, of);
    switch (of->kind) {
    case T_MAP:
        return of->of[1] ? of->of[1] : &cel_dyn;
    case T_PARAM:
        if (of->fresh)
            c->bound.v[of->fresh - 1] = &cel_dyn;
        return &cel_dyn;
    case T_DYN:
    case T_ERROR:
        return &cel_dyn;
    default:
        if (c->is_typed)
            cel_problem(c->p, n->at, CEL_NO_SUCH_OVERLOAD,
                        is_struct(of) ? "unexpected failed resolution of '%.*s'"
                                      : "type '%.*s' does not support field selection",
                        STR_ARG(cel_check_printed(c, of)));
        return c->is_typed && is_struct(of) ? &cel_error_type : &cel_dyn;
    }
}

static const struct cel_type *check_select(struct cel_checker *c, struct cel_node *n)
{
    const struct cel_type *type = n->is_test || n->is_optional ? NULL : cel_check_name(c, n);
    bool was_optional;

    if (type)
        return type;
    type = cel_check_resolve(c, cel_check_node(c, n->args[0]));
    type = field_type(c, n, cel_check_unwrapped(type, &was_optional));
    if (n->is_test)
        return &cel_bool;
    return was_optional || n->is_optional ? cel_type_new(c->p->arena, T_OPTIONAL, type, NULL)
                                          : type;
}

/* ---- literals */

static const struct cel_type *item_type(struct cel_checker *c, struct cel_node *n, size_t at)
{
    const struct cel_type *t = cel_check_node(c, n->args[at]);
    bool is_optional;

    if (!n->optional[at])
        return t;
    t = cel_check_resolve(c, t);
    if (c->is_typed && t->kind != T_OPTIONAL && t->kind != T_DYN)
        cel_problem(c->p, n->args[at]->at, CEL_NO_SUCH_OVERLOAD,
                    "expected type 'optional_type(%.*s)' but found '%.*s'",
                    STR_ARG(cel_check_printed(c, t)), STR_ARG(cel_check_printed(c, t)));
    return cel_check_unwrapped(t, &is_optional);
}

/* The type of both; dyn when they have none in common. */
static const struct cel_type *join(struct cel_checker *c, const struct cel_type *a,
                                   const struct cel_type *b)
{
    if (!a)
        return b;
    return cel_check_try_fits(c, a, b) ? cel_check_generalize(c, a, b) : &cel_dyn;
}

static const struct cel_type *check_list(struct cel_checker *c, struct cel_node *n)
{
    const struct cel_type *item = NULL;

    for (size_t i = 0; i < n->count; i++)
        item = join(c, item, item_type(c, n, i));
    return cel_type_new(c->p->arena, T_LIST, item ? item : cel_check_fresh(c), NULL);
}

static const struct cel_type *check_map(struct cel_checker *c, struct cel_node *n)
{
    const struct cel_type *key = NULL, *value = NULL;

    for (size_t i = 0; i < n->count; i += 2) {
        key = join(c, key, cel_check_node(c, n->args[i]));
        value = join(c, value, item_type(c, n, i + 1));
    }
    return cel_type_new(c->p->arena, T_MAP, key ? key : cel_check_fresh(c),
                        value ? value : cel_check_fresh(c));
}

/* ---- folds */

static void range_types(struct cel_checker *c, const struct cel_node *n,
                        const struct cel_type *range, bool is_two, const struct cel_type **a,
                        const struct cel_type **b)
{
    *a = *b = &cel_dyn;
    range = cel_check_resolve(c, range);
    switch (range->kind) {
    case T_LIST:
        *b = range->of[0] ? range->of[0] : &cel_dyn;
        *a = is_two ? &cel_int : *b;
        break;
    case T_MAP:
        *a = range->of[0] ? range->of[0] : &cel_dyn;
        *b = range->of[1] ? range->of[1] : &cel_dyn;
        break;
    case T_PARAM:
        if (range->fresh)
            c->bound.v[range->fresh - 1] = &cel_dyn;
        break;
    case T_DYN:
    case T_ERROR:
        break;
    default:
        *a = *b = &cel_error_type;
        if (c->is_typed)
            cel_problem(c->p, n->at, CEL_NO_SUCH_OVERLOAD,
                        "expression of type '%.*s' cannot be range of a comprehension (must be "
                        "list, map, or dynamic)",
                        STR_ARG(cel_check_printed(c, range)));
    }
}

/* The result of a fold that tests and then makes something: of a test that is no bool the words of
 * what the macro stands for. */
static const struct cel_type *tested(struct cel_checker *c, const struct cel_node *n,
                                     const struct cel_type *test, const struct cel_type *result)
{
    const struct cel_type *made = n->fold == F_EXISTS_ONE ? &cel_int : result;

    if (!c->is_typed || cel_check_try_fits(c, &cel_bool, test))
        return result;
    cel_problem(c->p, n->at, CEL_NO_SUCH_OVERLOAD,
                "found no matching overload for '_?_:_' applied to '(%.*s, %.*s, %.*s)'",
                STR_ARG(cel_check_printed(c, test)), STR_ARG(cel_check_printed(c, made)),
                STR_ARG(cel_check_printed(c, made)));
    return result;
}

static const struct cel_type *sort_keys(struct cel_checker *c, const struct cel_node *n,
                                        const struct cel_type *range, const struct cel_type *body)
{
    bool is_list;

    range = cel_check_resolve(c, range);
    body = cel_check_resolve(c, body);
    is_list = range->kind == T_LIST || range->kind == T_DYN || range->kind == T_ERROR ||
              range->kind == T_PARAM;
    if (c->is_typed && (!is_list || body->kind == T_LIST || body->kind == T_MAP))
        cel_problem(c->p, n->at, CEL_NO_SUCH_OVERLOAD,
                    "found no matching overload for '@sortByAssociatedKeys' applied to "
                    "'%.*s.(list(%.*s))'",
                    STR_ARG(cel_check_printed(c, range)), STR_ARG(cel_check_printed(c, body)));
    return range;
}

static const struct cel_type *fold_result(struct cel_checker *c, struct cel_node *n,
                                          const struct cel_type *range, const struct cel_type *key,
                                          const struct cel_type *test, const struct cel_type *body)
{
    struct arena *arena = c->p->arena;
    const struct cel_type *any;

    switch (n->fold) {
    case F_ALL:
    case F_EXISTS:
        return want(c, n->args[1], &cel_bool, body);
    case F_EXISTS_ONE:
        return tested(c, n, body, &cel_bool);
    case F_FILTER:
        return tested(c, n, body, cel_type_new(arena, T_LIST, key, NULL));
    case F_MAP:
    case F_LIST:
        return tested(c, n, test, cel_type_new(arena, T_LIST, body, NULL));
    case F_MAP_VALUE:
        return tested(c, n, test, cel_type_new(arena, T_MAP, key, body));
    case F_MAP_ENTRY:
        any = cel_type_new(arena, T_MAP, cel_check_fresh(c), cel_check_fresh(c));
        body = cel_check_resolve(c, body);
        if (body->kind == T_MAP)
            return tested(c, n, test, body);
        if (c->is_typed && !cel_check_try_fits(c, any, body))
            cel_problem(c->p, n->at, CEL_NO_SUCH_OVERLOAD,
                        "found no matching overload for 'cel.@mapInsert' applied to "
                        "'(map(dyn, dyn), %.*s)'",
                        STR_ARG(cel_check_printed(c, body)));
        return any;
    case F_BIND:
        return body;
    case F_OPT_MAP:
        return cel_type_new(arena, T_OPTIONAL, body, NULL);
    case F_OPT_FLAT_MAP:
        any = cel_type_new(arena, T_OPTIONAL, cel_check_fresh(c), NULL);
        if (c->is_typed && !cel_check_try_fits(c, any, body))
            cel_problem(c->p, n->at, CEL_NO_SUCH_OVERLOAD,
                        "found no matching overload for '_?_:_' applied to '(bool, %.*s, %.*s)'",
                        STR_ARG(cel_check_printed(c, body)), STR_ARG(cel_check_printed(c, any)));
        return any;
    case F_SORT_BY:
        return sort_keys(c, n, range, body);
    }
    return &cel_dyn;
}

/* What optMap and its like bind. Of a target that is no optional value the words of what the macros
 * stand for. */
static const struct cel_type *in_optional(struct cel_checker *c, const struct cel_node *n,
                                          const struct cel_type *of)
{
    const struct cel_type *any = cel_type_new(c->p->arena, T_OPTIONAL, cel_check_fresh(c), NULL);

    bool was_optional;

    if (!c->is_typed || cel_check_try_fits(c, any, of))
        return cel_check_resolve(c, cel_check_unwrapped(cel_check_resolve(c, of), &was_optional));
    for (int i = 0; i < 2; i++)
        cel_problem(c->p, n->at, CEL_NO_SUCH_OVERLOAD,
                    "found no matching overload for '%s' applied to '%.*s.()'",
                    i ? "value" : "hasValue", STR_ARG(cel_check_printed(c, of)));
    return &cel_error_type;
}

static const struct cel_type *check_fold(struct cel_checker *c, struct cel_node *n)
{
    const struct cel_type *range = cel_check_node(c, n->args[0]), *a = &cel_dyn, *b = &cel_dyn,
                          *body = NULL, *test = &cel_bool;
    bool is_optional = n->fold == F_OPT_MAP || n->fold == F_OPT_FLAT_MAP;
    struct cel_local first = {c->locals, n->var, NULL, c->program->slots};
    struct cel_local second = {&first, n->var2, NULL, c->program->slots + 1};

    if (++c->folds > MAX_FOLDS && n->fold != F_BIND) {
        cel_problem(c->p, n->at, CEL_OTHER, "comprehensions are nested more than %d deep",
                    MAX_FOLDS);
        return &cel_error_type;
    }
    if (n->fold == F_BIND)
        a = range;
    else if (is_optional)
        a = in_optional(c, n, range);
    else
        range_types(c, n->fold == F_SORT_BY ? n : n->args[0], range, n->var2.len > 0, &a, &b);
    first.type = a;
    second.type = b;
    n->slot = first.slot;
    n->slot2 = second.slot;
    c->program->slots += 2;
    c->locals = n->var2.len ? &second : &first;
    for (size_t i = 1; i < n->count; i++) {
        body = cel_check_node(c, n->args[i]);
        if (i + 1 < n->count)
            test = body;
    }
    c->locals = first.up;
    c->folds--;
    return fold_result(c, n, range, a, test, body);
}

static const struct cel_type *check_block(struct cel_checker *c, struct cel_node *n)
{
    uint32_t before = c->block;
    size_t len = c->block_len;
    const struct cel_type *type;

    n->slot = c->program->slots;
    c->program->slots += (uint32_t)n->args[0]->count;
    c->block = n->slot;
    c->block_len = n->args[0]->count;
    for (size_t i = 0; i < n->args[0]->count; i++)
        cel_check_node(c, n->args[0]->args[i]);
    n->args[0]->type = &cel_dyn;
    type = cel_check_node(c, n->args[1]);
    c->block = before;
    c->block_len = len;
    return type;
}

static const struct cel_type *check_block_index(struct cel_checker *c, struct cel_node *n)
{
    if (n->slot >= c->block_len) {
        cel_problem(c->p, n->at, CEL_OTHER, "cel.index is out of range");
        return &cel_error_type;
    }
    n->slot += c->block;
    return &cel_dyn;
}

static const struct cel_type *const_type(const struct cel_value *v)
{
    static const struct cel_type *const types[] = {
        [CEL_NULL] = &cel_null,   [CEL_BOOL] = &cel_bool,     [CEL_INT] = &cel_int,
        [CEL_UINT] = &cel_uint,   [CEL_DOUBLE] = &cel_double, [CEL_STRING] = &cel_string,
        [CEL_BYTES] = &cel_bytes,
    };

    return v->kind < ARRAY_LEN(types) && types[v->kind] ? types[v->kind] : &cel_dyn;
}

const struct cel_type *cel_check_node(struct cel_checker *c, struct cel_node *n)
{
    const struct cel_type *type = &cel_dyn;

    switch (n->kind) {
    case N_CONST:
        type = const_type(&n->value);
        break;
    case N_IDENT:
        type = cel_check_ident(c, n);
        break;
    case N_SELECT:
        type = check_select(c, n);
        break;
    case N_CALL:
        type = cel_check_call(c, n);
        break;
    case N_LIST:
        type = check_list(c, n);
        break;
    case N_MAP:
        type = check_map(c, n);
        break;
    case N_STRUCT:
        cel_problem(c->p, n->at, CEL_UNDECLARED,
                    "undeclared reference to '%.*s' (in container '%.*s')", STR_ARG(n->name),
                    STR_ARG(c->p->env->container));
        type = &cel_error_type;
        break;
    case N_FOLD:
        type = check_fold(c, n);
        break;
    case N_BLOCK:
        type = check_block(c, n);
        break;
    case N_INDEX_OF_BLOCK:
        type = check_block_index(c, n);
        break;
    }
    n->type = c->is_typed ? type : &cel_dyn;
    return n->type;
}

/* ---- literals of one type (CEL_STRICT), once everything is known */

static bool differ(struct cel_checker *c, const struct cel_node *at, const struct cel_type *first,
                   const struct cel_type *t)
{
    first = cel_check_substitute(c, first, true);
    t = cel_check_substitute(c, t, true);
    if (cel_check_is_same(c, first, t))
        return false;
    cel_doubt(c->p, at->at, CEL_NO_SUCH_OVERLOAD, "expected type '%.*s' but found '%.*s'",
              STR_ARG(cel_check_printed(c, first)), STR_ARG(cel_check_printed(c, t)));
    return true;
}

static const struct cel_type *type_of_item(struct cel_checker *c, const struct cel_node *n,
                                           size_t at)
{
    bool is_optional;
    const struct cel_type *t = cel_check_resolve(c, n->args[at]->type);

    return n->optional[at] ? cel_check_unwrapped(t, &is_optional) : t;
}

/* The items of lists, keys and values of maps; those below the arguments of format may differ. */
static void check_uniform(struct cel_checker *c, const struct cel_node *n)
{
    bool is_format = n->kind == N_CALL && str_eq(n->name, STR("format"));

    for (size_t i = 1; n->kind == N_LIST && i < n->count; i++)
        if (differ(c, n->args[i], type_of_item(c, n, 0), type_of_item(c, n, i)))
            break;
    for (size_t i = 2; n->kind == N_MAP && i < n->count; i++)
        differ(c, n->args[i], type_of_item(c, n, i % 2), type_of_item(c, n, i));
    for (size_t i = 0; i < n->count && !is_format; i++)
        check_uniform(c, n->args[i]);
}

void cel_check(struct cel_parser *p, struct cel_program *program)
{
    struct cel_checker c = {
        .p = p, .program = program, .is_typed = !(p->env->flags & CEL_NO_CHECK)};
    const struct cel_type *type = cel_check_node(&c, program->root);

    if (c.is_typed && p->env->flags & CEL_STRICT)
        check_uniform(&c, program->root);
    program->root->type = cel_check_substitute(&c, type, true);
    vec_done(&c.bound);
}
