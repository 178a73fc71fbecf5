/* Sending and removing the objects of a step (khook spec 11.2.5, 11.3, 12).
 *
 * Requests start in list order, 24 in flight at most; what others depend on is a barrier, and a
 * binding waits for the roles before it while the objects behind it pass (11.2.5).
 * The first failure stops further requests, those in flight are awaited. Blocking; any thread. */
#pragma once
#include "khook/act/object.h"
#include "kube/client.h"

#define KHOOK_MANAGER "khook"

struct khook_delivery {
    struct kube *kube;
    struct cancel *cancel;
    str ns;           /* for namespaced objects that name none */
    bool server_side; /* server-side apply with force; else create, and a merge patch when it exists
                       */
};

/* The type of an object and the namespace it lives in (empty for cluster-scoped kinds). An unknown
 * kind whose CRD is among the first `sent` objects is waited for. Errors name the object. */
int khook_object_ref(const struct khook_delivery *d, const struct khook_objects *objects, size_t at,
                     size_t sent, struct kube_ref *ret, struct err *e);
int khook_apply_objects(const struct khook_delivery *d, const struct khook_objects *objects,
                        struct err *e);
/* Makes the namespace if it does not exist; an existing one is left as it is. */
int khook_ensure_namespace(struct kube *k, str ns, struct cancel *cancel, struct err *e);

/* Deletes one object (cascading in the background unless foreground is set) and waits until it is
 * gone; one that comes back under its name with another UID counts as gone. ret_found: it was
 * there. outstanding: what keeps it, for the message of a time-out; may be NULL. */
int khook_delete_object(struct kube *k, const struct kube_ref *ref, bool foreground,
                        struct cancel *cancel, struct buf *outstanding, bool *ret_found,
                        struct err *e);
/* Deletes every object of a type that the selectors match and waits until they are gone. */
int khook_delete_matching(struct kube *k, const struct kube_ref *all,
                          const struct kube_list_options *selectors, struct cancel *cancel,
                          struct buf *outstanding, size_t *ret_count, struct err *e);
