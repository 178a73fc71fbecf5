#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/num.h"
#include "doc/emit.h"
#include "expr/schema/schema_priv.h"

/* Recursion as deep as the value was entered, which run_check limits. */
static void print_trail(const struct trail *step, struct buf *out)
{
    if (!step || !step->up)
        return;
    print_trail(step->up, out);
    buf_add_char(out, '/');
    if (!step->is_key)
        buf_addf(out, "%zu", step->index);
    for (size_t i = 0; step->is_key && i < step->key.len; i++) {
        char c = step->key.p[i];

        if (c == '~' || c == '/')
            buf_add_cstr(out, c == '~' ? "~0" : "~1");
        else
            buf_add_char(out, c);
    }
}

/* In front of the problem `at`. */
static void insert(struct run *r, size_t at, const struct trail *trail, str text)
{
    AUTO(buf_done) struct buf where = {0};
    struct schema_problems *p = r->problems;
    struct schema_problem one;

    print_trail(trail, &where);
    one = (struct schema_problem){arena_dup(&p->arena, buf_view(&where)),
                                  arena_dup(&p->arena, text), r->level, false};
    vec_push(&p->all, one);
    memmove(&p->all.v[at + 1], &p->all.v[at], (p->all.len - 1 - at) * sizeof one);
    p->all.v[at] = one;
}

bool problem(struct run *r, const struct trail *trail, const char *fmt, ...)
{
    AUTO(buf_done) struct buf text = {0};
    va_list args;

    if (!r->problems)
        return false;
    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    insert(r, r->problems->all.len, trail, buf_view(&text));
    return false;
}

size_t problem_mark(const struct run *r) { return r->problems ? r->problems->all.len : 0; }

bool problem_heading(struct run *r, size_t from, const struct trail *trail, str text)
{
    if (!r->problems)
        return false;
    insert(r, from, trail, text);
    for (size_t i = from + 1; i < r->problems->all.len; i++)
        r->problems->all.v[i].level++;
    return false;
}

void problem_group(struct run *r, size_t from, const struct trail *trail)
{
    size_t direct = 0;

    for (size_t i = from; i < problem_mark(r) && direct < 2; i++)
        direct += r->problems->all.v[i].level == r->level;
    if (direct < 2)
        return;
    problem_heading(r, from, trail, STR("validation failed"));
    r->problems->all.v[from].is_group = true;
}

void problem_ungroup(struct run *r, size_t from)
{
    struct schema_problems *p = r->problems;

    if (!p || from >= p->all.len || !p->all.v[from].is_group)
        return;
    vec_remove(&p->all, from);
    for (size_t i = from; i < p->all.len; i++)
        p->all.v[i].level--;
}

void problem_quoted(str text, struct buf *out)
{
    AUTO(buf_done) struct buf go = {0};

    escape_quoted(text, &go);
    buf_add_char(out, '\'');
    for (size_t i = 1; i + 1 < go.len; i++)
        if (go.p[i] == '\'')
            buf_add_cstr(out, "\\'");
        else if (go.p[i] != '\\' || go.p[i + 1] != '"')
            buf_add_char(out, go.p[i]);
    buf_add_char(out, '\'');
}

void problem_value(const struct doc_node *value, struct buf *out)
{
    if (doc_is_string(value))
        problem_quoted(doc_string(value, STR_NONE), out);
    else if (doc_type(value) == DOC_NULL)
        buf_add_cstr(out, "<nil>");
    else
        doc_emit_json(value, 0, out);
}

void problem_names(const struct str_vec *names, struct buf *out)
{
    for (size_t i = 0; i < names->len; i++) {
        if (i)
            buf_add_cstr(out, ", ");
        problem_quoted(names->v[i], out);
    }
}

/* Digits with a comma before each three but the first. */
static void add_grouped(str digits, struct buf *out)
{
    for (size_t i = 0; i < digits.len; i++) {
        if (i && (digits.len - i) % 3 == 0)
            buf_add_char(out, ',');
        buf_add_char(out, digits.p[i]);
    }
}

void problem_count(size_t count, struct buf *out)
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%zu", count);

    add_grouped((str){digits, (size_t)len}, out);
}

static void add_exponent(str exponent, struct buf *out)
{
    static const char raised[][4] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

    buf_add_cstr(out, "×10");
    for (size_t i = 0; i < exponent.len; i++)
        if (exponent.p[i] == '-')
            buf_add_cstr(out, "⁻");
        else if (exponent.p[i] != '+')
            buf_add_cstr(out, raised[exponent.p[i] - '0']);
}

void problem_number(const struct doc_node *number, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};
    size_t whole = 0;
    double value;
    str rest, exponent;

    if (!doc_to_double(number, &value) || !isfinite(value)) {
        doc_emit_json(number, 0, out);
        return;
    }
    num_add_double(&text, value, NUM_G);
    rest = buf_view(&text);
    if (str_drop_prefix(&rest, STR("-")))
        buf_add_char(out, '-');
    while (whole < rest.len && rest.p[whole] >= '0' && rest.p[whole] <= '9')
        whole++;
    add_grouped((str){rest.p, whole}, out);
    buf_add_str(out, str_cut(str_from(rest, whole), 'e', &exponent));
    if (exponent.p)
        add_exponent(exponent, out);
}

void schema_problems_done(struct schema_problems *p)
{
    vec_done(&p->all);
    arena_done(&p->arena);
}

void schema_problems_print(const struct schema_problems *p, struct buf *out)
{
    for (size_t i = 0; i < p->all.len; i++) {
        const struct schema_problem *one = &p->all.v[i];

        buf_add_repeat(out, ' ', 2 * (size_t)one->level);
        buf_add_cstr(out, "- at ");
        problem_quoted(one->at, out);
        buf_addf(out, ": %.*s\n", STR_ARG(one->text));
    }
}
