#include "base/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"

enum { /* of address space; pages that nobody writes to are not there */
       ROOM = 64 << 20,
       OWN_MAPPING = 4 << 20, /* from here on blocks have one */
       USUAL_PAD = 128 << 10,
       PAGE = 4096
};

/* Volatile: a compiler leaves out a malloc whose block nobody looks at. */
static void *volatile skipped;
static bool is_huge;

/* What is left of the first heap, less a few bytes, stays unused: its pages are small. */
static void *skip_rest(void)
{
    enum { FEW = 256 };
    size_t rest = mallinfo2().keepcost;

    return rest > FEW ? malloc(rest - FEW) : NULL;
}

/* malloc writes to the first page of what it adds to the heap. It is to lie before the huge ones:
 * where a byte was written to, there is a small page already. */
static void grow(char *huge)
{
    void *volatile first;

    mallopt(M_TOP_PAD, ROOM);
    first = malloc(PAGE / 2);
    mallopt(M_TOP_PAD, USUAL_PAD);
    is_huge = madvise(huge, ROOM - MEM_LARGE, MADV_HUGEPAGE) == 0;
    free(first);
}

bool heap_is_huge(void) { return is_huge; }

void heap_expect_megabytes(void)
{
    char *end = sbrk(0);
    size_t gap = MEM_LARGE - (uintptr_t)end % MEM_LARGE;

    if (is_huge || gap < PAGE || sbrk((intptr_t)(gap - PAGE)) == (void *)-1)
        return;
    mallopt(M_MMAP_THRESHOLD, OWN_MAPPING);
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
    mallopt(M_ARENA_MAX, 1); /* threads would fill heaps of their own, page by page */
    skipped = skip_rest();
    grow(end + gap);
}
