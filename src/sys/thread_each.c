#include <stdatomic.h>

#include "sys/thread.h"

struct crew {
    thread_each_fn *fn;
    void *ctx;
    size_t count;
    atomic_size_t next;
    atomic_uint workers;
    atomic_bool is_over;
    struct {
        struct err e;
        size_t at;
    } failures[THREAD_EACH_MOST]; /* by worker: each ends with its first */
};

static void work(void *ctx)
{
    struct crew *c = ctx;
    unsigned worker = atomic_fetch_add(&c->workers, 1);
    size_t at;

    while (!atomic_load(&c->is_over) && (at = atomic_fetch_add(&c->next, 1)) < c->count)
        if (c->fn(c->ctx, at, worker, &c->failures[worker].e) < 0) {
            c->failures[worker].at = at;
            atomic_store(&c->is_over, true);
        }
}

/* The lowest failure is moved to e. */
static int tell_failure(struct crew *c, struct err *e)
{
    int first = -1;

    for (int i = 0; i < THREAD_EACH_MOST; i++)
        if (c->failures[i].e.kind != ERR_NONE &&
            (first < 0 || c->failures[i].at < c->failures[first].at))
            first = i;
    if (first < 0)
        return 0;
    err_move(e, &c->failures[first].e);
    for (int i = 0; i < THREAD_EACH_MOST; i++)
        err_done(&c->failures[i].e);
    return -1;
}

int thread_each(const char *name, size_t count, size_t most, thread_each_fn *fn, void *ctx,
                struct err *e)
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
    return tell_failure(&c, e);
}
