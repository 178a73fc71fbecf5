/* The environment: read-only for the whole program, so any thread may read; tests replace it before
 * threads start. And lists of variables for child processes. */
#pragma once
#include "base/str.h"

const char *env_get(const char *name); /* NULL when unset; borrowed */
char *const *env_all(void);            /* "NAME=value", NULL at the end */
void env_replace(char *const *vars);   /* NULL: the process's own again; borrowed */

/* A list for a child: owned "NAME=value" texts and a NULL. {0} is the empty environment. */
struct env_list {
    char **v; /* NULL while nothing was ever added */
    size_t len, cap;
};
void env_list_inherit(struct env_list *list); /* adds everything of env_all */
void env_list_set(struct env_list *list, str name, str value);
void env_list_unset(struct env_list *list, str name);
void env_list_done(struct env_list *list);
AUTO_VALUE(struct env_list, env_list_done)
