/* The parser, outside actions: text, control structures, definitions. */
#include "expr/gotmpl/func_priv.h"
#include "expr/gotmpl/parse_priv.h"
#include "expr/gotmpl/text_priv.h"

static struct tmpl_node *parse_item(struct parser *p, enum tok_kind *ret_end);
static const struct tmpl_node *parse_list(struct parser *p, enum tok_kind *ret_end);
static struct tmpl_node *parse_control(struct parser *p, enum node_kind kind, uint32_t pos);

/* ---- messages */

int tparse_fail(struct parser *p, const char *fmt, ...)
{
    AUTO(buf_done) struct buf text = {0};
    va_list args;

    if (p->e->kind != ERR_NONE)
        return -1;
    buf_addf(&text, "template: %.*s:%u: ", STR_ARG(p->source->name),
             lex_line(p->source->text, p->seen ? p->lexer.toks.v[p->seen - 1].pos : 0));
    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    return err_set(p->e, ERR_INVALID, "%s", buf_cstr(&text));
}

int tparse_unexpected(struct parser *p, struct tok t, const char *context)
{
    AUTO(buf_done) struct buf shown = {0}, where = {0};
    uint32_t line = lex_line(p->source->text, t.pos);

    lex_show(&p->lexer, t, &shown);
    if (t.kind != TOK_ERROR)
        return tparse_fail(p, "unexpected %s in %s", buf_cstr(&shown), context);
    if (p->is_in_action && lex_line(p->source->text, p->action_pos) != line)
        buf_addf(&where, "%s started at %.*s:%u",
                 str_ends(tparse_text(p, t), STR(" action")) ? "" : " in action",
                 STR_ARG(p->source->name), lex_line(p->source->text, p->action_pos));
    return tparse_fail(p, "%s%s", buf_cstr(&shown), buf_cstr(&where));
}

struct node_list tparse_keep(struct parser *p, size_t mark)
{
    struct node_list list = {.len = (uint32_t)(p->nodes.len - mark)};
    const struct tmpl_node **v;

    if (!list.len)
        return list;
    v = arena_alloc(p->program->arena, list.len * sizeof(*v));
    memcpy(v, p->nodes.v + mark, list.len * sizeof(*v));
    p->nodes.len = mark;
    list.v = v;
    return list;
}

/* ---- templates */

/* The state of the template around, while one inside is parsed. */
struct outer {
    struct str_vec vars;
    uint32_t slots;
    unsigned range_depth;
};

static struct outer begin_template(struct parser *p)
{
    struct outer outer = {p->vars, p->slots, p->range_depth};

    p->vars = (struct str_vec){0};
    vec_push(&p->vars, STR("$"));
    p->slots = 1;
    p->range_depth = 0;
    return outer;
}

static void end_template(struct parser *p, struct outer outer)
{
    vec_done(&p->vars);
    p->vars = outer.vars;
    p->slots = outer.slots;
    p->range_depth = outer.range_depth;
}

static bool is_blank(const struct tmpl_node *list)
{
    for (uint32_t i = 0; i < list->list.len; i++) {
        const struct tmpl_node *n = list->list.v[i];

        if (n->kind != NODE_TEXT || text_trim_space(n->text).len)
            return false;
    }
    return true;
}

/* Two definitions of one name in a text: only one may hold anything. */
static int add_template(struct parser *p, str name, const struct tmpl_node *root)
{
    struct tmpl_template *old = map_get(&p->program->templates, name), *t;

    if (old && !old->is_empty)
        return is_blank(root) ? 0
                              : tparse_fail(p, "template: multiple definition of template \"%.*s\"",
                                            STR_ARG(name));
    t = ARENA_NEW(p->program->arena, struct tmpl_template);
    t->name = arena_dup(p->program->arena, name);
    t->source = p->source;
    t->root = root;
    t->slots = p->slots;
    t->is_empty = is_blank(root);
    map_put(&p->program->templates, t->name, t);
    return 0;
}

/* The name of a template, a constant. */
static int parse_name(struct parser *p, struct tok t, const char *context, str *ret)
{
    AUTO(buf_done) struct buf text = {0};

    if (t.kind != TOK_STRING && t.kind != TOK_RAW)
        return tparse_unexpected(p, t, context);
    if (!text_unquote(tparse_text(p, t), &text))
        return tparse_fail(p, "invalid syntax");
    *ret = arena_dup(p->program->arena, buf_view(&text));
    return 0;
}

static int expect_right(struct parser *p, const char *context)
{
    struct tok t = tparse_next_solid(p);

    return t.kind == TOK_RIGHT ? 0 : tparse_unexpected(p, t, context);
}

/* The body of a definition up to its {{end}}, added under a name. */
static int parse_body(struct parser *p, str name, const char *context)
{
    struct outer outer = begin_template(p);
    enum tok_kind end;
    const struct tmpl_node *root = parse_list(p, &end);
    int rc = -1;

    if (root && end != TOK_END)
        tparse_fail(p, "unexpected {{else}} in %s", context);
    else if (root)
        rc = add_template(p, name, root);
    end_template(p, outer);
    return rc;
}

static int parse_define(struct parser *p)
{
    static const char context[] = "define clause";
    struct tok t = tparse_next_solid(p);
    str name = STR_NONE;

    if (parse_name(p, t, context, &name) < 0 || expect_right(p, context) < 0)
        return -1;
    return parse_body(p, name, context);
}

static struct tmpl_node *parse_template(struct parser *p, uint32_t pos UNUSED)
{
    static const char context[] = "template clause";
    struct tok t = tparse_next_solid(p);
    struct tmpl_node *n = tparse_node(p, NODE_TEMPLATE, t.pos);

    if (parse_name(p, t, context, &n->control.name) < 0)
        return NULL;
    if (tparse_next_solid(p).kind == TOK_RIGHT)
        return n;
    tparse_back(p);
    n->control.pipe = tparse_pipeline(p, context, TOK_RIGHT);
    return n->control.pipe ? n : NULL;
}

static struct tmpl_node *parse_block(struct parser *p)
{
    static const char context[] = "block clause";
    struct tok t = tparse_next_solid(p);
    struct tmpl_node *n = tparse_node(p, NODE_TEMPLATE, t.pos);

    if (parse_name(p, t, context, &n->control.name) < 0)
        return NULL;
    n->control.pipe = tparse_pipeline(p, context, TOK_RIGHT);
    if (!n->control.pipe || parse_body(p, n->control.name, context) < 0)
        return NULL;
    return n;
}

/* ---- control structures */

static struct tmpl_node *parse_jump(struct parser *p, enum node_kind kind, uint32_t pos)
{
    const char *name = kind == NODE_BREAK ? "{{break}}" : "{{continue}}";

    if (expect_right(p, name) < 0)
        return NULL;
    if (p->range_depth == 0) {
        tparse_fail(p, "%s outside {{range}}", name);
        return NULL;
    }
    return tparse_node(p, kind, pos);
}

/* Behind "{{else": "if" and "with" of the same kind go on as a chain. */
static const struct tmpl_node *parse_else(struct parser *p, enum node_kind kind)
{
    struct tok t = tparse_peek(p);
    enum tok_kind end;
    const struct tmpl_node *list;
    struct tmpl_node *inner;
    size_t mark = tparse_mark(p);

    if ((kind == NODE_IF && t.kind == TOK_IF) || (kind == NODE_WITH && t.kind == TOK_WITH)) {
        tparse_next(p);
        inner = parse_control(p, kind, t.pos);
        if (!inner)
            return NULL;
        tparse_add(p, inner);
        inner = tparse_node(p, NODE_LIST, t.pos);
        inner->list = tparse_keep(p, mark);
        return inner;
    }
    list = parse_list(p, &end);
    if (list && end != TOK_END) {
        tparse_fail(p, "expected end; found {{else}}");
        return NULL;
    }
    return list;
}

static int parse_branches(struct parser *p, enum node_kind kind, struct tmpl_node *n)
{
    static const char names[][6] = {[NODE_IF] = "if", [NODE_WITH] = "with", [NODE_RANGE] = "range"};
    enum tok_kind end = TOK_END;

    n->control.pipe = tparse_pipeline(p, names[kind], TOK_RIGHT);
    if (!n->control.pipe)
        return -1;
    p->range_depth += kind == NODE_RANGE;
    n->control.list = parse_list(p, &end);
    p->range_depth -= kind == NODE_RANGE;
    if (n->control.list && end == TOK_ELSE)
        n->control.else_list = parse_else(p, kind);
    return p->e->kind == ERR_NONE ? 0 : -1;
}

static struct tmpl_node *parse_control(struct parser *p, enum node_kind kind, uint32_t pos UNUSED)
{
    size_t vars = p->vars.len;
    struct tmpl_node *n = tparse_node(p, kind, 0);

    if (++p->depth > PARSE_MAX_DEPTH) {
        tparse_fail(p, "blocks are nested too deeply");
        return NULL;
    }
    if (parse_branches(p, kind, n) < 0)
        return NULL;
    n->pos = n->control.pipe->pos; /* as Go has it */
    p->vars.len = vars;
    p->depth--;
    return n;
}

static struct tmpl_node *parse_action(struct parser *p, enum tok_kind *ret_end)
{
    struct tok t = tparse_next_solid(p);
    struct tmpl_node *n;

    switch ((int)t.kind) {
    case TOK_BLOCK:
        return parse_block(p);
    case TOK_BREAK:
        return parse_jump(p, NODE_BREAK, t.pos);
    case TOK_CONTINUE:
        return parse_jump(p, NODE_CONTINUE, t.pos);
    case TOK_ELSE:
        *ret_end = TOK_ELSE;
        t = tparse_peek_solid(p);
        if (t.kind != TOK_IF && t.kind != TOK_WITH)
            expect_right(p, "else");
        return NULL;
    case TOK_END:
        *ret_end = TOK_END;
        expect_right(p, "end");
        return NULL;
    case TOK_IF:
        return parse_control(p, NODE_IF, t.pos);
    case TOK_RANGE:
        return parse_control(p, NODE_RANGE, t.pos);
    case TOK_TEMPLATE:
        return parse_template(p, t.pos);
    case TOK_WITH:
        return parse_control(p, NODE_WITH, t.pos);
    }
    tparse_back(p);
    n = tparse_node(p, NODE_ACTION, tparse_peek(p).pos);
    n->control.pipe = tparse_pipeline(p, "command", TOK_RIGHT);
    return n->control.pipe ? n : NULL;
}

/* Text or an action. NULL with *ret_end TOK_END or TOK_ELSE, or with an error. */
static struct tmpl_node *parse_item(struct parser *p, enum tok_kind *ret_end)
{
    struct tok t = tparse_next_solid(p);
    struct tmpl_node *n;

    *ret_end = TOK_EOF;
    if (t.kind == TOK_TEXT) {
        n = tparse_node(p, NODE_TEXT, t.pos);
        n->text = tparse_text(p, t);
        return n;
    }
    if (t.kind != TOK_LEFT) {
        tparse_unexpected(p, t, "input");
        return NULL;
    }
    p->action_pos = t.pos;
    p->is_in_action = true;
    n = parse_action(p, ret_end);
    p->is_in_action = false;
    return n;
}

static const struct tmpl_node *parse_list(struct parser *p, enum tok_kind *ret_end)
{
    struct tmpl_node *list = tparse_node(p, NODE_LIST, tparse_peek_solid(p).pos), *n;
    size_t mark = tparse_mark(p);

    *ret_end = TOK_EOF;
    while (tparse_peek_solid(p).kind != TOK_EOF) {
        n = parse_item(p, ret_end);
        if (!n)
            break;
        tparse_add(p, n);
    }
    if (p->e->kind == ERR_NONE && *ret_end == TOK_EOF)
        tparse_fail(p, "unexpected EOF");
    list->list = tparse_keep(p, mark);
    return p->e->kind == ERR_NONE ? list : NULL;
}

/* A definition, whose two tokens are looked at first; 0: there is none. */
static int try_define(struct parser *p)
{
    size_t begin;

    if (tparse_peek(p).kind != TOK_LEFT)
        return 0;
    begin = p->at;
    p->at++;
    if (tparse_next_solid(p).kind == TOK_DEFINE)
        return parse_define(p) < 0 ? -1 : 1;
    p->at = begin;
    return 0;
}

static int parse_all(struct parser *p)
{
    struct tmpl_node *root = tparse_node(p, NODE_LIST, 0), *n;
    size_t mark = tparse_mark(p);
    enum tok_kind end;
    int rc = 0;

    while (rc == 0 && tparse_peek(p).kind != TOK_EOF) {
        rc = try_define(p);
        if (rc != 0) {
            rc = MIN(rc, 0);
            continue;
        }
        n = parse_item(p, &end);
        if (n)
            tparse_add(p, n);
        else if (p->e->kind == ERR_NONE)
            rc = tparse_fail(p, "unexpected {{%s}}", end == TOK_END ? "end" : "else");
        else
            rc = -1;
    }
    root->list = tparse_keep(p, mark);
    return rc < 0 ? -1 : add_template(p, p->source->name, root);
}

void tmpl_program_free(struct tmpl_program *program)
{
    if (!program)
        return;
    map_done(&program->templates);
    arena_done(&program->own);
    mem_free(program);
}

struct tmpl_program *tmpl_parse(const struct parse_input *in, struct err *e)
{
    AUTO(tmpl_program_free) struct tmpl_program *program = NEW(struct tmpl_program);
    struct parser p = {.in = in, .program = program, .e = e};
    struct tmpl_source *source;
    struct outer outer;
    int rc;

    program->arena = in->arena ? in->arena : &program->own;
    p.source = source = ARENA_NEW(program->arena, struct tmpl_source);
    source->name = arena_dup(program->arena, in->name);
    if (in->is_pipeline) /* the line end keeps a "-" at the end from being a trim marker */
        source->text = arena_printf(program->arena, "{{. | %.*s\n}}", STR_ARG(in->text));
    else
        source->text = in->is_borrowed ? in->text : arena_dup(program->arena, in->text);
    p.lexer = (struct lexer){
        .text = source->text, .left = STR("{{"), .right = STR("}}"), .message = &p.message};
    outer = begin_template(&p);
    rc = parse_all(&p);
    end_template(&p, outer);
    lex_done(&p.lexer);
    vec_done(&p.nodes);
    vec_done(&p.names);
    buf_done(&p.message);
    return rc < 0 ? NULL : TAKE(program);
}
