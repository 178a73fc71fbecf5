/* Macros (cel spec 6, 10.4, 10.6): a call that is one becomes a fold. */
#include "expr/cel/cel_priv.h"

static const struct macro {
    char name[20];
    enum cel_fold fold;
    size_t vars, rest; /* names, and expressions behind them */
} macros[] = {
    {"all", F_ALL, 1, 1},
    {"exists", F_EXISTS, 1, 1},
    {"exists_one", F_EXISTS_ONE, 1, 1},
    {"map", F_MAP, 1, 1},
    {"map", F_MAP, 1, 2},
    {"filter", F_FILTER, 1, 1},
    {"all", F_ALL, 2, 1},
    {"exists", F_EXISTS, 2, 1},
    {"exists_one", F_EXISTS_ONE, 2, 1},
    {"existsOne", F_EXISTS_ONE, 2, 1},
    {"transformList", F_LIST, 2, 1},
    {"transformList", F_LIST, 2, 2},
    {"transformMap", F_MAP_VALUE, 2, 1},
    {"transformMap", F_MAP_VALUE, 2, 2},
    {"transformMapEntry", F_MAP_ENTRY, 2, 1},
    {"transformMapEntry", F_MAP_ENTRY, 2, 2},
    {"optMap", F_OPT_MAP, 1, 1},
    {"optFlatMap", F_OPT_FLAT_MAP, 1, 1},
    {"sortBy", F_SORT_BY, 1, 1},
};

static struct cel_node *refuse(struct cel_parser *p, const struct cel_node *at, const char *why)
{
    cel_problem(p, at->at, CEL_OTHER, "%s", why);
    return NULL;
}

static bool is_simple(const struct cel_node *n) { return n->kind == N_IDENT && !n->is_rooted; }

static struct cel_node *make_has(struct cel_parser *p, struct cel_node *call)
{
    struct cel_node *field = call->args[0];

    if (field->kind != N_SELECT || field->is_test || field->is_optional)
        return refuse(p, field, "invalid argument to has() macro");
    field->is_test = true;
    field->at = call->at;
    return field;
}

/* Upstream sortBy binds its target, unless that can only be a list by mistake. */
static bool may_be_sorted(const struct cel_node *n)
{
    return n->kind != N_CONST && n->kind != N_MAP && n->kind != N_STRUCT;
}

static struct cel_node *make_fold(struct cel_parser *p, struct cel_node *call,
                                  const struct macro *m)
{
    struct cel_node *n = cel_node_new(p, N_FOLD, call->at);
    const struct cel_node *first = call->args[1], *second = m->vars > 1 ? call->args[2] : NULL;

    if (!is_simple(first))
        return refuse(p, first, "argument must be a simple name");
    if (second && !is_simple(second))
        return refuse(p, second, "argument must be a simple name");
    if (second && str_eq(first->name, second->name))
        return refuse(p, second, "duplicate variable name");
    if (m->fold == F_SORT_BY && !may_be_sorted(call->args[0]))
        return refuse(p, call->args[0],
                      "sortBy can only be applied to a list, identifier, comprehension, call or "
                      "select expression");
    n->fold = m->fold;
    n->name = call->name;
    n->var = first->name;
    n->var2 = second ? second->name : STR_NONE;
    n->count = 1 + m->rest;
    n->args = ARENA_ARRAY(p->arena, struct cel_node *, n->count);
    n->args[0] = call->args[0];
    for (size_t i = 0; i < m->rest; i++)
        n->args[1 + i] = call->args[1 + m->vars + i];
    return n;
}

static bool is_cel(const struct cel_node *call)
{
    return is_simple(call->args[0]) && str_eq(call->args[0]->name, STR("cel"));
}

/* cel.bind(x, e, body) */
static struct cel_node *make_bind(struct cel_parser *p, struct cel_node *call)
{
    struct cel_node *n = cel_node_new(p, N_FOLD, call->at);

    if (!is_simple(call->args[1]))
        return refuse(p, call->args[1], "cel.bind() variable names must be simple identifiers");
    n->fold = F_BIND;
    n->name = call->name;
    n->var = call->args[1]->name;
    n->count = 2;
    n->args = &call->args[2];
    return n;
}

/* cel.block([a, b], body), cel.index(0), cel.iterVar(0, 1): what optimisers write. */
static struct cel_node *make_block(struct cel_parser *p, struct cel_node *call)
{
    struct cel_node *n;

    if (str_eq(call->name, STR("block")) && call->count == 3) {
        if (call->args[1]->kind != N_LIST)
            return refuse(p, call->args[1],
                          "cel.block requires the first arg to be a list literal");
        n = cel_node_new(p, N_BLOCK, call->at);
        n->count = 2;
        n->args = &call->args[1];
        return n;
    }
    if (call->count < 2 || call->args[1]->kind != N_CONST || call->args[1]->value.kind != CEL_INT ||
        call->args[1]->value.i < 0)
        return refuse(p, call, "cel.index and its like require a non-negative int constant");
    if (str_eq(call->name, STR("index"))) {
        n = cel_node_new(p, N_INDEX_OF_BLOCK, call->at);
        n->slot = (uint32_t)call->args[1]->value.i;
        return n;
    }
    n = cel_node_new(p, N_IDENT, call->at);
    n->name = arena_printf(p->arena, "@%.*s:%jd:%jd", STR_ARG(call->name),
                           (intmax_t)call->args[1]->value.i,
                           (intmax_t)(call->count > 2 ? call->args[2]->value.i : 0));
    return n;
}

static bool is_block_word(str name)
{
    return str_eq(name, STR("block")) || str_eq(name, STR("index")) ||
           str_eq(name, STR("iterVar")) || str_eq(name, STR("accuVar"));
}

/* math.greatest and math.least: numbers, or one list of them. */

static bool may_be_number(const struct cel_node *n)
{
    return n->kind == N_CONST ? cel_is_number(&n->value)
                              : n->kind != N_LIST && n->kind != N_MAP && n->kind != N_STRUCT;
}

static bool is_list_of_numbers(const struct cel_node *n)
{
    for (size_t i = 0; n->kind == N_LIST && i < n->count; i++)
        if (!may_be_number(n->args[i]))
            return false;
    return n->kind == N_LIST && n->count;
}

static struct cel_node *refuse_choice(struct cel_parser *p, const struct cel_node *call,
                                      const struct cel_node *at, const char *why)
{
    cel_problem(p, at->at, CEL_OTHER, "math.%.*s() %s", STR_ARG(call->name), why);
    return NULL;
}

static struct cel_node *make_choice(struct cel_parser *p, struct cel_node *call)
{
    struct cel_node *list;

    if (call->count == 1)
        return refuse_choice(p, call, call->args[0], "requires at least one argument");
    if (call->count == 2)
        return may_be_number(call->args[1]) || is_list_of_numbers(call->args[1])
                   ? call
                   : refuse_choice(p, call, call->args[1], "invalid single argument value");
    for (size_t i = 1; i < call->count; i++)
        if (!may_be_number(call->args[i]))
            return refuse_choice(p, call, call->args[i],
                                 "simple literal arguments must be numeric");
    if (call->count == 3)
        return call;
    list = cel_node_new(p, N_LIST, call->at);
    list->args = call->args + 1;
    list->optional = call->optional + 1;
    list->count = call->count - 1;
    call->args = ARENA_ARRAY(p->arena, struct cel_node *, 2);
    call->args[0] = list->args[-1];
    call->args[1] = list;
    call->count = 2;
    return call;
}

static bool is_choice(const struct cel_node *call)
{
    return is_simple(call->args[0]) && str_eq(call->args[0]->name, STR("math")) &&
           (str_eq(call->name, STR("greatest")) || str_eq(call->name, STR("least")));
}

struct cel_node *cel_macro(struct cel_parser *p, struct cel_node *call)
{
    if (p->env->flags & CEL_NO_MACROS)
        return call;
    if (!call->is_member)
        return str_eq(call->name, STR("has")) && call->count == 1 ? make_has(p, call) : call;
    if (is_cel(call) && !(p->env->flags & CEL_KUBERNETES)) {
        if (str_eq(call->name, STR("bind")) && call->count == 4)
            return make_bind(p, call);
        if (is_block_word(call->name))
            return make_block(p, call);
    }
    if (!(p->env->flags & CEL_KUBERNETES) && is_choice(call))
        return make_choice(p, call);
    for (size_t i = 0; i < ARRAY_LEN(macros); i++)
        if (str_eq(call->name, str_of(macros[i].name)) &&
            call->count == 1 + macros[i].vars + macros[i].rest)
            return make_fold(p, call, &macros[i]);
    return call;
}
