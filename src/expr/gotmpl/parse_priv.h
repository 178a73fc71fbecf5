/* What the parser's files share. */
#pragma once
#include "base/vec.h"
#include "expr/gotmpl/lex_priv.h"
#include "expr/gotmpl/tree_priv.h"

/* Blocks and parentheses inside one another. */
enum { PARSE_MAX_DEPTH = 1000 };

/* Variables that a pipeline declares: its own commands do not see them yet. */
struct hidden_vars {
    size_t from, to; /* slots */
    const struct hidden_vars *outer;
};

struct parser {
    const struct parse_input *in;
    struct tmpl_program *program;
    const struct tmpl_source *source;
    struct lexer lexer;
    struct buf message;  /* of the lexer's errors */
    size_t at, seen;     /* in the lexer's tokens: the next one, and how many were looked at */
    uint32_t action_pos; /* where the current action began */
    bool is_in_action;
    struct err *e;
    VEC(const struct tmpl_node *) nodes; /* of the lists that are being parsed */
    struct str_vec names;                /* of the chain that is being parsed */
    /* ---- of the template that is being parsed */
    struct str_vec vars; /* in scope, index is the slot */
    uint32_t slots;
    const struct hidden_vars *hidden; /* NULL: none */
    unsigned range_depth;
    unsigned depth;
};

/* Fails with "template: NAME:LINE: message". -1. */
int tparse_fail(struct parser *p, const char *fmt, ...) PRINTF(2, 3);
int tparse_unexpected(struct parser *p, struct tok t, const char *context);

/* ---- tokens */
static inline struct tok tparse_peek(struct parser *p)
{
    if (p->at == p->lexer.toks.len) {
        lex_fill(&p->lexer);
        p->at = p->seen = 0;
    }
    p->seen = MAX(p->seen, p->at + 1);
    return p->lexer.toks.v[p->at];
}
static inline struct tok tparse_next(struct parser *p)
{
    struct tok t = tparse_peek(p);

    p->at++;
    return t;
}
/* Once for each token taken, and never across the end of an action. */
static inline void tparse_back(struct parser *p) { p->at--; }
static inline struct tok tparse_peek_solid(struct parser *p) /* the next that is no space */
{
    struct tok t = tparse_peek(p);

    if (t.kind != TOK_SPACE) /* two never follow one another */
        return t;
    p->at++;
    return tparse_peek(p);
}
static inline struct tok tparse_next_solid(struct parser *p)
{
    struct tok t = tparse_peek_solid(p);

    p->at++;
    return t;
}
static inline str tparse_text(const struct parser *p, struct tok t)
{
    return lex_text(&p->lexer, t);
}

/* ---- nodes */
/* A cleared node, no larger than its kind needs. */
static inline struct tmpl_node *tparse_node(struct parser *p, enum node_kind kind, uint32_t pos)
{
    size_t size = node_size(kind);
    struct tmpl_node *n = arena_alloc(p->program->arena, size);

    memset(n, 0, size);
    n->kind = (uint8_t)kind;
    n->pos = pos;
    return n;
}
/* Lists grow on one stack, each behind the one around it. */
static inline size_t tparse_mark(const struct parser *p) { return p->nodes.len; }
static inline void tparse_add(struct parser *p, const struct tmpl_node *n)
{
    vec_push(&p->nodes, n);
}
/* What was added since the mark, into the arena. */
struct node_list tparse_keep(struct parser *p, size_t mark);
/* A pipeline up to the token `end`; context names it in messages. */
struct tmpl_node *tparse_pipeline(struct parser *p, const char *context, enum tok_kind end);
struct tmpl_node *tparse_number(struct parser *p, struct tok t);
