/* The functions of templates as Markdown: a table a group, with an example each. The manual's page
 * ends with it. Pure. */
#pragma once
#include "base/buf.h"
#include "expr/gotmpl/gotmpl.h"

void template_table(enum tmpl_profile profile, struct buf *out);
/* Code in a cell of such a table. */
void template_table_code(const char *text, struct buf *out);
