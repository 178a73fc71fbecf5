/* Nodes as source text, for messages. */
#include "expr/gotmpl/tree_priv.h"

enum { LONGEST = 100000 }; /* bytes; what is longer is cut */

static void print_all(const struct node_list *list, const char *between, struct buf *out)
{
    for (uint32_t i = 0; i < list->len; i++) {
        if (i)
            buf_add_cstr(out, between);
        node_print(list->v[i], out);
    }
}

static void print_pipe(const struct node_pipe *pipe, struct buf *out)
{
    if (pipe->variables.len) {
        print_all(&pipe->variables, ", ", out);
        buf_add_cstr(out, pipe->is_assign ? " = " : " := ");
    }
    print_all(&pipe->commands, " | ", out);
}

static void print_in_parens(const struct tmpl_node *n, struct buf *out)
{
    bool is_pipe = n->kind == NODE_PIPE;

    buf_add_cstr(out, is_pipe ? "(" : "");
    node_print(n, out);
    buf_add_cstr(out, is_pipe ? ")" : "");
}

static void print_chain(const struct tmpl_node *n, struct buf *out)
{
    if (n->kind == NODE_VARIABLE)
        buf_add_str(out, n->chain.name);
    if (n->kind == NODE_CHAIN)
        print_in_parens(n->chain.base, out);
    for (uint32_t i = 0; i < n->chain.fields.len; i++) {
        buf_add_char(out, '.');
        buf_add_str(out, n->chain.fields.v[i]);
    }
}

static void print_control(const struct tmpl_node *n, const char *name, struct buf *out)
{
    buf_addf(out, "{{%s ", name);
    node_print(n->control.pipe, out);
    buf_add_cstr(out, "}}");
    node_print(n->control.list, out);
    if (n->control.else_list) {
        buf_add_cstr(out, "{{else}}");
        node_print(n->control.else_list, out);
    }
    buf_add_cstr(out, "{{end}}");
}

static void print_action(const struct tmpl_node *n, struct buf *out)
{
    buf_add_cstr(out, "{{");
    if (n->kind == NODE_TEMPLATE)
        buf_addf(out, "template \"%.*s\"%s", STR_ARG(n->control.name), n->control.pipe ? " " : "");
    if (n->control.pipe)
        node_print(n->control.pipe, out);
    buf_add_cstr(out, "}}");
}

void node_print(const struct tmpl_node *n, struct buf *out)
{
    if (out->len > LONGEST)
        return;
    switch ((enum node_kind)n->kind) {
    case NODE_TEXT:
        buf_add_str(out, n->text);
        break;
    case NODE_ACTION:
    case NODE_TEMPLATE:
        print_action(n, out);
        break;
    case NODE_IF:
        print_control(n, "if", out);
        break;
    case NODE_WITH:
        print_control(n, "with", out);
        break;
    case NODE_RANGE:
        print_control(n, "range", out);
        break;
    case NODE_BREAK:
        buf_add_cstr(out, "{{break}}");
        break;
    case NODE_CONTINUE:
        buf_add_cstr(out, "{{continue}}");
        break;
    case NODE_LIST:
        print_all(&n->list, "", out);
        break;
    case NODE_PIPE:
        print_pipe(&n->pipe, out);
        break;
    case NODE_COMMAND:
        for (uint32_t i = 0; i < n->args.len; i++) {
            if (i)
                buf_add_char(out, ' ');
            print_in_parens(n->args.v[i], out);
        }
        break;
    case NODE_FIELD:
    case NODE_VARIABLE:
    case NODE_CHAIN:
        print_chain(n, out);
        break;
    case NODE_IDENT:
        buf_add_str(out, n->ident.name);
        break;
    case NODE_DOT:
        buf_add_char(out, '.');
        break;
    case NODE_NIL:
        buf_add_cstr(out, "nil");
        break;
    case NODE_BOOL:
        buf_add_cstr(out, n->truth ? "true" : "false");
        break;
    case NODE_NUMBER:
        buf_add_str(out, n->number->text);
        break;
    case NODE_STRING:
        buf_add_str(out, n->string.quoted);
        break;
    }
}
