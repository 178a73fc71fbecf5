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

/* The width of the letter at `at`; line ends in a cell have none. */
static size_t letter(str text, size_t at, size_t *ret_bytes)
{
    return str_utf8_at(text, at, ret_bytes) >= ' ';
}

static size_t letters(str text)
{
    size_t count = 0, bytes;

    for (size_t at = 0; at < text.len; at += bytes)
        count += letter(text, at, &bytes);
    return count;
}

/* Line n of a cell, which has one at least; false and empty behind the last. */
static bool line_of(str cell, size_t n, str *ret)
{
    str rest = cell;

    do {
        *ret = str_cut(rest, '\n', &rest);
        if (!n--)
            return true;
    } while (rest.p);
    *ret = STR("");
    return false;
}

static size_t width_of(const struct cli_columns *t, size_t column)
{
    size_t width = 0;
    str line;

    for (size_t i = column; i < t->cells.len; i += t->count)
        for (size_t n = 0; line_of(t->cells.v[i], n, &line); n++)
            width = MAX(width, letters(line));
    return t->max_width ? MIN(width, t->max_width) : width;
}

/* As much of a longer cell as leaves room for the dots, one character at least. */
static str shortened(struct arena *arena, str cell, size_t width)
{
    size_t dots = strlen("..."), at = 0, step, taken;

    if (letters(cell) <= width)
        return cell;
    taken = letter(cell, at, &step);
    do {
        at += step;
        taken += letter(cell, at, &step);
    } while (taken + dots <= width);
    return arena_printf(arena, "%.*s...", (int)at, cell.p);
}

/* Line n of a row of cells; false when none of them has so many. */
static bool print_line(const struct cli_columns *t, const str *cells, size_t n,
                       const size_t *widths, struct buf *out)
{
    size_t before = out->len;
    bool any = false;
    str line;

    for (size_t i = 0; i < t->count; i++) {
        size_t width;

        any |= line_of(cells[i], n, &line);
        width = letters(line);
        buf_add_str(out, line);
        buf_add_repeat(out, ' ', width < widths[i] ? widths[i] - width : 0);
        buf_add_char(out, i + 1 < t->count ? '\t' : '\n');
    }
    if (!any)
        buf_trunc(out, before);
    return any;
}

void cli_columns_print(const struct cli_columns *t, struct buf *out)
{
    AUTO(arena_done) struct arena scratch = {0};
    size_t *widths = ARENA_ARRAY(&scratch, size_t, t->count);
    str *row = ARENA_ARRAY(&scratch, str, t->count);

    assert(t->count > 0);
    for (size_t i = 0; i < t->count; i++)
        widths[i] = width_of(t, i);
    for (size_t i = 0; i + t->count <= t->cells.len; i += t->count) {
        for (size_t j = 0; j < t->count; j++)
            row[j] = shortened(&scratch, t->cells.v[i + j], widths[j]);
        for (size_t n = 0; print_line(t, row, n, widths, out); n++)
            continue;
    }
}
