/* Text archives: several files in one text, each behind a line `-- name --` and running to the next
 * such line. A section's text ends with a line end. Views into the text; pure. */
#pragma once
#include "base/vec.h"

struct fn_section {
    str name, text;
};
struct fn_txtar {
    VEC(struct fn_section) sections;
};
void fn_txtar_done(struct fn_txtar *t); /* leaves {0} */
AUTO_VALUE(struct fn_txtar, fn_txtar_done)

/* Appends the sections; what stands before the first is left out. */
void fn_txtar_parse(str text, struct fn_txtar *ret);
/* The first section of a name, or NULL. */
const struct fn_section *fn_txtar_find(const struct fn_txtar *t, str name);
