/* Is an object what its spec asks for: kstatus, the readiness rules and words that helm, kpt,
 * kustomize's apply and Flux share (helm spec 13). One rule a kind in a table, a general one by
 * conditions for all others. Pure but for the clock (Pods that nobody can schedule). */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

enum kube_state {
    KUBE_CURRENT,     /* as the spec asks */
    KUBE_IN_PROGRESS, /* on its way */
    KUBE_FAILED,      /* will not get there by itself */
    KUBE_TERMINATING, /* is being deleted */
};

/* Unless it is current, what is missing is appended to why: "Available: 1/2". */
enum kube_state kube_status(const struct doc_node *object, struct buf *why);
const char *kube_state_name(enum kube_state state); /* kstatus': "Current", "InProgress", … */

/* The first entry of status.conditions of that type; NULL when there is none. */
const struct doc_node *kube_condition(const struct doc_node *object, const char *type);
/* Whether its status is `status` ("True"). */
bool kube_condition_is(const struct doc_node *object, const char *type, const char *status);
