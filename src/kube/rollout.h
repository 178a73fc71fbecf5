/* Is the rollout of a Deployment, DaemonSet or StatefulSet complete (khook spec 15)? Pure. */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

enum kube_rollout { KUBE_ROLLOUT_COMPLETE, KUBE_ROLLOUT_WAITING, KUBE_ROLLOUT_FAILED };

/* kind in any letter case. Unless it is complete, what is missing or why it cannot come about is
 * appended to why: "1 of 2 replicas available". A kind that has no rollout has failed. */
enum kube_rollout kube_rollout_judge(str kind, const struct doc_node *object, struct buf *why);
const char *kube_rollout_name(enum kube_rollout state); /* "complete", "waiting", "failed" */
