#include "kube/rollout.h"

#include "doc/parse.h"
#include "support/test.h"

TEST(rollouts_are_judged_by_kind)
{
    static const struct {
        const char *kind, *object, *want, *why;
    } rows[] = {
        {"Deployment", "{\"status\":{}}", "waiting", "0 of 1 replicas updated"},
        {"deployment", "{\"spec\":{\"replicas\":0},\"status\":{}}", "complete", ""},
        {"deployment",
         "{\"spec\":{\"replicas\":1},\"status\":{\"updatedReplicas\":1,\"replicas\":2,"
         "\"availableReplicas\":2}}",
         "waiting", "1 old replica(s)"},
        {"deployment", "{\"metadata\":{\"generation\":2},\"status\":{\"observedGeneration\":1}}",
         "waiting", "not seen"},
        {"daemonset",
         "{\"status\":{\"desiredNumberScheduled\":2,\"updatedNumberScheduled\":2,"
         "\"numberAvailable\":1}}",
         "waiting", "1 of 2 Pods available"},
        {"daemonset", "{\"spec\":{\"updateStrategy\":{\"type\":\"OnDelete\"}}}", "failed",
         "OnDelete"},
        {"statefulset",
         "{\"spec\":{\"replicas\":2,\"updateStrategy\":{\"rollingUpdate\":{\"partition\":5}}},"
         "\"status\":{\"readyReplicas\":2}}",
         "complete", ""},
        {"statefulset",
         "{\"status\":{\"readyReplicas\":1,\"updatedReplicas\":1,\"updateRevision\":\"b\","
         "\"currentRevision\":\"a\"}}",
         "waiting", "replicas updated"},
        {"replicaset", "{}", "failed", "no rollout"},
        {"deployment", "[]", "waiting", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf why = {0};
        const struct doc_node *object = doc_parse_json(set, str_of(rows[i].object), "o", &e);

        CHECK_STR(str_of(kube_rollout_name(kube_rollout_judge(str_of(rows[i].kind), object, &why))),
                  str_of(rows[i].want), rows[i].object);
        CHECK(str_contains(buf_view(&why), str_of(rows[i].why)));
    }
}
