/* Work that threads share. */
#include <stdatomic.h>

#include "support/test.h"
#include "sys/thread.h"

enum { COUNT = 500, BAD = 200 };

struct tally {
    atomic_int calls[COUNT];
    atomic_uint highest_worker;
    size_t bad; /* where a call returns false */
};

static bool count_call(void *ctx, size_t at, unsigned worker)
{
    struct tally *t = ctx;
    unsigned before = atomic_load(&t->highest_worker);

    atomic_fetch_add(&t->calls[at], 1);
    while (worker > before && !atomic_compare_exchange_weak(&t->highest_worker, &before, worker))
        ;
    return at != t->bad;
}

TEST(every_piece_of_work_is_done_once)
{
    for (size_t most = 0; most <= (size_t)2 * THREAD_EACH_MOST; most += 4) {
        struct tally t = {.bad = COUNT};

        thread_each("test", COUNT, most, count_call, &t);
        for (size_t i = 0; i < COUNT; i++)
            CHECK_INT(atomic_load(&t.calls[i]), 1, "calls");
        CHECK(atomic_load(&t.highest_worker) < THREAD_EACH_MOST);
        CHECK(most > 1 || atomic_load(&t.highest_worker) == 0);
    }
    thread_each("test", 0, 4, count_call, NULL);
}

TEST(what_is_before_a_failure_has_its_turn)
{
    struct tally t = {.bad = BAD};

    thread_each("test", COUNT, 2, count_call, &t);
    for (size_t i = 0; i <= BAD; i++)
        CHECK_INT(atomic_load(&t.calls[i]), 1, "calls");
    thread_each("test", 1, 1, count_call, &t);
    CHECK_INT(atomic_load(&t.calls[0]), 2, "again");
}
