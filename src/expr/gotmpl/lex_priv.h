/* The lexer of templates: one text or one action at a time, as tokens that are places in the text
 * (template spec 2). */
#pragma once
#include "base/buf.h"
#include "base/vec.h"

enum tok_kind {
    TOK_ERROR, /* its text is the message */
    TOK_EOF,
    TOK_TEXT,
    TOK_LEFT,  /* left delimiter, its trim marker included */
    TOK_RIGHT, /* right delimiter */
    TOK_SPACE,
    TOK_ASSIGN,
    TOK_DECLARE,
    TOK_PIPE,
    TOK_LPAREN,
    TOK_RPAREN,
    TOK_CHAR, /* another printable character */
    TOK_CHARCONST,
    TOK_COMPLEX,
    TOK_NUMBER,
    TOK_STRING,
    TOK_RAW,
    TOK_FIELD,    /* ".name" */
    TOK_VARIABLE, /* "$name" or "$" */
    TOK_IDENT,
    TOK_BOOL,
    TOK_KEYWORD, /* what follows is shown as "<word>" in messages */
    TOK_DOT = TOK_KEYWORD,
    TOK_BLOCK,
    TOK_BREAK,
    TOK_CONTINUE,
    TOK_DEFINE,
    TOK_ELSE,
    TOK_END,
    TOK_IF,
    TOK_NIL,
    TOK_RANGE,
    TOK_TEMPLATE,
    TOK_WITH,
};

struct tok {
    uint32_t kind;     /* enum tok_kind */
    uint32_t pos, len; /* in bytes of the text */
};

struct lexer {
    str text, left, right; /* the text and its delimiters */
    size_t pos, start;
    int parens;
    bool in_action, is_done;
    struct buf *message; /* of TOK_ERROR */
    VEC(struct tok) toks;
};

/* Fills toks anew, with one text, one action from its left to its right delimiter or the end: at
 * least one token. An error comes behind the tokens before it, and from then on all is TOK_EOF. */
void lex_fill(struct lexer *l);
static inline void lex_done(struct lexer *l) { vec_done(&l->toks); }
static inline str lex_text(const struct lexer *l, struct tok t)
{
    if (UNLIKELY(t.kind == TOK_ERROR))
        return buf_view(l->message);
    return (str){l->text.p + t.pos, t.len};
}
uint32_t lex_line(str text, size_t pos); /* from 1 */
/* "EOF", "\"word\"", "<if>": the token as messages show it. */
void lex_show(const struct lexer *l, struct tok t, struct buf *out);
