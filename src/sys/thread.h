/* Threads: 8 MiB of stack, a name that debuggers and /proc show, every signal blocked (one thread
 * of sys/signal.h takes them). And condition variables that wait until a point of sys/clock.h. */
#pragma once
#include <pthread.h>

#include "base/err.h"
#include "sys/clock.h"

struct thread;
typedef void thread_fn(void *ctx);

/* Starts fn(ctx); name is cut to 15 bytes. NULL with ERR_UNAVAILABLE when the system has no thread
 * left. */
struct thread *thread_start(const char *name, thread_fn *fn, void *ctx, struct err *e) MUST_CHECK;
/* Waits until fn has returned and frees the handle. NULL is fine. */
void thread_join(struct thread *t);
AUTO_PTR(struct thread, thread_join)
unsigned thread_cores(void); /* that this process may run on, at least 1 */

/* One piece of work; worker (below THREAD_EACH_MOST) names the thread. A failure (-1 and e) ends
 * the handing out. */
typedef int thread_each_fn(void *ctx, size_t at, unsigned worker, struct err *e);
enum { THREAD_EACH_MOST = 8 };
/* Calls fn for each at below count, in that order, on this thread and on others: up to `most` in
 * all, and no more than cores. Has ended everywhere when it returns; every at below a failure has
 * had its turn, and of several failures the lowest is told. name is that of the threads. */
int thread_each(const char *name, size_t count, size_t most, thread_each_fn *fn, void *ctx,
                struct err *e) MUST_CHECK;

void thread_cond_init(pthread_cond_t *cond);
/* Waits for a signal or until deadline; may wake for no reason, so callers loop over their
 * condition. */
void thread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, clock_ms deadline);

static inline void thread_unlock(pthread_mutex_t *lock)
{
    if (lock)
        pthread_mutex_unlock(lock);
}
AUTO_PTR(pthread_mutex_t, thread_unlock)
/* Holds the lock until the scope ends. */
#define LOCK_SCOPE(mutex) \
    AUTO(thread_unlock)   \
    UNUSED pthread_mutex_t *PASTE(locked_, __LINE__) = (pthread_mutex_lock(mutex), (mutex))
