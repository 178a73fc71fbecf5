#include "khook/columns.h"

#include "base/utf8.h"

void columns_done(struct columns *c) { vec_done(&c->cells); }

void columns_add(struct columns *c, str cell) { vec_push(&c->cells, cell); }

/* Characters, counting what continues one in UTF-8 as nothing. */
static size_t length(str s)
{
    size_t count = utf8_count(s);

    for (size_t i = 0; i < s.len; i++)
        count += s.p[i] == '\n'; /* becomes "; " */
    return count;
}

static void add_cell(str s, struct buf *out)
{
    s = str_trim_right(s, "\r\n");
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] == '\n')
            buf_add_cstr(out, "; ");
        else if ((unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f)
            buf_add_char(out, ' ');
        else
            buf_add_char(out, s.p[i]);
}

void columns_print(const struct columns *c, struct buf *out)
{
    size_t widths[16] = {0};

    assert(c->width && c->width <= ARRAY_LEN(widths) && c->cells.len % c->width == 0);
    for (size_t i = 0; i < c->cells.len; i++)
        widths[i % c->width] = MAX(widths[i % c->width], length(c->cells.v[i]));
    for (size_t i = 0; i < c->cells.len; i += c->width) {
        size_t last = c->width;

        while (last > 0 && !c->cells.v[i + last - 1].len)
            last--;
        for (size_t j = 0; j < last; j++) {
            add_cell(c->cells.v[i + j], out);
            if (j + 1 < last)
                buf_add_repeat(out, ' ', widths[j] - length(c->cells.v[i + j]) + 2);
        }
        buf_add_char(out, '\n');
    }
}
