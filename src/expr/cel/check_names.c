/* What names of an expression stand for: locals, variables, functions and types of the container
 * (cel spec 2). */
#include "expr/cel/check_priv.h"

/* "a.b.c" of a chain of selections, or nothing when something else is in it. */
bool cel_check_chain(const struct cel_node *n, struct buf *out)
{
    if (n->kind == N_IDENT) {
        buf_add_str(out, n->name);
        return true;
    }
    if (n->kind != N_SELECT || n->is_test || n->is_optional || !cel_check_chain(n->args[0], out))
        return false;
    buf_addf(out, ".%.*s", STR_ARG(n->name));
    return true;
}

const struct cel_node *cel_check_chain_root(const struct cel_node *n)
{
    while (n->kind == N_SELECT)
        n = n->args[0];
    return n;
}

const struct cel_local *cel_check_local(const struct cel_checker *c, str name)
{
    for (const struct cel_local *l = c->locals; l; l = l->up)
        if (str_eq(l->name, name))
            return l;
    return NULL;
}

typedef void *find_fn(const struct cel_checker *c, str name);

static void *find_variable(const struct cel_checker *c, str name)
{
    return map_get(&c->p->env->variables, name);
}
static void *find_function(const struct cel_checker *c, str name)
{
    return map_get(&c->p->env->functions, name);
}
static void *find_type(const struct cel_checker *c, str name)
{
    (void)c;
    return (void *)cel_type_of_name(name);
}

/* In the container and each of its parents; *ret_name is the name it has there. */
static void *find(struct cel_checker *c, str name, bool is_rooted, find_fn *fn, str *ret_name)
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

const struct cel_function *cel_check_function(struct cel_checker *c, str name, bool is_rooted,
                                              str *ret_name)
{
    return find(c, name, is_rooted, find_function, ret_name);
}

/* A chain that is a declared name, or a type's. */
const struct cel_type *cel_check_name(struct cel_checker *c, struct cel_node *n)
{
    AUTO(buf_done) struct buf name = {0};
    const struct cel_node *root = cel_check_chain_root(n);
    const struct cel_type *type;
    str full;

    if (!cel_check_chain(n, &name) || (!root->is_rooted && cel_check_local(c, root->name)))
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

const struct cel_type *cel_check_ident(struct cel_checker *c, struct cel_node *n)
{
    const struct cel_local *local = n->is_rooted ? NULL : cel_check_local(c, n->name);
    const struct cel_type *type;

    if (local) {
        n->is_local = true;
        n->slot = local->slot;
        return local->type;
    }
    type = cel_check_name(c, n);
    if (type || !c->is_typed) /* without types: at run time */
        return type ? type : &cel_dyn;
    cel_problem(c->p, n->at, CEL_UNDECLARED,
                "undeclared reference to '%s%.*s' (in container '%.*s')", n->is_rooted ? "." : "",
                STR_ARG(n->name), STR_ARG(c->p->env->container));
    return &cel_error_type;
}
