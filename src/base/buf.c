#include "base/buf.h"

#include "base/mem.h"

void buf_done(struct buf *b)
{
    mem_free(b->p);
    *b = (struct buf){0};
}

void buf_grow(struct buf *b, size_t extra)
{
    size_t need, cap;

    if (__builtin_add_overflow(b->len, extra, &need) || need == SIZE_MAX)
        need = SIZE_MAX - 1;
    if (b->p && need + 1 <= b->cap)
        return;
    cap = MAX(MAX(need + 1, b->cap + b->cap / 2), (size_t)64);
    b->p = mem_realloc(b->p, cap, 1);
    b->cap = cap;
    b->p[b->len] = '\0'; /* a buffer that only grew reads as empty text too */
}

/* The same for those below, most of whom find room. */
static inline void need(struct buf *b, size_t extra)
{
    if (UNLIKELY(b->cap - b->len <= extra))
        buf_grow(b, extra);
}

void buf_add(struct buf *b, const void *p, size_t len)
{
    need(b, len);
    if (len)
        memcpy(b->p + b->len, p, len);
    b->len += len;
    b->p[b->len] = '\0';
}

void buf_add_str(struct buf *b, str s) { buf_add(b, s.p, s.len); }

void buf_add_cstr(struct buf *b, const char *s) { buf_add(b, s, strlen(s)); }

void buf_add_char(struct buf *b, char c)
{
    need(b, 1);
    b->p[b->len++] = c;
    b->p[b->len] = '\0';
}

void buf_add_repeat(struct buf *b, char c, size_t count)
{
    buf_grow(b, count);
    memset(b->p + b->len, c, count);
    b->len += count;
    b->p[b->len] = '\0';
}

void buf_add_utf8(struct buf *b, uint32_t c)
{
    char s[4];
    size_t n = 0;

    if (c < 0x80) {
        s[n++] = (char)c;
    } else if (c < 0x800) {
        s[n++] = (char)(0xc0 | c >> 6);
        s[n++] = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        s[n++] = (char)(0xe0 | c >> 12);
        s[n++] = (char)(0x80 | ((c >> 6) & 0x3f));
        s[n++] = (char)(0x80 | (c & 0x3f));
    } else {
        s[n++] = (char)(0xf0 | c >> 18);
        s[n++] = (char)(0x80 | ((c >> 12) & 0x3f));
        s[n++] = (char)(0x80 | ((c >> 6) & 0x3f));
        s[n++] = (char)(0x80 | (c & 0x3f));
    }
    buf_add(b, s, n);
}

void buf_addv(struct buf *b, const char *fmt, va_list args)
{
    va_list again;
    int need;

    va_copy(again, args);
    buf_grow(b, 64);
    need = vsnprintf(b->p + b->len, b->cap - b->len, fmt, args);
    assert(need >= 0);
    if ((size_t)need >= b->cap - b->len) {
        buf_grow(b, (size_t)need);
        (void)vsnprintf(b->p + b->len, b->cap - b->len, fmt, again);
    }
    va_end(again);
    b->len += (size_t)need;
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    buf_addv(b, fmt, args);
    va_end(args);
}

void buf_trunc(struct buf *b, size_t len)
{
    if (len >= b->len)
        return;
    b->len = len;
    b->p[len] = '\0';
}

char *buf_take(struct buf *b)
{
    char *text = b->p ? b->p : mem_strdup("");

    *b = (struct buf){0};
    return text;
}

const char *buf_cstr(const struct buf *b) { return b->p ? b->p : ""; }

char *str_printf(const char *fmt, ...)
{
    struct buf b = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&b, fmt, args);
    va_end(args);
    return buf_take(&b);
}
