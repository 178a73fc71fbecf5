/* Patterns for paths of fields: spec.containers[*].image, ** for any number of steps, * for one
 * key with the indexes behind it (KRM functions spec 9.2). Pure; a pattern is never changed. */
#pragma once
#include "fnlib/fnlib.h"

typedef struct fnlib_path fnlib_path; /* opaque, owner */

/* NULL when the text is no pattern (an empty step, an open bracket), or memory is short. */
fnlib_path *fnlib_path_new(const char *text);
void fnlib_path_free(fnlib_path *p); /* NULL is fine */
/* path: as gfn_walk writes it. A key with dots may be written as it is, or as gfn_get wants it. */
bool fnlib_path_matches(const fnlib_path *p, const char *path);
/* No wildcard and no index: a field that can be made. */
bool fnlib_path_is_plain(const fnlib_path *p);
