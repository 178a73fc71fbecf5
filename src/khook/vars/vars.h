/* Variables of a khook spec: where they come from and which of them are secret (khook spec 2.4,
 * 2.6).
 *
 * The set owns all names and values. Sources are added lowest first, so that a later one wins:
 * environment (plain prefix, then secret prefix), file, --set; khook_vars_load does it in that
 * order. A name that the secret prefix defined stays secret whatever overrides it. Errors are
 * ERR_USAGE ("cli.usage") and never show a value given with --set. Not locked. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"

struct khook_var {
    str name, value;
    str secret_value; /* as the secret environment variable gave it; used by is_secret only */
    bool is_secret;
    bool is_set_flag; /* the value came from --set */
};

struct khook_vars {
    struct arena arena;
    struct map by_name; /* to struct khook_var, in order of arrival */
};
void khook_vars_done(struct khook_vars *vars); /* leaves {0} */
AUTO_VALUE(struct khook_vars, khook_vars_done)

#define KHOOK_VAR_PREFIX "KHOOK_VAR_"
#define KHOOK_SECRET_PREFIX "KHOOK_SECRET_"

struct khook_var_options {
    const char *const *env;        /* "NAME=value", ended by NULL; may be NULL */
    str var_prefix, secret_prefix; /* p NULL: the built-in ones; an empty text is an error */
    const char *var_file;          /* its name, or NULL for none */
    str var_file_text;             /* what is in it */
    const char *const *sets;       /* texts after --set, in order */
    size_t set_count;
};

/* All sources in order of precedence; afterwards the values of secret names are registered for
 * masking (base/log.h). */
int khook_vars_load(struct khook_vars *vars, const struct khook_var_options *options,
                    struct err *e) MUST_CHECK;

/* A flat YAML mapping; every scalar counts as the text its author wrote. */
int khook_vars_file(struct khook_vars *vars, str text, const char *origin,
                    struct err *e) MUST_CHECK;
int khook_vars_set(struct khook_vars *vars, str assignment, struct err *e) MUST_CHECK;
void khook_vars_put(struct khook_vars *vars, str name, str value, bool is_secret);
void khook_vars_register(const struct khook_vars *vars); /* secret values, effective ones too */

/* NULL when the name is not set. */
const struct khook_var *khook_vars_get(const struct khook_vars *vars, str name);
