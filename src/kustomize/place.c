/* Places of errors and warnings: the field at fault and the kustomizations that led there. */
#include <stdarg.h>

#include "kustomize/shared.h"

static void add_warning(struct kustomize_build *b, const struct doc_place *place, const char *code,
                        const char *fmt, va_list args) PRINTF(4, 0);
static void add_warning(struct kustomize_build *b, const struct doc_place *place, const char *code,
                        const char *fmt, va_list args)
{
    AUTO(buf_done) struct buf text = {0};
    struct diag d = {.severity = DIAG_WARNING, .code = str_of(code), .origin = b->file};

    buf_addv(&text, fmt, args);
    d.text = buf_view(&text);
    if (place->line) {
        d.origin = place->origin;
        d.line = place->line;
        d.column = place->column;
        d.excerpt = place->excerpt;
    }
    diag_add(b->warnings, &d);
}

void kustomize_warn(struct kustomize_build *b, const struct doc_node *node, const char *code,
                    const char *fmt, ...)
{
    struct doc_place place = node ? doc_key_place(b->set, node) : (struct doc_place){0};
    va_list args;

    if (node && !place.line)
        place = doc_place(b->set, node);
    va_start(args, fmt);
    add_warning(b, &place, code, fmt, args);
    va_end(args);
}

void kustomize_warn_at(struct kustomize_build *b, const struct doc_set *set,
                       const struct doc_node *node, const char *code, const char *fmt, ...)
{
    struct doc_place place = doc_place(set, node);
    va_list args;

    va_start(args, fmt);
    add_warning(b, &place, code, fmt, args);
    va_end(args);
}

void kustomize_warn_place(struct kustomize_build *b, const struct doc_place *place,
                          const char *code, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    add_warning(b, place, code, fmt, args);
    va_end(args);
}

/* Diagnostics were changed: the error's one-line form follows. */
static int renew(struct err *e)
{
    struct diag_list diags = *e->diags;
    enum err_kind kind = e->kind;

    *e->diags = (struct diag_list){0};
    err_diags(e, &diags);
    e->kind = kind;
    return -1;
}

static void add_chain(struct diag_list *diags, const struct doc_place *place)
{
    str at = arena_printf(&diags->arena, "%.*s:%u:%u", STR_ARG(place->origin), place->line,
                          place->column);

    for (size_t i = 0; i < diags->len; i++) {
        struct diag *d = &diags->v[i];
        bool is_there = (d->line == place->line && str_eq(d->origin, place->origin)) ||
                        str_starts(d->chain, at);

        if (d->severity == DIAG_ERROR && !is_there)
            d->chain = arena_printf(&diags->arena, "%.*s%s%.*s", STR_ARG(at),
                                    d->chain.len ? " > " : "", STR_ARG(d->chain));
    }
}

int kustomize_fail_at_place(const struct doc_place *place, struct err *e)
{
    AUTO(diag_list_done) struct diag_list diags = {0};
    enum err_kind kind = e->kind;

    if (!place->line)
        return -1;
    if (e->diags) {
        add_chain(e->diags, place);
        return renew(e);
    }
    diag_add(&diags, &(struct diag){.severity = DIAG_ERROR,
                                    .origin = place->origin,
                                    .line = place->line,
                                    .column = place->column,
                                    .excerpt = place->excerpt,
                                    .text = str_of(err_text(e))});
    err_diags(e, &diags);
    e->kind = kind;
    return -1;
}

int kustomize_fail_at(struct kustomize_build *b, const struct doc_node *node, struct err *e)
{
    struct doc_place place = node ? doc_place(b->set, node) : (struct doc_place){0};

    return kustomize_fail_at_place(&place, e);
}

void kustomize_suggest(struct err *e, str word)
{
    char *text;

    if (!word.len || !e->text)
        return;
    text = str_printf("%s; did you mean \"%.*s\"?", e->text, STR_ARG(word));
    mem_free(e->text);
    e->text = text;
}

int kustomize_wrap(struct err *e, const char *fmt, ...)
{
    AUTO(buf_done) struct buf context = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&context, fmt, args);
    va_end(args);
    if (!e->diags)
        return err_wrap(e, "%s", buf_cstr(&context));
    for (size_t i = 0; i < e->diags->len; i++)
        if (e->diags->v[i].severity == DIAG_ERROR)
            e->diags->v[i].text = arena_printf(&e->diags->arena, "%s: %.*s", buf_cstr(&context),
                                               STR_ARG(e->diags->v[i].text));
    return renew(e);
}
