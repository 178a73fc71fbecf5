/* Controllers: rollouts, Jobs, fates of Pods, the collector. */
#include "unit/sandbox/api.h"

#define NS "/namespaces/default"
#define DEPLOYMENTS "/apis/apps/v1" NS "/deployments"
#define JOBS "/apis/batch/v1" NS "/jobs"
#define PODS "/api/v1" NS "/pods"

static void create(struct api *a, const char *path, const char *spec, const char *name)
{
    AUTO(buf_done) struct buf body = {0};

    buf_addf(&body, "{\"metadata\":{\"name\":\"%s\"},\"spec\":%s}", name, spec);
    CHECK_INT(api_post(a, path, buf_cstr(&body), NULL), 201, name);
}

static void template_of(struct buf *out, const char *fate, const char *image, bool is_job)
{
    buf_addf(
        out,
        "{\"metadata\":{\"labels\":{\"app\":\"a\",\"fate\":\"%s\"},\"annotations\":"
        "{\"fate/message\":\"last words\",\"fate/after\":\"50ms\"}},\"spec\":{%s\"containers\":"
        "[{\"name\":\"c\",\"image\":\"%s\"}]}}",
        fate, is_job ? "\"restartPolicy\":\"Never\"," : "", image);
}

static void deploy(struct api *a, const char *name, int replicas, const char *fate,
                   const char *more)
{
    AUTO(buf_done) struct buf spec = {0};

    buf_addf(&spec,
             "{%s\"replicas\":%d,\"selector\":{\"matchLabels\":{\"app\":\"a\"}},\"template\":",
             more, replicas);
    template_of(&spec, fate, "x:1", false);
    buf_add_char(&spec, '}');
    create(a, DEPLOYMENTS, buf_cstr(&spec), name);
}

static size_t count_of(struct api *a, const char *path)
{
    struct doc_node *n;

    CHECK_INT(api_get(a, path, &n), 200, path);
    return doc_len(doc_get_lit(n, "items"));
}

TEST(deployments_roll_out_and_again_on_a_change)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    deploy(&a, "web", 3, "none", "");
    api_await(&a, DEPLOYMENTS "/web", "status/availableReplicas", "3");
    api_await(&a, DEPLOYMENTS "/web", "?Available", "True");
    CHECK_INT((long long)count_of(&a, PODS), 3, "pods");
    CHECK_INT(api_merge(&a, DEPLOYMENTS "/web",
                        "{\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"v\":\"2\"}}}}}", &n),
              200, "change");
    CHECK_STR(api_text(n, "metadata/generation"), STR("2"), "generation");
    api_await(&a, DEPLOYMENTS "/web", "status/observedGeneration", "2");
    api_await(&a, DEPLOYMENTS "/web", "status/updatedReplicas", "3");
    api_await(&a, DEPLOYMENTS "/web", "status/replicas", "3");
    api_await(&a, DEPLOYMENTS "/web", "status/availableReplicas", "3");
    CHECK_INT((long long)count_of(&a, PODS "?labelSelector=v%3D2"), 3, "all new");
    CHECK_INT((long long)count_of(&a, "/apis/apps/v1" NS "/replicasets"), 2, "history");
    api_get(&a, DEPLOYMENTS "/web", &n);
    CHECK_STR(doc_text(doc_get(doc_at(n, "metadata/annotations"),
                               STR("deployment.kubernetes.io/revision")),
                       STR_NONE),
              STR("2"), "revision");
    CHECK_INT(api_merge(&a, DEPLOYMENTS "/web/scale", "{\"spec\":{\"replicas\":1}}", &n), 200,
              "scale");
    CHECK_STR(api_text(n, "kind"), STR("Scale"), "kind");
    api_await(&a, DEPLOYMENTS "/web", "status/replicas", "1");
    CHECK_INT(api_delete(&a, DEPLOYMENTS "/web?propagationPolicy=Foreground", &n), 200, "delete");
    api_await(&a, DEPLOYMENTS "/web", "reason", "NotFound");
    CHECK_INT((long long)count_of(&a, PODS), 0, "no pods");
}

TEST(broken_deployments_say_so)
{
    static const struct {
        const char *fate, *reason;
    } rows[] = {{"crash", "CrashLoopBackOff"}, {"pull", "ImagePullBackOff"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(api_stop) struct api a = {0};
        struct doc_node *n, *pod;

        api_start(&a, NULL);
        deploy(&a, "web", 1, rows[i].fate, "\"progressDeadlineSeconds\":1,");
        api_await(&a, DEPLOYMENTS "/web", "?Progressing", "False");
        api_get(&a, DEPLOYMENTS "/web", &n);
        CHECK_STR(api_condition(n, "Available"), STR("False"), "available");
        api_get(&a, PODS, &n);
        pod = doc_first(doc_get_lit(n, "items"));
        CHECK_STR(
            api_text(doc_first(doc_at(pod, "status/containerStatuses")), "state/waiting/reason"),
            str_of(rows[i].reason), "reason");
        CHECK(count_of(&a, "/api/v1" NS "/events?fieldSelector=type%3DWarning") > 0);
    }
}

static void run_job(struct api *a, const char *name, const char *fate, const char *more)
{
    AUTO(buf_done) struct buf spec = {0};

    buf_addf(&spec, "{%s\"template\":", more);
    template_of(&spec, fate, "x", true);
    buf_add_char(&spec, '}');
    create(a, JOBS, buf_cstr(&spec), name);
}

TEST(jobs_complete_fail_and_run_out_of_time)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;
    AUTO(buf_done) struct buf path = {0};

    api_start(&a, NULL);
    run_job(&a, "ok", "none", "\"completions\":3,\"parallelism\":2,");
    run_job(&a, "bad", "fail", "\"backoffLimit\":0,");
    run_job(&a, "late", "pull", "\"activeDeadlineSeconds\":1,");
    run_job(&a, "slow", "slow", "");
    api_await(&a, JOBS "/ok", "?Complete", "True");
    api_await(&a, JOBS "/ok", "status/succeeded", "3");
    api_await(&a, JOBS "/slow", "?Complete", "True");
    api_await(&a, JOBS "/bad", "?Failed", "True");
    api_get(&a, JOBS "/bad", &n);
    CHECK_STR(api_text(doc_item(doc_at(n, "status/conditions"), 1), "reason"),
              STR("BackoffLimitExceeded"), "reason");
    api_get(&a, PODS "?labelSelector=job-name%3Dbad", &n);
    n = doc_first(doc_get_lit(n, "items"));
    CHECK_STR(api_text(n, "status/phase"), STR("Failed"), "phase");
    buf_addf(&path, PODS "/%.*s/log?container=c&tailLines=5",
             STR_ARG(api_text(n, "metadata/name")));
    CHECK_INT(api_get(&a, buf_cstr(&path), NULL), 200, "log");
    CHECK_STR(buf_view(&a.response.body), STR("last words\n"), "log");
    api_await(&a, JOBS "/late", "?Failed", "True");
    CHECK_INT((long long)count_of(&a, PODS "?labelSelector=job-name%3Dlate"), 0, "ended");
}

TEST(statefulsets_go_one_by_one_and_daemonsets_have_one_pod)
{
    AUTO(api_stop) struct api a = {0};
    AUTO(buf_done) struct buf spec = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    buf_add_cstr(&spec, "{\"serviceName\":\"s\",\"replicas\":2,\"selector\":{\"matchLabels\":"
                        "{\"app\":\"a\"}},\"template\":");
    template_of(&spec, "none", "x", false);
    buf_add_char(&spec, '}');
    create(&a, "/apis/apps/v1" NS "/statefulsets", buf_cstr(&spec), "db");
    api_await(&a, "/apis/apps/v1" NS "/statefulsets/db", "status/readyReplicas", "2");
    CHECK_INT(api_get(&a, PODS "/db-1", NULL), 200, "second");
    CHECK_INT(api_merge(&a, "/apis/apps/v1" NS "/statefulsets/db",
                        "{\"spec\":{\"replicas\":1,\"template\":{\"metadata\":{\"labels\":{\"v\":"
                        "\"2\"}}}}}",
                        &n),
              200, "change");
    api_await(&a, PODS "/db-0", "metadata/labels/v", "2");
    api_await(&a, PODS "/db-1", "reason", "NotFound");
    create(&a, "/apis/apps/v1" NS "/daemonsets", buf_cstr(&spec), "ds");
    api_await(&a, "/apis/apps/v1" NS "/daemonsets/ds", "status/numberAvailable", "1");
}

TEST(the_collector_follows_owners)
{
    AUTO(api_stop) struct api a = {0};
    AUTO(buf_done) struct buf body = {0};
    struct doc_node *n;
    str uid;

    api_start(&a, NULL);
    CHECK_INT(api_post(&a, "/api/v1" NS "/configmaps", "{\"metadata\":{\"name\":\"o\"}}", &n), 201,
              "owner");
    uid = api_text(n, "metadata/uid");
    buf_addf(&body,
             "{\"metadata\":{\"name\":\"d\",\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":"
             "\"ConfigMap\",\"name\":\"o\",\"uid\":\"%.*s\"}]}}",
             STR_ARG(uid));
    CHECK_INT(api_post(&a, "/api/v1" NS "/secrets", buf_cstr(&body), &n), 201, "dependent");
    CHECK_INT(api_delete(&a, "/api/v1" NS "/configmaps/o?propagationPolicy=Orphan", &n), 200,
              "orphan");
    api_await(&a, "/api/v1" NS "/configmaps/o", "reason", "NotFound");
    CHECK_INT(api_get(&a, "/api/v1" NS "/secrets/d", &n), 200, "it stays");
    CHECK(!doc_at(n, "metadata/ownerReferences"));
    CHECK_INT(api_put(&a, "/api/v1" NS "/secrets/d", buf_cstr(&body), &n), 200, "absent owner");
    api_await(&a, "/api/v1" NS "/secrets/d", "reason", "NotFound");
}
