#include "kube/status.h"

#include "kube/rollout.h"
#include "kube/why.h"

const char *kube_state_name(enum kube_state state)
{
    static const char *const names[] = {[KUBE_CURRENT] = "current",
                                        [KUBE_IN_PROGRESS] = "in progress",
                                        [KUBE_FAILED] = "failed",
                                        [KUBE_TERMINATING] = "terminating"};

    return names[state];
}

static str text(const struct doc_node *object, const char *path)
{
    return doc_string(doc_at(object, path), STR_NONE);
}

const struct doc_node *kube_condition(const struct doc_node *object, const char *type)
{
    struct doc_iter it = doc_children(doc_at(object, "status/conditions"));

    while (doc_next(&it))
        if (str_eq(text(it.value, "type"), str_of(type)))
            return it.value;
    return NULL;
}

bool kube_condition_is(const struct doc_node *object, const char *type, const char *status)
{
    return str_eq(text(kube_condition(object, type), "status"), str_of(status));
}

/* "Ready: reason: message" of a condition, as far as it has them. */
static void add_condition(const struct doc_node *condition, struct buf *why)
{
    str reason = text(condition, "reason"), message = text(condition, "message");

    buf_add_str(why, text(condition, "type"));
    if (reason.len)
        buf_addf(why, ": %.*s", STR_ARG(reason));
    if (message.len)
        buf_addf(why, ": %.*s", STR_ARG(message));
}

static enum kube_state waiting(struct buf *why, const char *what)
{
    buf_add_cstr(why, what);
    return KUBE_IN_PROGRESS;
}

/* ---- a rule a kind */
static enum kube_state judge_rollout(const struct doc_node *object, struct buf *why)
{
    switch (kube_rollout_judge(text(object, "kind"), object, why)) {
    case KUBE_ROLLOUT_COMPLETE:
        return KUBE_CURRENT;
    case KUBE_ROLLOUT_WAITING:
        return KUBE_IN_PROGRESS;
    case KUBE_ROLLOUT_FAILED:
        break;
    }
    return KUBE_FAILED;
}

static enum kube_state judge_replica_set(const struct doc_node *object, struct buf *why)
{
    int64_t want = doc_int(doc_at(object, "spec/replicas"), 1);
    int64_t ready = doc_int(doc_at(object, "status/readyReplicas"), 0);
    int64_t total = doc_int(doc_at(object, "status/replicas"), 0);

    if (kube_condition_is(object, "ReplicaFailure", "True")) {
        add_condition(kube_condition(object, "ReplicaFailure"), why);
        return KUBE_IN_PROGRESS; /* quota or admission: may be lifted */
    }
    if (ready == want && total == want)
        return KUBE_CURRENT;
    buf_addf(why, "%lld of %lld replicas ready", (long long)ready, (long long)want);
    return KUBE_IN_PROGRESS;
}

static enum kube_state judge_pod(const struct doc_node *object, struct buf *why)
{
    AUTO(buf_done) struct buf reason = {0};
    str phase = text(object, "status/phase");

    if (str_eq(phase, STR("Succeeded")) || kube_condition_is(object, "Ready", "True"))
        return KUBE_CURRENT;
    if (kube_pod_is_stuck(object, &reason)) {
        buf_add_str(why, buf_view(&reason));
        return KUBE_FAILED;
    }
    buf_addf(why, "phase %.*s, not ready", STR_ARG(phase.len ? phase : STR("Pending")));
    return KUBE_IN_PROGRESS;
}

static enum kube_state judge_job(const struct doc_node *object, struct buf *why)
{
    if (kube_condition_is(object, "Complete", "True"))
        return KUBE_CURRENT;
    if (kube_condition_is(object, "Failed", "True")) {
        add_condition(kube_condition(object, "Failed"), why);
        return KUBE_FAILED;
    }
    buf_addf(why, "%lld of %lld completions",
             (long long)doc_int(doc_at(object, "status/succeeded"), 0),
             (long long)doc_int(doc_at(object, "spec/completions"), 1));
    return KUBE_IN_PROGRESS;
}

static enum kube_state judge_claim(const struct doc_node *object, struct buf *why)
{
    return str_eq(text(object, "status/phase"), STR("Bound")) ? KUBE_CURRENT
                                                              : waiting(why, "not bound");
}

static enum kube_state judge_service(const struct doc_node *object, struct buf *why)
{
    if (!str_eq(text(object, "spec/type"), STR("LoadBalancer")) ||
        doc_len(doc_at(object, "status/loadBalancer/ingress")))
        return KUBE_CURRENT;
    return waiting(why, "no address of the load balancer");
}

static enum kube_state judge_crd(const struct doc_node *object, struct buf *why)
{
    if (kube_condition_is(object, "NamesAccepted", "False")) {
        add_condition(kube_condition(object, "NamesAccepted"), why);
        return KUBE_FAILED;
    }
    return kube_condition_is(object, "Established", "True") ? KUBE_CURRENT
                                                            : waiting(why, "not established");
}

static enum kube_state judge_api_service(const struct doc_node *object, struct buf *why)
{
    if (kube_condition_is(object, "Available", "True"))
        return KUBE_CURRENT;
    add_condition(kube_condition(object, "Available"), why);
    return KUBE_IN_PROGRESS;
}

static enum kube_state judge_namespace(const struct doc_node *object, struct buf *why)
{
    return str_eq(text(object, "status/phase"), STR("Active")) ? KUBE_CURRENT
                                                               : waiting(why, "not active");
}

/* PodDisruptionBudget and whatever else counts generations: its controller has seen it. */
static enum kube_state judge_nothing(const struct doc_node *object, struct buf *why)
{
    (void)object;
    (void)why;
    return KUBE_CURRENT;
}

/* Of all others: kstatus' standard conditions, then Ready, then the word of Available. */
static enum kube_state judge_conditions(const struct doc_node *object, struct buf *why)
{
    static const char *const wanted[] = {"Ready", "Available"};

    if (kube_condition_is(object, "Stalled", "True")) {
        add_condition(kube_condition(object, "Stalled"), why);
        return KUBE_FAILED;
    }
    if (kube_condition_is(object, "Reconciling", "True")) {
        add_condition(kube_condition(object, "Reconciling"), why);
        return KUBE_IN_PROGRESS;
    }
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
        const struct doc_node *condition = kube_condition(object, wanted[i]);

        if (!condition || kube_condition_is(object, wanted[i], "True"))
            continue;
        add_condition(condition, why);
        return KUBE_IN_PROGRESS;
    }
    return KUBE_CURRENT;
}

static const struct {
    const char *group, *kind;
    enum kube_state (*judge)(const struct doc_node *object, struct buf *why);
} rules[] = {
    {"apps", "Deployment", judge_rollout},
    {"apps", "DaemonSet", judge_rollout},
    {"apps", "StatefulSet", judge_rollout},
    {"apps", "ReplicaSet", judge_replica_set},
    {"", "ReplicationController", judge_replica_set},
    {"", "Pod", judge_pod},
    {"batch", "Job", judge_job},
    {"", "PersistentVolumeClaim", judge_claim},
    {"", "Service", judge_service},
    {"", "Namespace", judge_namespace},
    {"apiextensions.k8s.io", "CustomResourceDefinition", judge_crd},
    {"apiregistration.k8s.io", "APIService", judge_api_service},
    {"policy", "PodDisruptionBudget", judge_nothing},
};

static bool has_seen_spec(const struct doc_node *object)
{
    const struct doc_node *observed = doc_at(object, "status/observedGeneration");

    return !observed || doc_int(observed, 0) >= doc_int(doc_at(object, "metadata/generation"), 0);
}

enum kube_state kube_status(const struct doc_node *object, struct buf *why)
{
    str rest, group = str_cut(text(object, "apiVersion"), '/', &rest);

    if (!rest.p)
        group = STR("");
    if (doc_get_lit(doc_get_lit(object, "metadata"), "deletionTimestamp")) {
        buf_add_cstr(why, "is being deleted");
        return KUBE_TERMINATING;
    }
    if (!has_seen_spec(object))
        return waiting(why, "its controller has not seen this version yet");
    for (size_t i = 0; i < ARRAY_LEN(rules); i++)
        if (str_eq(group, str_of(rules[i].group)) &&
            str_eq(text(object, "kind"), str_of(rules[i].kind)))
            return rules[i].judge(object, why);
    return judge_conditions(object, why);
}
