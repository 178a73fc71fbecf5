#include "sys/thread.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include "base/mem.h"

#define STACK_SIZE ((size_t)8 << 20)

struct thread {
    pthread_t id;
    char name[16]; /* the kernel's limit, NUL included */
    thread_fn *fn;
    void *ctx;
};

static void *run(void *arg)
{
    struct thread *t = arg;

    pthread_setname_np(pthread_self(), t->name);
    t->fn(t->ctx);
    return NULL;
}

/* What the processor raises on the spot stays open, so that a crash is a crash. */
static void block_signals(sigset_t *before)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPROF};
    sigset_t all;

    sigfillset(&all);
    for (size_t i = 0; i < ARRAY_LEN(own); i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_SETMASK, &all, before);
}

struct thread *thread_start(const char *name, thread_fn *fn, void *ctx, struct err *e)
{
    struct thread *t = NEW(struct thread);
    pthread_attr_t attr;
    sigset_t before;
    int rc;

    snprintf(t->name, sizeof(t->name), "%s", name);
    t->fn = fn;
    t->ctx = ctx;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK_SIZE);
    block_signals(&before); /* inherited: there is no moment in which one could arrive there */
    rc = pthread_create(&t->id, &attr, run, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    if (rc == 0)
        return t;
    mem_free(t);
    err_errno(e, rc, "start thread \"%s\"", name);
    e->kind = ERR_UNAVAILABLE;
    return NULL;
}

void thread_join(struct thread *t)
{
    if (!t)
        return;
    pthread_join(t->id, NULL);
    mem_free(t);
}

void thread_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attr;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
}

void thread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, clock_ms deadline)
{
    struct timespec ts;

    if (deadline == CLOCK_NEVER && clock_is_real()) {
        pthread_cond_wait(cond, lock);
        return;
    }
    if (!clock_is_real()) /* a test's clock moves on its own: look again soon */
        deadline = clock_now_us() / 1000 + 1;
    ts.tv_sec = deadline / 1000;
    ts.tv_nsec = deadline % 1000 * 1000000;
    pthread_cond_timedwait(cond, lock, &ts);
}

/* One call; sysconf reads a file of /sys. More than 1024 cores are none that we would use. */
unsigned thread_cores(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof(set), &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
}
