#include "base/heap.h"

#include <unistd.h>

#include "base/arena.h"
#include "support/test.h"

/* Blocks of an arena, each full of its own number. */
static void fill(struct arena *a, unsigned char **blocks, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        blocks[i] = arena_alloc(a, size);
        memset(blocks[i], (int)(i & 0xff), size);
    }
}

static size_t damaged(unsigned char **blocks, size_t count, size_t size)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < size; k++)
            found += blocks[i][k] != (i & 0xff);
    return found;
}

/* Where a kernel has no huge pages, or a sanitizer its own malloc, it may remain a wish. */
static bool is_to_be_huge(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return false;
#else
    return access("/sys/kernel/mm/transparent_hugepage/enabled", F_OK) == 0;
#endif
}

TEST(heap_expect_megabytes_keeps_what_is_there_and_serves_what_comes)
{
    enum { COUNT = 700, SIZE = 3000 };
    static unsigned char *before[COUNT], *after[COUNT];
    AUTO(arena_done) struct arena a = {0}, b = {0};
    unsigned char *large = NULL;
    const void *end;

    fill(&a, before, COUNT, SIZE);
    heap_expect_megabytes();
    fill(&b, after, COUNT, SIZE);
    fill(&b, &large, 1, 5 << 20); /* more than the heap is for */
    CHECK(heap_is_huge() || !is_to_be_huge());
    CHECK_INT(damaged(before, COUNT, SIZE), 0, "blocks of before");
    CHECK_INT(damaged(after, COUNT, SIZE), 0, "blocks of after");
    CHECK_INT(damaged(&large, 1, 5 << 20), 0, "a large block");
    end = sbrk(0);
    heap_expect_megabytes();
    CHECK(!heap_is_huge() || sbrk(0) == end);
}
