#include "khook/vars/vars.h"

#include "base/log.h"
#include "doc/parse.h"

void khook_vars_done(struct khook_vars *vars)
{
    map_done(&vars->by_name);
    arena_done(&vars->arena);
    *vars = (struct khook_vars){0};
}

static struct khook_var *var_of(struct khook_vars *vars, str name)
{
    struct khook_var *var = map_get(&vars->by_name, name);

    if (var)
        return var;
    var = ARENA_NEW(&vars->arena, struct khook_var);
    var->name = arena_dup(&vars->arena, name);
    map_put(&vars->by_name, var->name, var);
    return var;
}

void khook_vars_put(struct khook_vars *vars, str name, str value, bool is_secret)
{
    struct khook_var *var = var_of(vars, name);

    var->value = arena_dup(&vars->arena, value);
    var->is_set_flag = false;
    if (is_secret) {
        var->is_secret = true;
        var->secret_value = var->value;
    }
}

const struct khook_var *khook_vars_get(const struct khook_vars *vars, str name)
{
    return map_get(&vars->by_name, name);
}

static void add_prefixed(struct khook_vars *vars, const char *const *env, str prefix,
                         bool is_secret)
{
    for (; env && *env; env++) {
        str value, name = str_cut(str_of(*env), '=', &value);

        if (value.p && str_drop_prefix(&name, prefix) && name.len)
            khook_vars_put(vars, name, value, is_secret);
    }
}

/* The single steps of it, for tests and for callers with sources of their own. */
static int khook_vars_env(struct khook_vars *vars, const struct khook_var_options *options,
                          struct err *e)
{
    str plain = options->var_prefix.p ? options->var_prefix : STR(KHOOK_VAR_PREFIX);
    str secret = options->secret_prefix.p ? options->secret_prefix : STR(KHOOK_SECRET_PREFIX);

    if (!plain.len)
        return err_set(e, ERR_USAGE,
                       "--var-prefix must not be empty: it would import the whole environment");
    if (!secret.len)
        return err_set(e, ERR_USAGE,
                       "--secret-prefix must not be empty: it would import the whole environment");
    add_prefixed(vars, options->env, plain, false);
    add_prefixed(vars, options->env, secret, true);
    return 0;
}

int khook_vars_set(struct khook_vars *vars, str assignment, struct err *e)
{
    str value, name = str_cut(assignment, '=', &value);

    if (!value.p)
        return err_set(e, ERR_USAGE, "--set %.*s: expected NAME=value", STR_ARG(name));
    if (!name.len)
        return err_set(e, ERR_USAGE, "--set: the name before \"=\" is empty");
    khook_vars_put(vars, name, value, false);
    var_of(vars, name)->is_set_flag = true;
    return 0;
}

static int add_file_value(struct khook_vars *vars, const struct doc_set *set,
                          const struct doc_iter *it, struct err *e)
{
    struct doc_place place = doc_key_place(set, it->value);
    const char *why = doc_is_null(it->value)
                          ? "is null; write \"\" for the empty text"
                          : "must be a scalar (text, number or boolean), not a list or map";

    if (doc_is_scalar(it->value) && !doc_is_null(it->value)) {
        khook_vars_put(vars, it->key, doc_text(it->value, STR_NONE), false);
        return 0;
    }
    return err_set(e, ERR_USAGE, "--var-file %.*s:%u:%u: \"%.*s\" %s", STR_ARG(place.origin),
                   place.line, place.column, STR_ARG(it->key), why);
}

int khook_vars_file(struct khook_vars *vars, str text, const char *origin, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(doc_list_done) struct doc_list roots = {0};
    struct doc_parse_options options = {.dialect = DOC_SPEC};
    struct doc_iter it;

    if (doc_parse_all(set, text, &options, origin, &roots, e) < 0) {
        e->kind = ERR_USAGE;
        return err_wrap(e, "--var-file");
    }
    if (roots.len > 1)
        return err_set(e, ERR_USAGE, "--var-file %s: has more than one YAML document", origin);
    if (roots.len == 0 || doc_is_null(roots.v[0]))
        return 0;
    if (!doc_is_map(roots.v[0]))
        return err_set(e, ERR_USAGE, "--var-file %s: must be a mapping from names to scalars",
                       origin);
    it = doc_children(roots.v[0]);
    while (doc_next(&it))
        if (add_file_value(vars, set, &it, e) < 0)
            return -1;
    return 0;
}

void khook_vars_register(const struct khook_vars *vars)
{
    struct map_iter it = {0};

    while (map_next(&vars->by_name, &it)) {
        const struct khook_var *var = it.value;

        if (!var->is_secret)
            continue;
        secret_add(var->secret_value);
        if (!str_eq(var->value, var->secret_value))
            secret_add(var->value);
    }
}

int khook_vars_load(struct khook_vars *vars, const struct khook_var_options *options, struct err *e)
{
    if (khook_vars_env(vars, options, e) < 0)
        return -1;
    khook_vars_register(vars); /* before anything can fail with a value in its message */
    if (options->var_file &&
        khook_vars_file(vars, options->var_file_text, options->var_file, e) < 0)
        return -1;
    for (size_t i = 0; i < options->set_count; i++)
        if (khook_vars_set(vars, str_of(options->sets[i]), e) < 0)
            return -1;
    khook_vars_register(vars);
    return 0;
}
