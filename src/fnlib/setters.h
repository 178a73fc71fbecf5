/* Setter comments: "kpt-set: " and a pattern with ${name} parts, behind a scalar or a list (KRM
 * functions spec 9.1). Texts belong to the context of the node they came from. One context, one
 * thread. */
#pragma once
#include "fnlib/fnlib.h"

enum { FNLIB_MAX_PARTS = 64 };

/* A pattern in parts: text before each ${name}, and behind the last. */
typedef struct fnlib_pattern {
    const char *names[FNLIB_MAX_PARTS];
    const char *before[FNLIB_MAX_PARTS + 1]; /* before[count]: what is behind the last */
    const char *values[FNLIB_MAX_PARTS];     /* fnlib_pattern_match: the current parts, or NULL */
    size_t count;
} fnlib_pattern;

/* The pattern behind a node; NULL when its comment is none. */
const char *fnlib_setter_pattern(gfn_node n);
/* Takes a pattern apart; false when it has no part, or too many. */
bool fnlib_pattern_read(gfn_ctx *ctx, const char *text, fnlib_pattern *ret);
/* Finds what the parts stand for in a value: each takes as much as it can, the first one first.
 * Sets values; a part that would be empty has none. */
void fnlib_pattern_match(gfn_ctx *ctx, fnlib_pattern *p, const char *value);
/* Whether the pattern is one part and nothing else. */
bool fnlib_pattern_is_whole(const fnlib_pattern *p);
/* A value that is a YAML list; nothing for others. */
gfn_node fnlib_setter_list(gfn_ctx *ctx, const char *value);
