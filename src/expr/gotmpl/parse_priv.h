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
    struct buf message; /* of the lexer's errors */
    struct tok tok[3];  /* three tokens of look-ahead, as `$x foo` needs */
    int peeked;
    uint32_t action_pos; /* where the current action began */
    bool is_in_action;
    struct err *e;
    /* ---- of the template that is being parsed */
    struct str_vec vars; /* in scope, index is the slot */
    uint32_t slots;
    const struct hidden_vars *hidden; /* NULL: none */
    unsigned range_depth;
    unsigned depth;
};

typedef VEC(const struct tmpl_node *) node_vec;

/* Fails with "template: NAME:LINE: message". -1. */
int tparse_fail(struct parser *p, const char *fmt, ...) PRINTF(2, 3);
int tparse_unexpected(struct parser *p, const struct tok *t, const char *context);
struct tok tparse_next(struct parser *p);
struct tok tparse_peek(struct parser *p);
struct tok tparse_next_solid(struct parser *p); /* the next that is no space */
struct tok tparse_peek_solid(struct parser *p);
void tparse_back(struct parser *p);
struct tmpl_node *tparse_node(struct parser *p, enum node_kind kind, uint32_t pos);
struct node_list tparse_keep(struct parser *p, node_vec *nodes); /* into the arena; empties nodes */
/* A pipeline up to the token `end`; context names it in messages. */
struct tmpl_node *tparse_pipeline(struct parser *p, const char *context, enum tok_kind end);
struct tmpl_node *tparse_number(struct parser *p, const struct tok *t);
