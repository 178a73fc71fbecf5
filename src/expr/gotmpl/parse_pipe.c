/* The parser, inside actions: pipelines, commands, operands. */
#include "expr/gotmpl/func_priv.h"
#include "expr/gotmpl/parse_priv.h"
#include "expr/gotmpl/text_priv.h"

/* The names of a chain, gathered in p->names. */
static struct node_names keep_names(struct parser *p)
{
    struct node_names names = {.len = (uint32_t)p->names.len};
    str *v = arena_alloc(p->program->arena, names.len * sizeof(*v));

    if (names.len)
        memcpy(v, p->names.v, names.len * sizeof(*v));
    p->names.len = 0;
    names.v = v;
    return names;
}

static struct tmpl_node *parse_ident(struct parser *p, struct tok t)
{
    str name = tparse_text(p, t);
    const struct tmpl_function *f = func_find(p->in->functions, name);
    struct tmpl_node *n;

    if (!f) {
        tparse_fail(p, "function \"%.*s\" not defined", STR_ARG(name));
        return NULL;
    }
    n = tparse_node(p, NODE_IDENT, t.pos);
    n->ident.function = f;
    n->ident.name = name;
    return n;
}

static bool is_hidden(const struct parser *p, size_t slot)
{
    const struct hidden_vars *h = p->hidden;

    while (h && (slot < h->from || slot >= h->to))
        h = h->outer;
    return h != NULL;
}

/* "$x := append $x 1" reads the $x from before; one that is only just being declared is known, but
 * has no value. */
static struct tmpl_node *parse_variable(struct parser *p, struct tok t)
{
    struct tmpl_node *n = tparse_node(p, NODE_VARIABLE, t.pos);
    size_t found = SIZE_MAX;
    str name = tparse_text(p, t);

    n->chain.name = name;
    for (size_t i = p->vars.len; i-- > 0 && (found == SIZE_MAX || is_hidden(p, found));)
        if (str_eq(p->vars.v[i], name) && (found == SIZE_MAX || !is_hidden(p, i)))
            found = i;
    if (found != SIZE_MAX) {
        /* The one that the pipeline itself declares has no value yet. */
        n->chain.slot = is_hidden(p, found) ? NO_SLOT : (uint32_t)found;
        return n;
    }
    tparse_fail(p, "undefined variable \"%.*s\"", STR_ARG(name));
    return NULL;
}

/* Whether what is between the quotes is what the literal means. */
static bool is_verbatim(str literal)
{
    if (literal.p[0] == '`')
        return !memchr(literal.p, '\r', literal.len);
    for (size_t i = 0; i < literal.len; i++)
        if (literal.p[i] == '\\' || (unsigned char)literal.p[i] >= 0x80)
            return false;
    return true;
}

static struct tmpl_node *parse_string(struct parser *p, struct tok t)
{
    AUTO(buf_done) struct buf text = {0};
    struct tmpl_node *n = tparse_node(p, NODE_STRING, t.pos);
    str literal = tparse_text(p, t);

    n->string.quoted = literal;
    if (is_verbatim(literal)) {
        n->string.text = str_sub(literal, 1, literal.len - 2);
        return n;
    }
    if (!text_unquote(literal, &text)) {
        tparse_fail(p, "invalid syntax");
        return NULL;
    }
    n->string.text = arena_dup(p->program->arena, buf_view(&text));
    return n;
}

static struct tmpl_node *parse_paren(struct parser *p)
{
    struct tmpl_node *n;

    if (++p->depth > PARSE_MAX_DEPTH) {
        tparse_fail(p, "parentheses are nested too deeply");
        return NULL;
    }
    n = tparse_pipeline(p, "parenthesized pipeline", TOK_RPAREN);
    p->depth--;
    return n;
}

/* Behind the first names of a chain, which may go on. */
static struct node_names more_names(struct parser *p)
{
    while (tparse_peek(p).kind == TOK_FIELD)
        vec_push(&p->names, str_from(tparse_text(p, tparse_next(p)), 1));
    return keep_names(p);
}

static struct tmpl_node *parse_field(struct parser *p, struct tok t)
{
    struct tok second = tparse_peek(p);
    struct tmpl_node *n = tparse_node(p, NODE_FIELD, second.kind == TOK_FIELD ? second.pos : t.pos);

    vec_push(&p->names, str_from(tparse_text(p, t), 1));
    n->chain.fields = more_names(p);
    return n;
}

/* A term, or NULL; *ret_none: there is none here, and no error. */
static struct tmpl_node *parse_term(struct parser *p, bool *ret_none)
{
    struct tok t = tparse_next_solid(p);
    struct tmpl_node *n;

    *ret_none = false;
    switch ((int)t.kind) {
    case TOK_IDENT:
        return parse_ident(p, t);
    case TOK_DOT:
        return tparse_node(p, NODE_DOT, t.pos);
    case TOK_NIL:
        return tparse_node(p, NODE_NIL, t.pos);
    case TOK_VARIABLE:
        return parse_variable(p, t);
    case TOK_FIELD:
        return parse_field(p, t);
    case TOK_BOOL:
        n = tparse_node(p, NODE_BOOL, t.pos);
        n->truth = t.len == 4;
        return n;
    case TOK_CHARCONST:
    case TOK_COMPLEX:
    case TOK_NUMBER:
        return tparse_number(p, t);
    case TOK_LPAREN:
        return parse_paren(p);
    case TOK_STRING:
    case TOK_RAW:
        return parse_string(p, t);
    }
    tparse_back(p);
    *ret_none = true;
    return NULL;
}

/* The fields behind a term: a longer variable, or a chain. */
static struct tmpl_node *add_fields(struct parser *p, struct tmpl_node *term)
{
    uint32_t pos = tparse_peek(p).pos;
    struct tmpl_node *n = term;

    switch ((int)term->kind) {
    case NODE_BOOL:
    case NODE_STRING:
    case NODE_NUMBER:
    case NODE_NIL:
    case NODE_DOT: {
        AUTO(buf_done) struct buf shown = {0}, quoted = {0};

        node_print(term, &shown);
        text_quote(buf_view(&shown), false, &quoted);
        tparse_fail(p, "unexpected . after term %s", buf_cstr(&quoted));
        return NULL;
    }
    case NODE_VARIABLE:
        break;
    default:
        n = tparse_node(p, NODE_CHAIN, pos);
        n->chain.base = term;
    }
    n->pos = pos;
    n->chain.fields = more_names(p);
    return n;
}

static struct tmpl_node *parse_command(struct parser *p)
{
    struct tmpl_node *command = tparse_node(p, NODE_COMMAND, tparse_peek_solid(p).pos), *n = NULL;
    size_t mark = tparse_mark(p);
    bool is_none = false, is_done = false;

    while (!is_done) {
        struct tok t;

        tparse_peek_solid(p);
        n = parse_term(p, &is_none);
        if (n && tparse_peek(p).kind == TOK_FIELD)
            n = add_fields(p, n);
        if (!n && !is_none)
            break;
        if (n)
            tparse_add(p, n);
        t = tparse_next(p);
        is_done = t.kind != TOK_SPACE;
        if (t.kind == TOK_RIGHT || t.kind == TOK_RPAREN)
            tparse_back(p);
        else if (is_done && t.kind != TOK_PIPE && tparse_unexpected(p, t, "operand"))
            break;
    }
    if (p->e->kind == ERR_NONE && p->nodes.len == mark)
        tparse_fail(p, "empty command");
    command->args = tparse_keep(p, mark);
    return p->e->kind == ERR_NONE ? command : NULL;
}

/* Adds a declared variable, or one that is assigned. */
static void add_variable(struct parser *p, struct tok t, bool is_assign)
{
    struct tmpl_node *n = tparse_node(p, NODE_VARIABLE, t.pos);
    size_t slot = p->vars.len;
    str name = tparse_text(p, t);

    n->chain.name = name;
    n->chain.slot = (uint32_t)slot;
    if (is_assign) {
        n->chain.slot = NO_SLOT;
        while (slot-- > 0 && n->chain.slot == NO_SLOT)
            if (str_eq(p->vars.v[slot], name))
                n->chain.slot = (uint32_t)slot;
    } else {
        vec_push(&p->vars, name);
        p->slots = MAX(p->slots, (uint32_t)p->vars.len);
    }
    tparse_add(p, n);
}

/* "$x :=", "$x =" or "$i, $x :=" at the beginning of a pipeline. Both variables of a pair are known
 * before it is clear whether they are declared. */
static int parse_declaration(struct parser *p, const char *context, struct tmpl_node *pipe)
{
    struct tok names[2], next;
    size_t count = 0, begin, mark = tparse_mark(p);

    while (tparse_peek_solid(p).kind == TOK_VARIABLE) {
        begin = p->at;
        names[count++] = tparse_next(p);
        next = tparse_peek_solid(p);
        if (next.kind == TOK_ASSIGN || next.kind == TOK_DECLARE) {
            pipe->pipe.is_assign = next.kind == TOK_ASSIGN;
            tparse_next_solid(p);
            break;
        }
        if (next.kind != TOK_CHAR || !str_eq(tparse_text(p, next), STR(","))) {
            if (count == 2)
                break;     /* "$i, $x pipeline": both are declared, as in Go */
            p->at = begin; /* "$x foo": a command that begins with it */
            return 0;
        }
        tparse_next_solid(p);
        if (strcmp(context, "range") != 0 || count == 2)
            return tparse_fail(p, "too many declarations in %s", context);
        next = tparse_peek_solid(p);
        if (next.kind != TOK_VARIABLE && next.kind != TOK_RIGHT && next.kind != TOK_RPAREN)
            return tparse_fail(p, "range can only initialize variables");
    }
    if (count && p->in->is_pipeline)
        return tparse_fail(p, "a pipeline cannot declare variables");
    for (size_t i = 0; i < count; i++)
        add_variable(p, names[i], pipe->pipe.is_assign);
    pipe->pipe.variables = tparse_keep(p, mark);
    return 0;
}

static int check_pipeline(struct parser *p, const struct tmpl_node *pipe, const char *context)
{
    if (pipe->pipe.commands.len == 0)
        return tparse_fail(p, "missing value for %s", context);
    for (uint32_t i = 1; i < pipe->pipe.commands.len; i++) {
        int kind = pipe->pipe.commands.v[i]->args.v[0]->kind;

        if (kind == NODE_BOOL || kind == NODE_DOT || kind == NODE_NIL || kind == NODE_NUMBER ||
            kind == NODE_STRING)
            return tparse_fail(p, "non executable command in pipeline stage %u", i + 1);
    }
    return 0;
}

static bool begins_command(enum tok_kind kind)
{
    return (kind >= TOK_CHARCONST && kind <= TOK_BOOL) || kind == TOK_DOT || kind == TOK_NIL ||
           kind == TOK_LPAREN;
}

/* The commands up to the token that ends them, which is returned. */
static struct tok parse_commands(struct parser *p, enum tok_kind end, struct tmpl_node *pipe)
{
    size_t mark = tparse_mark(p);
    struct tmpl_node *command;
    struct tok t;

    for (;;) {
        t = tparse_next_solid(p);
        if (t.kind == end || !begins_command(t.kind))
            break;
        tparse_back(p);
        command = parse_command(p);
        if (!command)
            break;
        tparse_add(p, command);
    }
    pipe->pipe.commands = tparse_keep(p, mark);
    return t;
}

struct tmpl_node *tparse_pipeline(struct parser *p, const char *context, enum tok_kind end)
{
    struct tmpl_node *pipe = tparse_node(p, NODE_PIPE, tparse_peek_solid(p).pos);
    struct hidden_vars own = {.from = p->vars.len, .outer = p->hidden};
    struct tok t;

    if (parse_declaration(p, context, pipe) < 0)
        return NULL;
    own.to = p->vars.len;
    p->hidden = &own;
    t = parse_commands(p, end, pipe);
    p->hidden = own.outer;
    if (p->e->kind != ERR_NONE)
        return NULL;
    if (t.kind != end) {
        tparse_unexpected(p, t, context);
        return NULL;
    }
    return check_pipeline(p, pipe, context) < 0 ? NULL : pipe;
}
