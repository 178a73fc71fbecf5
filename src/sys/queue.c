#include "sys/queue.h"

#include "base/mem.h"
#include "sys/thread.h"

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* an item came or went, closed, or a waiter's cancel */
    void **ring;
    size_t cap, limit, head, len;
    bool is_closed;
};

struct queue *queue_new(size_t limit)
{
    struct queue *q = NEW(struct queue);

    assert(limit > 0);
    pthread_mutex_init(&q->lock, NULL);
    thread_cond_init(&q->changed);
    q->limit = limit;
    return q;
}

static void *take(struct queue *q)
{
    void *item = q->len ? q->ring[q->head] : NULL;

    if (item) {
        q->head = (q->head + 1) % q->cap;
        q->len--;
        pthread_cond_broadcast(&q->changed);
    }
    return item;
}

/* The ring grows with use: a limit is often far above what is ever waiting. */
static void grow(struct queue *q)
{
    size_t cap = MIN(q->limit, q->cap ? q->cap * 2 : 16);
    void **ring = mem_realloc(NULL, cap, sizeof(*ring));

    for (size_t i = 0; i < q->len; i++)
        ring[i] = q->ring[(q->head + i) % q->cap];
    mem_free(q->ring);
    q->ring = ring;
    q->cap = cap;
    q->head = 0;
}

static bool put(struct queue *q, void *item)
{
    if (q->is_closed || q->len == q->limit)
        return false;
    if (q->len == q->cap)
        grow(q);
    q->ring[(q->head + q->len++) % q->cap] = item;
    pthread_cond_broadcast(&q->changed);
    return true;
}

void queue_free(struct queue *q, void (*destroy)(void *item))
{
    if (!q)
        return;
    for (void *item; (item = take(q));) {
        if (destroy)
            destroy(item);
    }
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    mem_free(q->ring);
    mem_free(q);
}

static void wake(void *ctx)
{
    struct queue *q = ctx;

    LOCK_SCOPE(&q->lock);
    pthread_cond_broadcast(&q->changed);
}

static bool push_waiting(struct queue *q, void *item, struct cancel *c)
{
    LOCK_SCOPE(&q->lock);
    while (!q->is_closed && !cancel_is_set(c)) {
        if (put(q, item))
            return true;
        thread_cond_wait(&q->changed, &q->lock, cancel_deadline(c));
    }
    return false;
}

int queue_push(struct queue *q, void *item, struct cancel *c, struct err *e)
{
    struct cancel_watch *watch;
    bool done;

    assert(item);
    if (cancel_check(c, e) < 0)
        return -1;
    if (queue_try_push(q, item))
        return 0;
    watch = cancel_watch(c, wake, q);
    done = push_waiting(q, item, c);
    cancel_unwatch(c, watch);
    if (done)
        return 0;
    return cancel_check(c, e) < 0 ? -1 : err_set(e, ERR_CANCELED, "the queue is closed");
}

bool queue_try_push(struct queue *q, void *item)
{
    LOCK_SCOPE(&q->lock);
    return put(q, item);
}

static void *pop_waiting(struct queue *q, struct cancel *c)
{
    LOCK_SCOPE(&q->lock);
    while (!cancel_is_set(c)) {
        void *item = take(q);

        if (item || q->is_closed)
            return item;
        thread_cond_wait(&q->changed, &q->lock, cancel_deadline(c));
    }
    return NULL;
}

void *queue_pop(struct queue *q, struct cancel *c)
{
    struct cancel_watch *watch;
    void *item;

    if (cancel_is_set(c))
        return NULL;
    item = queue_try_pop(q);
    if (item)
        return item;
    watch = cancel_watch(c, wake, q);
    item = pop_waiting(q, c);
    cancel_unwatch(c, watch);
    return item;
}

void *queue_try_pop(struct queue *q)
{
    LOCK_SCOPE(&q->lock);
    return take(q);
}

void queue_close(struct queue *q)
{
    LOCK_SCOPE(&q->lock);
    q->is_closed = true;
    pthread_cond_broadcast(&q->changed);
}

size_t queue_len(struct queue *q)
{
    LOCK_SCOPE(&q->lock);
    return q->len;
}
