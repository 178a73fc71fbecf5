/* The functions of CEL as Markdown: a table a group, with an example each. The manual's page ends
 * with it. Pure. */
#pragma once
#include "base/buf.h"

void cel_table(struct buf *out);
