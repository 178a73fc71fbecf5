/* Waiting as Helm 3 did: its own rules, looked at every two seconds (helm spec 13, legacy). */
#include "chart/release/release_priv.h"
#include "doc/at.h"
#include "kube/selector.h"

enum { POLL_MS = 2000, FAILURES = 30 };

/* A count or a share of `of`, "25%": rounded up or down as asked. */
static int64_t share(const struct doc_node *n, int64_t fallback, int64_t of, bool up)
{
    str s = doc_text(n, STR(""));
    int64_t value;

    if (!n)
        return fallback;
    if (str_ends(s, STR("%")) && str_to_int64(str_sub(s, 0, s.len - 1), &value))
        return (MIN(MAX(value, 0), 100) * of + (up ? 99 : 0)) / 100;
    return str_to_int64(s, &value) ? value : fallback;
}

/* ---- rules */

static bool pod_is_ready(const struct doc_node *o, int64_t n UNUSED, bool jobs UNUSED)
{
    return kube_condition_is(o, "Ready", "True");
}

static bool job_is_ready(const struct doc_node *o, int64_t n UNUSED, bool for_jobs)
{
    if (!for_jobs)
        return true;
    return doc_int_at(o, "status/succeeded", 0) >= doc_int_at(o, "spec/completions", 1);
}

static bool claim_is_ready(const struct doc_node *o, int64_t n UNUSED, bool jobs UNUSED)
{
    return str_eq(doc_string_at(o, "status/phase"), STR("Bound"));
}

static bool service_is_ready(const struct doc_node *o, int64_t n UNUSED, bool jobs UNUSED)
{
    str type = doc_string_at(o, "spec/type");

    if (str_eq(type, STR("ExternalName")))
        return true;
    if (!doc_string_at(o, "spec/clusterIP").len)
        return false;
    if (!str_eq(type, STR("LoadBalancer")) || doc_len(doc_at(o, "spec/externalIPs")))
        return true;
    return doc_len(doc_at(o, "status/loadBalancer/ingress")) > 0;
}

static bool deployment_is_ready(const struct doc_node *o, int64_t ready, bool jobs UNUSED)
{
    int64_t want = doc_int_at(o, "spec/replicas", 1);
    const struct doc_node *unavailable = doc_at(o, "spec/strategy/rollingUpdate/maxUnavailable");
    bool rolls = !str_eq(doc_string_at(o, "spec/strategy/type"), STR("Recreate"));

    if (doc_bool(doc_at(o, "spec/paused"), false))
        return true;
    if (doc_int_at(o, "status/observedGeneration", 0) < doc_int_at(o, "metadata/generation", 0))
        return false;
    return ready >= want - (rolls ? share(unavailable, want / 4, want, false) : 0);
}

static bool daemon_set_is_ready(const struct doc_node *o, int64_t n UNUSED, bool jobs UNUSED)
{
    int64_t want = doc_int_at(o, "status/desiredNumberScheduled", 0);
    const struct doc_node *unavailable =
        doc_at(o, "spec/updateStrategy/rollingUpdate/maxUnavailable");

    if (str_eq(doc_string_at(o, "spec/updateStrategy/type"), STR("OnDelete")))
        return true;
    if (doc_int_at(o, "status/observedGeneration", 0) < doc_int_at(o, "metadata/generation", 0) ||
        doc_int_at(o, "status/updatedNumberScheduled", 0) != want)
        return false;
    return doc_int_at(o, "status/numberReady", 0) >= want - share(unavailable, 1, want, true);
}

static bool stateful_set_is_ready(const struct doc_node *o, int64_t n UNUSED, bool jobs UNUSED)
{
    int64_t want = doc_int_at(o, "spec/replicas", 1);
    int64_t partition = doc_int_at(o, "spec/updateStrategy/rollingUpdate/partition", 0);

    if (str_eq(doc_string_at(o, "spec/updateStrategy/type"), STR("OnDelete")))
        return true;
    if (doc_int_at(o, "status/observedGeneration", 0) < doc_int_at(o, "metadata/generation", 0) ||
        doc_int_at(o, "status/updatedReplicas", 0) < want - partition ||
        doc_int_at(o, "status/readyReplicas", 0) != want)
        return false;
    return partition > 0 || str_eq(doc_string_at(o, "status/currentRevision"),
                                   doc_string_at(o, "status/updateRevision"));
}

static bool crd_is_ready(const struct doc_node *o, int64_t n UNUSED, bool jobs UNUSED)
{
    return kube_condition_is(o, "Established", "True") ||
           kube_condition_is(o, "NamesAccepted", "False");
}

static bool replicas_are_ready(const struct doc_node *o, int64_t n UNUSED, bool jobs UNUSED)
{
    return doc_int_at(o, "status/observedGeneration", 0) >=
               doc_int_at(o, "metadata/generation", 0) &&
           doc_int_at(o, "status/readyReplicas", 0) >= doc_int_at(o, "spec/replicas", 1);
}

bool chart_legacy_is_ready(const struct doc_node *object, int64_t ready_replicas, bool for_jobs)
{
    static const struct {
        str kind;
        bool (*is_ready)(const struct doc_node *o, int64_t ready_replicas, bool for_jobs);
    } rules[] = {
        {STR_INIT("Pod"), pod_is_ready},
        {STR_INIT("Job"), job_is_ready},
        {STR_INIT("PersistentVolumeClaim"), claim_is_ready},
        {STR_INIT("Service"), service_is_ready},
        {STR_INIT("Deployment"), deployment_is_ready},
        {STR_INIT("DaemonSet"), daemon_set_is_ready},
        {STR_INIT("StatefulSet"), stateful_set_is_ready},
        {STR_INIT("CustomResourceDefinition"), crd_is_ready},
        {STR_INIT("ReplicationController"), replicas_are_ready},
        {STR_INIT("ReplicaSet"), replicas_are_ready},
    };

    for (size_t i = 0; i < ARRAY_LEN(rules); i++)
        if (str_eq(rules[i].kind, doc_string_at(object, "kind")))
            return rules[i].is_ready(object, ready_replicas, for_jobs);
    return true;
}

/* ---- polling */

struct newest { /* of a Deployment's ReplicaSets, by its revision */
    str uid, revision;
    int64_t ready;
};

static int on_replica_set(void *ctx, struct doc_set *set UNUSED, struct doc_node *object)
{
    struct newest *n = ctx;
    struct doc_iter owners = doc_children(doc_at(object, "metadata/ownerReferences"));
    const struct doc_node *annotations = doc_at(object, "metadata/annotations");

    while (doc_next(&owners))
        if (str_eq(doc_string_at(owners.value, "uid"), n->uid) &&
            str_eq(
                doc_string(doc_get_lit(annotations, "deployment.kubernetes.io/revision"), STR("")),
                n->revision))
            n->ready = doc_int_at(object, "status/readyReplicas", 0);
    return 0;
}

static int newest_ready(const struct chart_run *run, const struct chart_object *o,
                        const struct doc_node *deployment, int64_t *ret, struct err *e)
{
    const struct doc_node *annotations = doc_at(deployment, "metadata/annotations");
    AUTO(buf_done) struct buf selector = {0};
    struct newest n = {.uid = doc_string_at(deployment, "metadata/uid"), .ready = -1};
    struct kube_ref all = {.ns = o->ref.ns};
    struct kube_list_options options = {0};

    n.revision =
        doc_string(doc_get_lit(annotations, "deployment.kubernetes.io/revision"), STR("-"));
    all.type = kube_type_of(run->kube, STR("apps/v1"), STR("ReplicaSet"), run->cancel, e);
    kube_selector_text(doc_at(deployment, "spec/selector"), &selector);
    options.label_selector = buf_view(&selector);
    if (!all.type ||
        kube_list(run->kube, &all, &options, run->cancel, on_replica_set, &n, NULL, e) < 0)
        return -1;
    *ret = n.ready;
    return 0;
}

/* 1: ready, 0: not yet, -1: could not be asked. */
static int look(const struct chart_run *run, const struct chart_object *o, bool for_jobs,
                struct cancel *cancel, struct err *e)
{
    AUTO(kube_object_done) struct kube_object live = {0};
    int64_t ready = -1;

    if (kube_get(run->kube, &o->ref, cancel, &live, e) < 0)
        return -1;
    if (for_jobs && str_eq(o->kind, STR("Job")) && kube_condition_is(live.root, "Failed", "True"))
        return err_set(e, ERR_INVALID, "job is failed: %.*s/%.*s", STR_ARG(o->ref.ns),
                       STR_ARG(o->name));
    if (str_eq(o->kind, STR("Deployment")) && newest_ready(run, o, live.root, &ready, e) < 0)
        return -1;
    return chart_legacy_is_ready(live.root, ready, for_jobs);
}

static bool is_passing(const struct err *e)
{
    return e->kind == ERR_UNAVAILABLE || e->kind == ERR_IO || e->kind == ERR_CONFLICT;
}

static int wait_one(const struct chart_run *run, const struct chart_object *o, bool for_jobs,
                    struct cancel *cancel, struct err *e)
{
    int failures = 0, rc;

    while ((rc = look(run, o, for_jobs, cancel, e)) != 1) {
        if (rc < 0 && (cancel_is_set(cancel) || !is_passing(e) || ++failures > FAILURES))
            return -1;
        err_done(e);
        if (cancel_sleep(cancel, POLL_MS, e) < 0)
            return -1;
    }
    return 0;
}

int chart_wait_polling(const struct chart_run *run, struct chart_objects *objects, bool for_jobs,
                       struct err *e)
{
    AUTO(cancel_free)
    struct cancel *cancel = cancel_new(run->cancel, clock_after(chart_run_timeout(run)));

    for (size_t i = 0; i < objects->len; i++) {
        AUTO(err_done) struct err late = {0};

        if (wait_one(run, &objects->v[i], for_jobs, cancel, e) == 0)
            continue;
        chart_reason_add(run, &objects->v[i]);
        if (cancel_check(cancel, &late) == 0)
            return -1;
        err_done(e);
        return err_set(e, late.kind,
                       late.kind == ERR_TIMEOUT ? "context deadline exceeded" : "context canceled");
    }
    return 0;
}
