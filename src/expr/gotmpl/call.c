/* Calls: arguments by the signature of a row, then the function (template spec 5). */
#include "expr/gotmpl/eval_priv.h"
#include "expr/gotmpl/objects_priv.h"
#include "sys/cancel.h"

enum { STACK_BUDGET = 5 << 20, CANCEL_MASK = 1023 };

/* ---- failing */

void trun_place(const struct tmpl_run *r, struct buf *out)
{
    str text = r->template->source->text;
    size_t pos = MIN((size_t)r->node->pos, text.len);
    ssize_t line_end = str_rfind_char(str_sub(text, 0, pos), '\n');
    size_t line = 1;

    for (size_t i = 0; i < pos; i++)
        line += text.p[i] == '\n';
    buf_addf(out, "%.*s:%zu:%zd", STR_ARG(r->template->source->name), line,
             (ssize_t)pos - line_end - 1);
}

/* "template: PLACE: executing "x" at <node>". */
static void add_context(const struct tmpl_run *r, struct buf *out)
{
    buf_add_cstr(out, "template: ");
    if (!r->node) {
        buf_add_str(out, r->template->name);
        return;
    }
    trun_place(r, out);
    buf_addf(out, ": executing \"%.*s\" at <", STR_ARG(r->template->name));
    node_print(r->node, out);
    buf_add_char(out, '>');
}

static int fail_with(struct tmpl_run *r, enum err_kind kind, const char *fmt, va_list args)
    PRINTF(3, 0);
static int fail_with(struct tmpl_run *r, enum err_kind kind, const char *fmt, va_list args)
{
    AUTO(buf_done) struct buf text = {0};

    if (r->e->kind != ERR_NONE)
        return -1;
    add_context(r, &text);
    buf_add_cstr(&text, ": ");
    buf_addv(&text, fmt, args);
    return err_set(r->e, kind, "%s", buf_cstr(&text));
}

int trun_fail(struct tmpl_run *r, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    fail_with(r, ERR_INVALID, fmt, args);
    va_end(args);
    return -1;
}

int trun_limit(struct tmpl_run *r, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    fail_with(r, ERR_LIMIT, fmt, args);
    va_end(args);
    return -1;
}

int call_fail(struct tmpl_call *c, const char *fmt, ...)
{
    va_list args;

    if (c->run->e->kind != ERR_NONE)
        return -1;
    va_start(args, fmt);
    err_setv(c->run->e, ERR_INVALID, fmt, args);
    va_end(args);
    return -1;
}

bool trun_can_wrap(const struct tmpl_run *r)
{
    enum { LONGEST = 32 << 10 };

    return strlen(err_text(r->e)) < LONGEST;
}

int trun_step(struct tmpl_run *r)
{
    ptrdiff_t used = r->stack - (const char *)__builtin_frame_address(0);

    if (UNLIKELY(r->e->kind != ERR_NONE))
        return -1;
    if (UNLIKELY(used > STACK_BUDGET || -used > STACK_BUDGET))
        return trun_limit(r, "exceeded maximum template depth (%u)", r->options.limits.max_depth);
    if (UNLIKELY(++r->steps > r->options.limits.max_steps))
        return trun_limit(r, "the template takes more than %llu steps",
                          (unsigned long long)r->options.limits.max_steps);
    if (UNLIKELY((r->steps & CANCEL_MASK) == 0) && r->options.host.cancel)
        return cancel_check(r->options.host.cancel, r->e);
    return 0;
}

int trun_room(struct tmpl_run *r, size_t size)
{
    if (r->e->kind != ERR_NONE)
        return -1;
    if (size > r->options.limits.max_output)
        return trun_limit(r, "a text of more than %zu bytes", r->options.limits.max_output);
    if (r->arena.used > r->options.limits.max_memory)
        return trun_limit(r, "the templates make more than %zu bytes",
                          r->options.limits.max_memory);
    return 0;
}

/* ---- arguments */

static const char *letter_type(char letter)
{
    static const struct {
        char letter;
        char name[24];
    } rows[] = {{'S', "string"},        {'I', "int"},
                {'J', "int64"},         {'F', "float64"},
                {'B', "bool"},          {'L', "[]interface {}"},
                {'T', "time.Time"},     {'D', "map[string]interface {}"},
                {'U', "uint32"},        {'C', "sprig.certificate"},
                {'N', "time.Duration"}, {'M', "*semver.Version"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].letter == letter)
            return rows[i].name;
    return "interface {}";
}

static bool has_type(char letter, struct tmpl_value v)
{
    switch (letter) {
    case 'S':
        return v.type == TMPL_STRING;
    case 'I':
        return v.type == TMPL_INT;
    case 'J':
        return v.type == TMPL_INT64;
    case 'F':
        return v.type == TMPL_FLOAT;
    case 'B':
        return v.type == TMPL_BOOL;
    case 'L':
        return v.type == TMPL_LIST && v.elem == TMPL_ANY;
    case 'D':
        return v.type == TMPL_MAP && v.elem == TMPL_ANY; /* or TMPL_VALUES: see trun_check_arg */
    case 'T':
        return value_is(v, &object_time);
    case 'N':
        return value_is(v, &object_duration);
    case 'C':
        return value_is(v, &object_certificate);
    case 'M':
        return value_is(v, &object_version);
    default:
        return false;
    }
}

/* Gives *v the form a parameter of that letter has; -1 when it has another type. */
static int trun_check_arg(struct tmpl_run *r, char letter, struct tmpl_value *v)
{
    if (letter == 'V')
        return 0;
    if (letter == 'A') {
        if (v->type == TMPL_INVALID)
            v->type = TMPL_NIL;
        else if (v->type == TMPL_OBJECT)
            v->flags |= TMPL_IS_COPY;
        return 0;
    }
    if (LIKELY(has_type(letter, *v)))
        return 0;
    if (letter == 'D' && v->type == TMPL_MAP && v->elem == TMPL_VALUES) {
        v->elem = TMPL_ANY; /* Go gives it the type of the parameter */
        return 0;
    }
    if (v->type == TMPL_INVALID && (letter == 'L' || letter == 'D')) {
        *v = letter == 'L' ? tmpl_list(TMPL_ANY, NULL, 0) : tmpl_map_value(NULL);
        return 0;
    }
    if (v->type == TMPL_INVALID)
        return trun_fail(r, "invalid value; expected %s", letter_type(letter));
    return trun_fail(r, "wrong type for value; expected %s; got %s", letter_type(letter),
                     v->type == TMPL_NIL ? "interface {}" : value_type(*v));
}

static int expected(struct tmpl_run *r, const char *what, const struct tmpl_node *n)
{
    AUTO(buf_done) struct buf shown = {0};

    node_print(n, &shown);
    return trun_fail(r, "expected %s; found %s", what, buf_cstr(&shown));
}

/* A constant where any type fits. */
static int eval_ideal(struct tmpl_run *r, const struct tmpl_node *n, struct tmpl_value *ret)
{
    if (n->kind == NODE_BOOL)
        *ret = tmpl_bool(n->truth);
    else if (n->kind == NODE_STRING)
        *ret = tmpl_string(n->string.text);
    else if (n->number->value.type == TMPL_INVALID)
        return trun_fail(r, "%.*s overflows int", STR_ARG(n->number->text));
    else
        *ret = n->number->value;
    return 0;
}

static int eval_constant(struct tmpl_run *r, char letter, const struct tmpl_node *n,
                         struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf shown = {0};
    bool is_number = n->kind == NODE_NUMBER;

    switch (letter) {
    case 'A':
    case 'V':
        return eval_ideal(r, n, ret);
    case 'S':
        return n->kind == NODE_STRING ? eval_ideal(r, n, ret) : expected(r, "string", n);
    case 'B':
        return n->kind == NODE_BOOL ? eval_ideal(r, n, ret) : expected(r, "bool", n);
    case 'I':
    case 'J':
        if (!is_number || !n->number->is_int)
            return expected(r, "integer", n);
        *ret = letter == 'I' ? tmpl_int(n->number->i) : tmpl_int64(n->number->i);
        return 0;
    case 'U':
        if (!is_number || !n->number->is_int || n->number->i < 0)
            return expected(r, "unsigned integer", n);
        *ret = tmpl_int(n->number->i);
        return 0;
    case 'F':
        if (!is_number || !n->number->is_float)
            return expected(r, "float", n);
        *ret = tmpl_float(n->number->f);
        return 0;
    default:
        node_print(n, &shown);
        return trun_fail(r, "can't handle %s for arg of type %s", buf_cstr(&shown),
                         letter_type(letter));
    }
}

int eval_arg(struct tmpl_run *r, struct tmpl_value dot, char letter, const struct tmpl_node *n,
             struct tmpl_value *ret)
{
    int rc = 0;

    trun_at(r, n);
    switch ((enum node_kind)n->kind) {
    case NODE_DOT:
        *ret = dot;
        break;
    case NODE_NIL:
        if (!strchr("AVLDM", letter))
            return trun_fail(r, "cannot assign nil to %s", letter_type(letter));
        *ret = TMPL_NOTHING;
        if (letter == 'M')
            return 0;
        break;
    case NODE_FIELD:
    case NODE_VARIABLE:
    case NODE_CHAIN:
        rc = eval_chain(r, dot, n, NULL, NULL, ret);
        break;
    case NODE_PIPE:
        rc = eval_pipeline(r, dot, n, ret);
        break;
    case NODE_IDENT:
        rc = eval_function(r, dot, n, n, NULL, NULL, ret);
        break;
    default:
        return eval_constant(r, letter, n, ret);
    }
    return rc < 0 || !letter ? rc : trun_check_arg(r, letter, ret);
}

int eval_no_arguments(struct tmpl_run *r, const struct node_list *args,
                      const struct tmpl_value *final)
{
    AUTO(buf_done) struct buf shown = {0};

    if ((!args || args->len <= 1) && !final)
        return 0;
    node_print(args->v[0], &shown);
    return trun_fail(r, "can't give argument to non-function %s", buf_cstr(&shown));
}

/* ---- calls */

/* Where a signature's parameter number i is its last that repeats, that one. */
static inline char letter_at(const char *signature, size_t fixed, size_t i)
{
    return signature[MIN(i, fixed)];
}

static int check_count(struct tmpl_run *r, const struct callee *f, size_t fixed, bool is_variadic,
                       size_t given, size_t count)
{
    if (is_variadic ? count >= fixed : count == fixed)
        return 0;
    if (is_variadic)
        return trun_fail(r, "wrong number of args for %.*s: want at least %zu got %zu",
                         STR_ARG(f->name), fixed, given);
    return trun_fail(r, "wrong number of args for %.*s: want %zu got %zu", STR_ARG(f->name), fixed,
                     count);
}

/* and, or: arguments are evaluated until one decides. */
static int eval_logic(struct tmpl_run *r, struct tmpl_value dot, bool is_or,
                      const struct node_list *args, const struct tmpl_value *final,
                      struct tmpl_value *ret)
{
    *ret = TMPL_NOTHING;
    for (uint32_t i = 1; args && i < args->len; i++) {
        if (eval_arg(r, dot, 'V', args->v[i], ret) < 0)
            return -1;
        if (value_truth(r, *ret) == is_or)
            return 0;
    }
    if (final)
        *ret = *final;
    return 0;
}

static int ask_host(struct tmpl_run *r, const struct callee *f)
{
    AUTO(buf_done) struct buf place = {0};

    trun_at(r, f->node);
    trun_place(r, &place);
    return r->options.host.impure(r->options.host.ctx, f->function->name, buf_view(&place), r->e);
}

static int invoke(struct tmpl_run *r, const struct callee *f, const struct tmpl_value *args,
                  size_t count, const struct node_list *nodes, struct tmpl_value *ret)
{
    struct tmpl_call call = {.run = r,
                             .function = f->function,
                             .args = args,
                             .argc = count,
                             .self = f->self,
                             .nodes = nodes};
    AUTO(buf_done) struct buf context = {0};
    int rc = 0;

    *ret = TMPL_NOTHING;
    if (f->function && f->function->flags & FUNC_IMPURE && r->options.host.impure)
        rc = ask_host(r, f);
    if (rc == 0)
        rc = f->fn(&call, ret);
    if (LIKELY(rc == 0 && r->e->kind == ERR_NONE))
        return trun_room(r, 0);
    if (!r->failed)
        r->failed = f->function;
    trun_at(r, f->node);
    if (!trun_can_wrap(r))
        return -1;
    add_context(r, &context);
    return err_wrap(r->e, "%s: error calling %.*s", buf_cstr(&context), STR_ARG(f->name));
}

int eval_call(struct tmpl_run *r, struct tmpl_value dot, const struct callee *f,
              const struct node_list *args, const struct tmpl_value *final, struct tmpl_value *ret)
{
    struct tmpl_value local[FUNC_MAX_FIXED], *values = local;
    size_t letters = strlen(f->signature), given = args && args->len ? args->len - 1 : 0;
    size_t count = given + (final ? 1 : 0);
    bool is_variadic = letters && f->signature[letters - 1] == '*';
    size_t fixed = is_variadic ? letters - 2 : letters;

    if (trun_step(r) < 0 || check_count(r, f, fixed, is_variadic, given, count) < 0)
        return -1;
    if (f->function && f->function->flags & (FUNC_AND | FUNC_OR))
        return eval_logic(r, dot, f->function->flags & FUNC_OR, args, final, ret);
    if (count > FUNC_MAX_FIXED)
        values = trun_array(r, count);
    for (size_t i = 0; i < given; i++)
        if (eval_arg(r, dot, letter_at(f->signature, fixed, i), args->v[i + 1], &values[i]) < 0)
            return -1;
    if (final) {
        values[given] = *final;
        if (trun_check_arg(r, letter_at(f->signature, fixed, given), &values[given]) < 0)
            return -1;
    }
    return invoke(r, f, values, count, args, ret);
}
