#include "sys/cancel.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/mem.h"
#include "sys/thread.h"

enum watch_state { WATCH_IDLE, WATCH_QUEUED, WATCH_RUNNING, WATCH_CALLED };

struct cancel_watch {
    cancel_fn *fn;
    void *ctx;
    enum watch_state state;
    pthread_t runner; /* while running */
    bool is_dropped;  /* unwatched by its own function: the runner frees it */
    struct cancel *of;
    struct cancel_watch *prev, *next; /* in of->watches */
    struct cancel_watch *queued;      /* next in the tree's queue */
};

/* What the nodes of one tree share. One lock for all: a child may be freed while its parent is
 * triggered, and locks of their own would have to be taken in two directions. */
struct tree {
    pthread_mutex_t lock;
    pthread_cond_t idle;               /* a watch function has returned */
    struct cancel_watch *first, *last; /* to be called */
};

struct cancel {
    struct tree *tree;
    struct cancel *parent;
    struct cancel *children, *prev, *next; /* siblings */
    clock_ms deadline;                     /* the earliest up to the root; fixed */
    atomic_int kind;                       /* enum err_kind, set last and once */
    char *reason;                          /* fixed once kind is set */
    int fd;                                /* -1: nobody asked */
    pthread_cond_t set;
    struct cancel_watch *watches;
};

static struct tree *tree_new(void)
{
    struct tree *tree = NEW(struct tree);

    pthread_mutex_init(&tree->lock, NULL);
    thread_cond_init(&tree->idle);
    return tree;
}

static void tree_free(struct tree *tree)
{
    pthread_cond_destroy(&tree->idle);
    pthread_mutex_destroy(&tree->lock);
    mem_free(tree);
}

static bool is_triggered(struct cancel *c)
{
    return atomic_load_explicit(&c->kind, memory_order_acquire) != ERR_NONE;
}

static void signal_fd(struct cancel *c)
{
    uint64_t one = 1;

    while (c->fd >= 0 && write(c->fd, &one, sizeof(one)) < 0 && errno == EINTR)
        ;
}

static void queue_watches(struct cancel *c)
{
    struct tree *tree = c->tree;

    for (struct cancel_watch *w = c->watches; w; w = w->next) {
        if (w->state != WATCH_IDLE)
            continue;
        w->state = WATCH_QUEUED;
        w->queued = NULL;
        if (tree->last)
            tree->last->queued = w;
        else
            tree->first = w;
        tree->last = w;
    }
}

static void set_one(struct cancel *c, enum err_kind kind, const char *reason)
{
    if (is_triggered(c))
        return;
    if (clock_now() >= c->deadline) /* the clock came first */
        kind = ERR_TIMEOUT, reason = "timed out";
    c->reason = mem_strdup(reason);
    atomic_store_explicit(&c->kind, (int)kind, memory_order_release);
    pthread_cond_broadcast(&c->set);
    signal_fd(c);
    queue_watches(c);
}

/* Marks c and everything below it; the lock is held. */
static void set_all(struct cancel *top, enum err_kind kind, const char *reason)
{
    struct cancel *c = top;

    for (;;) {
        set_one(c, kind, reason);
        if (c->children) {
            c = c->children;
            continue;
        }
        while (c != top && !c->next)
            c = c->parent;
        if (c == top)
            return;
        c = c->next;
    }
}

struct cancel *cancel_new(struct cancel *parent, clock_ms deadline)
{
    struct cancel *c = NEW(struct cancel);

    c->fd = -1;
    c->parent = parent;
    c->deadline = deadline;
    thread_cond_init(&c->set);
    if (!parent) {
        c->tree = tree_new();
        return c;
    }
    c->tree = parent->tree;
    c->deadline = MIN(deadline, parent->deadline);
    LOCK_SCOPE(&c->tree->lock);
    c->next = parent->children;
    if (c->next)
        c->next->prev = c;
    parent->children = c;
    if (is_triggered(parent))
        set_one(c, (enum err_kind)atomic_load(&parent->kind), parent->reason);
    return c;
}

static void leave_parent(struct cancel *c)
{
    LOCK_SCOPE(&c->tree->lock);
    assert(!c->children && !c->watches);
    if (!c->parent)
        return;
    if (c->next)
        c->next->prev = c->prev;
    if (c->prev)
        c->prev->next = c->next;
    else
        c->parent->children = c->next;
}

void cancel_free(struct cancel *c)
{
    if (!c)
        return;
    leave_parent(c);
    if (!c->parent)
        tree_free(c->tree);
    if (c->fd >= 0)
        close(c->fd);
    pthread_cond_destroy(&c->set);
    mem_free(c->reason);
    mem_free(c);
}

static struct cancel_watch *take_queued(struct tree *tree)
{
    struct cancel_watch *w = tree->first;

    if (w) {
        tree->first = w->queued;
        if (!tree->first)
            tree->last = NULL;
    }
    return w;
}

/* Calls what is queued, the lock let go around each call. */
static void run_queued(struct tree *tree)
{
    for (struct cancel_watch *w; (w = take_queued(tree));) {
        w->state = WATCH_RUNNING;
        w->runner = pthread_self();
        pthread_mutex_unlock(&tree->lock);
        w->fn(w->ctx);
        pthread_mutex_lock(&tree->lock);
        w->state = WATCH_CALLED;
        if (w->is_dropped)
            mem_free(w);
        pthread_cond_broadcast(&tree->idle);
    }
}

void cancel_trigger(struct cancel *c, enum err_kind kind, const char *reason)
{
    LOCK_SCOPE(&c->tree->lock);
    if (is_triggered(c))
        return;
    set_all(c, kind, reason);
    run_queued(c->tree);
}

bool cancel_is_set(struct cancel *c)
{
    if (!c)
        return false;
    return is_triggered(c) || (c->deadline != CLOCK_NEVER && clock_now() >= c->deadline);
}

clock_ms cancel_deadline(struct cancel *c) { return c ? c->deadline : CLOCK_NEVER; }

int cancel_check(struct cancel *c, struct err *e)
{
    if (!c)
        return 0;
    if (is_triggered(c))
        return err_set(e, (enum err_kind)atomic_load(&c->kind), "%s", c->reason);
    if (c->deadline != CLOCK_NEVER && clock_now() >= c->deadline)
        return err_set(e, ERR_TIMEOUT, "timed out");
    return 0;
}

static int sleep_plain(clock_ms deadline)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never;

    thread_cond_init(&never);
    pthread_mutex_lock(&lock);
    while (clock_now() < deadline)
        thread_cond_wait(&never, &lock, deadline);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&never);
    return 0;
}

int cancel_sleep_until(struct cancel *c, clock_ms deadline, struct err *e)
{
    if (!c)
        return sleep_plain(deadline);
    LOCK_SCOPE(&c->tree->lock);
    for (;;) {
        if (cancel_check(c, e) < 0)
            return -1;
        if (clock_now() >= deadline)
            return 0;
        thread_cond_wait(&c->set, &c->tree->lock, MIN(deadline, c->deadline));
    }
}

int cancel_sleep(struct cancel *c, int64_t ms, struct err *e)
{
    return cancel_sleep_until(c, clock_after(ms), e);
}

int cancel_fd(struct cancel *c)
{
    if (!c)
        return -1;
    LOCK_SCOPE(&c->tree->lock);
    if (c->fd < 0) {
        c->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (is_triggered(c))
            signal_fd(c);
    }
    return c->fd;
}

struct cancel_watch *cancel_watch(struct cancel *c, cancel_fn *fn, void *ctx)
{
    struct cancel_watch *w;

    if (!c)
        return NULL;
    w = NEW(struct cancel_watch);
    w->fn = fn;
    w->ctx = ctx;
    w->of = c;
    LOCK_SCOPE(&c->tree->lock);
    w->next = c->watches;
    if (w->next)
        w->next->prev = w;
    c->watches = w;
    if (is_triggered(c)) {
        w->state = WATCH_CALLED;
        pthread_mutex_unlock(&c->tree->lock);
        fn(ctx);
        pthread_mutex_lock(&c->tree->lock);
    }
    return w;
}

static void remove_queued(struct tree *tree, struct cancel_watch *w)
{
    struct cancel_watch *before = NULL;

    for (struct cancel_watch *i = tree->first; i != w; i = i->queued)
        before = i;
    if (before)
        before->queued = w->queued;
    else
        tree->first = w->queued;
    if (tree->last == w)
        tree->last = before;
}

void cancel_unwatch(struct cancel *c, struct cancel_watch *w)
{
    if (!w)
        return;
    LOCK_SCOPE(&c->tree->lock);
    assert(w->of == c);
    if (w->next)
        w->next->prev = w->prev;
    if (w->prev)
        w->prev->next = w->next;
    else
        c->watches = w->next;
    if (w->state == WATCH_QUEUED)
        remove_queued(c->tree, w);
    if (w->state == WATCH_RUNNING && pthread_equal(w->runner, pthread_self())) {
        w->is_dropped = true;
        return;
    }
    while (w->state == WATCH_RUNNING)
        pthread_cond_wait(&c->tree->idle, &c->tree->lock);
    mem_free(w);
}
