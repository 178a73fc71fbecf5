/* The difference between a live object and the one planned, as people read it (khook spec 18.5):
 * YAML with sorted keys, without managedFields, the data of Secrets masked so that only what
 * changed is seen. Pure but for the documents, which are changed for the printing. */
#pragma once
#include "kube/client.h"

/* Appends a unified diff with three lines of context, labels live/ID and planned/ID; nothing when
 * they are equal. An empty object on either side stands for one that does not exist. */
void khook_difference(const struct kube_ref *ref, struct kube_object *live,
                      struct kube_object *planned, struct buf *out);
