/* Environments: which names and functions expressions have. */
#include "base/diag.h"
#include "expr/cel/cel_priv.h"

static int add_function(struct cel_env *env, const struct cel_row *row, struct err *e)
{
    struct cel_function *f = ARENA_NEW(&env->arena, struct cel_function);
    str rest = str_of(row->params);
    int depth = 0;
    size_t begin = 0;

    *f = (struct cel_function){.name = row->name, .is_member = row->is_member, .run = row->run};
    if (str_eq(rest, STR("..."))) {
        f->count = SIZE_MAX;
        rest = STR_NONE;
    }
    for (size_t i = 0; i <= rest.len && rest.len; i++) {
        char c = i < rest.len ? rest.p[i] : ',';

        depth += (c == '(') - (c == ')');
        if (c != ',' || (depth && i < rest.len))
            continue;
        if (f->count == ARRAY_LEN(f->params))
            return err_set(e, ERR_INVALID, "%s has too many parameters", row->name);
        f->params[f->count] = cel_type_parse(&env->arena, str_sub(rest, begin, i - begin), e);
        if (!f->params[f->count++])
            return -1;
        begin = i + 1;
    }
    f->result = cel_type_parse(&env->arena, str_of(row->result), e);
    if (!f->result)
        return -1;
    { /* in the order of the tables: behind those of the name */
        struct cel_function *last = map_get(&env->functions, str_of(row->name));

        if (!last)
            map_put(&env->functions, str_of(row->name), f);
        while (last && last->next)
            last = (struct cel_function *)last->next;
        if (last)
            last->next = f;
    }
    return 0;
}

static bool has_library(unsigned flags, enum cel_library library)
{
    switch (library) {
    case L_MATH:
    case L_ENCODERS:
    case L_EXTRA:
        return !(flags & CEL_KUBERNETES);
    case L_VARS:
        return flags & CEL_VARS_GET;
    default:
        return true;
    }
}

static struct cel_value get_of_vars(struct cel_run *r, const struct cel_value *args, size_t count)
{
    struct cel_value found;

    (void)count;
    return cel_map_get(r->arena, args[0].map, &args[1], &found) ? found : args[2];
}

static void take_row(void *ctx, const struct cel_row *row)
{
    AUTO(err_done) struct err e = {0};

    if (add_function(ctx, row, &e) < 0)
        err_done(&e); /* a row that cannot be read is a bug, which a unit test finds */
}

struct cel_env *cel_env_new(unsigned flags, str container)
{
    struct cel_env *env = NEW(struct cel_env);
    const struct cel_rows rows = {take_row, env};

    env->flags = flags;
    env->container = arena_dup(&env->arena, container);
    for (size_t i = 0; i < cel_table_count; i++)
        if (has_library(flags, cel_tables[i].part))
            cel_tables[i].rows(&rows);
    if (flags & CEL_VARS_GET)
        cel_add_row(&rows, "get", true, "map(string, string),string,string", "string", get_of_vars);
    return env;
}

void cel_env_free(struct cel_env *env)
{
    if (!env)
        return;
    map_done(&env->variables);
    map_done(&env->functions);
    arena_done(&env->arena);
    mem_free(env);
}

int cel_env_declare(struct cel_env *env, str name, str type, struct err *e)
{
    const struct cel_type *t = cel_type_parse(&env->arena, type, e);

    if (!t)
        return -1;
    map_put(&env->variables, arena_dup(&env->arena, name), (void *)t);
    return 0;
}

int cel_env_declare_function(struct cel_env *env, str name, bool is_member, str params, str result,
                             struct err *e)
{
    struct cel_row row = {.name = arena_cstr(&env->arena, name),
                          .is_member = is_member,
                          .params = arena_cstr(&env->arena, params),
                          .result = arena_cstr(&env->arena, result)};

    return add_function(env, &row, e);
}

/* ---- programs */

/* Where a byte of a text is: line counts from 1, before are the bytes of its line in front of it.
 */
struct place {
    size_t line, before;
    str text; /* of the line */
};

static struct place place_of(str text, uint32_t at)
{
    struct place place = {.line = 1};
    size_t begin = 0, end;

    for (size_t i = 0; i < at && i < text.len; i++)
        if (text.p[i] == '\n') {
            place.line++;
            begin = i + 1;
        }
    end = begin;
    while (end < text.len && text.p[end] != '\n')
        end++;
    place.text = str_sub(text, begin, end - begin);
    place.before = at - begin;
    return place;
}

static int by_place(const void *a, const void *b)
{
    const struct cel_problem *x = a, *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

static void print_problems(const struct cel_parser *p, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};

    for (size_t i = 0; i < p->problems.len; i++) {
        const struct cel_problem *problem = &p->problems.v[i];
        struct place place = place_of(p->text, problem->at);
        size_t column = (size_t)cel_code_points(str_sub(place.text, 0, place.before));

        if (i)
            buf_add_char(&out, '\n');
        buf_addf(&out, "ERROR: <input>:%zu:%zu: %.*s\n | %.*s\n | ", place.line,
                 p->text.len ? column + 1 : 0, STR_ARG(problem->text), STR_ARG(place.text));
        buf_add_repeat(&out, '.', column);
        buf_add_char(&out, '^');
    }
    err_set(e, ERR_INVALID, "%s", buf_cstr(&out));
}

/* The declared name closest to the one that a problem of an undeclared name tells. */
static str nearest_name(const struct cel_env *env, const struct cel_problem *problem)
{
    str name = problem->text, rest, nearest;
    struct map_iter it = {0};
    VEC(str) names = {0};

    if (!str_drop_prefix(&name, STR("undeclared reference to '")))
        return STR_NONE;
    while (map_next(&env->variables, &it))
        vec_push(&names, it.key);
    nearest = diag_nearest(str_cut(name, '\'', &rest), names.v, names.len);
    vec_done(&names);
    return nearest;
}

static void tell_problems(const struct cel_parser *p, struct diag_list *ret)
{
    for (size_t i = 0; i < p->problems.len; i++) {
        const struct cel_problem *problem = &p->problems.v[i];
        struct place place = place_of(p->text, problem->at);
        str nearest = nearest_name(p->env, problem);
        AUTO(buf_done) struct buf hint = {0};

        if (nearest.len)
            buf_addf(&hint, "did you mean \"%.*s\"?", STR_ARG(nearest));
        diag_add(ret, &(struct diag){.line = (uint32_t)place.line,
                                     .column = (uint32_t)place.before + 1,
                                     .text = problem->text,
                                     .hint = buf_view(&hint),
                                     .excerpt = place.text});
    }
}

/* The program, which owns what the problems of p say; it cannot run when there are some. */
static struct cel_program *compile(struct cel_parser *p, str text)
{
    struct cel_program *program = NEW(struct cel_program);

    program->env = p->env;
    program->text = arena_dup(&program->arena, text);
    p->arena = &program->arena;
    p->text = program->text;
    program->root = cel_parse(p);
    if (program->root && !p->problems.len)
        cel_check(p, program);
    for (size_t i = 0; i < p->doubts.len && p->problems.len == i; i++)
        vec_push(&p->problems, p->doubts.v[i]);
    return program;
}

static void parser_done(struct cel_parser *p)
{
    vec_done(&p->problems);
    vec_done(&p->doubts);
}
AUTO_VALUE(struct cel_parser, parser_done)

struct cel_program *cel_compile(const struct cel_env *env, str text, enum cel_failure *ret_failure,
                                struct err *e)
{
    AUTO(parser_done) struct cel_parser p = {.env = env};
    AUTO(cel_program_free) struct cel_program *program = compile(&p, text);

    if (!p.problems.len)
        return TAKE(program);
    if (ret_failure)
        *ret_failure = p.problems.v[0].failure;
    vec_sort(&p.problems, by_place);
    print_problems(&p, e);
    return NULL;
}

struct cel_program *cel_compile_told(const struct cel_env *env, str text,
                                     struct diag_list *problems)
{
    AUTO(parser_done) struct cel_parser p = {.env = env};
    AUTO(cel_program_free) struct cel_program *program = compile(&p, text);

    if (!p.problems.len)
        return TAKE(program);
    vec_sort(&p.problems, by_place);
    tell_problems(&p, problems);
    return NULL;
}

void cel_program_free(struct cel_program *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->patterns.len; i++)
        re_free(p->patterns.v[i]);
    vec_done(&p->patterns);
    arena_done(&p->arena);
    mem_free(p);
}

void cel_program_type(const struct cel_program *p, struct buf *out)
{
    cel_type_print(p->root->type, out);
}

bool cel_program_is_bool(const struct cel_program *p) { return p->root->type->kind == T_BOOL; }
