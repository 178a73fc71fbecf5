/* Diagnostics: what is wrong where, gathered so that one run shows every problem (design 7).
 *
 * A list owns its texts. Lines and columns count from 1, 0 means unknown; columns are in bytes. The
 * chain says what led to the place ("included by overlays/prod"), outermost first. One thread at a
 * time. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"

enum diag_severity { DIAG_ERROR, DIAG_WARNING };

struct diag {
    enum diag_severity severity;
    str code;                     /* stable word for machines, "field.unknown"; may be empty */
    str origin;                   /* file name or the like; empty when there is none */
    uint32_t line, column, width; /* width: bytes to underline */
    str text;                     /* message: lower case, no full stop */
    str hint;                     /* remedy, may be empty */
    str excerpt;                  /* the source line, may be empty */
    str subject;                  /* what it is about, for grouping: a step's name */
    str field;                    /* path of the field inside the subject */
    str chain;                    /* what led there, may be empty */
};

struct diag_list {
    struct arena arena;
    struct diag *v;
    size_t len, cap;
    size_t errors; /* entries that are DIAG_ERROR */
};

/* Adds a copy of d; every text of it is copied. Returns the entry, borrowed until the next add. */
struct diag *diag_add(struct diag_list *list, const struct diag *d);
/* Adds an error with a formatted message at a place. */
struct diag *diag_errorf(struct diag_list *list, str code, str origin, uint32_t line,
                         uint32_t column, const char *fmt, ...) PRINTF(6, 7);
/* By place: line, then column, then order of arrival. */
void diag_sort(struct diag_list *list);
/* "origin:line:col: text", parts that are unknown left out, the hint behind "; ". No line end. */
void diag_format(const struct diag *d, struct buf *out);
/* "origin:line:col: error[code]: text" with the excerpt, a caret under the place and the hint on a
 * line of its own, each ended by a line end. */
void diag_format_long(const struct diag *d, bool color, struct buf *out);
void diag_list_done(struct diag_list *list); /* leaves {0} */
AUTO_VALUE(struct diag_list, diag_list_done)

/* The candidate closest to word within a third of its length, or STR_NONE: "did you mean". */
str diag_nearest(str word, const str *candidates, size_t count);
