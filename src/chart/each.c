#include "chart/each.h"

#include <pthread.h>

#include "base/base.h"
#include "base/mem.h"
#include "sys/thread.h"

enum { IN_FLIGHT = 16 };

struct work {
    chart_each_fn *fn;
    void *ctx;
    struct cancel *cancel;
    pthread_mutex_t lock;
    size_t next, count;
    struct err *errors; /* by index */
};

static bool take(struct work *w, size_t *ret)
{
    LOCK_SCOPE(&w->lock);

    if (w->next >= w->count || (w->next && cancel_is_set(w->cancel)))
        return false;
    *ret = w->next++;
    return true;
}

static void work(void *ctx)
{
    struct work *w = ctx;
    size_t i;

    while (take(w, &i))
        (void)w->fn(w->ctx, i, &w->errors[i]);
}

void chart_join_by(struct err *e, struct err *more, const char *between)
{
    AUTO(err_done) struct err both = {0};

    if (more->kind == ERR_NONE)
        return;
    if (e->kind == ERR_NONE) {
        err_move(e, more);
        return;
    }
    err_set(&both, e->kind, "%s%s%s", err_text(e), between, err_text(more));
    both.code = e->code;
    err_done(e);
    err_done(more);
    err_move(e, &both);
}

void chart_join(struct err *e, struct err *more) { chart_join_by(e, more, "\n"); }

int chart_each(size_t count, chart_each_fn *fn, void *ctx, struct cancel *cancel, struct err *e)
{
    struct work w = {.fn = fn, .ctx = ctx, .cancel = cancel, .count = count};
    struct thread *threads[IN_FLIGHT - 1] = {0};
    size_t helpers = MIN(count, (size_t)IN_FLIGHT);

    if (!count)
        return 0;
    w.errors = mem_zalloc(count * sizeof(*w.errors));
    pthread_mutex_init(&w.lock, NULL);
    for (size_t i = 0; i + 1 < helpers; i++) { /* fewer threads only make it slower */
        AUTO(err_done) struct err ignored = {0};

        threads[i] = thread_start("chart", work, &w, &ignored);
    }
    work(&w);
    for (size_t i = 0; i + 1 < helpers; i++)
        thread_join(threads[i]);
    pthread_mutex_destroy(&w.lock);
    for (size_t i = 0; i < count; i++)
        chart_join(e, &w.errors[i]);
    mem_free(w.errors);
    if (e->kind == ERR_NONE && w.next < count)
        return cancel_check(cancel, e);
    return e->kind == ERR_NONE ? 0 : -1;
}
