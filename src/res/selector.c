#include "res/selector.h"

#include "base/order.h"

enum token {
    END,
    WORD,
    WORD_IN,
    WORD_NOT_IN,
    COMMA,
    NOT,
    OPEN,
    CLOSE,
    EQUAL,
    NOT_EQUAL,
    GREATER,
    LESS
};

struct lexer {
    str text;
    size_t pos;
    enum token token; /* the next one */
    str literal;
    struct res_selector *out;
    bool is_kyaml; /* "()" is the empty value */
    struct err *e;
};

static bool is_symbol(char c) { return c && strchr("=!(),<>", c); }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static void advance(struct lexer *l)
{
    static const struct {
        char text[3];
        enum token token;
    } symbols[] = {{"==", EQUAL}, {"=", EQUAL}, {"!=", NOT_EQUAL}, {"!", NOT},    {"(", OPEN},
                   {")", CLOSE},  {",", COMMA}, {"<", LESS},       {">", GREATER}};
    str rest;
    size_t len = 0;

    while (l->pos < l->text.len && is_blank(l->text.p[l->pos]))
        l->pos++;
    rest = str_from(l->text, l->pos);
    l->token = END;
    for (size_t i = 0; i < ARRAY_LEN(symbols) && !len; i++) {
        if (str_starts(rest, str_of(symbols[i].text))) {
            l->token = symbols[i].token;
            len = strlen(symbols[i].text);
        }
    }
    if (!len && rest.len) {
        while (len < rest.len && !is_symbol(rest.p[len]) && !is_blank(rest.p[len]))
            len++;
        l->token = str_eq(str_sub(rest, 0, len), STR("in"))      ? WORD_IN
                   : str_eq(str_sub(rest, 0, len), STR("notin")) ? WORD_NOT_IN
                                                                 : WORD;
    }
    l->literal = str_sub(rest, 0, len);
    l->pos += len;
}

/* Where a key or value may stand, "in" and "notin" are words like others. */
static bool at_word(const struct lexer *l)
{
    return l->token == WORD || l->token == WORD_IN || l->token == WORD_NOT_IN;
}

static int unexpected(struct lexer *l, const char *expected)
{
    return err_set(l->e, ERR_INVALID, "unable to parse requirement: found '%.*s', expected: %s",
                   STR_ARG(l->literal), expected);
}

/* Copies values, sorted, each once. */
static void keep_values(struct res_selector *out, struct res_requirement *r, struct str_vec *values)
{
    vec_sort(values, order_str);
    r->values = ARENA_ARRAY(&out->arena, str, values->len);
    for (size_t i = 0; i < values->len; i++)
        if (i == 0 || !str_eq(values->v[i], values->v[i - 1]))
            r->values[r->count++] = arena_dup(&out->arena, values->v[i]);
}

static int check_values(const struct res_requirement *r, struct err *e)
{
    bool is_number = r->op == RES_GREATER || r->op == RES_LESS;
    int64_t number;

    if ((r->op == RES_IN || r->op == RES_NOT_IN) && r->count == 0)
        return err_set(
            e, ERR_INVALID,
            "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty");
    if (is_number && r->count != 1)
        return err_set(e, ERR_INVALID,
                       "values: Invalid value: []: for 'Gt', 'Lt' operators, exactly one value "
                       "is required");
    if ((r->op == RES_EXISTS || r->op == RES_NOT_EXISTS) && r->count)
        return err_set(e, ERR_INVALID,
                       "values: Invalid value: \"%.*s\": values set must be empty for exists and "
                       "does not exist",
                       STR_ARG(r->values[0]));
    for (size_t i = 0; i < r->count; i++) {
        str problem = res_label_value_problem(r->values[i]);

        if (is_number && !str_to_int64(r->values[i], &number))
            return err_set(e, ERR_INVALID,
                           "values[%zu]: Invalid value: \"%.*s\": for 'Gt', 'Lt' operators, the "
                           "value must be an "
                           "integer",
                           i, STR_ARG(r->values[i]));
        if (problem.len)
            return err_set(e, ERR_INVALID, "values[%zu][%.*s]: Invalid value: \"%.*s\": %.*s", i,
                           STR_ARG(r->key), STR_ARG(r->values[i]), STR_ARG(problem));
    }
    return 0;
}

static int check_key(str key, struct err *e)
{
    str problem = res_label_key_problem(key);

    return problem.len ? err_set(e, ERR_INVALID, "key: Invalid value: \"%.*s\": %.*s", STR_ARG(key),
                                 STR_ARG(problem))
                       : 0;
}

/* (a, b): an empty place between commas is an empty value. */
static int parse_values(struct lexer *l, struct str_vec *values)
{
    bool wants_value = true;

    if (l->token != OPEN)
        return err_set(l->e, ERR_INVALID, "unable to parse requirement: found '%.*s' expected: '('",
                       STR_ARG(l->literal));
    advance(l);
    if (l->token == CLOSE && !l->is_kyaml) {
        advance(l);
        return 0;
    }
    if (!at_word(l) && l->token != COMMA && l->token != CLOSE)
        return unexpected(l, "',', ')' or identifier");
    for (;; advance(l)) {
        if (at_word(l)) {
            if (!wants_value)
                return unexpected(l, "',' or ')'");
            vec_push(values, l->literal);
            wants_value = false;
        } else if (l->token == COMMA || l->token == CLOSE) {
            if (wants_value)
                vec_push(values, STR_NONE);
            wants_value = true;
            if (l->token == CLOSE)
                break;
        } else {
            return unexpected(l, wants_value ? "',', or identifier" : "',' or ')'");
        }
    }
    advance(l);
    return 0;
}

static int parse_exact(struct lexer *l, struct str_vec *values)
{
    if (l->token == END || l->token == COMMA) {
        vec_push(values, STR_NONE);
        return 0;
    }
    if (!at_word(l))
        return unexpected(l, "identifier");
    vec_push(values, l->literal);
    advance(l);
    return 0;
}

static int parse_comparison(struct lexer *l, struct res_requirement *r, struct str_vec *values)
{
    enum token token = l->token;

    switch (token) {
    case WORD_IN:
    case EQUAL:
        r->op = RES_IN;
        break;
    case WORD_NOT_IN:
    case NOT_EQUAL:
        r->op = RES_NOT_IN;
        break;
    case GREATER:
        r->op = RES_GREATER;
        break;
    case LESS:
        r->op = RES_LESS;
        break;
    case END:
    case WORD:
    case COMMA:
    case NOT:
    case OPEN:
    case CLOSE:
        return unexpected(l, "in, notin, =, ==, !=, gt, lt");
    }
    advance(l);
    return token == WORD_IN || token == WORD_NOT_IN ? parse_values(l, values)
                                                    : parse_exact(l, values);
}

static int parse_requirement(struct lexer *l)
{
    AUTO(str_vec_done) struct str_vec values = {0};
    struct res_requirement r = {.op = RES_EXISTS};

    if (l->token == NOT) {
        r.op = RES_NOT_EXISTS;
        advance(l);
    }
    if (!at_word(l))
        return unexpected(l, "identifier");
    r.key = arena_dup(&l->out->arena, l->literal);
    if (check_key(r.key, l->e) < 0)
        return err_wrap(l->e, "unable to parse requirement");
    advance(l);
    if (r.op == RES_EXISTS && l->token != END && l->token != COMMA &&
        parse_comparison(l, &r, &values) < 0)
        return -1;
    keep_values(l->out, &r, &values);
    if (check_values(&r, l->e) < 0)
        return err_wrap(l->e, "unable to parse requirement");
    vec_push(&l->out->all, r);
    return 0;
}

static int parse_labels(struct lexer *l)
{
    advance(l);
    while (l->token != END) {
        if (!at_word(l) && l->token != NOT)
            return err_set(l->e, ERR_INVALID,
                           "found '%.*s', expected: !, identifier, or 'end of string'",
                           STR_ARG(l->literal));
        if (parse_requirement(l) < 0)
            return -1;
        if (l->token == END)
            return 0;
        if (l->token != COMMA)
            return err_set(l->e, ERR_INVALID, "found '%.*s', expected: ',' or 'end of string'",
                           STR_ARG(l->literal));
        advance(l);
        if (!at_word(l) && l->token != NOT)
            return err_set(l->e, ERR_INVALID, "found '%.*s', expected: identifier after ','",
                           STR_ARG(l->literal));
    }
    return 0;
}

static int parse_text(str text, bool is_kyaml, struct res_selector *ret, struct err *e)
{
    struct lexer l = {.text = text, .out = ret, .is_kyaml = is_kyaml, .e = e};
    int rc;

    *ret = (struct res_selector){0};
    rc = parse_labels(&l);
    if (rc < 0)
        res_selector_done(ret);
    return rc;
}

int res_label_selector_parse(str text, struct res_selector *ret, struct err *e)
{
    return parse_text(text, false, ret, e);
}

int res_label_selector_parse_kyaml(str text, struct res_selector *ret, struct err *e)
{
    return parse_text(text, true, ret, e);
}

void res_selector_done(struct res_selector *s)
{
    arena_done(&s->arena);
    vec_done(&s->all);
}

/* ---- selectors of objects */

static int read_expression(const struct doc_node *n, struct res_selector *out, struct err *e)
{
    static const struct {
        char name[13];
        enum res_operator op;
    } ops[] = {{"In", RES_IN},
               {"NotIn", RES_NOT_IN},
               {"Exists", RES_EXISTS},
               {"DoesNotExist", RES_NOT_EXISTS}};
    AUTO(str_vec_done) struct str_vec values = {0};
    struct doc_iter it = doc_children(doc_get_lit(n, "values"));
    struct res_requirement r = {
        .key = arena_dup(&out->arena, doc_string(doc_get_lit(n, "key"), STR_NONE))};
    str name = doc_string(doc_get_lit(n, "operator"), STR_NONE);
    size_t i = 0;

    while (i < ARRAY_LEN(ops) && !str_eq(name, str_of(ops[i].name)))
        i++;
    if (i == ARRAY_LEN(ops))
        return err_set(e, ERR_INVALID, "\"%.*s\" is not a valid label selector operator",
                       STR_ARG(name));
    r.op = ops[i].op;
    while (doc_next(&it))
        vec_push(&values, doc_text(it.value, STR_NONE));
    keep_values(out, &r, &values);
    if (check_key(r.key, e) < 0 || check_values(&r, e) < 0)
        return -1;
    vec_push(&out->all, r);
    return 0;
}

static int read_all(const struct doc_node *selector, struct res_selector *out, struct err *e)
{
    struct doc_iter labels = doc_children(doc_get_lit(selector, "matchLabels"));
    struct doc_iter expressions = doc_children(doc_get_lit(selector, "matchExpressions"));

    while (doc_next(&labels)) {
        AUTO(str_vec_done) struct str_vec value = {0};
        struct res_requirement r = {.key = arena_dup(&out->arena, labels.key), .op = RES_IN};

        vec_push(&value, doc_text(labels.value, STR_NONE));
        keep_values(out, &r, &value);
        if (check_key(r.key, e) < 0 || check_values(&r, e) < 0)
            return -1;
        vec_push(&out->all, r);
    }
    while (doc_next(&expressions))
        if (read_expression(expressions.value, out, e) < 0)
            return -1;
    return 0;
}

int res_label_selector_read(const struct doc_node *selector, struct res_selector *ret,
                            bool *ret_any, struct err *e)
{
    *ret = (struct res_selector){0};
    *ret_any = !doc_is_null(selector);
    if (read_all(selector, ret, e) == 0)
        return 0;
    res_selector_done(ret);
    return -1;
}
