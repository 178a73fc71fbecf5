/* Taking turns: one thread does a slow thing, the others wait for it, each with a cancel of its
 * own. */
#pragma once
#include <pthread.h>

#include "sys/cancel.h"

struct kube_turn {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool is_taken;
};
void kube_turn_init(struct kube_turn *t);
void kube_turn_done(struct kube_turn *t);
int kube_turn_take(struct kube_turn *t, struct cancel *cancel, struct err *e) MUST_CHECK;
void kube_turn_leave(struct kube_turn *t);
