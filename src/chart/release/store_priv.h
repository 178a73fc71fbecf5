/* What the readers and writers of release records share. */
#pragma once
#include <pthread.h>

#include "chart/release/store.h"
#include "kube/lease.h"

#define CHART_LEASE_HOLDER "grapnel.dev/holder"
#define CHART_LEASE_RENEWED "grapnel.dev/renewed"
extern const struct kube_lease_keys chart_lease_keys;

struct chart_store {
    struct kube *kube;
    char *ns, *holder; /* holder: this run */
    enum chart_driver driver;
    struct cancel *lost; /* borrowed, or NULL */
    struct kube_renewer *renewer;
    pthread_mutex_t lock; /* of held and is_lost */
    char *held;           /* object whose lease is ours; NULL: none */
    char *held_ns;
    bool is_lost;
};

/* The object of a record. */
int chart_store_ref(struct chart_store *s, str ns, struct cancel *cancel, struct kube_ref *ret,
                    struct err *e) MUST_CHECK;
str chart_store_object_name(struct doc_set *set, str name, int64_t revision);
/* Takes labels, lease and version of an object over into a record. */
void chart_store_adopt(struct chart_record *r, const struct doc_node *object);
/* Does a record with that status carry a lease? */
static inline bool chart_store_is_leased(enum chart_status status)
{
    return chart_status_is_pending(status) || status == CHART_UNINSTALLING;
}
