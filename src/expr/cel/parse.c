#include <math.h>
#include <stdarg.h>

#include "expr/cel/lex_priv.h"

enum { MAX_DEPTH = 250, MAX_TEXT = 400000, MAX_PROBLEMS = 100 };

struct reader {
    struct cel_parser *p;
    struct lexer lexer;
    struct token next;
    int depth;
};

void cel_problem(struct cel_parser *p, uint32_t at, enum cel_failure failure, const char *fmt, ...)
{
    va_list args;

    if (p->problems.len >= MAX_PROBLEMS)
        return;
    va_start(args, fmt);
    vec_push(&p->problems, {at, failure, arena_vprintf(p->arena, fmt, args)});
    va_end(args);
}

void cel_doubt(struct cel_parser *p, uint32_t at, enum cel_failure failure, const char *fmt, ...)
{
    va_list args;

    if (p->doubts.len >= MAX_PROBLEMS)
        return;
    va_start(args, fmt);
    vec_push(&p->doubts, {at, failure, arena_vprintf(p->arena, fmt, args)});
    va_end(args);
}

struct cel_node *cel_node_new(struct cel_parser *p, enum cel_node_kind kind, uint32_t at)
{
    struct cel_node *n = ARENA_NEW(p->arena, struct cel_node);

    n->kind = kind;
    n->at = at;
    return n;
}

static void advance(struct reader *r) { r->next = cel_lex(&r->lexer); }

static bool is_next(const struct reader *r, const char *text)
{
    return (r->next.kind == TK_OTHER || r->next.kind == TK_WORD) &&
           str_eq(r->next.text, str_of(text));
}

static bool take(struct reader *r, const char *text)
{
    if (!is_next(r, text))
        return false;
    advance(r);
    return true;
}

static struct cel_node *unexpected(struct reader *r, const char *wanted)
{
    if (r->next.kind != TK_BAD)
        cel_problem(r->p, r->next.at, CEL_OTHER,
                    "Syntax error: mismatched input '%.*s' expecting %s",
                    STR_ARG(r->next.kind == TK_END ? STR("<EOF>") : r->next.text), wanted);
    return NULL;
}

static struct cel_node *parse_expr(struct reader *r);

static void add_arg(struct cel_parser *p, struct cel_node *n, struct cel_node *arg, bool optional)
{
    if ((n->count & (n->count - 1)) == 0) { /* full at powers of two */
        size_t cap = n->count ? n->count * 2 : 1;
        struct cel_node **args = ARENA_ARRAY(p->arena, struct cel_node *, cap);
        bool *flags = ARENA_ARRAY(p->arena, bool, cap);

        if (n->count) {
            memcpy(args, n->args, n->count * sizeof(*args));
            memcpy(flags, n->optional, n->count * sizeof(*flags));
        }
        n->args = args;
        n->optional = flags;
    }
    n->optional[n->count] = optional;
    n->args[n->count++] = arg;
}

static struct cel_node *call(struct cel_parser *p, uint32_t at, const char *name,
                             struct cel_node *a, struct cel_node *b)
{
    struct cel_node *n = cel_node_new(p, N_CALL, at);

    n->name = str_of(name);
    add_arg(p, n, a, false);
    if (b)
        add_arg(p, n, b, false);
    return n;
}

/* Expressions up to `end`, which is taken. */
static bool parse_args(struct reader *r, struct cel_node *to, const char *end)
{
    if (take(r, end))
        return true;
    do {
        struct cel_node *arg = parse_expr(r);

        if (!arg)
            return false;
        add_arg(r->p, to, arg, false);
    } while (take(r, ","));
    if (take(r, end))
        return true;
    unexpected(r, end);
    return false;
}

static struct cel_node *parse_list(struct reader *r, uint32_t at)
{
    struct cel_node *n = cel_node_new(r->p, N_LIST, at);

    if (take(r, ",") && !is_next(r, "]")) /* "[,]" is a list, too */
        return unexpected(r, "']'");
    while (!take(r, "]")) {
        bool is_optional = take(r, "?");
        struct cel_node *item = parse_expr(r);

        if (!item)
            return NULL;
        add_arg(r->p, n, item, is_optional);
        if (!take(r, ",") && !is_next(r, "]"))
            return unexpected(r, "']'");
    }
    return n;
}

static struct cel_node *parse_map(struct reader *r, uint32_t at)
{
    struct cel_node *n = cel_node_new(r->p, N_MAP, at);

    while (!take(r, "}")) {
        bool is_optional = take(r, "?");
        struct cel_node *key = parse_expr(r), *value;

        if (!key)
            return NULL;
        if (!take(r, ":"))
            return unexpected(r, "':'");
        value = parse_expr(r);
        if (!value)
            return NULL;
        add_arg(r->p, n, key, is_optional);
        add_arg(r->p, n, value, is_optional);
        if (!take(r, ",") && !is_next(r, "}"))
            return unexpected(r, "'}'");
    }
    return n;
}

/* Name { field: value }: parsed, and refused by the checker. */
static struct cel_node *parse_struct(struct reader *r, struct cel_node *name)
{
    struct cel_node *n = cel_node_new(r->p, N_STRUCT, name->at);
    AUTO(buf_done) struct buf full = {0};

    for (struct cel_node *part = name; part; part = part->kind == N_SELECT ? part->args[0] : NULL) {
        AUTO(buf_done) struct buf rest = {0};

        buf_add_str(&rest, buf_view(&full));
        buf_clear(&full);
        buf_addf(&full, "%.*s%s%s", STR_ARG(part->name), rest.len ? "." : "", buf_cstr(&rest));
    }
    n->name = arena_dup(r->p->arena, buf_view(&full));
    while (!take(r, "}")) {
        struct cel_node *value;

        take(r, "?");
        if (r->next.kind != TK_IDENT && r->next.kind != TK_QUOTED)
            return unexpected(r, "a field");
        advance(r);
        if (!take(r, ":"))
            return unexpected(r, "':'");
        value = parse_expr(r);
        if (!value)
            return NULL;
        if (!take(r, ",") && !is_next(r, "}"))
            return unexpected(r, "'}'");
    }
    return n;
}

/* A name or field that "(" follows is a call; its place in messages is that of the "(". */
static struct cel_node *parse_call(struct reader *r, struct cel_node *n)
{
    uint32_t at = r->next.at;

    if (!take(r, "("))
        return n;
    n->is_member = n->kind == N_SELECT;
    n->kind = N_CALL;
    n->at = at;
    return parse_args(r, n, ")") ? cel_macro(r->p, n) : NULL;
}

static struct cel_node *parse_name(struct reader *r, bool is_rooted)
{
    struct cel_node *n = cel_node_new(r->p, N_IDENT, r->next.at);

    n->name = r->next.text;
    n->is_rooted = is_rooted;
    if (cel_is_reserved(n->name)) {
        cel_problem(r->p, n->at, CEL_OTHER, "reserved identifier: %.*s", STR_ARG(n->name));
    }
    advance(r);
    return parse_call(r, n);
}

static struct cel_node *parse_literal(struct reader *r)
{
    struct cel_node *n = cel_node_new(r->p, N_CONST, r->next.at);
    struct cel_value v = r->next.value;

    switch (r->next.kind) {
    case TK_INT:
        if (v.u > INT64_MAX)
            cel_problem(r->p, n->at, CEL_OTHER, "invalid int literal");
        v = cel_make_int((int64_t)v.u);
        break;
    case TK_DOUBLE:
        if (isinf(v.d))
            cel_problem(r->p, n->at, CEL_OTHER, "invalid double literal");
        break;
    case TK_UINT:
    case TK_STRING:
    case TK_BYTES:
        break;
    default:
        if (is_next(r, "null"))
            v = cel_make_null();
        else
            v = cel_make_bool(is_next(r, "true"));
        break;
    }
    n->value = v;
    advance(r);
    return n;
}

static struct cel_node *parse_primary(struct reader *r)
{
    uint32_t at = r->next.at;
    struct cel_node *n;

    if (r->next.kind == TK_IDENT)
        return parse_name(r, false);
    if ((r->next.kind >= TK_INT && r->next.kind <= TK_BYTES) || is_next(r, "true") ||
        is_next(r, "false") || is_next(r, "null"))
        return parse_literal(r);
    if (take(r, "[")) {
        return parse_list(r, at);
    }
    if (take(r, "{"))
        return parse_map(r, at);
    if (take(r, "(")) {
        n = parse_expr(r);
        if (n && !take(r, ")"))
            return unexpected(r, "')'");
        return n;
    }
    if (take(r, "."))
        return r->next.kind == TK_IDENT ? parse_name(r, true) : unexpected(r, "a name");
    return unexpected(r, "an expression");
}

static struct cel_node *parse_field(struct reader *r, struct cel_node *of, uint32_t at)
{
    bool is_optional = take(r, "?");
    bool is_quoted = r->next.kind == TK_QUOTED;
    struct cel_node *n;

    if (r->next.kind != TK_IDENT && !is_quoted && r->next.kind != TK_WORD)
        return unexpected(r, "a field");
    if (r->next.kind == TK_WORD && !is_next(r, "in"))
        return unexpected(r, "a field");
    if (r->next.kind == TK_WORD)
        return unexpected(r, "a field");
    if (is_quoted && r->p->env->flags & CEL_KUBERNETES)
        cel_problem(r->p, r->next.at, CEL_OTHER, "unsupported syntax: '`'");
    n = cel_node_new(r->p, N_SELECT, at);
    n->name = r->next.text;
    n->is_optional = is_optional;
    add_arg(r->p, n, of, false);
    advance(r);
    return is_quoted || is_optional ? n : parse_call(r, n);
}

static bool is_plain_name(const struct cel_node *n)
{
    for (; n->kind == N_SELECT && !n->is_test && !n->is_optional; n = n->args[0])
        ;
    return n->kind == N_IDENT;
}

static struct cel_node *parse_member(struct reader *r)
{
    struct cel_node *n = parse_primary(r);

    while (n) {
        uint32_t at = r->next.at;

        if (take(r, ".")) {
            n = parse_field(r, n, at);
        } else if (take(r, "[")) {
            bool is_optional = take(r, "?");
            struct cel_node *index = parse_expr(r);

            if (!index)
                return NULL;
            n = call(r->p, at, is_optional ? "_[?_]" : "_[_]", n, index);
            if (!take(r, "]"))
                return unexpected(r, "']'");
        } else if (is_next(r, "{") && is_plain_name(n)) {
            advance(r);
            n = parse_struct(r, n);
        } else {
            break;
        }
    }
    return n;
}

static bool can_be_signed(const struct reader *r)
{
    return r->next.kind == TK_INT || r->next.kind == TK_DOUBLE;
}

/* A minus right before a number is part of it. */
static struct cel_node *parse_signed(struct reader *r, uint32_t at)
{
    struct cel_node *n = cel_node_new(r->p, N_CONST, at);
    uint64_t u = r->next.value.u;

    if (r->next.kind == TK_DOUBLE) {
        n->value = cel_make_double(-r->next.value.d);
        if (isinf(n->value.d))
            cel_problem(r->p, at, CEL_OTHER, "invalid double literal");
    } else if (u <= (uint64_t)INT64_MAX + 1) {
        n->value = cel_make_int((int64_t)(0 - u));
    } else {
        cel_problem(r->p, at, CEL_OTHER, "invalid int literal");
    }
    /* members of the literal: -1.foo() is rare, but (-1).foo */
    advance(r);
    while (is_next(r, ".") || is_next(r, "[")) {
        uint32_t here = r->next.at;

        if (take(r, ".")) {
            n = parse_field(r, n, here);
        } else {
            struct cel_node *index;

            advance(r);
            index = parse_expr(r);
            if (!index || !take(r, "]"))
                return index ? unexpected(r, "']'") : NULL;
            n = call(r->p, here, "_[_]", n, index);
        }
        if (!n)
            return NULL;
    }
    return n;
}

/* Behind "!": a number, whose sign is its own; no operator. */
static struct cel_node *parse_negative(struct reader *r)
{
    uint32_t at = r->next.at;

    advance(r);
    return can_be_signed(r) ? parse_signed(r, at) : unexpected(r, "a number");
}

static struct cel_node *parse_unary(struct reader *r)
{
    uint32_t at = r->next.at;
    size_t count = 0;
    bool is_not = is_next(r, "!");
    const char *sign = is_not ? "!" : "-";
    struct cel_node *n;

    if (!is_not && !is_next(r, "-"))
        return parse_member(r);
    while (take(r, sign))
        count++;
    if (!is_not && count == 1 && can_be_signed(r))
        return parse_signed(r, at);
    n = is_not && is_next(r, "-") ? parse_negative(r) : parse_member(r);
    if (n && count % 2 == 1)
        n = call(r->p, at, is_not ? "!_" : "-_", n, NULL);
    return n;
}

/* Binary operators by how tightly they bind; all from left to right. */
static const struct {
    char text[3], name[5];
    int level;
} binary[] = {
    {"||", "_||_", 1}, {"&&", "_&&_", 2}, {"<", "_<_", 3},   {"<=", "_<=_", 3}, {">", "_>_", 3},
    {">=", "_>=_", 3}, {"==", "_==_", 3}, {"!=", "_!=_", 3}, {"in", "@in", 3},  {"+", "_+_", 4},
    {"-", "_-_", 4},   {"*", "_*_", 5},   {"/", "_/_", 5},   {"%", "_%_", 5},
};

static struct cel_node *parse_binary(struct reader *r, int level)
{
    struct cel_node *left = level > 5 ? parse_unary(r) : parse_binary(r, level + 1);

    while (left && level <= 5) {
        uint32_t at = r->next.at;
        struct cel_node *right;
        size_t i = 0;

        while (i < ARRAY_LEN(binary) && (binary[i].level != level || !is_next(r, binary[i].text)))
            i++;
        if (i == ARRAY_LEN(binary))
            break;
        advance(r);
        right = parse_binary(r, level + 1);
        left = right ? call(r->p, at, binary[i].name, left, right) : NULL;
    }
    return left;
}

static struct cel_node *parse_condition(struct reader *r)
{
    struct cel_node *n = parse_binary(r, 1), *yes, *no;
    uint32_t at = r->next.at;

    if (!n || !take(r, "?"))
        return n;
    yes = parse_binary(r, 1);
    if (!yes)
        return NULL;
    if (!take(r, ":"))
        return unexpected(r, "':'");
    no = parse_expr(r);
    if (!no)
        return NULL;
    n = call(r->p, at, "_?_:_", n, yes);
    add_arg(r->p, n, no, false);
    return n;
}

static struct cel_node *parse_expr(struct reader *r)
{
    struct cel_node *n;

    if (r->depth >= MAX_DEPTH) {
        cel_problem(r->p, r->next.at, CEL_OTHER,
                    "Syntax error: expression recursion limit exceeded: %d", MAX_DEPTH);
        return NULL;
    }
    r->depth++;
    n = parse_condition(r);
    r->depth--;
    return n;
}

struct cel_node *cel_parse(struct cel_parser *p)
{
    struct reader r = {.p = p, .lexer = {p, 0}};
    struct cel_node *n;

    if (p->text.len > MAX_TEXT || cel_code_points(p->text) > 100000) {
        cel_problem(p, 0, CEL_OTHER, "expression code point size exceeds limit: 100000");
        return NULL;
    }
    advance(&r);
    n = parse_expr(&r);
    if (n && r.next.kind != TK_END)
        return unexpected(&r, "<EOF>");
    return p->problems.len ? NULL : n;
}
