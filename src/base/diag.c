#include "base/diag.h"

#include "base/mem.h"
#include "base/vec.h"

struct diag *diag_add(struct diag_list *list, const struct diag *d)
{
    struct arena *a = &list->arena;

    vec_push(list, *d);
    struct diag *copy = &vec_last(list);
    str *const texts[] = {&copy->code,    &copy->origin,  &copy->text,  &copy->hint,
                          &copy->excerpt, &copy->subject, &copy->field, &copy->chain};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (texts[i]->len)
            *texts[i] = arena_dup(a, *texts[i]);
    list->errors += d->severity == DIAG_ERROR;
    return copy;
}

struct diag *diag_errorf(struct diag_list *list, str code, str origin, uint32_t line,
                         uint32_t column, const char *fmt, ...)
{
    AUTO(buf_done) struct buf text = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    return diag_add(list, &(struct diag){.code = code,
                                         .origin = origin,
                                         .line = line,
                                         .column = column,
                                         .text = buf_view(&text)});
}

static bool is_before(const struct diag *a, const struct diag *b)
{
    return a->line < b->line || (a->line == b->line && a->column < b->column);
}

/* Merges the sorted halves from[0..middle) and from[middle..len) into to. */
static void merge(const struct diag *from, size_t middle, size_t len, struct diag *to)
{
    size_t left = 0, right = middle;

    for (size_t i = 0; i < len; i++)
        if (right == len || (left < middle && !is_before(&from[right], &from[left])))
            to[i] = from[left++];
        else
            to[i] = from[right++];
}

void diag_sort(struct diag_list *list)
{
    struct diag *from = list->v, *to = mem_alloc(sizeof(*to) * (list->len + 1)), *spare;

    for (size_t run = 1; run < list->len; run *= 2) {
        for (size_t at = 0; at < list->len; at += 2 * run)
            merge(from + at, MIN(run, list->len - at), MIN(2 * run, list->len - at), to + at);
        spare = from;
        from = to;
        to = spare;
    }
    if (from != list->v) {
        memcpy(list->v, from, sizeof(*from) * list->len);
        to = from;
    }
    mem_free(to);
}

static void add_place(const struct diag *d, struct buf *out)
{
    if (d->origin.len)
        buf_add_str(out, d->origin);
    if (d->line && d->column)
        buf_addf(out, "%s%u:%u", d->origin.len ? ":" : "", d->line, d->column);
    else if (d->line)
        buf_addf(out, "%s%u", d->origin.len ? ":" : "", d->line);
    if (d->origin.len || d->line)
        buf_add_cstr(out, ": ");
}

void diag_format(const struct diag *d, struct buf *out)
{
    add_place(d, out);
    buf_add_str(out, d->text);
    if (d->hint.len)
        buf_addf(out, "; %.*s", STR_ARG(d->hint));
}

static void add_caret(const struct diag *d, const char *tint, const char *reset, struct buf *out)
{
    buf_add_cstr(out, "      | ");
    for (size_t i = 0; i + 1 < d->column; i++)
        if (((unsigned char)d->excerpt.p[i] & 0xC0) != 0x80) /* a place a character */
            buf_add_char(out, d->excerpt.p[i] == '\t' ? '\t' : ' ');
    buf_addf(out, "%s^", tint);
    if (d->width > 1)
        buf_add_repeat(out, '~', MIN((size_t)d->width - 1, d->excerpt.len));
    buf_addf(out, "%s\n", reset);
}

void diag_format_long(const struct diag *d, bool color, struct buf *out)
{
    const char *bold = color ? "\033[1m" : "", *reset = color ? "\033[0m" : "";
    const char *tint = !color ? "" : d->severity == DIAG_ERROR ? "\033[31m" : "\033[33m";

    buf_add_cstr(out, bold);
    add_place(d, out);
    buf_addf(out, "%s%s%s", reset, tint, d->severity == DIAG_ERROR ? "error" : "warning");
    if (d->code.len)
        buf_addf(out, "[%.*s]", STR_ARG(d->code));
    buf_addf(out, "%s: ", reset);
    buf_add_str(out, d->text);
    buf_add_char(out, '\n');
    if (d->excerpt.len && d->line) {
        buf_addf(out, "%5u | %.*s\n", d->line, STR_ARG(d->excerpt));
        if (d->column && d->column <= d->excerpt.len + 1)
            add_caret(d, tint, reset, out);
    }
    if (d->hint.len)
        buf_addf(out, "  help: %.*s\n", STR_ARG(d->hint));
    if (d->chain.len)
        buf_addf(out, "  from: %.*s\n", STR_ARG(d->chain));
}

void diag_list_done(struct diag_list *list)
{
    mem_free(list->v);
    arena_done(&list->arena);
    *list = (struct diag_list){0};
}

str diag_nearest(str word, const str *candidates, size_t count)
{
    size_t best = MAX(word.len / 3, (size_t)1) + 1;
    str nearest = STR_NONE;

    for (size_t i = 0; i < count; i++) {
        size_t distance = str_edit_distance(word, candidates[i], best);

        if (distance < best) {
            best = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}
