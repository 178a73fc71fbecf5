/* Command lines as people write them, split into words like a shell would: quotes and backslashes,
 * no expansion. Pure. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"

/* Appends the words; their text lives in the arena and ends in NUL. ERR_INVALID on an open quote.
 */
int fn_words(struct arena *a, str line, struct str_vec *ret, struct err *e) MUST_CHECK;
