#include <stdatomic.h>

#include "sys/thread.h"

struct crew {
    thread_each_fn *fn;
    void *ctx;
    size_t count;
    atomic_size_t next;
    atomic_uint workers;
    atomic_bool is_over;
};

static void work(void *ctx)
{
    struct crew *c = ctx;
    unsigned worker = atomic_fetch_add(&c->workers, 1);
    size_t at;

    while (!atomic_load(&c->is_over) && (at = atomic_fetch_add(&c->next, 1)) < c->count)
        if (!c->fn(c->ctx, at, worker))
            atomic_store(&c->is_over, true);
}

void thread_each(const char *name, size_t count, size_t most, thread_each_fn *fn, void *ctx)
{
    struct crew c = {.fn = fn, .ctx = ctx, .count = count};
    struct thread *threads[THREAD_EACH_MOST - 1] = {0};
    size_t helpers = MIN(MIN(most, count), (size_t)THREAD_EACH_MOST);

    if (helpers > 1)
        helpers = MIN(helpers, (size_t)thread_cores());
    for (size_t i = 0; i + 1 < helpers; i++) {
        AUTO(err_done) struct err none_left = {0};

        threads[i] = thread_start(name, work, &c, &none_left);
    }
    work(&c);
    for (size_t i = 0; i + 1 < helpers; i++)
        thread_join(threads[i]);
}
