/* Values as string.format writes them (cel spec 10.1). */
#pragma once
#include "expr/cel/cel_priv.h"

/* As %s; nested: inside a list or a map. False: with nothing in why, a kind without a text. */
bool cel_format_value(struct arena *arena, const struct cel_value *v, bool is_nested,
                      struct buf *out, struct buf *why);
/* "1,234.50"; infinities are U+221E. */
void cel_format_fixed(double d, int precision, struct buf *out);
/* "1.234500×10⁰³", at least width characters. */
void cel_format_scientific(double d, int width, struct buf *out);
