/* Functions as rows of tables: what they are called, what they take, what they do, and what the
 * manual says about them (template spec 8, 14, 15). */
#pragma once
#include "expr/gotmpl/gotmpl.h"

struct tmpl_run;
struct tmpl_function;
struct node_list;

/* One call: arguments are checked against the row. A function returns 0 with *ret set, or -1 after
 * call_fail. */
struct tmpl_call {
    struct tmpl_run *run;
    const struct tmpl_function *function; /* NULL for methods */
    const struct tmpl_value *args;
    size_t argc;
    struct tmpl_value self;        /* of a method */
    const struct node_list *nodes; /* as written, the name first; NULL: there are none */
};
typedef int tmpl_fn(struct tmpl_call *c, struct tmpl_value *ret);

/* A letter a parameter, '*' behind the last: any number of them.
 *   S string  I int  J int64  F float64  B bool  L []interface {}  D map[string]interface {}
 *   A any value, nil when missing  V any value as it is  T time  C certificate  M version */
enum { FUNC_MAX_FIXED = 6 };

enum func_flags {
    FUNC_IMPURE = 1 << 0, /* not of its arguments alone (17) */
    FUNC_AND = 1 << 1,    /* evaluates its arguments itself */
    FUNC_OR = 1 << 2,
    FUNC_NO_CHART = 1 << 3, /* profiles that lack it */
    FUNC_NO_OPERATOR = 1 << 4,
    FUNC_NO_PIPELINE = 1 << 5,
    FUNC_HOST = FUNC_IMPURE | FUNC_NO_PIPELINE,
};

struct tmpl_function {
    const char *name, *signature;
    tmpl_fn *fn;
    unsigned flags; /* enum func_flags */
    const char *summary;
    const char *example, *result; /* NULL: the result is not always the same */
    const struct func_group *group;
};

/* Groups tell their rows when the first is looked for. That they are code, not tables, spares every
 * start the pages of pointers (docs/decisions/6-start.md). */
struct func_rows;
struct func_group {
    const char *title;
    void (*add_rows)(struct func_rows *to);
    unsigned profiles; /* 1 << enum tmpl_profile */
};
void func_add(struct func_rows *to, const char *name, const char *signature, tmpl_fn *fn,
              unsigned flags, const char *summary, const char *example, const char *result);
extern const struct func_group func_builtins, func_strings, func_words, func_string_lists,
    func_math, func_decimals, func_defaults, func_encodings, func_json, func_dates, func_lists,
    func_more_lists, func_maps, func_types, func_regex, func_versions, func_paths, func_random,
    func_crypto, func_certificates, func_chart, func_formats, func_durations, func_operator_formats;

/* What the profile of a set calls by that name, or NULL. */
const struct tmpl_function *func_find(const struct tmpl_set *set, str name);

#define FUNC_GROUP(id, title, add_rows, profiles) \
    const struct func_group id = {title, add_rows, profiles}
enum {
    IN_STD =
        1 << TMPL_STD | 1 << TMPL_SPRIG | 1 << TMPL_CHART | 1 << TMPL_OPERATOR | 1 << TMPL_PIPELINE,
    IN_SPRIG = IN_STD & ~(1 << TMPL_STD),
    IN_CHART = 1 << TMPL_CHART,
    IN_OPERATOR = 1 << TMPL_OPERATOR,
};
