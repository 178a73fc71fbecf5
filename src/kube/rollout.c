#include "kube/rollout.h"

#include "doc/at.h"
#include "kube/status.h"

const char *kube_rollout_name(enum kube_rollout state)
{
    static const char names[][9] = {[KUBE_ROLLOUT_COMPLETE] = "complete",
                                    [KUBE_ROLLOUT_WAITING] = "waiting",
                                    [KUBE_ROLLOUT_FAILED] = "failed"};

    return names[state];
}

static enum kube_rollout waiting(struct buf *why, int64_t have, int64_t want, const char *what)
{
    buf_addf(why, "%lld of %lld %s", (long long)have, (long long)want, what);
    return KUBE_ROLLOUT_WAITING;
}

static bool is_past_deadline(const struct doc_node *object)
{
    const struct doc_node *condition = kube_condition(object, "Progressing");

    return str_eq(doc_string_at(condition, "status"), STR("False")) &&
           str_eq(doc_string_at(condition, "reason"), STR("ProgressDeadlineExceeded"));
}

static enum kube_rollout judge_deployment(const struct doc_node *object, struct buf *why)
{
    int64_t want = doc_int_at(object, "spec/replicas", 1);
    int64_t updated = doc_int_at(object, "status/updatedReplicas", 0);
    int64_t total = doc_int_at(object, "status/replicas", 0);
    int64_t available = doc_int_at(object, "status/availableReplicas", 0);

    if (updated < want)
        return waiting(why, updated, want, "replicas updated");
    if (total > updated) {
        buf_addf(why, "%lld old replica(s) still there", (long long)(total - updated));
        return KUBE_ROLLOUT_WAITING;
    }
    if (available < updated)
        return waiting(why, available, updated, "replicas available");
    return KUBE_ROLLOUT_COMPLETE;
}

static enum kube_rollout judge_daemonset(const struct doc_node *object, struct buf *why)
{
    int64_t want = doc_int_at(object, "status/desiredNumberScheduled", 0);
    int64_t updated = doc_int_at(object, "status/updatedNumberScheduled", 0);
    int64_t available = doc_int_at(object, "status/numberAvailable", 0);

    if (updated < want)
        return waiting(why, updated, want, "Pods updated");
    if (available < want)
        return waiting(why, available, want, "Pods available");
    return KUBE_ROLLOUT_COMPLETE;
}

static enum kube_rollout judge_statefulset(const struct doc_node *object, struct buf *why)
{
    int64_t want = doc_int_at(object, "spec/replicas", 1);
    int64_t partition = doc_int_at(object, "spec/updateStrategy/rollingUpdate/partition", 0);
    int64_t updated = doc_int_at(object, "status/updatedReplicas", 0);
    int64_t ready = doc_int_at(object, "status/readyReplicas", 0);
    str update = doc_string_at(object, "status/updateRevision");
    str current = doc_string_at(object, "status/currentRevision");

    if (ready < want)
        return waiting(why, ready, want, "replicas ready");
    if (partition > 0) /* the Pods below it keep the old revision */
        return updated >= want - partition ? KUBE_ROLLOUT_COMPLETE
                                           : waiting(why, updated, want - partition,
                                                     "replicas above the partition updated");
    if (update.len && !str_eq(update, current))
        return waiting(why, updated, want, "replicas updated");
    if (updated < want)
        return waiting(why, updated, want, "replicas updated");
    return KUBE_ROLLOUT_COMPLETE;
}

enum kube_rollout kube_rollout_judge(str kind, const struct doc_node *object, struct buf *why)
{
    bool is_deployment = str_eq_nocase(kind, STR("deployment"));
    bool is_daemonset = str_eq_nocase(kind, STR("daemonset"));
    int64_t generation = doc_int_at(object, "metadata/generation", 0);

    if (!is_deployment && !is_daemonset && !str_eq_nocase(kind, STR("statefulset"))) {
        buf_addf(why, "%.*s has no rollout", STR_ARG(kind));
        return KUBE_ROLLOUT_FAILED;
    }
    if (!is_deployment &&
        str_eq(doc_string_at(object, "spec/updateStrategy/type"), STR("OnDelete"))) {
        buf_add_cstr(why,
                     "its update strategy is OnDelete: Pods change only when they are deleted, "
                     "so there is no rollout to wait for");
        return KUBE_ROLLOUT_FAILED;
    }
    if (doc_int_at(object, "status/observedGeneration", 0) < generation) {
        buf_add_cstr(why, "the controller has not seen the change yet");
        return KUBE_ROLLOUT_WAITING;
    }
    if (is_deployment && is_past_deadline(object)) {
        buf_add_cstr(why, "ProgressDeadlineExceeded: the Deployment made no progress within "
                          "spec.progressDeadlineSeconds");
        return KUBE_ROLLOUT_FAILED;
    }
    return is_deployment  ? judge_deployment(object, why)
           : is_daemonset ? judge_daemonset(object, why)
                          : judge_statefulset(object, why);
}
