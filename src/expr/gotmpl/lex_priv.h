/* The lexer of templates: one token at a time, views into the text (template spec 2). */
#pragma once
#include "base/buf.h"

enum tok_kind {
    TOK_ERROR, /* .text is the message */
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
    enum tok_kind kind;
    uint32_t pos; /* byte offset in the text */
    str text;
};

struct lexer {
    str text, left, right; /* the text and its delimiters */
    size_t pos, start;
    int parens;
    bool in_action, is_done;
    struct buf *message; /* holds the text of TOK_ERROR */
};

void lex_next(struct lexer *l, struct tok *ret);
uint32_t lex_line(str text, size_t pos); /* from 1 */
/* "EOF", "\"word\"", "<if>": the token as messages show it. */
void lex_show(const struct tok *t, struct buf *out);
