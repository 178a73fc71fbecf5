#include "kube/turn_priv.h"

#include "sys/thread.h"

void kube_turn_init(struct kube_turn *t)
{
    *t = (struct kube_turn){0};
    pthread_mutex_init(&t->lock, NULL);
    thread_cond_init(&t->changed);
}

void kube_turn_done(struct kube_turn *t)
{
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->changed);
}

static void wake(void *ctx)
{
    struct kube_turn *t = ctx;

    LOCK_SCOPE(&t->lock);
    pthread_cond_broadcast(&t->changed);
}

static int wait_turn(struct kube_turn *t, struct cancel *cancel, struct err *e)
{
    LOCK_SCOPE(&t->lock);
    while (t->is_taken) {
        if (cancel_check(cancel, e) < 0)
            return -1;
        thread_cond_wait(&t->changed, &t->lock, cancel_deadline(cancel));
    }
    t->is_taken = true;
    return 0;
}

int kube_turn_take(struct kube_turn *t, struct cancel *cancel, struct err *e)
{
    struct cancel_watch *watch = cancel ? cancel_watch(cancel, wake, t) : NULL;
    int rc = wait_turn(t, cancel, e);

    cancel_unwatch(cancel, watch);
    return rc;
}

void kube_turn_leave(struct kube_turn *t)
{
    LOCK_SCOPE(&t->lock);
    t->is_taken = false;
    pthread_cond_broadcast(&t->changed);
}
