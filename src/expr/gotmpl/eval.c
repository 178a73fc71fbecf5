/* Pipelines, commands, fields and variables (template spec 5, 6). */
#include "expr/gotmpl/eval_priv.h"
#include "expr/gotmpl/objects_priv.h"

static int eval_command(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *command,
                        const struct tmpl_value *final, struct tmpl_value *ret)
{
    const struct tmpl_node *first = command->args.v[0];

    switch ((enum node_kind)first->kind) {
    case NODE_FIELD:
    case NODE_CHAIN:
    case NODE_VARIABLE:
        return eval_chain(r, dot, first, &command->args, final, ret);
    case NODE_IDENT:
        return eval_function(r, dot, first, command, &command->args, final, ret);
    case NODE_PIPE:
        if (eval_no_arguments(r, &command->args, final) < 0)
            return -1;
        return eval_pipeline(r, dot, first, ret);
    default:
        break;
    }
    trun_at(r, first);
    if (eval_no_arguments(r, &command->args, final) < 0)
        return -1;
    if (first->kind == NODE_NIL)
        return trun_fail(r, "nil is not a command");
    return eval_arg(r, dot, 'V', first, ret);
}

int eval_pipeline(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *n,
                  struct tmpl_value *ret)
{
    const struct node_pipe *pipe = &n->pipe;

    trun_at(r, n);
    for (uint32_t i = 0; i < pipe->commands.len; i++) {
        struct tmpl_value before = *ret;

        if (eval_command(r, dot, pipe->commands.v[i], i ? &before : NULL, ret) < 0)
            return -1;
        ret->flags &= (uint8_t)~TMPL_IN_ANY; /* an interface gives what it holds */
        if (ret->type == TMPL_NIL)
            ret->type = TMPL_INVALID;
    }
    for (uint32_t i = 0; i < pipe->variables.len; i++) {
        const struct tmpl_node *variable = pipe->variables.v[i];

        if (variable->chain.slot == NO_SLOT)
            return trun_fail(r, "undefined variable: %.*s", STR_ARG(variable->chain.name));
        r->vars.v[r->base + variable->chain.slot] = *ret;
    }
    return 0;
}

/* ---- fields */

static int missing_key(struct tmpl_run *r, str name, struct tmpl_value map, struct tmpl_value *ret)
{
    *ret = TMPL_NOTHING;
    if (r->options.missing == TMPL_MISSING_ERROR)
        return trun_fail(r, "map has no entry for key \"%.*s\"", STR_ARG(name));
    if (r->options.missing == TMPL_MISSING_ZERO && tmpl_holds_any(map))
        ret->type = TMPL_NIL;
    else if (r->options.missing == TMPL_MISSING_ZERO && map.elem == TMPL_STRINGS)
        *ret = tmpl_string(STR(""));
    else if (r->options.missing == TMPL_MISSING_ZERO)
        *ret = tmpl_bytes(STR(""));
    return 0;
}

/* What a field is looked up with: the arguments count for the last of a chain only. */
struct field {
    const struct tmpl_node *node;
    const struct node_list *args;
    const struct tmpl_value *final;
};

static int eval_field(struct tmpl_run *r, struct tmpl_value dot, const struct field *f, str name,
                      struct tmpl_value receiver, struct tmpl_value *ret)
{
    const struct tmpl_member *member;

    *ret = TMPL_NOTHING;
    if (receiver.type == TMPL_INVALID) {
        if (r->options.missing == TMPL_MISSING_ERROR)
            return trun_fail(r, "nil data; no entry for key \"%.*s\"", STR_ARG(name));
        return 0;
    }
    if (receiver.type == TMPL_NIL)
        return trun_fail(r, "nil pointer evaluating interface {}.%.*s", STR_ARG(name));
    member = value_member(receiver, name);
    if (member) {
        struct callee callee = {.name = name,
                                .signature = member->signature,
                                .fn = member->fn,
                                .self = receiver,
                                .node = f->node};

        return eval_call(r, dot, &callee, f->args, f->final, ret);
    }
    if (struct_field(receiver, name, ret))
        return f->final || (f->args && f->args->len > 1)
                   ? trun_fail(r, "%.*s has arguments but cannot be invoked as function",
                               STR_ARG(name))
                   : 0;
    if (receiver.type != TMPL_MAP)
        return trun_fail(r, "can't evaluate field %.*s in type %s", STR_ARG(name),
                         value_static(receiver));
    if (f->final || (f->args && f->args->len > 1))
        return trun_fail(r, "%.*s is not a method but has arguments", STR_ARG(name));
    return value_get(r, receiver, name, ret) ? 0 : missing_key(r, name, receiver, ret);
}

int eval_chain(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *n,
               const struct node_list *args, const struct tmpl_value *final, struct tmpl_value *ret)
{
    struct field f = {.node = n};
    struct tmpl_value receiver = dot;

    trun_at(r, n);
    if (n->kind == NODE_VARIABLE) {
        if (n->chain.slot == NO_SLOT)
            return trun_fail(r, "undefined variable: %.*s", STR_ARG(n->chain.name));
        receiver = r->vars.v[r->base + n->chain.slot];
        if (n->chain.fields.len == 0) {
            *ret = receiver;
            return eval_no_arguments(r, args, final);
        }
    } else if (n->kind == NODE_CHAIN) {
        if (eval_arg(r, dot, 0, n->chain.base, &receiver) < 0)
            return -1;
    }
    for (uint32_t i = 0; i < n->chain.fields.len; i++) {
        if (i + 1 == n->chain.fields.len) {
            f.args = args;
            f.final = final;
        }
        if (eval_field(r, dot, &f, n->chain.fields.v[i], receiver, ret) < 0)
            return -1;
        receiver = *ret;
    }
    return 0;
}

int eval_function(struct tmpl_run *r, struct tmpl_value dot, const struct tmpl_node *ident,
                  const struct tmpl_node *command, const struct node_list *args,
                  const struct tmpl_value *final, struct tmpl_value *ret)
{
    const struct tmpl_function *function = ident->ident.function;
    struct callee callee = {.function = function,
                            .name = ident->ident.name,
                            .signature = function->signature,
                            .fn = function->fn,
                            .node = command};

    trun_at(r, ident);
    return eval_call(r, dot, &callee, args, final, ret);
}
