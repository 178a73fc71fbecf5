/* The live objects of a release, as `status` shows them: by kind in the order of the manifest, and
 * last the Pods of its workloads. Objects that are gone are left out. Blocking requests; any
 * thread. */
#pragma once
#include "chart/release/record.h"
#include "kube/client.h"

/* "==> v1/ConfigMap" and the table of the server below it, for each kind. */
int cli_release_tables(struct kube *k, const struct chart_record *r, struct cancel *cancel,
                       struct buf *out, struct err *e) MUST_CHECK;
/* A map of lists of whole objects in the set. */
int cli_release_objects(struct kube *k, const struct chart_record *r, struct cancel *cancel,
                        struct doc_set *set, struct doc_node **ret, struct err *e) MUST_CHECK;
