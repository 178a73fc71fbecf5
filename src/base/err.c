#include "base/err.h"

#include <errno.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/mem.h"

int err_setv(struct err *e, enum err_kind kind, const char *fmt, va_list args)
{
    AUTO(buf_done) struct buf text = {0};

    assert(kind != ERR_NONE);
    buf_addv(&text, fmt, args); /* before err_done: args may point into e */
    err_done(e);
    e->kind = kind;
    e->text = buf_take(&text);
    return -1;
}

int err_set(struct err *e, enum err_kind kind, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    err_setv(e, kind, fmt, args);
    va_end(args);
    return -1;
}

static enum err_kind kind_of_errno(int number)
{
    switch (number) {
    case ENOENT:
    case ENOTDIR:
        return ERR_NOT_FOUND;
    case EEXIST:
        return ERR_EXISTS;
    case EACCES:
    case EPERM:
        return ERR_DENIED;
    case ETIMEDOUT:
        return ERR_TIMEOUT;
    case ECANCELED:
        return ERR_CANCELED;
    case ECONNREFUSED:
    case ECONNRESET:
    case EPIPE:
        return ERR_UNAVAILABLE;
    default:
        return ERR_IO;
    }
}

int err_errno(struct err *e, int number, const char *fmt, ...)
{
    char reason[128];
    va_list args;

    va_start(args, fmt);
    err_setv(e, kind_of_errno(number), fmt, args);
    va_end(args);
    e->code = number;
    {
        char *text = str_printf("%s: %s", e->text, strerror_r(number, reason, sizeof(reason)));

        mem_free(e->text);
        e->text = text;
    }
    return -1;
}

int err_wrap(struct err *e, const char *fmt, ...)
{
    AUTO(buf_done) struct buf text = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    buf_addf(&text, ": %s", err_text(e));
    mem_free(e->text);
    e->text = buf_take(&text);
    return -1;
}

int err_diags(struct err *e, struct diag_list *diags)
{
    AUTO(buf_done) struct buf text = {0};
    size_t shown = 0;

    for (size_t i = 0; i < diags->len; i++) {
        if (diags->v[i].severity != DIAG_ERROR)
            continue;
        if (shown++)
            buf_add_char(&text, '\n');
        diag_format(&diags->v[i], &text);
    }
    err_done(e);
    e->kind = ERR_INVALID;
    e->text = buf_take(&text);
    e->diags = NEW(struct diag_list);
    *e->diags = *diags;
    *diags = (struct diag_list){0};
    return -1;
}

const char *err_text(const struct err *e) { return e->text ? e->text : err_kind_name(e->kind); }

const char *err_kind_name(enum err_kind kind)
{
    static const char names[][15] = {
#define X(name, text) [name] = text,
        ERR_KINDS(X)
#undef X
    };

    return names[kind];
}

void err_move(struct err *to, struct err *from)
{
    assert(to->kind == ERR_NONE);
    *to = *from;
    *from = (struct err){0};
}

void err_done(struct err *e)
{
    mem_free(e->text);
    if (e->diags) {
        diag_list_done(e->diags);
        mem_free(e->diags);
    }
    *e = (struct err){0};
}
