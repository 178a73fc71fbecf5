/* Watches that go on: list, then watch from there; bookmarks, expiry of the server's timeout,
 * dropped connections (with back-off, a second at most for the first half minute) and 410 Gone (a
 * new list) are handled inside. While nothing changes nothing is asked but to renew the watch.
 *
 * What is told is a history of each object without repetition: a change is told once, also when the
 * server sends it twice or a new list has it again; an object that vanished while nobody listened
 * is told as deleted. Only names and versions are kept, about 150 bytes an object.
 *
 * A server that was restored from an old copy of its data answers 410 as long as it has not written
 * up to the version that the watch goes on from. Once it has, nobody can tell its versions from
 * those of before: what it wrote in between is not told, until the object changes again. (A
 * restore of etcd with --bump-revision --mark-compacted has no such gap.)
 *
 * kube_watch blocks its caller: on_event runs on the calling thread, no locks held; objects are
 * borrowed during the call. A non-zero return of on_event ends the watch with 0. */
#pragma once
#include "kube/client.h"

enum kube_event_type {
    KUBE_ADDED, /* also for each object of a list */
    KUBE_MODIFIED,
    KUBE_DELETED, /* object: the last state; of one that vanished unheard only apiVersion, kind,
                     metadata.name, namespace and uid */
    KUBE_SYNCED,  /* the list is complete: all objects of it were told; object NULL. After 410
                     again, with KUBE_DELETED for those that vanished before it */
};
struct kube_event {
    enum kube_event_type type;
    struct doc_set *set;
    struct doc_node *object;
};
typedef int kube_event_fn(void *ctx, const struct kube_event *event);

/* ERR_NOT_FOUND (404: the type is not served), ERR_DENIED and ERR_INVALID (bad selector) end it at
 * once; other failures are tried again until cancel. */
int kube_watch(struct kube *k, const struct kube_ref *ref, const struct kube_list_options *options,
               struct cancel *cancel, kube_event_fn *on_event, void *ctx, struct err *e);
/* The same for the one object that ref names, there or not yet. */
int kube_watch_object(struct kube *k, const struct kube_ref *ref, struct cancel *cancel,
                      kube_event_fn *on_event, void *ctx, struct err *e);
