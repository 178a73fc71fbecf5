#include "cli/chart/columns.h"

void cli_columns_done(struct cli_columns *t)
{
    arena_done(&t->arena);
    str_vec_done(&t->cells);
}

void cli_columns_add(struct cli_columns *t, str cell)
{
    vec_push(&t->cells, arena_dup(&t->arena, cell));
}

static size_t count_characters(str text)
{
    size_t count = 0, width;

    for (size_t at = 0; at < text.len; at += width, count++)
        str_utf8_at(text, at, &width);
    return count;
}

/* As much of the text as leaves room for "...", one character at least. */
static void add_short(str text, size_t max, struct buf *out)
{
    size_t count = 0, at = 0, width;

    do {
        str_utf8_at(text, at, &width);
        at += width;
    } while (++count + 3 < max);
    buf_add_str(out, str_sub(text, 0, at));
    buf_add_cstr(out, "...");
}

static size_t width_of(const struct cli_columns *t, size_t column)
{
    size_t width = 0;

    for (size_t i = column; i < t->cells.len; i += t->count)
        width = MAX(width, count_characters(t->cells.v[i]));
    return t->max_width ? MIN(width, t->max_width) : width;
}

void cli_columns_print(const struct cli_columns *t, struct buf *out)
{
    AUTO(arena_done) struct arena scratch = {0};
    size_t *widths = ARENA_ARRAY(&scratch, size_t, t->count);

    assert(t->count > 0);
    for (size_t i = 0; i < t->count; i++)
        widths[i] = width_of(t, i);
    for (size_t i = 0; i < t->cells.len; i++) {
        size_t column = i % t->count, length = count_characters(t->cells.v[i]);

        if (length > widths[column])
            add_short(t->cells.v[i], widths[column], out);
        else
            buf_add_str(out, t->cells.v[i]);
        buf_add_repeat(out, ' ', length < widths[column] ? widths[column] - length : 0);
        buf_add_char(out, column + 1 < t->count ? '\t' : '\n');
    }
}
