/* Tokens of CEL (spec 1). */
#pragma once
#include "expr/cel/cel_priv.h"

enum token_kind {
    TK_END,
    TK_IDENT,
    TK_QUOTED, /* `a-b` */
    TK_INT,
    TK_UINT,
    TK_DOUBLE,
    TK_STRING,
    TK_BYTES,
    TK_WORD,  /* true false null in */
    TK_OTHER, /* operators and brackets; text is one of them */
    TK_BAD,
};
struct token {
    enum token_kind kind;
    uint32_t at;
    str text;               /* as written */
    struct cel_value value; /* of literals */
};
struct lexer {
    struct cel_parser *p;
    size_t at;
};
struct token cel_lex(struct lexer *l);
bool cel_is_reserved(str word); /* not to be used as a name */
