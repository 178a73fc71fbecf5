#include "sys/queue.h"

#include <stdatomic.h>

#include "support/test.h"
#include "sys/thread.h"

static int items[5000];

TEST(queue_keeps_order_and_its_limit)
{
    struct queue *q = queue_new(3);
    int out = 0;

    for (int i = 0; i < 3; i++)
        CHECK(queue_try_push(q, &items[i]));
    CHECK(!queue_try_push(q, &items[3]));
    CHECK(queue_try_pop(q) == &items[out++]);
    CHECK(queue_try_push(q, &items[3]));
    CHECK_INT((int)queue_len(q), 3, "len");
    while (out < 4)
        CHECK(queue_try_pop(q) == &items[out++]);
    CHECK(!queue_try_pop(q));
    queue_free(q, NULL);
}

TEST(queue_closed_gives_what_is_left_and_takes_nothing)
{
    struct queue *q = queue_new(40);
    AUTO(err_done) struct err e = {0};

    for (int i = 0; i < 20; i++)
        CHECK(queue_try_push(q, &items[i]));
    queue_close(q);
    CHECK_INT(queue_push(q, &items[30], NULL, &e), -1, "push");
    CHECK_INT(e.kind, ERR_CANCELED, "kind");
    for (int i = 0; i < 20; i++)
        CHECK(queue_pop(q, NULL) == &items[i]);
    CHECK(!queue_pop(q, NULL));
    queue_free(q, NULL);
}

static int destroyed;
static void destroy(void *item UNUSED) { destroyed++; }

TEST(queue_free_destroys_what_is_left)
{
    struct queue *q = queue_new(4);

    destroyed = 0;
    CHECK(queue_try_push(q, &items[0]) && queue_try_push(q, &items[1]));
    queue_free(q, destroy);
    CHECK_INT(destroyed, 2, "destroyed");
}

static void trigger_soon(void *ctx)
{
    AUTO(err_done) struct err e = {0};

    cancel_sleep(NULL, 5, &e);
    cancel_trigger(ctx, ERR_CANCELED, "stop");
}

TEST(queue_waits_end_with_the_cancel_and_with_its_deadline)
{
    struct queue *q = queue_new(1);
    struct cancel *c = cancel_new(NULL, CLOCK_NEVER), *soon = cancel_new(NULL, clock_after(10));
    AUTO(err_done) struct err e = {0};
    struct thread *t = thread_start("trigger", trigger_soon, c, &e);

    CHECK(!queue_pop(q, c));
    CHECK(!queue_pop(q, soon));
    CHECK(queue_try_push(q, &items[0]));
    CHECK_INT(queue_push(q, &items[1], c, &e), -1, "push when cancelled");
    CHECK_INT(e.kind, ERR_CANCELED, "kind");
    CHECK(!queue_pop(q, c)); /* a stop comes before what is waiting */
    thread_join(t);
    cancel_free(c);
    cancel_free(soon);
    queue_free(q, NULL);
}

struct flow {
    struct queue *q;
    struct cancel *c;
    atomic_int popped, next;
};

static void produce(void *ctx)
{
    struct flow *f = ctx;
    AUTO(err_done) struct err e = {0};

    for (int i; (i = atomic_fetch_add(&f->next, 1)) < (int)ARRAY_LEN(items);)
        CHECK_INT(queue_push(f->q, &items[i], f->c, &e), 0, "push");
}

static void consume(void *ctx)
{
    struct flow *f = ctx;

    for (int *item; (item = queue_pop(f->q, f->c));) {
        (*item)++;
        atomic_fetch_add(&f->popped, 1);
    }
}

TEST(queue_hands_each_item_to_one_of_many_threads)
{
    struct flow f = {.q = queue_new(7), .c = cancel_new(NULL, CLOCK_NEVER)};
    struct thread *in[3], *out[3];
    AUTO(err_done) struct err e = {0};

    memset(items, 0, sizeof(items));
    for (int i = 0; i < 3; i++) {
        in[i] = thread_start("in", produce, &f, &e);
        out[i] = thread_start("out", consume, &f, &e);
    }
    for (int i = 0; i < 3; i++)
        thread_join(in[i]);
    queue_close(f.q);
    for (int i = 0; i < 3; i++)
        thread_join(out[i]);
    CHECK_INT(f.popped, (int)ARRAY_LEN(items), "popped");
    for (size_t i = 0; i < ARRAY_LEN(items); i++)
        CHECK_INT(items[i], 1, "times an item was seen");
    cancel_free(f.c);
    queue_free(f.q, NULL);
}
