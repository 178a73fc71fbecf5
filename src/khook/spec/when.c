#include "khook/spec/when.h"

#include <pthread.h>

#include "base/diag.h"
#include "expr/cel/cel.h"

static struct cel_env *environment;
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make(void)
{
    AUTO(err_done) struct err e = {0};

    environment = cel_env_new(CEL_VARS_GET, STR_NONE);
    if (cel_env_declare(environment, STR("vars"), STR("map(string, string)"), &e) < 0) {
        cel_env_free(environment);
        environment = NULL;
    }
}

struct run {
    const struct khook_vars *vars;
    struct arena arena;
};

static bool lookup(void *ctx, str name, struct cel_value *ret)
{
    struct run *r = ctx;
    str *names = ARENA_ARRAY(&r->arena, str, r->vars->by_name.len);
    str *values = ARENA_ARRAY(&r->arena, str, r->vars->by_name.len);
    struct map_iter it = {0};
    size_t len = 0;

    if (!str_eq(name, STR("vars")))
        return false;
    while (map_next(&r->vars->by_name, &it)) {
        const struct khook_var *var = it.value;

        names[len] = var->name;
        values[len++] = var->value;
    }
    *ret = cel_of_texts(&r->arena, names, values, len);
    return true;
}

static enum khook_condition run(const struct cel_program *p, struct run *r, struct err *e)
{
    struct cel_value v = cel_eval(p, lookup, r, &r->arena);

    if (v.kind == CEL_BOOL)
        return v.b ? KHOOK_TRUE : KHOOK_FALSE;
    if (v.kind == CEL_ERROR)
        err_set(e, ERR_INVALID, "%.*s", STR_ARG(v.error->text));
    else
        err_set(e, ERR_INVALID, "the condition is no bool");
    return KHOOK_WHEN_EVAL;
}

enum khook_condition khook_when_run(void *ctx, str expression, const struct khook_vars *vars,
                                    struct err *e)
{
    struct run r = {.vars = vars};
    enum khook_condition result;
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(cel_program_free) struct cel_program *p = NULL;

    (void)ctx;
    pthread_once(&made, make);
    p = environment ? cel_compile_told(environment, expression, &problems) : NULL;
    if (!p) {
        err_diags(e, &problems);
        return KHOOK_WHEN_COMPILE;
    }
    if (!cel_program_is_bool(p)) {
        AUTO(buf_done) struct buf type = {0};

        cel_program_type(p, &type);
        err_set(e, ERR_INVALID, "the condition must be a bool, not %s", buf_cstr(&type));
        return KHOOK_WHEN_COMPILE;
    }
    result = run(p, &r, e);
    arena_done(&r.arena);
    return result;
}
