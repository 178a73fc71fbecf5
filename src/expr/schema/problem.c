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

bool problem(struct run *r, const struct trail *trail, const char *fmt, ...)
{
    AUTO(buf_done) struct buf at = {0}, text = {0};
    struct schema_problems *p = r->problems;
    va_list args;

    if (!p)
        return false;
    print_trail(trail, &at);
    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    vec_push(&p->all, {arena_dup(&p->arena, buf_view(&at)), arena_dup(&p->arena, buf_view(&text)),
                       r->level});
    return false;
}

void problem_value(const struct doc_node *value, struct buf *out)
{
    if (doc_is_string(value))
        buf_addf(out, "'%.*s'", STR_ARG(doc_string(value, STR_NONE)));
    else
        doc_emit_json(value, 0, out);
}

void problem_names(const struct str_vec *names, struct buf *out)
{
    for (size_t i = 0; i < names->len; i++)
        buf_addf(out, "%s'%.*s'", i ? ", " : "", STR_ARG(names->v[i]));
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
        buf_addf(out, "- at '%.*s': %.*s\n", STR_ARG(one->at), STR_ARG(one->text));
    }
}
