/* Objects as the server prints them: what `kubectl get` shows (meta.k8s.io/v1 Table). A request
 * blocks; any thread. */
#pragma once
#include "kube/client.h"

/* One object, or with an empty name those that the label selector (may be empty) chooses.
 * ERR_NOT_FOUND as for kube_get. The answer has columnDefinitions and rows. */
int kube_get_table(struct kube *k, const struct kube_ref *ref, str label_selector,
                   struct cancel *cancel, struct kube_object *ret, struct err *e);
/* Appends the rows, with the headers above them if asked: columns of priority 0, divided as kubectl
 * divides them. Nothing for a table without rows. */
void kube_table_print(const struct doc_node *table, bool with_headers, struct buf *out);
