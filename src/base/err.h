/* Errors that carry their context. A function that can fail takes `struct err *e` last, never NULL,
 * and returns 0/-1 or a pointer, NULL on failure. {0} is "no error"; a caller that sets e and does
 * not hand it on calls err_done. The setters return -1, so that failing is one line.
 *
 * An err holds either one text or a list of diagnostics (base/diag.h); err_text gives the one-line
 * form of both. */
#pragma once
#include <stdarg.h>

#include "base/str.h"

#define ERR_KINDS(X)                                                                            \
    X(ERR_NONE, "none")                                                                         \
    X(ERR_INVALID, "invalid") /* bad input: exit status 2 */                                    \
    X(ERR_NOT_FOUND, "not found")                                                               \
    X(ERR_EXISTS, "already exists")                                                             \
    X(ERR_CONFLICT, "conflict")                                                                 \
    X(ERR_GONE, "gone")     /* 410, an expired resourceVersion */                               \
    X(ERR_DENIED, "denied") /* 401, 403, EACCES */                                              \
    X(ERR_TIMEOUT, "timeout")                                                                   \
    X(ERR_CANCELED, "canceled")                                                                 \
    X(ERR_LIMIT, "limit")             /* a named budget was exceeded */                         \
    X(ERR_UNSUPPORTED, "unsupported") /* 405, 415, a missing library */                         \
    X(ERR_USAGE, "usage")             /* a bad flag or argument: exit status 2 */               \
    X(ERR_UNAVAILABLE, "unavailable") /* may work when tried again: 429, 5xx, refused, reset */ \
    X(ERR_IO, "i/o")

enum err_kind {
#define X(name, text) name,
    ERR_KINDS(X)
#undef X
};

struct diag_list;

struct err {
    enum err_kind kind;
    int code;                /* errno or HTTP status, 0 when neither */
    char *text;              /* owned; outermost context first */
    struct diag_list *diags; /* owned; NULL for a plain error */
    int64_t retry_after_ms;  /* what the server asked for, 0 when nothing */
};

int err_set(struct err *e, enum err_kind kind, const char *fmt, ...) PRINTF(3, 4);
int err_setv(struct err *e, enum err_kind kind, const char *fmt, va_list args) PRINTF(3, 0);
/* Text "what: strerror(number)"; the kind follows from the number. */
int err_errno(struct err *e, int number, const char *fmt, ...) PRINTF(3, 4);
/* Puts "context: " before the text; keeps kind and code. */
int err_wrap(struct err *e, const char *fmt, ...) PRINTF(2, 3);
/* Wraps a list of diagnostics (taken over; leaves *diags empty). The kind is ERR_INVALID. */
int err_diags(struct err *e, struct diag_list *diags);
const char *err_text(const struct err *e); /* never NULL; borrowed from e */
const char *err_kind_name(enum err_kind kind);
void err_move(struct err *to, struct err *from); /* to must be empty; from is empty afterwards */
void err_done(struct err *e);                    /* leaves {0} */
AUTO_VALUE(struct err, err_done)
