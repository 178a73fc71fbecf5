/* The compiled form of a template, shared by its parser and its evaluator. */
#pragma once
#include "base/arena.h"
#include "expr/jsonpath/jsonpath.h"

enum jp_kind {
    JP_LIST,       /* children in turn, each fed with what the one before gave: one {…} part */
    JP_VALUE,      /* a literal, or the text between parts */
    JP_FIELD,      /* .name */
    JP_ARRAY,      /* [from:to:step] */
    JP_FILTER,     /* [?(children op right)] */
    JP_WILDCARD,   /* .* */
    JP_RECURSIVE,  /* .. */
    JP_UNION,      /* [a,b]: children are lists */
    JP_RANGE,      /* the word range */
    JP_END,        /* the word end */
    JP_IDENTIFIER, /* any other word: an error when it is reached */
};

enum jp_op { JP_EXISTS, JP_EQ, JP_NE, JP_LT, JP_LE, JP_GT, JP_GE, JP_BAD_OP };

struct jp_bound {
    int64_t value;
    bool is_known;
    bool is_derived; /* [i]: the end is i + 1 */
};

struct jp_node {
    enum jp_kind kind;
    struct jp_node *next;
    str text;                     /* field, word, unknown operator */
    struct doc_node value;        /* JP_VALUE */
    struct jp_node *first, *last; /* children; JP_FILTER: the left side, a list */
    struct jp_node *right;        /* JP_FILTER */
    enum jp_op op;
    struct jp_bound bounds[3]; /* JP_ARRAY */
};

struct jsonpath {
    struct arena arena;
    struct jp_node *root; /* a list of text and {…} parts */
};
