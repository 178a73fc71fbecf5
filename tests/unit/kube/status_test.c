#include "kube/status.h"

#include "doc/parse.h"
#include "kube/why.h"
#include "support/test.h"
#include "support/tiny_server.h"

TEST(objects_are_judged_by_the_rules_of_their_kind)
{
#define OF(version, kind) "apiVersion: " version "\nkind: " kind "\n"
    static const struct {
        const char *object;
        enum kube_state want;
        const char *why;
    } rows[] = {
        {OF("v1", "ConfigMap"), KUBE_CURRENT, ""},
        {OF("v1", "ConfigMap") "metadata: {deletionTimestamp: x}", KUBE_TERMINATING,
         "Resource scheduled for deletion"},
        {OF("x/v1", "Thing") "metadata: {generation: 3}\nstatus: {observedGeneration: 2}",
         KUBE_IN_PROGRESS, "Thing generation is 3, but latest observed generation is 2"},
        {OF("x/v1", "Thing") "status: {conditions: [{type: Ready, status: 'False', message: m}]}",
         KUBE_IN_PROGRESS, "m"},
        {OF("x/v1", "Thing") "status: {conditions: [{type: Reconciling, status: 'True', message: "
                             "r}]}",
         KUBE_IN_PROGRESS, "r"},
        {OF("x/v1", "Thing") "status: {conditions: [{type: Stalled, status: 'True', message: s}]}",
         KUBE_FAILED, "s"},
        {OF("x/v1", "Thing") "status: {conditions: [{type: Ready, status: 'True'}]}", KUBE_CURRENT,
         ""},
        {OF("apps/v1", "Deployment") "spec: {replicas: 2}\nstatus: {replicas: 2, updatedReplicas: "
                                     "2, availableReplicas: 1}",
         KUBE_IN_PROGRESS, "Available: 1/2"},
        {OF("apps/v1", "Deployment") "spec: {replicas: 2}", KUBE_IN_PROGRESS, "replicas: 0/2"},
        {OF("apps/v1", "Deployment") "status: {replicas: 2, updatedReplicas: 1}", KUBE_IN_PROGRESS,
         "Pending termination: 1"},
        {OF("apps/v1", "Deployment") "status: {replicas: 1, updatedReplicas: 1, readyReplicas: 1, "
                                     "availableReplicas: 1}",
         KUBE_IN_PROGRESS, "Deployment not Available"},
        {OF("apps/v1", "Deployment") "spec: {progressDeadlineSeconds: 5}\nstatus: {replicas: 1, "
                                     "updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1}",
         KUBE_IN_PROGRESS, "ReplicaSet not Available"},
        {OF("apps/v1", "Deployment") "status: {conditions: [{type: Progressing, status: 'False', "
                                     "reason: ProgressDeadlineExceeded}]}",
         KUBE_FAILED, "Progress deadline exceeded"},
        {OF("apps/v1", "Deployment") "status: {replicas: 1, updatedReplicas: 1, readyReplicas: 1, "
                                     "availableReplicas: 1, conditions: [{type: Available, "
                                     "status: 'True'}]}",
         KUBE_CURRENT, ""},
        {OF("apps/v1", "ReplicaSet") "spec: {replicas: 2}\nstatus: {replicas: 2, readyReplicas: "
                                     "1, fullyLabeledReplicas: 2, availableReplicas: 2}",
         KUBE_IN_PROGRESS, "Ready: 1/2"},
        {OF("apps/v1", "StatefulSet") "spec: {updateStrategy: {type: OnDelete}}", KUBE_CURRENT, ""},
        {OF("apps/v1", "StatefulSet") "status: {replicas: 1, readyReplicas: 1, currentReplicas: 1, "
                                      "currentRevision: a, updateRevision: b}",
         KUBE_IN_PROGRESS, "Waiting for updated revision to match current"},
        {OF("apps/v1", "StatefulSet") "spec: {replicas: 3, updateStrategy: {rollingUpdate: "
                                      "{partition: 1}}}\nstatus: {replicas: 3, readyReplicas: 3, "
                                      "updatedReplicas: 1}",
         KUBE_IN_PROGRESS, "updated: 1/2"},
        {OF("apps/v1", "DaemonSet") "metadata: {generation: 1}\nstatus: {observedGeneration: 1, "
                                    "desiredNumberScheduled: 2, currentNumberScheduled: 1}",
         KUBE_IN_PROGRESS, "Current: 1/2"},
        {OF("v1", "Pod") "status: {phase: Succeeded}", KUBE_CURRENT, ""},
        {OF("v1", "Pod") "status: {phase: Failed}", KUBE_CURRENT, ""},
        {OF("v1", "Pod") "status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}",
         KUBE_CURRENT, ""},
        {OF("v1", "Pod") "status: {phase: Running}", KUBE_IN_PROGRESS,
         "Pod is running but is not Ready"},
        {OF("v1", "Pod") "status: {phase: Pending}", KUBE_IN_PROGRESS,
         "Pod is in the Pending phase"},
        {OF("v1", "Pod") "status: {phase: Pending, conditions: [{type: PodScheduled, status: "
                         "'False', reason: Unschedulable, lastTransitionTime: "
                         "'2020-01-01T00:00:00Z'}]}",
         KUBE_FAILED, "Pod could not be scheduled"},
        {OF("v1", "Pod") "status: {phase: Running, containerStatuses: [{name: a, state: {waiting: "
                         "{reason: CrashLoopBackOff}}}]}",
         KUBE_FAILED, "Containers in CrashLoop state: a"},
        {OF("batch/v1", "Job") "status: {failed: 1, conditions: [{type: Failed, status: 'True'}]}",
         KUBE_FAILED, "Job Failed. failed: 1/1"},
        {OF("batch/v1", "Job") "status: {startTime: x}", KUBE_CURRENT, ""},
        {OF("batch/v1", "Job") "status: {}", KUBE_IN_PROGRESS, "Job not started"},
        {OF("v1", "PersistentVolumeClaim") "status: {phase: Pending}", KUBE_IN_PROGRESS,
         "PVC is not Bound. phase: Pending"},
        {OF("v1", "Service") "spec: {type: LoadBalancer}", KUBE_IN_PROGRESS,
         "ClusterIP not assigned. Service type: LoadBalancer"},
        {OF("v1", "Service") "spec: {type: ClusterIP}", KUBE_CURRENT, ""},
        {OF("apiextensions.k8s.io/v1", "CustomResourceDefinition") "status: {}", KUBE_IN_PROGRESS,
         "Install in progress"},
        {OF("apiextensions.k8s.io/v1",
            "CustomResourceDefinition") "status: {conditions: [{type: NamesAccepted, status: "
                                        "'False', message: taken}]}",
         KUBE_FAILED, "taken"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf why = {0};
        struct doc_node *o = doc_parse(set, str_of(rows[i].object), DOC_MANIFEST, "test", &e);

        CHECK_OK(&e);
        CHECK_INT(kube_status(o, &why), rows[i].want, rows[i].object);
        CHECK_STR(buf_view(&why), str_of(rows[i].why), rows[i].object);
    }
}

/* ---- kube_why against a server */
static bool play(void *ctx, const struct tiny_request *req, int fd)
{
    bool has_log = *(bool *)ctx;

    if (str_contains(req->target, STR("/log?")))
        return str_contains(req->target, STR("previous=true")) && has_log
                   ? tiny_answer(fd, 200, NULL, STR("starting\nno database\n"))
                   : tiny_answer(fd, 400, NULL, STR("container is waiting"));
    if (str_contains(req->target, STR("/events?")))
        return tiny_answer(fd, 200, NULL,
                           str_contains(req->target, STR("uid%3Dpod-uid"))
                               ? STR("{\"items\":["
                                     "{\"type\":\"Warning\",\"reason\":\"Old\",\"message\":"
                                     "\"first\",\"lastTimestamp\":\"2026-01-01\"},"
                                     "{\"type\":\"Warning\",\"reason\":\"BackOff\",\"message\":"
                                     "\"again\",\"count\":4,"
                                     "\"lastTimestamp\":\"2026-01-03\"}]}")
                               : STR("{\"items\":[]}"));
    if (str_starts(req->target, STR("/api")) && !str_contains(req->target, STR("/pods")))
        return tiny_answer(fd, 200, NULL,
                           STR("{\"kind\":\"APIGroupDiscoveryList\",\"items\":[{\"metadata\":{},"
                               "\"versions\":[{\"version\":\"v1\",\"resources\":["
                               "{\"resource\":\"pods\",\"scope\":\"Namespaced\",\"responseKind\":"
                               "{\"kind\":\"Pod\"}},{\"resource\":\"events\",\"scope\":"
                               "\"Namespaced\",\"responseKind\":{\"kind\":\"Event\"}}]}]}]}"));
    return tiny_answer(
        fd, 200, NULL,
        STR("{\"items\":[{\"metadata\":{\"name\":\"fine\",\"namespace\":\"n\"},\"status\":{}},"
            "{\"metadata\":{\"name\":\"bad\",\"namespace\":\"n\",\"uid\":\"pod-uid\"},\"status\":"
            "{\"containerStatuses\":[{\"name\":\"c\",\"restartCount\":1,\"state\":{\"waiting\":{"
            "\"reason\":"
            "\"CrashLoopBackOff\"}},\"lastState\":{\"terminated\":{\"exitCode\":2}}}]}}]}"));
}

TEST(a_workload_that_fails_is_explained_by_its_pod)
{
    static const struct kube_type type = {.group = STR_INIT("apps"),
                                          .kind = STR_INIT("Deployment")};
    static const char *const want[] = {"; container \"c\": CrashLoopBackOff, last ended: "
                                       "terminated (exit code 2); events: BackOff: "
                                       "again",
                                       "; container \"c\": CrashLoopBackOff, last ended: "
                                       "terminated (exit code 2); events: BackOff: "
                                       "again; last lines of pod/bad:\nstarting\nno database"};

    for (int i = 0; i < 2; i++) {
        bool has_log = i;
        AUTO(tiny_stop) struct tiny_server *server = tiny_start(play, &has_log);
        AUTO(err_done) struct err e = {0};
        struct kube_config_flags flags = {.server = str_of(tiny_url(server)),
                                          .kubeconfig = STR("/dev/null")};
        AUTO(kube_config_free) struct kube_config *config = kube_config_load(&flags, &e);
        AUTO(kube_free) struct kube *k = kube_new(config, &e);
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(buf_done) struct buf why = {0};
        struct doc_node *object = doc_parse(
            set, STR("{metadata: {namespace: team}, spec: {selector: {matchLabels: {a: b}}}}"),
            DOC_MANIFEST, "test", &e);

        kube_why(k, &type, object, 20, 1, NULL, &why);
        CHECK_STR(buf_view(&why), str_of(want[i]), "why");
    }
}
