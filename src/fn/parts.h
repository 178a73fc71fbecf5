/* The parts of a YAML stream: its documents with their "---" lines and the comments around them, so
 * that each can be read and stored on its own. Pure. */
#pragma once
#include "base/err.h"
#include "doc/node.h"

/* The next part of *rest, up to the next line "---", which belongs to the part behind it. */
str fn_part_next(str *rest);
/* The length of a first line "---" with nothing but a comment behind it, else 0. */
size_t fn_part_divider(str text);
/* Does the text begin with a line that divides documents? */
bool fn_part_has_divider(str text);
/* Parts count their lines from their own beginning: replaces e by what is wrong with the whole
 * text, if reading it fails, too. Returns -1. */
int fn_part_explain(struct doc_set *set, str text, const char *origin, struct err *e);
