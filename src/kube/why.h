/* What Pods and events say about an object that does not get where it should (khook
 * spec 14.3, 16.6): for messages.
 *
 * Reads only, best effort: what cannot be read is left out, and the text says what it has. Log
 * lines are shown as they came; callers mask. Any thread. */
#pragma once
#include "kube/client.h"

/* Appends, for a Pod or a workload (Deployment, ReplicaSet, StatefulSet, DaemonSet, Job), behind ";
 * ": the newest failing Pod's waiting or terminated reason, its last log lines (log_lines, 20 by
 * spec; they count before the reason when there are any), and the newest warning events of the
 * object and that Pod (at most events). Appends nothing when nothing is known. */
void kube_why(struct kube *k, const struct kube_type *type, const struct doc_node *object,
              int log_lines, int events, struct cancel *cancel, struct buf *out);

/* Why a Pod will not become ready by itself: "CrashLoopBackOff: back-off 10s restarting",
 * "ImagePullBackOff: …", "Failed: …". False for a Pod that is fine or still starting. Pure. */
bool kube_pod_is_stuck(const struct doc_node *pod, struct buf *ret_reason);
