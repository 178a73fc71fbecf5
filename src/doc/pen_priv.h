/* Writing straight into a buffer: the place of the next byte is kept in registers, room is asked
 * for before and not byte by byte. Between pen_open and pen_close the buffer is the pen's. */
#pragma once
#include "base/buf.h"

struct pen {
    char *p, *end; /* where the next byte goes; what is free ends at end, the NUL apart */
    struct buf *out;
};

static inline void pen_open(struct pen *pen, struct buf *out)
{
    buf_grow(out, 64);
    *pen = (struct pen){out->p + out->len, out->p + out->cap - 1, out};
}

static inline void pen_close(struct pen *pen)
{
    pen->out->len = (size_t)(pen->p - pen->out->p);
    *pen->p = '\0';
}

static __attribute__((noinline, unused)) void pen_grow(struct pen *pen, size_t room)
{
    pen->out->len = (size_t)(pen->p - pen->out->p);
    buf_grow(pen->out, room);
    pen->p = pen->out->p + pen->out->len;
    pen->end = pen->out->p + pen->out->cap - 1;
}

static inline void pen_need(struct pen *pen, size_t room)
{
    if (UNLIKELY((size_t)(pen->end - pen->p) < room))
        pen_grow(pen, room);
}

static inline void pen_put(struct pen *pen, const char *text, size_t len)
{
    pen_need(pen, len);
    if (len)
        memcpy(pen->p, text, len);
    pen->p += len;
}

static inline void pen_char(struct pen *pen, char c)
{
    pen_need(pen, 1);
    *pen->p++ = c;
}

static inline void pen_repeat(struct pen *pen, char c, size_t count)
{
    pen_need(pen, count);
    memset(pen->p, c, count);
    pen->p += count;
}
