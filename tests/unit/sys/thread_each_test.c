/* Work that threads share. */
#include <stdatomic.h>

#include "support/test.h"
#include "sys/thread.h"

enum { COUNT = 500, BAD = 200 };

struct tally {
    atomic_int calls[COUNT];
    atomic_uint highest_worker;
    size_t bad; /* from here on calls fail */
};

static int count_call(void *ctx, size_t at, unsigned worker, struct err *e)
{
    struct tally *t = ctx;
    unsigned before = atomic_load(&t->highest_worker);

    atomic_fetch_add(&t->calls[at], 1);
    while (worker > before && !atomic_compare_exchange_weak(&t->highest_worker, &before, worker))
        ;
    return at < t->bad ? 0 : err_set(e, ERR_INVALID, "bad at %zu", at);
}

TEST(every_piece_of_work_is_done_once)
{
    for (size_t most = 0; most <= (size_t)2 * THREAD_EACH_MOST; most += 4) {
        AUTO(err_done) struct err e = {0};
        struct tally t = {.bad = COUNT};

        CHECK_INT(thread_each("test", COUNT, most, count_call, &t, &e), 0, "all");
        for (size_t i = 0; i < COUNT; i++)
            CHECK_INT(atomic_load(&t.calls[i]), 1, "calls");
        CHECK(atomic_load(&t.highest_worker) < THREAD_EACH_MOST);
        CHECK(most > 1 || atomic_load(&t.highest_worker) == 0);
    }
}

TEST(no_work_is_done_at_once)
{
    AUTO(err_done) struct err e = {0};

    CHECK_INT(thread_each("test", 0, 4, count_call, NULL, &e), 0, "none");
}

TEST(the_first_failure_is_told_and_what_is_before_it_has_its_turn)
{
    AUTO(err_done) struct err e = {0};
    struct tally t = {.bad = BAD};

    CHECK_INT(thread_each("test", COUNT, 2, count_call, &t, &e), -1, "fails");
    CHECK_STR(str_of(err_text(&e)), STR("bad at 200"), "the lowest");
    for (size_t i = 0; i <= BAD; i++)
        CHECK_INT(atomic_load(&t.calls[i]), 1, "calls");
    err_done(&e);
    CHECK_INT(thread_each("test", 1, 1, count_call, &t, &e), 0, "one");
    CHECK_INT(atomic_load(&t.calls[0]), 2, "again");
}
