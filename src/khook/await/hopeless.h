/* When a wait can no longer come true (khook spec 14.3.2): judged from the object itself, and with
 * failFast from the Pods below a workload, which threads of their own watch over. */
#pragma once
#include "khook/await/await.h"

/* Does the state of the object rule the conditions out? A Job with Failed=True (unless that is
 * waited for), a Pod of phase Failed, a Deployment past its progress deadline; with fail_fast also
 * a Pod that is stuck and any Failed=True condition. The reason is put into *ret. Pure. */
bool hopeless_object(const struct khook_await *wait, const struct kube_type *type,
                     const struct doc_node *object, struct buf *ret);

struct hopeless_pods;
/* cancel is triggered when a Pod is stuck; it must outlive the watches. */
struct hopeless_pods *hopeless_pods_new(struct kube *k, struct cancel *cancel);
/* Starts a watch over the Pods that a workload selects, once for each workload; others are ignored.
 */
void hopeless_pods_add(struct hopeless_pods *p, const struct kube_type *type,
                       const struct doc_node *workload);
/* Whether a stuck Pod was what ended the wait; then e says which and why. */
bool hopeless_pods_reason(struct hopeless_pods *p, struct err *e);
void hopeless_pods_free(struct hopeless_pods *p); /* ends the watches; NULL is fine */
