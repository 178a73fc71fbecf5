/* Leases in the annotations of an object: who works on it, and when that was last told (khook spec
 * 7.5, helm spec 9.3). A holder renews every 10 s; one that was silent for 30 s has lost it. Any
 * thread. */
#pragma once
#include "doc/node.h"

enum { KUBE_LEASE_RENEW_MS = 10000, KUBE_LEASE_STALE_MS = 30000 };

struct kube_lease_keys { /* names of the two annotations */
    str holder, renewed;
};

/* A name for this run: "host/pid/random". Yours to mem_free. */
char *kube_lease_holder_new(void);
/* Who holds an object, or empty. ret_age_ms: since the last renewal; INT64_MAX when that is not
 * known. Borrowed from the object. */
str kube_lease_holder(const struct doc_node *object, const struct kube_lease_keys *keys,
                      int64_t *ret_age_ms);
/* Writes holder and the present time into annotations, a map. */
void kube_lease_mark(struct doc_set *set, struct doc_node *annotations,
                     const struct kube_lease_keys *keys, str holder);

/* Calls renew(ctx) every 10 s on a thread of its own. 0: go on; -1 with e: logged and
 * tried again at the next turn; 1 with e: logged, the lease is lost and the thread ends. */
typedef int kube_renew_fn(void *ctx, struct err *e);
struct kube_renewer;
struct kube_renewer *kube_renewer_start(kube_renew_fn *renew, void *ctx, struct err *e) MUST_CHECK;
/* Returns when renew can no longer run. NULL is fine. */
void kube_renewer_stop(struct kube_renewer *r);
