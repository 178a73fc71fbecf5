/* Waiting until objects meet conditions, by a watch (khook spec 14.3, also for apply.waitFor).
 *
 * Evaluated at once, then on every change; nothing is asked while nothing changes but the watch's
 * own renewals. A type that is not served yet keeps waiting. Blocks; ends with ERR_TIMEOUT or
 * ERR_CANCELED of cancel, with ERR_IO and what the Pods say when the condition can no longer come
 * true, with the server's error on 401, 403 and bad selectors. */
#pragma once
#include "expr/jsonpath/waitfor.h"
#include "kube/client.h"

struct khook_await {
    str type, name; /* name empty: all of the type */
    str ns;         /* for namespaced kinds; empty: all namespaces */
    str label_selector, field_selector;
    const struct wait_for *conditions; /* 1 to 32 */
    const str *texts;                  /* the conditions as written, for messages */
    size_t count;
    bool any;       /* one of the conditions is enough */
    bool fail_fast; /* crash loops, failing image pulls and failed Pods end it */
};

/* What one look says, for plans. */
struct khook_await_state {
    size_t objects, met; /* matching objects, and those that meet the conditions on their own */
    bool holds;          /* the wait would be over */
    bool is_served;      /* the cluster knows the type */
};

/* outstanding: kept up with what is still missing, for the message of a time-out; may be NULL. */
int khook_await(struct kube *k, const struct khook_await *wait, struct cancel *cancel,
                struct buf *outstanding, struct err *e);
int khook_await_look(struct kube *k, const struct khook_await *wait, struct cancel *cancel,
                     struct khook_await_state *ret, struct err *e);

/* Exactly these objects: each until it meets the condition; one that is not there yet is "not yet".
 */
struct khook_await_object {
    str api_version, kind, ns, name;
};
int khook_await_objects(struct kube *k, const struct khook_await_object *objects, size_t count,
                        const struct wait_for *condition, str text, struct cancel *cancel,
                        struct buf *outstanding, struct err *e);
