#include "sys/env.h"

#include <stdatomic.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/vec.h"

static char *const *_Atomic replacement;

void env_replace(char *const *vars) { atomic_store(&replacement, vars); }

char *const *env_all(void)
{
    char *const *vars = atomic_load(&replacement);

    return vars ? vars : environ;
}

/* The value when var is "name=value". */
static const char *value_of(const char *var, str name)
{
    if (var[0] != name.p[0] || strncmp(var, name.p, name.len) != 0 || var[name.len] != '=')
        return NULL;
    return var + name.len + 1;
}

const char *env_get(const char *name)
{
    char *const *vars = env_all();
    str wanted = str_of(name);

    for (; vars && *vars; vars++) {
        const char *value = value_of(*vars, wanted);

        if (value)
            return value;
    }
    return NULL;
}

static void append(struct env_list *list, char *var)
{
    vec_reserve(list, 2);
    list->v[list->len++] = var;
    list->v[list->len] = NULL;
}

void env_list_inherit(struct env_list *list)
{
    for (char *const *vars = env_all(); vars && *vars; vars++)
        append(list, mem_strdup(*vars));
}

void env_list_set(struct env_list *list, str name, str value)
{
    env_list_unset(list, name);
    append(list, str_printf("%.*s=%.*s", STR_ARG(name), STR_ARG(value)));
}

void env_list_unset(struct env_list *list, str name)
{
    size_t kept = 0;

    for (size_t i = 0; i < list->len; i++) {
        if (value_of(list->v[i], name))
            mem_free(list->v[i]);
        else
            list->v[kept++] = list->v[i];
    }
    list->len = kept;
    if (list->v)
        list->v[kept] = NULL;
}

void env_list_done(struct env_list *list)
{
    for (size_t i = 0; i < list->len; i++)
        mem_free(list->v[i]);
    vec_done(list);
}
