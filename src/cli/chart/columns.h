/* Tables as helm prints them: cells padded to the width of their column, a tab between. A cell of
 * several lines takes as many lines of the table. One thread.
 *
 *     AUTO(cli_columns_done) struct cli_columns t = {.count = 2};
 *     cli_columns_add(&t, STR("NAME"));
 *     cli_columns_add(&t, STR("URL"));     a row is full: the next cell starts another
 *     cli_columns_print(&t, &out); */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"

struct cli_columns {
    size_t count;     /* columns */
    size_t max_width; /* of a column, in characters; 0: no bound */
    struct arena arena;
    struct str_vec cells;
};
void cli_columns_add(struct cli_columns *t, str cell); /* copied */
/* Cells that are longer than their column, all their lines together, end in "...". */
void cli_columns_print(const struct cli_columns *t, struct buf *out);
void cli_columns_done(struct cli_columns *t);
AUTO_VALUE(struct cli_columns, cli_columns_done)
