#include "khook/spec/inline.h"

struct khook_origin khook_origin_inline(const struct khook_text *spec, const struct doc_set *set,
                                        const struct doc_node *scalar, struct buf *name)
{
    struct khook_origin o = {.spec = spec,
                             .scalar = doc_offset(set, scalar, false),
                             .text = doc_text(scalar, STR_NONE),
                             .is_literal = scalar && scalar->style == DOC_LITERAL};
    struct khook_place place = khook_text_place(spec, o.scalar);

    buf_addf(name, "%s:%u:%u", spec->origin, place.line, place.column);
    o.name = buf_cstr(name);
    return o;
}

static size_t blanks(str line)
{
    size_t i = 0;

    while (i < line.len && line.p[i] == ' ')
        i++;
    return i;
}

/* By how much the lines below a "|" are moved to the right: the reader has taken it off the text.
 */
static size_t indentation(str below, str text)
{
    str line, own;

    while (str_next_line(&below, &line) && str_next_line(&text, &own))
        if (str_trim(own).len)
            return blanks(line) - MIN(blanks(line), blanks(own));
    return 0;
}

/* A text that ends too early is at fault behind its last word, not below it. */
static void keep_inside(str text, uint32_t *line, uint32_t *column)
{
    str rest = str_trim_right(text, " \t\r\n"), at;
    uint32_t count = 0;

    while (str_next_line(&rest, &at))
        if (++count >= *line)
            return;
    *line = count;
    *column = (uint32_t)at.len + 1;
}

struct khook_place khook_origin_spec_place(const struct khook_origin *o, uint32_t line,
                                           uint32_t column)
{
    str from = str_from(buf_view(&o->spec->text), o->scalar), below = from, rest, at = STR_NONE;
    size_t right;

    if (!o->is_literal || !line || !column || !str_trim(o->text).len || !str_next_line(&below, &at))
        return khook_text_place(o->spec, o->scalar);
    keep_inside(o->text, &line, &column);
    right = indentation(below, o->text) + column - 1;
    for (rest = below; line && str_next_line(&rest, &at); line--)
        ;
    return khook_text_place(o->spec, (size_t)(at.p - from.p) + o->scalar + MIN(right, at.len));
}

void khook_origin_place(const struct khook_origin *o, uint32_t line, uint32_t column,
                        struct buf *out)
{
    struct khook_place place = {.line = MAX(line, 1U), .column = MAX(column, 1U)};

    if (o->spec)
        place = khook_origin_spec_place(o, line, column);
    buf_addf(out, "%s:%u:%u", o->spec ? o->spec->origin : o->name, place.line, place.column);
}

str khook_origin_message(const struct diag *d)
{
    ssize_t at = str_find(d->text, STR(", first at line "));

    return at < 0 ? d->text : str_sub(d->text, 0, (size_t)at);
}

int khook_origin_error(const struct khook_origin *o, const struct err *why, struct err *e)
{
    AUTO(buf_done) struct buf place = {0};
    const struct diag *d = why->diags && why->diags->len ? why->diags->v : NULL;

    if (!o->spec)
        return err_set(e, ERR_INVALID, "%s", err_text(why));
    if (!d)
        return err_set(e, ERR_INVALID, "%s: %s", o->name, err_text(why));
    khook_origin_place(o, d->line, d->column, &place);
    return err_set(e, ERR_INVALID, "%s: %.*s", buf_cstr(&place), STR_ARG(khook_origin_message(d)));
}
