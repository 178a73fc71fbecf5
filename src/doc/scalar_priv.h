/* Writing YAML scalars as libyaml's emitter does, from which Go's descend: what style a text
 * allows, quoting, folding, block scalars. Pure. */
#pragma once
#include "base/str.h"
#include "doc/pen_priv.h"

/* Where a line begins is kept as an offset, since the buffer moves. */
struct yaml_pen {
    struct pen pen;
    size_t line;
    size_t
        width; /* lines longer than this many characters are broken at a blank; SIZE_MAX: never */
};

struct scalar_look {
    bool is_multiline; /* holds line breaks of any kind */
    bool flow_plain, block_plain, single,
        block; /* may be written plain in flow and block context, in single quotes, as
                  a block scalar; double quotes always fit */
};

bool scalar_has_break(str text);
struct scalar_look scalar_analyze(str text, bool is_v3);

/* indent is the column of lines that follow the first; may_break: no simple key. */
void scalar_plain(struct yaml_pen *y, str text, size_t indent, bool may_break);
void scalar_single(struct yaml_pen *y, str text, size_t indent, bool may_break);
void scalar_double(struct yaml_pen *y, str text, size_t indent, bool may_break);
/* '|' or '>' and what says how blanks and line breaks at both ends count. */
void scalar_block_header(struct yaml_pen *y, char indicator, str text);
/* The lines below the header, from the beginning of a line on; the last one is not ended unless the
 * text says so. */
void scalar_literal(struct yaml_pen *y, str text, size_t indent);
void scalar_folded(struct yaml_pen *y, str text, size_t indent);

static inline void yaml_new_line(struct yaml_pen *y)
{
    pen_char(&y->pen, '\n');
    y->line = (size_t)(y->pen.p - y->pen.out->p);
}

/* Blanks up to a column, at the beginning of a line. */
static inline void yaml_pad(struct yaml_pen *y, size_t indent)
{
    static const char blanks[33] = "                                ";

    pen_need(&y->pen, MAX(indent, (size_t)32));
    if (LIKELY(indent <= 32))
        memcpy(y->pen.p, blanks, 32);
    else
        memset(y->pen.p, ' ', indent);
    y->pen.p += indent;
}

static inline void yaml_put_char(struct yaml_pen *y, char c) { pen_char(&y->pen, c); }
