/* Names and types (cel spec 2, 4). Without types (CEL_NO_CHECK) everything is dyn. */
#include "expr/cel/cel_priv.h"

enum { MAX_FOLDS = 16 };

struct local {
    const struct local *up;
    str name;
    const struct cel_type *type;
    uint32_t slot;
};
struct checker {
    struct cel_parser *p;
    struct cel_program *program;
    const struct local *locals;
    VEC(const struct cel_type *) bound; /* what instances of type parameters stand for */
    bool is_typed;
    bool mixes; /* the list at hand is format's: of any types */
    unsigned folds;
    uint32_t block; /* slots of cel.block */
    size_t block_len;
};

static const struct cel_type error_type = {.kind = T_ERROR};
static const struct cel_type *check(struct checker *c, struct cel_node *n);

/* ---- type parameters */

static const struct cel_type *fresh(struct checker *c)
{
    struct cel_type *t = ARENA_NEW(c->p->arena, struct cel_type);

    vec_push(&c->bound, NULL);
    *t = (struct cel_type){.kind = T_PARAM, .name = STR("T"), .fresh = (unsigned)c->bound.len};
    return t;
}

static const struct cel_type *resolve(const struct checker *c, const struct cel_type *t)
{
    while (t->kind == T_PARAM && t->fresh && c->bound.v[t->fresh - 1])
        t = c->bound.v[t->fresh - 1];
    return t;
}

/* With everything that is known put in; what is not known is dyn when it is final. */
static const struct cel_type *substitute(struct checker *c, const struct cel_type *t, bool is_final)
{
    struct cel_type *copy;

    t = resolve(c, t);
    if (t->kind == T_PARAM)
        return is_final && t->fresh ? &cel_dyn : t;
    if (!t->of[0])
        return t;
    copy = ARENA_NEW(c->p->arena, struct cel_type);
    *copy = *t;
    for (size_t i = 0; i < ARRAY_LEN(t->of) && t->of[i]; i++)
        copy->of[i] = substitute(c, t->of[i], is_final);
    return copy;
}

static bool occurs(const struct checker *c, const struct cel_type *param, const struct cel_type *in)
{
    in = resolve(c, in);
    if (in == param || (in->kind == T_PARAM && in->fresh == param->fresh))
        return true;
    return (in->of[0] && occurs(c, param, in->of[0])) || (in->of[1] && occurs(c, param, in->of[1]));
}

static bool fits(struct checker *c, const struct cel_type *to, const struct cel_type *from);

static bool bind(struct checker *c, const struct cel_type *param, const struct cel_type *t)
{
    if (t->kind == T_PARAM && t->fresh == param->fresh)
        return true;
    if (occurs(c, param, t))
        return false;
    c->bound.v[param->fresh - 1] = t;
    return true;
}

static bool takes_null(const struct cel_type *t)
{
    return t->kind == T_WRAPPER || t->kind == T_TIMESTAMP || t->kind == T_DURATION ||
           t->kind == T_OBJECT;
}

/* Does a value of type `from` go where `to` is wanted? */
static bool fits(struct checker *c, const struct cel_type *to, const struct cel_type *from)
{
    to = resolve(c, to);
    from = resolve(c, from);
    if (to == from)
        return true;
    if (to->kind == T_PARAM && to->fresh)
        return bind(c, to, from);
    if (from->kind == T_PARAM && from->fresh)
        return bind(c, from, to);
    if (to->kind == T_DYN || from->kind == T_DYN || to->kind == T_ERROR || from->kind == T_ERROR)
        return true;
    if (from->kind == T_NULL && takes_null(to))
        return true;
    if (to->kind == T_WRAPPER)
        return fits(c, to->of[0], from->kind == T_WRAPPER ? from->of[0] : from);
    if (from->kind == T_WRAPPER)
        return fits(c, to, from->of[0]);
    if (to->kind != from->kind)
        return false;
    if ((to->kind == T_OBJECT || to->kind == T_PARAM) && !str_eq(to->name, from->name))
        return false;
    if (to->kind == T_TYPE)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(to->of); i++)
        if (to->of[i] && from->of[i] && !fits(c, to->of[i], from->of[i]))
            return false;
    return true;
}

/* The same, leaving no trace when it does not. */
static bool try_fits(struct checker *c, const struct cel_type *to, const struct cel_type *from)
{
    size_t len = c->bound.len;
    const struct cel_type **saved = ARENA_ARRAY(c->p->arena, const struct cel_type *, len);

    if (len)
        memcpy(saved, c->bound.v, len * sizeof(*saved));
    if (fits(c, to, from))
        return true;
    if (len)
        memcpy(c->bound.v, saved, len * sizeof(*saved));
    return false;
}

/* Parameters of a function become instances of their own. */
struct instance {
    char names[8];
    const struct cel_type *types[8];
    size_t len;
};

static const struct cel_type *instantiate(struct checker *c, struct instance *in,
                                          const struct cel_type *t)
{
    struct cel_type *copy;

    if (t->kind == T_PARAM && !t->fresh) {
        for (size_t i = 0; i < in->len; i++)
            if (in->names[i] == t->name.p[0])
                return in->types[i];
        if (in->len == ARRAY_LEN(in->names))
            return &cel_dyn;
        in->names[in->len] = t->name.p[0];
        return in->types[in->len++] = fresh(c);
    }
    if (!t->of[0])
        return t;
    copy = ARENA_NEW(c->p->arena, struct cel_type);
    *copy = *t;
    for (size_t i = 0; i < ARRAY_LEN(t->of) && t->of[i]; i++)
        copy->of[i] = instantiate(c, in, t->of[i]);
    return copy;
}

static bool is_same(const struct checker *c, const struct cel_type *a, const struct cel_type *b)
{
    a = resolve(c, a);
    b = resolve(c, b);
    if (a == b)
        return true;
    if (a->kind != b->kind || !str_eq(a->name, b->name) || a->fresh != b->fresh)
        return false;
    return (!a->of[0] || !b->of[0] || is_same(c, a->of[0], b->of[0])) &&
           (!a->of[1] || !b->of[1] || is_same(c, a->of[1], b->of[1]));
}

/* What both are, dyn where one is. They fit. */
static const struct cel_type *generalize(struct checker *c, const struct cel_type *a,
                                         const struct cel_type *b)
{
    struct cel_type *copy;

    a = resolve(c, a);
    b = resolve(c, b);
    if (a->kind == T_DYN || b->kind == T_DYN)
        return &cel_dyn;
    if (a->kind == T_NULL)
        return b;
    if (!a->of[0] || a->kind != b->kind)
        return a;
    copy = ARENA_NEW(c->p->arena, struct cel_type);
    *copy = *a;
    for (size_t i = 0; i < ARRAY_LEN(a->of) && a->of[i] && b->of[i]; i++)
        copy->of[i] = generalize(c, a->of[i], b->of[i]);
    return copy;
}

/* ---- messages */

static str printed(struct checker *c, const struct cel_type *t)
{
    AUTO(buf_done) struct buf out = {0};

    cel_type_print(substitute(c, t, true), &out);
    return arena_dup(c->p->arena, buf_view(&out));
}

static const struct cel_type *refuse_call(struct checker *c, const struct cel_node *n,
                                          const struct cel_type *const *types)
{
    AUTO(buf_done) struct buf applied = {0};

    for (size_t i = 0; i < n->count; i++) {
        str type = printed(c, types[i]);

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
                "found no matching overload for '%.*s' applied to '%s'", STR_ARG(n->name),
                buf_cstr(&applied));
    return &error_type;
}

static const struct cel_type *want(struct checker *c, const struct cel_node *n,
                                   const struct cel_type *to, const struct cel_type *from)
{
    if (c->is_typed && !try_fits(c, to, from))
        cel_problem(c->p, n->at, CEL_NO_SUCH_OVERLOAD, "expected type '%.*s' but found '%.*s'",
                    STR_ARG(printed(c, to)), STR_ARG(printed(c, from)));
    return to;
}

/* ---- names */

/* "a.b.c" of a chain of selections, or nothing when something else is in it. */
static bool chain_name(const struct cel_node *n, struct buf *out)
{
    if (n->kind == N_IDENT) {
        buf_add_str(out, n->name);
        return true;
    }
    if (n->kind != N_SELECT || n->is_test || n->is_optional || !chain_name(n->args[0], out))
        return false;
    buf_addf(out, ".%.*s", STR_ARG(n->name));
    return true;
}

static const struct cel_node *chain_root(const struct cel_node *n)
{
    while (n->kind == N_SELECT)
        n = n->args[0];
    return n;
}

static const struct local *find_local(const struct checker *c, str name)
{
    for (const struct local *l = c->locals; l; l = l->up)
        if (str_eq(l->name, name))
            return l;
    return NULL;
}

typedef void *find_fn(const struct checker *c, str name);

static void *find_variable(const struct checker *c, str name)
{
    return map_get(&c->p->env->variables, name);
}
static void *find_function(const struct checker *c, str name)
{
    return map_get(&c->p->env->functions, name);
}
static void *find_type(const struct checker *c, str name)
{
    (void)c;
    return (void *)cel_type_of_name(name);
}

/* In the container and each of its parents; *ret_name is the name it has there. */
static void *find(struct checker *c, str name, bool is_rooted, find_fn *fn, str *ret_name)
{
    str container = is_rooted ? STR_NONE : c->p->env->container;

    for (;;) {
        str full = container.len
                       ? arena_printf(c->p->arena, "%.*s.%.*s", STR_ARG(container), STR_ARG(name))
                       : name;
        void *found = fn(c, full);
        ssize_t dot;

        if (found) {
            *ret_name = arena_dup(c->p->arena, full);
            return found;
        }
        if (!container.len)
            return NULL;
        dot = str_rfind_char(container, '.');
        container = dot < 0 ? STR_NONE : str_sub(container, 0, (size_t)dot);
    }
}

/* A chain that is a declared name, or a type's. */
static const struct cel_type *check_name(struct checker *c, struct cel_node *n)
{
    AUTO(buf_done) struct buf name = {0};
    const struct cel_node *root = chain_root(n);
    const struct cel_type *type;
    str full;

    if (!chain_name(n, &name) || (!root->is_rooted && find_local(c, root->name)))
        return NULL;
    type = find(c, buf_view(&name), root->is_rooted, find_variable, &full);
    if (type) {
        n->kind = N_IDENT;
        n->name = full;
        return type;
    }
    type = find(c, buf_view(&name), root->is_rooted, find_type, &full);
    if (!type)
        return NULL;
    n->kind = N_CONST;
    n->value = cel_make_type(type);
    return cel_type_new(c->p->arena, T_TYPE, type, NULL);
}

static const struct cel_type *check_ident(struct checker *c, struct cel_node *n)
{
    const struct local *local = n->is_rooted ? NULL : find_local(c, n->name);
    const struct cel_type *type;

    if (local) {
        n->is_local = true;
        n->slot = local->slot;
        return local->type;
    }
    type = check_name(c, n);
    if (type || !c->is_typed) /* without types: at run time */
        return type ? type : &cel_dyn;
    cel_problem(c->p, n->at, CEL_UNDECLARED, "undeclared reference to '%.*s' (in container '%.*s')",
                STR_ARG(n->name), STR_ARG(c->p->env->container));
    return &error_type;
}

/* ---- selections */

static const struct cel_type *unwrapped(const struct cel_type *t, bool *is_optional)
{
    *is_optional = t->kind == T_OPTIONAL;
    return *is_optional ? t->of[0] ? t->of[0] : &cel_dyn : t;
}

static const struct cel_type *field_type(struct checker *c, const struct cel_node *n,
                                         const struct cel_type *of)
{
    of = resolve(c, of);
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
                        "type '%.*s' does not support field selection", STR_ARG(printed(c, of)));
        return c->is_typed ? &error_type : &cel_dyn;
    }
}

static const struct cel_type *check_select(struct checker *c, struct cel_node *n)
{
    const struct cel_type *type = n->is_test || n->is_optional ? NULL : check_name(c, n);
    bool was_optional;

    if (type)
        return type;
    type = resolve(c, check(c, n->args[0]));
    type = field_type(c, n, unwrapped(type, &was_optional));
    if (n->is_test)
        return &cel_bool;
    return was_optional || n->is_optional ? cel_type_new(c->p->arena, T_OPTIONAL, type, NULL)
                                          : type;
}

/* l[?i], and indexes of optional values. */
static const struct cel_type *check_optional_index(struct checker *c, struct cel_node *n,
                                                   const struct cel_type *const *types)
{
    bool was_optional;
    const struct cel_type *of = resolve(c, unwrapped(resolve(c, types[0]), &was_optional));
    const struct cel_type *item = &cel_dyn;

    if (of->kind == T_LIST) {
        item = of->of[0] ? of->of[0] : &cel_dyn;
        if (!try_fits(c, &cel_int, types[1]))
            return refuse_call(c, n, types);
    } else if (of->kind == T_MAP) {
        item = of->of[1] ? of->of[1] : &cel_dyn;
        if (of->of[0] && !try_fits(c, of->of[0], types[1]))
            return refuse_call(c, n, types);
    } else if (of->kind != T_DYN && of->kind != T_ERROR && of->kind != T_PARAM) {
        return refuse_call(c, n, types);
    }
    return cel_type_new(c->p->arena, T_OPTIONAL, item, NULL);
}

/* ---- calls */

/* math.greatest(1, 2): a target that is a namespace. */
static void flatten_namespace(struct checker *c, struct cel_node *n)
{
    AUTO(buf_done) struct buf name = {0};
    const struct cel_node *root;
    str full;

    if (!n->is_member || !chain_name(n->args[0], &name))
        return;
    root = chain_root(n->args[0]);
    if (!root->is_rooted && find_local(c, root->name))
        return;
    buf_addf(&name, ".%.*s", STR_ARG(n->name));
    if (!find(c, buf_view(&name), root->is_rooted, find_function, &full))
        return;
    n->is_member = false;
    n->name = full;
    n->args++;
    n->count--;
}

static bool overload_fits(struct checker *c, const struct cel_function *f,
                          const struct cel_type *const *types, size_t count,
                          const struct cel_type **ret)
{
    struct instance in = {0};
    size_t before = c->bound.len;
    const struct cel_type **saved = ARENA_ARRAY(c->p->arena, const struct cel_type *, before);

    if (before)
        memcpy(saved, c->bound.v, before * sizeof(*saved));
    for (size_t i = 0; f->count != SIZE_MAX && i < count; i++)
        if (!fits(c, instantiate(c, &in, f->params[i]), types[i])) {
            if (before)
                memcpy(c->bound.v, saved, before * sizeof(*saved));
            c->bound.len = before;
            return false;
        }
    *ret = substitute(c, instantiate(c, &in, f->result), false);
    return true;
}

static const struct cel_type *choose(struct checker *c, struct cel_node *n,
                                     const struct cel_type *const *types)
{
    str full = n->name;
    const struct cel_function *first =
        n->is_member ? find_function(c, n->name) : find(c, n->name, false, find_function, &full);
    const struct cel_function **found;
    const struct cel_type *result = NULL, *one;
    size_t count = 0;

    if (!first && !c->is_typed)
        return &cel_dyn;
    if (!first) {
        cel_problem(c->p, n->at, CEL_UNDECLARED,
                    "undeclared reference to '%.*s' (in container '%.*s')", STR_ARG(n->name),
                    STR_ARG(c->p->env->container));
        return &error_type;
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
            else if (result->kind != T_DYN && !is_same(c, result, one))
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

static const struct cel_type *check_condition(struct checker *c, struct cel_node *n,
                                              const struct cel_type *const *types)
{
    const struct cel_type *joint = fresh(c);

    if (!c->is_typed)
        return &cel_dyn;
    if (!try_fits(c, &cel_bool, types[0]) || !try_fits(c, joint, types[1]) ||
        !try_fits(c, joint, types[2]))
        return refuse_call(c, n, types);
    return generalize(c, types[1], types[2]);
}

static bool check_equality(struct checker *c, const struct cel_type *const *types)
{
    const struct cel_type *joint = fresh(c);

    return try_fits(c, joint, types[0]) &&
           (try_fits(c, joint, types[1]) || try_fits(c, types[1], types[0]));
}

static const struct cel_type *check_operator(struct checker *c, struct cel_node *n,
                                             const struct cel_type *const *types, bool *ret_is_one)
{
    bool is_logic = str_eq(n->name, STR("_&&_")) || str_eq(n->name, STR("_||_"));

    *ret_is_one = !n->is_member;
    if (n->is_member)
        return NULL;
    if (is_logic) {
        if (c->is_typed && (!try_fits(c, &cel_bool, types[0]) || !try_fits(c, &cel_bool, types[1])))
            return refuse_call(c, n, types);
        return &cel_bool;
    }
    if (str_eq(n->name, STR("_?_:_")))
        return check_condition(c, n, types);
    if (str_eq(n->name, STR("_==_")) || str_eq(n->name, STR("_!=_")))
        return c->is_typed && !check_equality(c, types) ? refuse_call(c, n, types) : &cel_bool;
    if (str_eq(n->name, STR("_[?_]")) ||
        (str_eq(n->name, STR("_[_]")) && resolve(c, types[0])->kind == T_OPTIONAL))
        return c->is_typed ? check_optional_index(c, n, types) : &cel_dyn;
    *ret_is_one = false;
    return NULL;
}

/* A pattern that does not change is compiled once. */
static void compile_pattern(struct checker *c, struct cel_node *n)
{
    AUTO(err_done) struct err e = {0};
    size_t last = n->count - 1;

    if (!str_eq(n->name, STR("matches")) || n->count != 2 || n->args[last]->kind != N_CONST ||
        n->args[last]->value.kind != CEL_STRING)
        return;
    n->re = re_compile(n->args[last]->value.s, 0, &e);
    if (n->re)
        vec_push(&c->program->patterns, n->re);
    else if (c->p->env->flags & CEL_STRICT)
        cel_problem(c->p, n->args[last]->at, CEL_OTHER, "invalid matches argument");
}

/* timestamp and duration of constants that cannot be right (strict). */
static void check_constant(struct checker *c, const struct cel_node *n)
{
    const struct cel_node *arg = n->count == 1 ? n->args[0] : NULL;
    struct cel_time time;
    int64_t ns;

    if (!(c->p->env->flags & CEL_STRICT) || !arg || arg->kind != N_CONST ||
        arg->value.kind != CEL_STRING)
        return;
    if (str_eq(n->name, STR("timestamp")) && !cel_time_parse(arg->value.s, &time))
        cel_problem(c->p, arg->at, CEL_OTHER, "invalid timestamp argument");
    if (str_eq(n->name, STR("duration")) && !cel_duration_parse(arg->value.s, &ns))
        cel_problem(c->p, arg->at, CEL_OTHER, "invalid duration argument");
}

/* A format and a list that are literals: every item has its clause. */
static void check_format(struct checker *c, const struct cel_node *n)
{
    str format = n->args[0]->value.s;
    size_t clauses = 0;

    if (n->args[0]->kind != N_CONST || n->args[0]->value.kind != CEL_STRING ||
        n->args[1]->kind != N_LIST)
        return;
    for (size_t i = 0; i < format.len; i++)
        if (format.p[i] == '%' && i + 1 < format.len && format.p[++i] != '%')
            clauses++;
    if (n->args[1]->count > clauses)
        cel_problem(c->p, n->args[1]->at, CEL_OTHER,
                    "too many arguments supplied to string.format (expected %zu, got %zu)", clauses,
                    n->args[1]->count);
}

static const struct cel_type *check_call(struct checker *c, struct cel_node *n)
{
    const struct cel_type **types, *result;
    bool is_operator, mixed = c->mixes;
    bool is_format = n->is_member && n->count == 2 && str_eq(n->name, STR("format"));

    flatten_namespace(c, n);
    types = ARENA_ARRAY(c->p->arena, const struct cel_type *, n->count);
    for (size_t i = 0; i < n->count; i++) {
        c->mixes = is_format && i == 1;
        types[i] = check(c, n->args[i]);
    }
    c->mixes = mixed;
    if (is_format && n->is_member)
        check_format(c, n);
    result = check_operator(c, n, types, &is_operator);
    if (is_operator)
        return result;
    result = choose(c, n, types);
    compile_pattern(c, n);
    check_constant(c, n);
    return result;
}

/* ---- literals */

static const struct cel_type *item_type(struct checker *c, struct cel_node *n, size_t at)
{
    const struct cel_type *t = check(c, n->args[at]);
    bool is_optional;

    if (!n->optional[at])
        return t;
    t = resolve(c, t);
    if (c->is_typed && t->kind != T_OPTIONAL && t->kind != T_DYN && t->kind != T_ERROR)
        cel_problem(c->p, n->args[at]->at, CEL_NO_SUCH_OVERLOAD,
                    "expected type 'optional_type(%.*s)' but found '%.*s'", STR_ARG(printed(c, t)),
                    STR_ARG(printed(c, t)));
    return unwrapped(t, &is_optional);
}

/* The type of both; dyn when they have none in common, which the strict way refuses. */
static const struct cel_type *join(struct checker *c, const struct cel_node *at,
                                   const struct cel_type *a, const struct cel_type *b)
{
    bool is_strict = c->is_typed && c->p->env->flags & CEL_STRICT && !c->mixes;
    bool is_one_dyn;

    if (!a)
        return b;
    is_one_dyn = (resolve(c, a)->kind == T_DYN) != (resolve(c, b)->kind == T_DYN);
    if (!(is_strict && is_one_dyn) && (try_fits(c, a, b) || try_fits(c, b, a)))
        return generalize(c, a, b);
    if (is_strict)
        cel_problem(c->p, at->at, CEL_NO_SUCH_OVERLOAD, "expected type '%.*s' but found '%.*s'",
                    STR_ARG(printed(c, a)), STR_ARG(printed(c, b)));
    return &cel_dyn;
}

static const struct cel_type *check_list(struct checker *c, struct cel_node *n)
{
    const struct cel_type *item = NULL;

    for (size_t i = 0; i < n->count; i++)
        item = join(c, n->args[i], item, item_type(c, n, i));
    return cel_type_new(c->p->arena, T_LIST, item ? item : fresh(c), NULL);
}

static const struct cel_type *check_map(struct checker *c, struct cel_node *n)
{
    const struct cel_type *key = NULL, *value = NULL;

    for (size_t i = 0; i < n->count; i += 2) {
        key = join(c, n->args[i], key, check(c, n->args[i]));
        value = join(c, n->args[i + 1], value, item_type(c, n, i + 1));
    }
    return cel_type_new(c->p->arena, T_MAP, key ? key : fresh(c), value ? value : fresh(c));
}

/* ---- folds */

static void range_types(struct checker *c, const struct cel_node *n, const struct cel_type *range,
                        bool is_two, const struct cel_type **a, const struct cel_type **b)
{
    *a = *b = &cel_dyn;
    range = resolve(c, range);
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
        if (c->is_typed)
            cel_problem(c->p, n->at, CEL_NO_SUCH_OVERLOAD,
                        "expression of type '%.*s' cannot be range of a comprehension (must be "
                        "list, map, or dynamic)",
                        STR_ARG(printed(c, range)));
    }
}

static const struct cel_type *fold_result(struct checker *c, struct cel_node *n,
                                          const struct cel_type *range, const struct cel_type *key,
                                          const struct cel_type *body)
{
    struct arena *arena = c->p->arena;

    switch (n->fold) {
    case F_ALL:
    case F_EXISTS:
    case F_EXISTS_ONE:
        want(c, n->args[1], &cel_bool, body);
        return &cel_bool;
    case F_FILTER:
        want(c, n->args[1], &cel_bool, body);
        return cel_type_new(arena, T_LIST, key, NULL);
    case F_MAP:
    case F_LIST:
        return cel_type_new(arena, T_LIST, body, NULL);
    case F_MAP_VALUE:
        return cel_type_new(arena, T_MAP, key, body);
    case F_MAP_ENTRY:
        body = resolve(c, body);
        return body->kind == T_MAP ? body
                                   : want(c, n->args[n->count - 1],
                                          cel_type_new(arena, T_MAP, fresh(c), fresh(c)), body);
    case F_BIND:
        return body;
    case F_OPT_MAP:
        return cel_type_new(arena, T_OPTIONAL, body, NULL);
    case F_OPT_FLAT_MAP:
        return want(c, n->args[1], cel_type_new(arena, T_OPTIONAL, fresh(c), NULL), body);
    case F_SORT_BY:
        body = resolve(c, body);
        if (c->is_typed && (body->kind == T_LIST || body->kind == T_MAP || body->kind == T_NULL))
            cel_problem(c->p, n->args[1]->at, CEL_NO_SUCH_OVERLOAD,
                        "found no matching overload for 'sortBy' with keys of type '%.*s'",
                        STR_ARG(printed(c, body)));
        return range;
    }
    return &cel_dyn;
}

static const struct cel_type *check_fold(struct checker *c, struct cel_node *n)
{
    const struct cel_type *range = check(c, n->args[0]), *a = &cel_dyn, *b = &cel_dyn, *body = NULL;
    bool is_optional = n->fold == F_OPT_MAP || n->fold == F_OPT_FLAT_MAP, was_optional;
    struct local first = {c->locals, n->var, NULL, c->program->slots};
    struct local second = {&first, n->var2, NULL, c->program->slots + 1};

    if (++c->folds > MAX_FOLDS && n->fold != F_BIND) {
        cel_problem(c->p, n->at, CEL_OTHER, "comprehensions are nested more than %d deep",
                    MAX_FOLDS);
        return &error_type;
    }
    if (n->fold == F_BIND)
        a = range;
    else if (is_optional) {
        want(c, n->args[0], cel_type_new(c->p->arena, T_OPTIONAL, fresh(c), NULL), range);
        a = resolve(c, unwrapped(resolve(c, range), &was_optional));
    } else
        range_types(c, n->args[0], range, n->var2.len > 0, &a, &b);
    first.type = a;
    second.type = b;
    n->slot = first.slot;
    n->slot2 = second.slot;
    c->program->slots += 2;
    c->locals = n->var2.len ? &second : &first;
    for (size_t i = 1; i < n->count; i++) {
        body = check(c, n->args[i]);
        if (i + 1 < n->count)
            want(c, n->args[i], &cel_bool, body);
    }
    c->locals = first.up;
    c->folds--;
    return fold_result(c, n, range, a, body);
}

static const struct cel_type *check_block(struct checker *c, struct cel_node *n)
{
    uint32_t before = c->block;
    size_t len = c->block_len;
    const struct cel_type *type;

    n->slot = c->program->slots;
    c->program->slots += (uint32_t)n->args[0]->count;
    c->block = n->slot;
    c->block_len = n->args[0]->count;
    for (size_t i = 0; i < n->args[0]->count; i++)
        check(c, n->args[0]->args[i]);
    n->args[0]->type = &cel_dyn;
    type = check(c, n->args[1]);
    c->block = before;
    c->block_len = len;
    return type;
}

static const struct cel_type *check_block_index(struct checker *c, struct cel_node *n)
{
    if (n->slot >= c->block_len) {
        cel_problem(c->p, n->at, CEL_OTHER, "cel.index is out of range");
        return &error_type;
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

static const struct cel_type *check(struct checker *c, struct cel_node *n)
{
    const struct cel_type *type = &cel_dyn;

    switch (n->kind) {
    case N_CONST:
        type = const_type(&n->value);
        break;
    case N_IDENT:
        type = check_ident(c, n);
        break;
    case N_SELECT:
        type = check_select(c, n);
        break;
    case N_CALL:
        type = check_call(c, n);
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
        type = &error_type;
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

void cel_check(struct cel_parser *p, struct cel_program *program)
{
    struct checker c = {.p = p, .program = program, .is_typed = !(p->env->flags & CEL_NO_CHECK)};
    const struct cel_type *type = check(&c, program->root);

    program->root->type = substitute(&c, type, true);
    vec_done(&c.bound);
}
