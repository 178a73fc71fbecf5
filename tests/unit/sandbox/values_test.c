/* What built-in objects are stored as: a real API server of 1.34 answered so to the same bodies. */
#include "doc/emit.h"
#include "sys/cancel.h"
#include "sys/clock.h"
#include "unit/sandbox/api.h"

#define NS "/namespaces/default"
#define APPS "/apis/apps/v1" NS
#define SPEC(more) "{\"containers\":[{\"name\":\"c\",\"image\":\"a:1\"" more "}]}"
#define TEMPLATE(more)                                                                     \
    "\"selector\":{\"matchLabels\":{\"a\":\"b\"}},\"template\":{\"metadata\":{\"labels\":" \
    "{\"a\":\"b\"}},\"spec\":" SPEC(more) "}"

/* Which row of a table, for messages. */
static const char *row_name(size_t i)
{
    static char text[16];

    snprintf(text, sizeof(text), "row %zu", i);
    return text;
}

/* doc_at that steps into lists by number, too. */
static const struct doc_node *at_path(const struct doc_node *n, const char *path)
{
    str rest = str_of(path);

    while (n && rest.p) {
        str step = str_cut(rest, '/', &rest);
        int64_t i;

        n = str_to_int64(step, &i) && doc_is_list(n) ? doc_item(n, (size_t)i) : doc_get(n, step);
    }
    return n;
}

static void start(struct api *a)
{
    api_start(a, &(struct sandbox_options){.no_controllers = true});
}

TEST(amounts_are_answered_in_one_form)
{
    static const struct {
        const char *text, *want; /* NULL: refused */
    } rows[] = {
        {"\"1000\"", "1k"},
        {"\"1024Ki\"", "1Mi"},
        {"\"1048576\"", "1048576"},
        {"\"0.5\"", "500m"},
        {"1", "1"},
        {"1.5", "1500m"},
        {"\"1e5\"", "100e3"},
        {"\"1536Mi\"", "1536Mi"},
        {"\"1.5Gi\"", "1536Mi"},
        {"\"0.1Ki\"", "102400m"},
        {"\"100n\"", "1m"},
        {"\"10E\"", "10E"},
        {"\"1e30\"", "1e30"},
        {"\" 1\"", "1"},
        {"\"0\"", "0"},
        {"\"-2048Ki\"", "-2Mi"},
        {"\"512Ki\"", "512Ki"},
        {"\"12e6\"", "12e6"},
        {"\"100mb\"", NULL},
        {"\"1K\"", NULL},
        {"\"\"", NULL},
        {"\"1.5.2\"", NULL},
        {"\"1m1\"", NULL},
    };
    AUTO(api_stop) struct api a = {0};

    start(&a);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf body = {0};
        struct doc_node *n;

        buf_addf(&body, "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"cpu\":%s}}}",
                 rows[i].text);
        CHECK_INT(api_post(&a, "/api/v1" NS "/resourcequotas?dryRun=All", buf_cstr(&body), &n),
                  rows[i].want ? 201 : 400, rows[i].text);
        if (rows[i].want)
            CHECK_STR(api_text(n, "spec/hard/cpu"), str_of(rows[i].want), rows[i].text);
    }
}

TEST(typed_objects_lose_zeros_and_get_defaults)
{
    static const struct {
        const char *path, *body, *field, *want; /* want: NULL when it is not there */
    } rows[] = {
        {APPS "/deployments",
         "{" TEMPLATE(",\"env\":[{\"name\":\"A\",\"value\":\"\"}],\"startupProbe\":{\"httpGet\":"
                      "{\"port\":1},\"periodSeconds\":0}") ",\"paused\":false}",
         "spec/template/spec/containers/0/env/0/value", NULL},
        {APPS "/deployments", "{" TEMPLATE(",\"startupProbe\":{\"httpGet\":{\"port\":1}}") "}",
         "spec/template/spec/containers/0/startupProbe/httpGet/path", "/"},
        {APPS "/deployments", "{" TEMPLATE(",\"tty\":false") ",\"paused\":false}", "spec/paused",
         NULL},
        {APPS "/statefulsets", "{" TEMPLATE("") ",\"podManagementPolicy\":\"\"}",
         "spec/podManagementPolicy", "OrderedReady"},
        {APPS "/statefulsets", "{" TEMPLATE("") "}", "spec/serviceName", ""},
        {APPS "/statefulsets", "{" TEMPLATE("") "}", "spec/updateStrategy/rollingUpdate/partition",
         "0"},
        {APPS "/statefulsets", "{" TEMPLATE("") ",\"updateStrategy\":{\"type\":\"RollingUpdate\"}}",
         "spec/updateStrategy/rollingUpdate", NULL},
        {APPS "/daemonsets", "{" TEMPLATE("") "}",
         "metadata/annotations/deprecated.daemonset.template.generation", "1"},
        {APPS "/daemonsets", "{" TEMPLATE("") "}", "status/numberReady", "0"},
        {"/api/v1" NS "/pods",
         SPEC(",\"resources\":{\"limits\":{\"cpu\":\"1000m\",\"memory\":\"1024Mi\"}}"),
         "spec/containers/0/resources/requests/cpu", "1"},
        {"/api/v1" NS "/pods",
         SPEC(",\"resources\":{\"limits\":{\"cpu\":\"1000m\",\"memory\":\"1024Mi\"}}"),
         "status/qosClass", "Guaranteed"},
        {"/api/v1" NS "/pods", SPEC(""), "spec/tolerations/1/key",
         "node.kubernetes.io/unreachable"},
        {"/api/v1" NS "/pods", SPEC(""), "spec/serviceAccountName", "default"},
        {"/api/v1" NS "/services", "{\"ports\":[{\"port\":80,\"targetPort\":0}],\"type\":\"\"}",
         "spec/ports/0/targetPort", "80"},
        {"/api/v1" NS "/services", "{\"ports\":[{\"port\":80}],\"type\":\"LoadBalancer\"}",
         "spec/externalTrafficPolicy", "Cluster"},
        {"/api/v1" NS "/services", "{\"type\":\"ExternalName\",\"externalName\":\"a.b\"}",
         "spec/ipFamilies", NULL},
        {"/api/v1" NS "/persistentvolumeclaims",
         "{\"accessModes\":[\"ReadWriteOnce\"],\"resources\":{\"requests\":{\"storage\":"
         "\"1024Mi\"}},\"storageClassName\":\"\"}",
         "metadata/finalizers/0", "kubernetes.io/pvc-protection"},
        {"/api/v1" NS "/persistentvolumeclaims",
         "{\"accessModes\":[\"ReadWriteOnce\"],\"resources\":{\"requests\":{\"storage\":"
         "\"1024Mi\"}},\"storageClassName\":\"\"}",
         "spec/storageClassName", ""},
        {"/apis/networking.k8s.io/v1" NS "/networkpolicies", "{\"egress\":[{}]}",
         "spec/policyTypes/1", "Egress"},
        {"/apis/batch/v1" NS "/jobs",
         "{\"parallelism\":1,\"template\":{\"spec\":{\"restartPolicy\":\"Never\",\"containers\":"
         "[{\"name\":\"c\",\"image\":\"a\"}]}}}",
         "spec/completions", NULL},
    };
    AUTO(api_stop) struct api a = {0};

    start(&a);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf body = {0}, path = {0};
        const struct doc_node *at;
        struct doc_node *n;

        buf_addf(&path, "%s?dryRun=All", rows[i].path);
        buf_addf(&body, "{\"metadata\":{\"name\":\"x\"},\"spec\":%s}", rows[i].body);
        CHECK_INT(api_post(&a, buf_cstr(&path), buf_cstr(&body), &n), 201, row_name(i));
        at = at_path(n, rows[i].field);
        CHECK_INT(at != NULL, rows[i].want != NULL, row_name(i));
        if (rows[i].want)
            CHECK_STR(doc_text(at, STR_NONE), str_of(rows[i].want), row_name(i));
    }
}

TEST(what_the_server_adds_is_nobodys)
{
    AUTO(api_stop) struct api a = {0};
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *n;

    start(&a);
    CHECK_INT(api_post(&a, "/api/v1" NS "/services",
                       "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"ports\":[{\"port\":80}]}}", &n),
              201, "service");
    doc_emit_json(at_path(n, "metadata/managedFields/0/fieldsV1"), 0, &text);
    CHECK(api_text(n, "spec/clusterIP").len);
    CHECK(!str_contains(buf_view(&text), STR("clusterIP")));
    CHECK(str_contains(buf_view(&text), STR("internalTrafficPolicy")));
}

TEST(what_may_not_change_is_refused)
{
    static const struct {
        const char *path, *body, *patch, *why;
    } rows[] = {
        {APPS "/statefulsets", "\"spec\":{" TEMPLATE("") ",\"serviceName\":\"s\"}",
         "{\"spec\":{\"serviceName\":\"t\"}}", "updates to statefulset spec for fields other than"},
        {"/api/v1" NS "/pods", "\"spec\":" SPEC(""), "{\"spec\":{\"hostNetwork\":true}}",
         "pod updates may not change fields other than"},
        {"/api/v1" NS "/pods", "\"spec\":" SPEC(""),
         "{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"a\"},{\"name\":\"d\",\"image\":"
         "\"a\"}]}}",
         "pod updates may not add or remove containers"},
        {"/apis/rbac.authorization.k8s.io/v1" NS "/rolebindings",
         "\"roleRef\":{\"kind\":\"Role\",\"name\":\"r\"}", "{\"roleRef\":{\"name\":\"other\"}}",
         "cannot change roleRef"},
        {"/api/v1" NS "/persistentvolumeclaims",
         "\"spec\":{\"accessModes\":[\"ReadWriteOnce\"],\"resources\":{\"requests\":{\"storage\":"
         "\"1\"}}}",
         "{\"spec\":{\"storageClassName\":\"other\"}}", "spec is immutable after creation except"},
    };
    AUTO(api_stop) struct api a = {0};

    start(&a);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf body = {0}, path = {0};
        struct doc_node *n;

        buf_addf(&body, "{\"metadata\":{\"name\":\"x%zu\"},%s}", i, rows[i].body);
        buf_addf(&path, "%s/x%zu", rows[i].path, i);
        CHECK_INT(api_post(&a, rows[i].path, buf_cstr(&body), NULL), 201, row_name(i));
        CHECK_INT(api_merge(&a, buf_cstr(&path), rows[i].patch, &n), 422, row_name(i));
        CHECK(str_contains(api_text(n, "message"), str_of(rows[i].why)));
    }
}

TEST(a_deletion_tells_how_the_object_waits)
{
    static const char orphan[] = "{\"propagationPolicy\":\"Orphan\"}";
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    start(&a);
    CHECK_INT(api_post(&a, "/api/v1" NS "/configmaps", "{\"metadata\":{\"name\":\"m\"}}", NULL),
              201, "map");
    CHECK_INT(api_call(&a, "DELETE", "/api/v1" NS "/configmaps/m?dryRun=All", "application/json",
                       orphan, &n),
              200, "dry");
    CHECK_STR(doc_text(at_path(n, "metadata/finalizers/0"), STR_NONE), STR("orphan"), "dry");
    CHECK(api_text(n, "metadata/deletionTimestamp").len);
    CHECK_INT(api_get(&a, "/api/v1" NS "/configmaps/m", &n), 200, "still there");
    CHECK(!doc_at(n, "metadata/deletionTimestamp"));
    CHECK_INT(api_call(&a, "DELETE", "/api/v1" NS "/configmaps/m", "application/json", orphan, &n),
              200, "delete");
    CHECK_STR(api_text(n, "kind"), STR("ConfigMap"), "the object");
    CHECK_INT(api_get(&a, "/api/v1" NS "/configmaps/m/status", &n), 404, "no such part");
    CHECK_STR(api_text(n, "message"), STR("the server could not find the requested resource"),
              "404");
}

TEST(a_claim_waits_for_the_pods_that_use_it)
{
    static const char claim[] = "/api/v1" NS "/persistentvolumeclaims/c";
    AUTO(api_stop) struct api a = {0};
    AUTO(err_done) struct err e = {0};
    clock_ms until;

    start(&a);
    CHECK_INT(api_post(&a, "/api/v1" NS "/persistentvolumeclaims",
                       "{\"metadata\":{\"name\":\"c\"},\"spec\":{\"accessModes\":"
                       "[\"ReadWriteOnce\"],\"resources\":{\"requests\":{\"storage\":\"1Gi\"}}}}",
                       NULL),
              201, "claim");
    CHECK_INT(api_post(&a, "/api/v1" NS "/pods",
                       "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\","
                       "\"image\":\"a\"}],\"volumes\":[{\"name\":\"v\",\"persistentVolumeClaim\":"
                       "{\"claimName\":\"c\"}}]}}",
                       NULL),
              201, "pod");
    CHECK_INT(api_delete(&a, claim, NULL), 200, "delete");
    CHECK_INT(api_get(&a, claim, NULL), 200, "in use");
    CHECK_INT(api_delete(&a, "/api/v1" NS "/pods/p", NULL), 200, "its user goes");
    until = clock_now() + TEST_PATIENCE_MS;
    while (api_get(&a, claim, NULL) == 200 && clock_now() < until)
        cancel_sleep(NULL, 5, &e);
    CHECK_INT(api_get(&a, claim, NULL), 404, "gone");
}

/* A list as kubectl asks for it. */
static int api_table(struct api *a, const char *path, struct doc_node **ret)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf url = {0};
    struct http_header h = {STR("Accept"), STR("application/json;as=Table;v=v1;g=meta.k8s.io")};
    struct http_request req = {.method = "GET", .headers = &h, .header_count = 1};

    sandbox_url(a->sb, &url);
    buf_add_cstr(&url, path);
    req.url = buf_view(&url);
    http_response_done(&a->response);
    if (http_call(a->client, &req, NULL, &a->response, &e) < 0)
        return -1;
    *ret = doc_parse_json(a->set, buf_view(&a->response.body), "table", &e);
    return a->response.status;
}

TEST(tables_have_the_columns_of_a_real_server)
{
    static const struct {
        const char *path, *body, *titles;
    } rows[] = {
        {"/api/v1" NS "/services",
         "{\"ports\":[{\"port\":80,\"nodePort\":30080}],\"type\":\"NodePort\"}",
         "Name Type Cluster-IP External-IP Port(s) Age +Selector "},
        {APPS "/deployments", "{" TEMPLATE("") "}",
         "Name Ready Up-to-date Available Age +Containers +Images +Selector "},
        {"/apis/networking.k8s.io/v1" NS "/networkpolicies", "{}", "Name Pod-Selector Age "},
    };
    AUTO(api_stop) struct api a = {0};

    start(&a);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf body = {0}, titles = {0};
        struct doc_node *n = NULL;
        struct doc_iter it;

        buf_addf(&body, "{\"metadata\":{\"name\":\"x\"},\"spec\":%s}", rows[i].body);
        CHECK_INT(api_post(&a, rows[i].path, buf_cstr(&body), NULL), 201, row_name(i));
        CHECK_INT(api_table(&a, rows[i].path, &n), 200, row_name(i));
        it = doc_children(doc_get_lit(n, "columnDefinitions"));
        while (doc_next(&it))
            buf_addf(&titles, "%s%.*s ", doc_int(doc_get_lit(it.value, "priority"), 0) ? "+" : "",
                     STR_ARG(doc_text(doc_get_lit(it.value, "name"), STR_NONE)));
        CHECK_STR(buf_view(&titles), str_of(rows[i].titles), row_name(i));
    }
}

TEST(namespaces_of_the_cluster_stay)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n = NULL;

    start(&a);
    CHECK_INT(api_delete(&a, "/api/v1/namespaces/default", &n), 403, "default");
    CHECK_STR(api_text(n, "message"),
              STR("namespaces \"default\" is forbidden: this namespace may not be deleted"),
              "default");
    CHECK_INT(api_delete(&a, "/api/v1/namespaces", NULL), 405, "all at once");
    CHECK_INT(api_get(&a, "/api/v1/namespaces/kube-public", NULL), 200, "still there");
}
