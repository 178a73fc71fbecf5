/* The difference between a live object and the one planned, as people read it (khook spec 18.5):
 * YAML with sorted keys, without managedFields, the data of Secrets masked so that only what
 * changed is seen. Pure but for the documents, which are changed for the printing. */
#pragma once
#include "kube/client.h"

/* How the two sides are called: "live" in the label live/ID. */
struct khook_sides {
    const char *from, *to;
    size_t context; /* lines around each change */
};
extern const struct khook_sides khook_live_and_planned;

/* Appends a unified diff with those labels; nothing when they are equal. An empty object on either
 * side stands for one that does not exist. */
void khook_difference(const struct khook_sides *sides, const struct kube_ref *ref,
                      struct kube_object *live, struct kube_object *planned, struct buf *out);
/* The same for machines: a map in the set with apiVersion, kind, namespace (of namespaced ones),
 * name and change: "added" and "removed" with the whole object, "changed" with fields, a list of
 * maps of path (doc/diff.h), from, to. NULL when they are equal. */
struct doc_node *khook_difference_tree(const struct kube_ref *ref, struct kube_object *live,
                                       struct kube_object *planned, struct doc_set *set);
