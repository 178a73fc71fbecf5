/* Arenas: memory for things that die together. {0} is an empty arena; chunks grow with use, so a
 * small arena costs one small chunk. Blocks are 8-byte aligned and never freed singly. One thread
 * at a time. */
#pragma once
#include <stdarg.h>

#include "base/str.h"

struct arena_chunk;
struct arena {
    char *p, *end;              /* free space of the newest chunk */
    struct arena_chunk *chunks; /* newest first */
    size_t used;                /* bytes handed out, alignment included */
};

void *arena_alloc_slow(struct arena *a, size_t size);
/* Not cleared. */
static inline void *arena_alloc(struct arena *a, size_t size)
{
    size = (size + 7 + !size) & ~(size_t)7; /* never NULL, not even for no bytes */
    if (UNLIKELY((size_t)(a->end - a->p) < size))
        return arena_alloc_slow(a, size);
    a->used += size;
    a->p += size;
    return a->p - size;
}
void *arena_zalloc(struct arena *a, size_t size);
#define ARENA_NEW(a, type) ((type *)arena_zalloc(a, sizeof(type)))
#define ARENA_ARRAY(a, type, count) ((type *)arena_zalloc(a, sizeof(type) * (count)))
str arena_dup(struct arena *a, str s);          /* a copy that ends in NUL */
const char *arena_cstr(struct arena *a, str s); /* the same as a C string */
str arena_printf(struct arena *a, const char *fmt, ...) PRINTF(2, 3);
str arena_vprintf(struct arena *a, const char *fmt, va_list args) PRINTF(2, 0);
/* Hands a heap block to the arena, which frees it when it is done. */
void arena_adopt(struct arena *a, void *heap_block);
/* Takes over what `from` holds, which is empty then: for what threads made side by side. */
void arena_join(struct arena *a, struct arena *from);
/* Empty again, with the newest chunk kept for what comes next. */
void arena_clear(struct arena *a);
void arena_done(struct arena *a);
AUTO_VALUE(struct arena, arena_done)
