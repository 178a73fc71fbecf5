#include "kube/status.h"

#include "doc/at.h"
#include "sys/clock.h"

enum { SCHEDULE_WINDOW_MS = 15000 }; /* a Pod that is unschedulable for longer has failed */

const char *kube_state_name(enum kube_state state)
{
    static const char names[][12] = {[KUBE_CURRENT] = "Current",
                                     [KUBE_IN_PROGRESS] = "InProgress",
                                     [KUBE_FAILED] = "Failed",
                                     [KUBE_TERMINATING] = "Terminating"};

    return names[state];
}

const struct doc_node *kube_condition(const struct doc_node *object, const char *type)
{
    struct doc_iter it = doc_children(doc_at(object, "status/conditions"));

    while (doc_next(&it))
        if (str_eq(doc_string_at(it.value, "type"), str_of(type)))
            return it.value;
    return NULL;
}

bool kube_condition_is(const struct doc_node *object, const char *type, const char *status)
{
    return str_eq(doc_string_at(kube_condition(object, type), "status"), str_of(status));
}

static enum kube_state progress(struct buf *why, const char *text)
{
    buf_add_cstr(why, text);
    return KUBE_IN_PROGRESS;
}

static enum kube_state failed(struct buf *why, const char *text)
{
    buf_add_cstr(why, text);
    return KUBE_FAILED;
}

static enum kube_state counted(struct buf *why, const char *what, int64_t have, int64_t want)
{
    buf_addf(why, "%s: %lld/%lld", what, (long long)have, (long long)want);
    return KUBE_IN_PROGRESS;
}

static enum kube_state too_many(struct buf *why, int64_t count)
{
    buf_addf(why, "Pending termination: %lld", (long long)count);
    return KUBE_IN_PROGRESS;
}

/* ---- a rule a kind */
static enum kube_state judge_deployment(const struct doc_node *object, struct buf *why)
{
    int64_t want = doc_int_at(object, "spec/replicas", 1),
            total = doc_int_at(object, "status/replicas", 0);
    int64_t updated = doc_int_at(object, "status/updatedReplicas", 0);
    int64_t ready = doc_int_at(object, "status/readyReplicas", 0);
    int64_t available = doc_int_at(object, "status/availableReplicas", 0);
    const struct doc_node *condition = kube_condition(object, "Progressing");
    str reason = doc_string_at(condition, "reason");

    if (str_eq(reason, STR("ProgressDeadlineExceeded")))
        return failed(why, "Progress deadline exceeded");
    if (total < want)
        return counted(why, "replicas", total, want);
    if (updated < want)
        return counted(why, "Updated", updated, want);
    if (total > want)
        return too_many(why, total - want);
    if (available < updated)
        return counted(why, "Available", available, updated);
    if (ready < want)
        return counted(why, "Ready", ready, want);
    if (doc_at(object, "spec/progressDeadlineSeconds") &&
        !(kube_condition_is(object, "Progressing", "True") &&
          str_eq(reason, STR("NewReplicaSetAvailable"))))
        return progress(why, "ReplicaSet not Available");
    return kube_condition_is(object, "Available", "True")
               ? KUBE_CURRENT
               : progress(why, "Deployment not Available");
}

static enum kube_state judge_stateful_set(const struct doc_node *object, struct buf *why)
{
    int64_t want = doc_int_at(object, "spec/replicas", 1),
            total = doc_int_at(object, "status/replicas", 0);
    int64_t updated = doc_int_at(object, "status/updatedReplicas", 0);
    int64_t ready = doc_int_at(object, "status/readyReplicas", 0);
    int64_t current = doc_int_at(object, "status/currentReplicas", 0);
    int64_t partition = doc_int_at(object, "spec/updateStrategy/rollingUpdate/partition", -1);

    if (str_eq(doc_string_at(object, "spec/updateStrategy/type"), STR("OnDelete")))
        return KUBE_CURRENT;
    if (total < want)
        return counted(why, "Replicas", total, want);
    if (ready < want)
        return counted(why, "Ready", ready, want);
    if (total > want)
        return too_many(why, total - want);
    if (partition > 0)
        return updated < want - partition ? counted(why, "updated", updated, want - partition)
                                          : KUBE_CURRENT;
    if (current < want)
        return counted(why, "current", current, want);
    return str_eq(doc_string_at(object, "status/currentRevision"),
                  doc_string_at(object, "status/updateRevision"))
               ? KUBE_CURRENT
               : progress(why, "Waiting for updated revision to match current");
}

static enum kube_state judge_daemon_set(const struct doc_node *object, struct buf *why)
{
    static const struct {
        char path[30], what[10];
    } rows[] = {{"status/currentNumberScheduled", "Current"},
                {"status/updatedNumberScheduled", "Updated"},
                {"status/numberAvailable", "Available"},
                {"status/numberReady", "Ready"}};
    int64_t want = doc_int_at(object, "status/desiredNumberScheduled", -1);

    if (!doc_at(object, "metadata/generation"))
        return progress(why, "Missing metadata.generation");
    if (!doc_at(object, "status/observedGeneration"))
        return progress(why, "Missing status.observedGeneration");
    if (want < 0)
        return progress(why, "Missing .status.desiredNumberScheduled");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (doc_int_at(object, rows[i].path, 0) < want)
            return counted(why, rows[i].what, doc_int_at(object, rows[i].path, 0), want);
    return KUBE_CURRENT;
}

static enum kube_state judge_replica_set(const struct doc_node *object, struct buf *why)
{
    static const struct {
        char path[28], what[10];
    } rows[] = {{"status/fullyLabeledReplicas", "Labelled"},
                {"status/availableReplicas", "Available"},
                {"status/readyReplicas", "Ready"}};
    int64_t want = doc_int_at(object, "spec/replicas", 1),
            total = doc_int_at(object, "status/replicas", 0);

    if (kube_condition_is(object, "ReplicaFailure", "True"))
        return progress(why, "Replica Failure condition. Check Pods");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (doc_int_at(object, rows[i].path, 0) < want)
            return counted(why, rows[i].what, doc_int_at(object, rows[i].path, 0), want);
    return total > want ? too_many(why, total - want) : KUBE_CURRENT;
}

/* Appends the names of containers in a crash loop; whether there are any. */
static bool name_crash_loops(const struct doc_node *pod, struct buf *out)
{
    static const char lists[][29] = {"status/initContainerStatuses", "status/containerStatuses"};
    size_t found = 0;

    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        struct doc_iter it = doc_children(doc_at(pod, lists[i]));

        while (doc_next(&it))
            if (str_eq(doc_string_at(it.value, "state/waiting/reason"), STR("CrashLoopBackOff")))
                buf_addf(out, "%s%.*s", found++ ? "," : "",
                         STR_ARG(doc_string_at(it.value, "name")));
    }
    return found > 0;
}

static enum kube_state judge_pending(const struct doc_node *pod, struct buf *why)
{
    const struct doc_node *condition = kube_condition(pod, "PodScheduled");
    int64_t since;

    if (!kube_condition_is(pod, "PodScheduled", "False") ||
        !str_eq(doc_string_at(condition, "reason"), STR("Unschedulable")))
        return progress(why, "Pod is in the Pending phase");
    if (clock_parse_rfc3339(doc_string_at(condition, "lastTransitionTime"), &since) &&
        clock_wall_ms() - since > SCHEDULE_WINDOW_MS)
        return failed(why, "Pod could not be scheduled");
    return progress(why, "Pod has not been scheduled");
}

static enum kube_state judge_pod(const struct doc_node *object, struct buf *why)
{
    AUTO(buf_done) struct buf crashing = {0};
    str phase = doc_string_at(object, "status/phase");

    if (str_eq(phase, STR("Succeeded")) || str_eq(phase, STR("Failed")))
        return KUBE_CURRENT; /* a Pod that ended is what it will be */
    if (str_eq(phase, STR("Running")) && kube_condition_is(object, "Ready", "True"))
        return KUBE_CURRENT;
    if (name_crash_loops(object, &crashing)) {
        buf_addf(why, "Containers in CrashLoop state: %s", buf_cstr(&crashing));
        return KUBE_FAILED;
    }
    if (str_eq(phase, STR("Running")))
        return progress(why, "Pod is running but is not Ready");
    return phase.len ? judge_pending(object, why) : progress(why, "Pod phase not available");
}

static enum kube_state judge_job(const struct doc_node *object, struct buf *why)
{
    int64_t count =
        doc_int_at(object, "spec/completions", doc_int_at(object, "spec/parallelism", 1));
    int64_t gone_wrong = doc_int_at(object, "status/failed", 0);

    if (kube_condition_is(object, "Complete", "True"))
        return KUBE_CURRENT;
    if (kube_condition_is(object, "Failed", "True")) {
        buf_addf(why, "Job Failed. failed: %lld/%lld", (long long)gone_wrong, (long long)count);
        return KUBE_FAILED;
    }
    if (kube_condition_is(object, "Suspended", "True") || doc_at(object, "status/startTime"))
        return KUBE_CURRENT;
    return progress(why, "Job not started");
}

static enum kube_state judge_claim(const struct doc_node *object, struct buf *why)
{
    str phase = doc_string_at(object, "status/phase");

    if (str_eq(phase, STR("Bound")))
        return KUBE_CURRENT;
    buf_addf(why, "PVC is not Bound. phase: %.*s", STR_ARG(phase.len ? phase : STR("unknown")));
    return KUBE_IN_PROGRESS;
}

static enum kube_state judge_service(const struct doc_node *object, struct buf *why)
{
    if (!str_eq(doc_string_at(object, "spec/type"), STR("LoadBalancer")) ||
        doc_string_at(object, "spec/clusterIP").len)
        return KUBE_CURRENT;
    return progress(why, "ClusterIP not assigned. Service type: LoadBalancer");
}

static enum kube_state judge_crd(const struct doc_node *object, struct buf *why)
{
    const struct doc_node *names = kube_condition(object, "NamesAccepted");

    if (kube_condition_is(object, "NamesAccepted", "False")) {
        buf_add_str(why, doc_string_at(names, "message"));
        return KUBE_FAILED;
    }
    return kube_condition_is(object, "Established", "True") ? KUBE_CURRENT
                                                            : progress(why, "Install in progress");
}

static enum kube_state judge_nothing(const struct doc_node *object UNUSED, struct buf *why UNUSED)
{
    return KUBE_CURRENT;
}

static enum kube_state judge_ready(const struct doc_node *object, struct buf *why)
{
    const struct doc_node *ready = kube_condition(object, "Ready");

    if (!ready || kube_condition_is(object, "Ready", "True"))
        return KUBE_CURRENT;
    buf_add_str(why, doc_string_at(ready, "message"));
    return KUBE_IN_PROGRESS;
}

static const struct {
    const char *group, *kind;
    enum kube_state (*judge)(const struct doc_node *object, struct buf *why);
} rules[] = {
    {"apps", "Deployment", judge_deployment},
    {"apps", "DaemonSet", judge_daemon_set},
    {"apps", "StatefulSet", judge_stateful_set},
    {"apps", "ReplicaSet", judge_replica_set},
    {"", "Pod", judge_pod},
    {"", "ConfigMap", judge_nothing},
    {"", "PersistentVolumeClaim", judge_claim},
    {"", "Service", judge_service},
    {"batch", "Job", judge_job},
    {"batch", "CronJob", judge_nothing},
    {"policy", "PodDisruptionBudget", judge_nothing},
    {"apiextensions.k8s.io", "CustomResourceDefinition", judge_crd},
};

/* What says of any kind that it is not there yet; KUBE_CURRENT: nothing does. */
static enum kube_state judge_signs(const struct doc_node *object, struct buf *why)
{
    const struct doc_node *observed = doc_at(object, "status/observedGeneration");
    int64_t generation = doc_int_at(object, "metadata/generation", 0);

    if (doc_at(object, "metadata/deletionTimestamp")) {
        buf_add_cstr(why, "Resource scheduled for deletion");
        return KUBE_TERMINATING;
    }
    if (observed && doc_int(observed, 0) != generation) {
        buf_addf(why, "%.*s generation is %lld, but latest observed generation is %lld",
                 STR_ARG(doc_string_at(object, "kind")), (long long)generation,
                 (long long)doc_int(observed, 0));
        return KUBE_IN_PROGRESS;
    }
    if (kube_condition_is(object, "Reconciling", "True")) {
        buf_add_str(why, doc_string_at(kube_condition(object, "Reconciling"), "message"));
        return KUBE_IN_PROGRESS;
    }
    if (kube_condition_is(object, "Stalled", "True")) {
        buf_add_str(why, doc_string_at(kube_condition(object, "Stalled"), "message"));
        return KUBE_FAILED;
    }
    return KUBE_CURRENT;
}

enum kube_state kube_status(const struct doc_node *object, struct buf *why)
{
    str rest, group = str_cut(doc_string_at(object, "apiVersion"), '/', &rest);
    enum kube_state state = judge_signs(object, why);

    if (state != KUBE_CURRENT)
        return state;
    if (!rest.p)
        group = STR("");
    for (size_t i = 0; i < ARRAY_LEN(rules); i++)
        if (str_eq(group, str_of(rules[i].group)) &&
            str_eq(doc_string_at(object, "kind"), str_of(rules[i].kind)))
            return rules[i].judge(object, why);
    return judge_ready(object, why);
}
