#include "base/mem.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/heap.h"

static _Noreturn void out_of_memory(void)
{
    static const char text[] = "Error: out of memory\n";

    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        _exit(1);
    _exit(1);
}

void *mem_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (!p)
        out_of_memory();
    return p;
}

void *mem_alloc_large(size_t size)
{
    size_t whole;
    void *p;

    if (heap_is_huge() && size < (size_t)4 * MEM_LARGE)
        return mem_alloc(size); /* its ends share their pages with others */
    if (__builtin_add_overflow(size, MEM_LARGE - 1, &whole))
        out_of_memory();
    whole &= ~(size_t)(MEM_LARGE - 1);
    p = aligned_alloc(MEM_LARGE, whole);
    if (!p)
        out_of_memory();
    /* A wish: pages of another size do as well. The last is of them where it would not be full. */
    (void)madvise(p, size & ~(size_t)(MEM_LARGE - 1), MADV_HUGEPAGE);
    return p;
}

void *mem_zalloc(size_t size)
{
    void *p = calloc(1, size ? size : 1);

    if (!p)
        out_of_memory();
    return p;
}

void *mem_realloc(void *p, size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes))
        out_of_memory();
    p = realloc(p, bytes ? bytes : 1);
    if (!p)
        out_of_memory();
    return p;
}

char *mem_strndup(const char *s, size_t len)
{
    char *copy = mem_alloc(len + 1);

    if (len)
        memcpy(copy, s, len);
    copy[len] = '\0';
    return copy;
}

char *mem_strdup(const char *s) { return mem_strndup(s, strlen(s)); }

void mem_free(void *p) { free(p); }
