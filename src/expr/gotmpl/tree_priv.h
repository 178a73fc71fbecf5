/* Compiled templates: trees in the arena of their program, never changed once parsed (template spec
 * 3). */
#pragma once
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "expr/gotmpl/value.h"

struct tmpl_function;
struct tmpl_set;

enum node_kind {
    NODE_TEXT,
    NODE_ACTION, /* {{pipeline}} */
    NODE_IF,
    NODE_WITH,
    NODE_RANGE,
    NODE_BREAK,
    NODE_CONTINUE,
    NODE_TEMPLATE,
    NODE_LIST,
    NODE_PIPE,
    NODE_COMMAND,
    NODE_FIELD,    /* .a.b */
    NODE_VARIABLE, /* $x.a.b */
    NODE_CHAIN,    /* (pipeline).a.b */
    NODE_IDENT,    /* function */
    NODE_DOT,
    NODE_NIL,
    NODE_BOOL,
    NODE_NUMBER,
    NODE_STRING,
};

struct tmpl_node;
struct node_list {
    const struct tmpl_node *const *v;
    uint32_t len;
};
struct node_names {
    const str *v;
    uint32_t len;
};

enum { NO_SLOT = UINT32_MAX };
struct node_pipe {
    struct node_list commands;
    struct node_list variables; /* declared or assigned: NODE_VARIABLE, two at most */
    bool is_assign;
};
struct node_number {
    str text;
    bool is_int, is_uint, is_float, is_complex;
    int64_t i;
    double f;
    const double *pair;      /* is_complex */
    struct tmpl_value value; /* as an argument of any type; invalid: it overflows */
};

struct tmpl_node {
    uint8_t kind; /* enum node_kind */
    uint32_t pos; /* byte offset in the text it was parsed from */
    union {
        str text;              /* TEXT */
        struct node_list list; /* LIST */
        struct node_list args; /* COMMAND */
        struct node_pipe pipe;
        struct {                                             /* ACTION, IF, WITH, RANGE, TEMPLATE */
            const struct tmpl_node *pipe, *list, *else_list; /* TEMPLATE: pipe may be NULL */
            str name;                                        /* TEMPLATE */
        } control;
        struct { /* FIELD, VARIABLE, CHAIN */
            struct node_names fields;
            union {
                const struct tmpl_node *base; /* CHAIN */
                uint32_t slot;                /* VARIABLE; NO_SLOT: never declared */
            };
            str name; /* VARIABLE, with its '$' */
        } chain;
        struct {
            const struct tmpl_function *function;
            str name;
        } ident;
        bool truth;
        const struct node_number *number; /* apart: the largest of all, and rare */
        struct {
            str text, quoted;
        } string;
    };
};

/* Most nodes are of the small kinds: they end where their own members end. */
static inline size_t node_size(enum node_kind kind)
{
#define NODE_UP_TO(member) \
    (offsetof(struct tmpl_node, member) + sizeof(((struct tmpl_node *)0)->member))
    switch (kind) {
    case NODE_TEXT:
        return NODE_UP_TO(text);
    case NODE_ACTION:
        return NODE_UP_TO(control.pipe);
    case NODE_IF:
    case NODE_WITH:
    case NODE_RANGE:
        return NODE_UP_TO(control.else_list);
    case NODE_TEMPLATE:
        return NODE_UP_TO(control);
    case NODE_LIST:
        return NODE_UP_TO(list);
    case NODE_COMMAND:
        return NODE_UP_TO(args);
    case NODE_PIPE:
        return NODE_UP_TO(pipe);
    case NODE_FIELD:
        return NODE_UP_TO(chain.fields);
    case NODE_CHAIN:
        return NODE_UP_TO(chain.base);
    case NODE_VARIABLE:
        return NODE_UP_TO(chain);
    case NODE_IDENT:
        return NODE_UP_TO(ident);
    case NODE_BREAK:
    case NODE_CONTINUE:
    case NODE_DOT:
    case NODE_NIL:
    case NODE_BOOL:
        return NODE_UP_TO(truth);
    case NODE_NUMBER:
        return NODE_UP_TO(number);
    case NODE_STRING:
        return NODE_UP_TO(string);
    }
    return sizeof(struct tmpl_node);
#undef NODE_UP_TO
}

/* A text and what it is called in messages. */
struct tmpl_source {
    str name, text;
};
struct tmpl_template {
    str name;
    const struct tmpl_source *source;
    const struct tmpl_node *root; /* NODE_LIST; NULL: the text had definitions only */
    uint32_t slots;               /* variables it needs at most; slot 0 is $ */
    uint32_t id;                  /* its place in counters of runs */
    bool is_empty;                /* white space and comments only */
};

/* What one text compiles to. */
struct tmpl_program {
    struct arena own, *arena; /* arena: own, or the one it was given */
    struct map templates;     /* name to struct tmpl_template */
};
void tmpl_program_free(struct tmpl_program *program); /* NULL is fine */
AUTO_PTR(struct tmpl_program, tmpl_program_free)

struct parse_input {
    const struct tmpl_set *functions; /* whose profile says which functions there are */
    struct arena *arena;              /* for the nodes, outlives the program; NULL: an own one */
    str name, text;
    bool is_borrowed; /* the text outlives the program */
    bool is_pipeline; /* the text is a khook pipeline: its first stage gets the dot */
};
struct tmpl_program *tmpl_parse(const struct parse_input *in, struct err *e);

/* The source form of a node, as messages show it. */
void node_print(const struct tmpl_node *n, struct buf *out);
