/* Growing byte buffers. {0} is an empty buffer; buf_done frees it. The bytes are always followed by
 * a NUL that does not count, once anything was added. One owner, one thread at a time. */
#pragma once
#include <stdarg.h>

#include "base/str.h"

struct buf {
    char *p; /* NULL while nothing was ever added */
    size_t len, cap;
};

void buf_done(struct buf *b); /* leaves {0} */
AUTO_VALUE(struct buf, buf_done)
void buf_grow(struct buf *b, size_t extra); /* room for extra more bytes, and the NUL */
void buf_add(struct buf *b, const void *p, size_t len);
void buf_add_str(struct buf *b, str s);
void buf_add_cstr(struct buf *b, const char *s);
void buf_add_char(struct buf *b, char c);
void buf_add_repeat(struct buf *b, char c, size_t count);
void buf_add_utf8(struct buf *b, uint32_t code_point);
void buf_addf(struct buf *b, const char *fmt, ...) PRINTF(2, 3);
void buf_addv(struct buf *b, const char *fmt, va_list args) PRINTF(2, 0);
void buf_trunc(struct buf *b, size_t len); /* shortens; no effect when len is larger */
static inline void buf_clear(struct buf *b) { buf_trunc(b, 0); }
static inline str buf_view(const struct buf *b) { return (str){b->p, b->len}; }
char *buf_take(struct buf *b); /* the text, yours to mem_free; "" for an empty buffer; leaves {0} */
const char *buf_cstr(const struct buf *b); /* borrowed until the next change; never NULL */
char *str_printf(const char *fmt, ...) PRINTF(1, 2); /* yours to mem_free */
