/* Bounded queues between threads. Items are borrowed pointers, never NULL, handed from one side to
 * the other; whoever pops an item owns it. Every function from any thread. */
#pragma once
#include "sys/cancel.h"

struct queue;

struct queue *queue_new(size_t limit); /* limit: items, at least 1 */
/* destroy (may be NULL) is called for each item that is left. No thread may be waiting any more. */
void queue_free(struct queue *q, void (*destroy)(void *item)); /* NULL is fine */
/* Waits while the queue is full. -1 when c was cancelled or the queue is closed: the item stays
 * the caller's. */
int queue_push(struct queue *q, void *item, struct cancel *c, struct err *e) MUST_CHECK;
bool queue_try_push(struct queue *q, void *item); /* false: full or closed */
/* The oldest item; waits for one. NULL when c was cancelled, or the queue is closed and empty. */
void *queue_pop(struct queue *q, struct cancel *c);
void *queue_try_pop(struct queue *q); /* NULL: empty */
void queue_close(struct queue *q);    /* no more pushes; what is in it can still be popped */
size_t queue_len(struct queue *q);
