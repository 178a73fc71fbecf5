/* What differs between the manifests of two revisions of a release, object by object (khook spec
 * 18.5), with the data of Secrets masked. Any thread; asks the cluster which kinds there are. */
#pragma once
#include "khook/act/difference.h"

struct khook_manifests {
    struct kube *kube; /* tells which kinds have namespaces */
    struct cancel *cancel;
    str ns; /* of objects that name none */
    str from, to;
    struct khook_sides sides;
    bool leaves_kept; /* objects that an upgrade does not delete are no difference */
    struct doc_set *set;
    struct doc_node *list; /* in the set: gets khook_difference_tree's maps instead of a text */
};
/* Appends a diff for each object, those of `to` in its order, then those that only `from` has. An
 * object is the same by group, kind, namespace and name; of several of one name, as hooks may have,
 * the first is compared with the first, and so on. */
int khook_release_difference(const struct khook_manifests *m, struct buf *out,
                             struct err *e) MUST_CHECK;
