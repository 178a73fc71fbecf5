/* Objects through the API: verbs, answers, errors in the API server's words. */
#include "unit/sandbox/api.h"

#define CM "/api/v1/namespaces/default/configmaps"
#define PODS "/api/v1/namespaces/default/pods"

static void create_map(struct api *a, const char *name, const char *labels)
{
    AUTO(buf_done) struct buf body = {0};

    buf_addf(&body, "{\"metadata\":{\"name\":\"%s\",\"labels\":%s},\"data\":{\"a\":\"1\"}}", name,
             labels);
    CHECK_INT(api_post(a, CM, buf_cstr(&body), NULL), 201, name);
}

TEST(objects_are_created_read_replaced_and_deleted)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;
    AUTO(buf_done) struct buf body = {0};

    api_start(&a, NULL);
    CHECK_INT(api_post(&a, CM, "{\"metadata\":{\"name\":\"c\"},\"data\":{\"a\":\"1\"}}", &n), 201,
              "create");
    CHECK_STR(api_text(n, "kind"), STR("ConfigMap"), "kind");
    CHECK_STR(api_text(n, "metadata/namespace"), STR("default"), "namespace");
    CHECK_INT((long long)api_text(n, "metadata/uid").len, 36, "uid");
    CHECK_INT(api_post(&a, CM, "{\"metadata\":{\"name\":\"c\"}}", &n), 409, "again");
    CHECK_STR(api_text(n, "reason"), STR("AlreadyExists"), "reason");
    CHECK_STR(api_text(n, "message"), STR("configmaps \"c\" already exists"), "message");
    CHECK_INT(api_get(&a, CM "/c", &n), 200, "get");
    buf_addf(&body,
             "{\"metadata\":{\"name\":\"c\",\"resourceVersion\":\"%.*s\"},\"data\":{\"b\":\"2\"}}",
             STR_ARG(api_text(n, "metadata/resourceVersion")));
    CHECK_INT(api_put(&a, CM "/c", buf_cstr(&body), &n), 200, "put");
    CHECK(!doc_at(n, "data/a"));
    CHECK_INT(api_put(&a, CM "/c", buf_cstr(&body), &n), 409, "an old version");
    CHECK_STR(
        api_text(n, "message"),
        STR("Operation cannot be fulfilled on configmaps \"c\": the object has been modified; "
            "please apply your changes to the latest version and try again"),
        "message");
    CHECK_INT(api_delete(&a, CM "/c", &n), 200, "delete");
    CHECK_STR(api_text(n, "status"), STR("Success"), "status");
    CHECK_INT(api_get(&a, CM "/c", &n), 404, "gone");
    CHECK_STR(api_text(n, "message"), STR("configmaps \"c\" not found"), "message");
}

TEST(refusals_carry_status_and_reason)
{
    static const struct {
        const char *method, *path, *body;
        int status;
        const char *message;
    } rows[] = {
        {"POST", CM, "{", 400, "unrecognized"},
        {"POST", CM, "[]", 400, "it is no object"},
        {"POST", CM, "{\"metadata\":{}}", 422, "name or generateName is required"},
        {"POST", CM, "{\"metadata\":{\"name\":\"A_b\"}}", 422, "RFC 1123 subdomain"},
        {"POST", CM, "{\"apiVersion\":\"v2\",\"metadata\":{\"name\":\"a\"}}", 400,
         "the API version in the data (v2) does not match the expected API version (v1)"},
        {"POST", CM, "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}", 400, "cannot be handled"},
        {"POST", CM, "{\"metadata\":{\"name\":\"a\",\"namespace\":\"x\"}}", 400,
         "does not match the namespace sent on the request"},
        {"POST", "/api/v1/namespaces/none/configmaps", "{\"metadata\":{\"name\":\"a\"}}", 404,
         "namespaces \"none\" not found"},
        {"POST", "/api/v1/configmaps", "{\"metadata\":{\"name\":\"a\"}}", 405, "does not allow"},
        {"POST", "/api/v1/namespaces/default/pods",
         "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[{\"name\":\"c\"}]}}", 422,
         "Pod \"a\" is invalid: spec.containers[0].image: Required value"},
        {"POST", "/apis/apps/v1/namespaces/default/deployments", "{\"metadata\":{\"name\":\"a\"}}",
         422, "Deployment.apps \"a\" is invalid: [spec.selector: Required value"},
        {"GET", "/api/v1/nothing", "", 404, NULL},
        {"GET", "/apis/none.io/v1", "", 404, NULL},
        {"GET", CM "?labelSelector=a%20b%20c", "", 400, "unable to parse requirement"},
        {"GET", CM "?fieldSelector=spec.x%3D1", "", 400, "field label not supported: spec.x"},
        {"GET", CM "?continue=xxx", "", 400, "continue key is not valid"},
        {"GET", "/api/v1/name%zz", "", 400, "target is not valid"},
        {"DELETE", CM "/none", "", 404, "not found"},
        {"PATCH", CM "/none", "{}", 404, "not found"},
    };
    AUTO(api_stop) struct api a = {0};

    api_start(&a, NULL);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct doc_node *n;
        const char *type = str_eq(str_of(rows[i].method), STR("PATCH"))
                               ? "application/merge-patch+json"
                               : "application/json";

        CHECK_INT(api_call(&a, rows[i].method, rows[i].path, type, rows[i].body, &n),
                  rows[i].status, rows[i].body);
        if (rows[i].message && !str_contains(api_text(n, "message"), str_of(rows[i].message)))
            CHECK_STR(api_text(n, "message"), str_of(rows[i].message), rows[i].body);
    }
}

TEST(without_a_certificate_nobody_gets_in)
{
    AUTO(api_stop) struct api a = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf url = {0};
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(http_client_free) struct http_client *anyone = NULL;
    struct http_client_options o = {0};
    struct http_request req = {.method = "GET"};

    api_start(&a, NULL);
    o.tls.ca_pem = sandbox_ca_pem(a.sb);
    anyone = http_client_new(&o, &e);
    sandbox_url(a.sb, &url);
    buf_add_cstr(&url, "/api/v1/namespaces");
    req.url = buf_view(&url);
    CHECK_INT(http_call(anyone, &req, NULL, &r, &e), 0, "answered");
    CHECK_INT(r.status, 401, "anonymous");
}

TEST(lists_come_in_pages_and_by_selector)
{
    AUTO(api_stop) struct api a = {0};
    AUTO(buf_done) struct buf path = {0};
    struct doc_node *n;

    api_start(&a, &(struct sandbox_options){.no_controllers = true});
    create_map(&a, "one", "{\"t\":\"x\"}");
    create_map(&a, "two", "{\"t\":\"y\"}");
    create_map(&a, "three", "{\"t\":\"x\"}");
    CHECK_INT(api_get(&a, CM "?labelSelector=t&limit=2", &n), 200, "first page");
    CHECK_INT((long long)doc_len(doc_get_lit(n, "items")), 2, "items");
    CHECK(
        !doc_at(doc_first(doc_get_lit(n, "items")), "kind")); /* as the API server leaves it out */
    buf_addf(&path, CM "?labelSelector=t&limit=2&continue=%.*s",
             STR_ARG(api_text(n, "metadata/continue")));
    CHECK_INT(api_get(&a, buf_cstr(&path), &n), 200, "second page");
    CHECK(!doc_at(n, "metadata/continue"));
    CHECK_STR(api_text(doc_first(doc_get_lit(n, "items")), "metadata/name"), STR("two"), "last");
    create_map(&a, "four", "{}");
    sandbox_compact(a.sb);
    CHECK_INT(api_get(&a, buf_cstr(&path), &n), 410, "a page of a forgotten list");
    CHECK_STR(api_text(n, "reason"), STR("Expired"), "reason");
    CHECK_INT(api_get(&a, CM "?labelSelector=t%3Dx", &n), 200, "by label");
    CHECK_INT((long long)doc_len(doc_get_lit(n, "items")), 2, "x");
    CHECK_INT(api_get(&a, CM "?labelSelector=t%20in%20(y,z)", &n), 200, "by set");
    CHECK_INT((long long)doc_len(doc_get_lit(n, "items")), 1, "y");
    CHECK_INT(api_get(&a, CM "?fieldSelector=metadata.name%3Dthree", &n), 200, "by name");
    CHECK_INT((long long)doc_len(doc_get_lit(n, "items")), 1, "three");
    CHECK_INT(api_delete(&a, CM "?labelSelector=t%3Dx", &n), 200, "delete some");
    CHECK_INT(api_get(&a, "/api/v1/configmaps", &n), 200, "all namespaces");
    CHECK_INT((long long)doc_len(doc_get_lit(n, "items")), 6, "two, and one in each namespace");
}

TEST(dry_runs_change_nothing_and_names_are_generated)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(api_post(&a, CM "?dryRun=All", "{\"metadata\":{\"name\":\"d\"}}", &n), 201, "dry");
    CHECK_INT(api_get(&a, CM "/d", NULL), 404, "not there");
    CHECK_INT(api_post(&a, CM, "{\"metadata\":{\"generateName\":\"g-\"}}", &n), 201, "generated");
    CHECK_INT((long long)api_text(n, "metadata/name").len, 7, "five letters more");
    CHECK_INT(api_post(&a, CM "?dryRun=Some", "{\"metadata\":{\"name\":\"d\"}}", &n), 422, "word");
}

TEST(secrets_take_plain_text_and_services_get_an_address)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(api_post(&a, "/api/v1/namespaces/default/secrets",
                       "{\"metadata\":{\"name\":\"s\"},\"stringData\":{\"p\":\"abc\"}}", &n),
              201, "secret");
    CHECK_STR(api_text(n, "data/p"), STR("YWJj"), "base64");
    CHECK(!doc_get_lit(n, "stringData"));
    CHECK_STR(api_text(n, "type"), STR("Opaque"), "type");
    CHECK_INT(api_post(&a, "/api/v1/namespaces/default/services",
                       "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"ports\":[{\"port\":80}]}}", &n),
              201, "service");
    CHECK(str_starts(api_text(n, "spec/clusterIP"), STR("10.0.")));
    CHECK_STR(api_text(doc_first(doc_at(n, "spec/ports")), "targetPort"), STR("80"), "target");
}

TEST(deletion_waits_for_finalizers)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(
        api_post(&a, CM, "{\"metadata\":{\"name\":\"f\",\"finalizers\":[\"example.com/x\"]}}", &n),
        201, "create");
    CHECK_INT(api_delete(&a, CM "/f", &n), 200, "delete");
    CHECK(doc_at(n, "metadata/deletionTimestamp") != NULL);
    CHECK_INT(api_get(&a, CM "/f", NULL), 200, "still there");
    CHECK_INT(api_merge(&a, CM "/f", "{\"metadata\":{\"finalizers\":null}}", &n), 200, "release");
    CHECK_INT(api_get(&a, CM "/f", NULL), 404, "gone");
}

TEST(preconditions_guard_deletes)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    create_map(&a, "p", "{}");
    CHECK_INT(api_call(&a, "DELETE", CM "/p", "application/json",
                       "{\"preconditions\":{\"uid\":\"other\"}}", &n),
              409, "other uid");
    CHECK(str_contains(api_text(n, "message"),
                       STR("Precondition failed: UID in precondition: other")));
    CHECK_INT(api_call(&a, "DELETE", CM "/p", "application/json",
                       "{\"propagationPolicy\":\"Sideways\"}", &n),
              422, "policy");
    CHECK_INT(api_delete(&a, CM "/p?dryRun=All", &n), 200, "dry");
    CHECK_INT(api_get(&a, CM "/p", NULL), 200, "still there");
}

TEST(namespaces_go_with_what_is_in_them)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(api_post(&a, "/api/v1/namespaces", "{\"metadata\":{\"name\":\"n\"}}", &n), 201, "ns");
    CHECK_STR(api_text(n, "status/phase"), STR("Active"), "phase");
    api_await(&a, "/api/v1/namespaces/n/serviceaccounts/default", "kind", "ServiceAccount");
    CHECK_INT(api_post(&a, "/api/v1/namespaces/n/configmaps",
                       "{\"metadata\":{\"name\":\"f\",\"finalizers\":[\"example.com/x\"]}}", &n),
              201, "one that stays");
    CHECK_INT(api_delete(&a, "/api/v1/namespaces/n", &n), 200, "delete");
    CHECK_STR(api_text(n, "status/phase"), STR("Terminating"), "phase");
    CHECK_INT(
        api_post(&a, "/api/v1/namespaces/n/configmaps", "{\"metadata\":{\"name\":\"g\"}}", &n), 403,
        "no new content");
    CHECK_INT(api_get(&a, "/api/v1/namespaces/n", NULL), 200, "it waits");
    CHECK_INT(api_merge(&a, "/api/v1/namespaces/n/configmaps/f",
                        "{\"metadata\":{\"finalizers\":[]}}", &n),
              200, "release");
    api_await(&a, "/api/v1/namespaces/n", "reason", "NotFound");
}

TEST(what_needs_a_container_is_refused_with_the_reason)
{
    static const struct {
        const char *method, *path, *message;
        int status;
    } rows[] = {
        {"POST", PODS "/p/exec?command=ls",
         "the sandbox runs no containers, so exec of pod \"p\" is not possible", 501},
        {"GET", PODS "/p/portforward?ports=80",
         "the sandbox runs no containers, so portforward of pod \"p\" is not possible", 501},
        {"POST", PODS "/none/attach", "pods \"none\" not found", 404},
    };
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(api_post(&a, PODS,
                       "{\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[{\"name\":\"c\","
                       "\"image\":\"i\"}]}}",
                       &n),
              201, "create");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        CHECK_INT(api_call(&a, rows[i].method, rows[i].path, NULL, "", &n), rows[i].status,
                  rows[i].path);
        CHECK_STR(api_text(n, "message"), str_of(rows[i].message), rows[i].path);
    }
}

TEST(the_rules_of_a_caller_allow_everything)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(api_post(&a, "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
                       "{\"spec\":{\"namespace\":\"default\"}}", &n),
              201, "create");
    n = doc_get_lit(n, "status");
    CHECK_STR(doc_text(doc_first(doc_get_lit(doc_first(doc_get_lit(n, "resourceRules")), "verbs")),
                       STR_NONE),
              STR("*"), "verbs");
    CHECK_INT((long long)doc_len(doc_get_lit(n, "nonResourceRules")), 1, "other rules");
}
