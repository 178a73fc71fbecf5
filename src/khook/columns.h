/* Tables for people: cells in columns, two blanks between them, line breaks shown as "; ". Pure. */
#pragma once
#include "base/buf.h"
#include "base/vec.h"

struct columns {
    size_t width;         /* cells in a row */
    struct str_vec cells; /* row after row; texts are borrowed until columns_print */
};
void columns_done(struct columns *c);
AUTO_VALUE(struct columns, columns_done)
void columns_add(struct columns *c, str cell);
void columns_print(const struct columns *c, struct buf *out);
