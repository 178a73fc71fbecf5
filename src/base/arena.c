#include "base/arena.h"

#include "base/buf.h"
#include "base/heap.h"
#include "base/mem.h"

enum { /* header included */
       FIRST_CHUNK = 2048,
       LARGEST_SMALL = 262144, /* then MEM_LARGE: a huge page costs as much as 37 faults */
       LARGEST_CHUNK = 1 << 24
};

struct arena_chunk {
    struct arena_chunk *next;
    void *adopted; /* a heap block that lives as long as the arena, or NULL */
    size_t size;
};

static struct arena_chunk *chunk_add(struct arena *a, size_t size)
{
    size_t whole = sizeof(struct arena_chunk) + size;
    struct arena_chunk *c = whole >= MEM_LARGE ? mem_alloc_large(whole) : mem_alloc(whole);

    *c = (struct arena_chunk){.next = a->chunks, .size = size};
    a->chunks = c;
    return c;
}

static size_t next_size(const struct arena *a)
{
    size_t last = a->chunks ? sizeof(struct arena_chunk) + a->chunks->size : 0;

    if (last >= LARGEST_SMALL && heap_is_huge())
        return LARGEST_SMALL; /* its end shares a huge page with what comes next */
    if (last >= LARGEST_SMALL)
        return MIN(MAX(last * 2, (size_t)MEM_LARGE), (size_t)LARGEST_CHUNK);
    return MAX(last * 2, (size_t)FIRST_CHUNK);
}

void *arena_alloc_slow(struct arena *a, size_t size)
{
    size_t want = next_size(a) - sizeof(struct arena_chunk);
    struct arena_chunk *c;

    if (size > want / 4) { /* a chunk of its own, kept behind the current one */
        c = chunk_add(a, size);
        if (c->next) {
            a->chunks = c->next;
            c->next = a->chunks->next;
            a->chunks->next = c;
        }
        a->used += size;
        return c + 1;
    }
    c = chunk_add(a, want);
    a->p = (char *)(c + 1) + size;
    a->end = (char *)(c + 1) + want;
    a->used += size;
    return c + 1;
}

void *arena_zalloc(struct arena *a, size_t size)
{
    void *p = arena_alloc(a, size);

    return size ? memset(p, 0, size) : p; /* nothing of an empty arena is NULL */
}

str arena_dup(struct arena *a, str s)
{
    char *copy = arena_alloc(a, s.len + 1);

    if (s.len)
        memcpy(copy, s.p, s.len);
    copy[s.len] = '\0';
    return (str){copy, s.len};
}

const char *arena_cstr(struct arena *a, str s) { return arena_dup(a, s).p; }

str arena_vprintf(struct arena *a, const char *fmt, va_list args)
{
    AUTO(buf_done) struct buf b = {0};

    buf_addv(&b, fmt, args);
    return arena_dup(a, buf_view(&b));
}

str arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list args;
    str text;

    va_start(args, fmt);
    text = arena_vprintf(a, fmt, args);
    va_end(args);
    return text;
}

void arena_adopt(struct arena *a, void *heap_block)
{
    struct arena_chunk *c = chunk_add(a, 0);

    c->adopted = heap_block;
    if (c->next) { /* the size of the head decides how the next chunk grows */
        a->chunks = c->next;
        c->next = a->chunks->next;
        a->chunks->next = c;
    }
}

void arena_join(struct arena *a, struct arena *from)
{
    struct arena_chunk **end = &from->chunks;

    if (!a->chunks) {
        *a = *from;
    } else if (from->chunks) { /* behind the current one: its free space stays in use */
        while (*end)
            end = &(*end)->next;
        *end = a->chunks->next;
        a->chunks->next = from->chunks;
        a->used += from->used;
    }
    *from = (struct arena){0};
}

static void chunks_free(struct arena_chunk *c)
{
    while (c) {
        struct arena_chunk *next = c->next;

        mem_free(c->adopted);
        mem_free(c);
        c = next;
    }
}

void arena_clear(struct arena *a)
{
    struct arena_chunk *newest = a->chunks;

    if (!newest || a->end != (char *)(newest + 1) + newest->size) {
        arena_done(a); /* nothing, or a block with a chunk of its own */
        return;
    }
    chunks_free(newest->next);
    newest->next = NULL;
    a->p = (char *)(newest + 1);
    a->used = 0;
}

void arena_done(struct arena *a)
{
    chunks_free(a->chunks);
    *a = (struct arena){0};
}
