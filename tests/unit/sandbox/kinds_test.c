/* What differs from kind to kind: updates that create, deletions that answer with the object. */
#include "unit/sandbox/api.h"

#define CORE "/api/v1/namespaces/default/"
#define RBAC "/apis/rbac.authorization.k8s.io/v1/"

TEST(an_update_of_what_is_not_there_creates_some_kinds)
{
    static const struct {
        const char *path, *body;
        int status;
    } rows[] = {
        {CORE "configmaps/x", "{\"metadata\":{\"name\":\"x\"}}", 404},
        {CORE "serviceaccounts/x", "{\"metadata\":{\"name\":\"x\"}}", 404},
        {CORE "endpoints/x", "{\"metadata\":{\"name\":\"x\"}}", 201},
        {CORE "limitranges/x", "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"limits\":[]}}", 201},
        {CORE "services/x", "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"ports\":[{\"port\":1}]}}",
         201},
        {CORE "services/x/status", "{\"metadata\":{\"name\":\"x\"},\"status\":{}}", 200},
        {CORE "services/y/status", "{\"metadata\":{\"name\":\"y\"},\"status\":{}}", 404},
        {RBAC "clusterroles/x", "{\"metadata\":{\"name\":\"x\"},\"rules\":[]}", 201},
        {RBAC "namespaces/none/roles/x", "{\"metadata\":{\"name\":\"x\"},\"rules\":[]}", 404},
        {"/apis/node.k8s.io/v1/runtimeclasses/x",
         "{\"metadata\":{\"name\":\"x\"},\"handler\":\"h\"}", 201},
        {"/apis/coordination.k8s.io/v1/namespaces/default/leases/x",
         "{\"metadata\":{\"name\":\"x\"},\"spec\":{}}", 201},
    };
    AUTO(api_stop) struct api a = {0};

    api_start(&a, NULL);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK_INT(api_put(&a, rows[i].path, rows[i].body, NULL), rows[i].status, rows[i].path);
}

TEST(an_update_that_creates_makes_a_whole_object)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(api_put(&a, CORE "services/s?dryRun=All",
                      "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"ports\":[{\"port\":1}]}}", NULL),
              201, "dry");
    CHECK_INT(api_get(&a, CORE "services/s", NULL), 404, "not there");
    CHECK_INT(api_put(&a, CORE "services/s?fieldManager=me",
                      "{\"metadata\":{\"name\":\"s\",\"resourceVersion\":\"5\"},\"spec\":{"
                      "\"ports\":[{\"port\":1}]}}",
                      &n),
              201, "a version says nothing");
    CHECK_INT((long long)api_text(n, "metadata/uid").len, 36, "uid");
    CHECK_STR(api_text(n, "spec/type"), STR("ClusterIP"), "default");
    CHECK_STR(api_text(doc_first(doc_at(n, "metadata/managedFields")), "manager"), STR("me"),
              "manager");
    CHECK_INT(api_put(&a, CORE "services/t",
                      "{\"metadata\":{\"name\":\"t\",\"uid\":\"u\"},\"spec\":{\"ports\":[{"
                      "\"port\":1}]}}",
                      &n),
              409, "an object of that uid is gone");
    CHECK_STR(api_text(n, "message"),
              STR("Operation cannot be fulfilled on services \"t\": StorageError: invalid object, "
                  "Code: 4, Key: /registry/services/specs/default/t, ResourceVersion: 0, "
                  "AdditionalErrorMsg: Precondition failed: UID in precondition: u, UID in object "
                  "meta: "),
              "message");
}

TEST(a_deletion_answers_with_the_object_or_a_status)
{
    static const struct {
        const char *place, *body, *kind;
    } rows[] = {
        {CORE "configmaps", "{\"metadata\":{\"name\":\"x\"}}", "Status"},
        {CORE "secrets", "{\"metadata\":{\"name\":\"x\"}}", "Status"},
        {CORE "serviceaccounts", "{\"metadata\":{\"name\":\"x\"}}", "ServiceAccount"},
        {CORE "resourcequotas", "{\"metadata\":{\"name\":\"x\"},\"spec\":{}}", "ResourceQuota"},
        {CORE "services", "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"ports\":[{\"port\":1}]}}",
         "Service"},
        {RBAC "clusterroles", "{\"metadata\":{\"name\":\"x\"},\"rules\":[]}", "Status"},
        {"/apis/storage.k8s.io/v1/storageclasses",
         "{\"metadata\":{\"name\":\"x\"},\"provisioner\":\"p\"}", "StorageClass"},
    };
    AUTO(api_stop) struct api a = {0};

    api_start(&a, NULL);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf path = {0};
        struct doc_node *n;

        buf_addf(&path, "%s/x", rows[i].place);
        CHECK_INT(api_post(&a, rows[i].place, rows[i].body, NULL), 201, rows[i].place);
        CHECK_INT(api_delete(&a, buf_cstr(&path), &n), 200, rows[i].place);
        CHECK_STR(api_text(n, "kind"), str_of(rows[i].kind), rows[i].place);
        if (!str_eq(api_text(n, "kind"), STR("Status")))
            CHECK_STR(api_text(n, "metadata/name"), STR("x"), rows[i].place);
        CHECK_INT(api_get(&a, buf_cstr(&path), NULL), 404, "gone");
    }
}

TEST(secrets_hold_what_their_type_needs)
{
    static const struct {
        const char *rest, *message; /* empty: it is taken */
    } rows[] = {
        {"\"type\":\"kubernetes.io/tls\"",
         "Secret \"x\" is invalid: [data[tls.crt]: Required value, data[tls.key]: Required value]"},
        {"\"type\":\"kubernetes.io/tls\",\"stringData\":{\"tls.crt\":\"a\",\"tls.key\":\"b\"}", ""},
        {"\"type\":\"kubernetes.io/dockerconfigjson\"",
         "Secret \"x\" is invalid: data[.dockerconfigjson]: Required value"},
        {"\"type\":\"kubernetes.io/"
         "dockerconfigjson\",\"stringData\":{\".dockerconfigjson\":\"{}\"}",
         ""},
        {"\"type\":\"kubernetes.io/basic-auth\"",
         "Secret \"x\" is invalid: [data[username]: Required value, data[password]: Required "
         "value]"},
        {"\"type\":\"kubernetes.io/basic-auth\",\"stringData\":{\"username\":\"a\"}", ""},
        {"\"type\":\"kubernetes.io/ssh-auth\",\"stringData\":{\"ssh-privatekey\":\"\"}",
         "Secret \"x\" is invalid: data[ssh-privatekey]: Required value"},
        {"\"type\":\"kubernetes.io/service-account-token\"",
         "Secret \"x\" is invalid: metadata.annotations[kubernetes.io/service-account.name]: "
         "Required value"},
        {"\"type\":\"mine\"", ""},
    };
    AUTO(api_stop) struct api a = {0};

    api_start(&a, NULL);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf body = {0};
        struct doc_node *n;

        buf_addf(&body, "{\"metadata\":{\"name\":\"x\"},%s}", rows[i].rest);
        CHECK_INT(api_post(&a, CORE "secrets", buf_cstr(&body), &n), *rows[i].message ? 422 : 201,
                  rows[i].rest);
        CHECK_STR(api_text(n, "message"), str_of(rows[i].message), rows[i].rest);
        api_delete(&a, CORE "secrets/x", NULL);
    }
}

TEST(keys_of_data_are_names)
{
    static const char *const kinds[] = {"secrets", "configmaps"};
    AUTO(api_stop) struct api a = {0};

    api_start(&a, NULL);
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        AUTO(buf_done) struct buf path = {0};
        struct doc_node *n;

        buf_addf(&path, CORE "%s", kinds[i]);
        CHECK_INT(api_post(&a, buf_cstr(&path),
                           "{\"metadata\":{\"name\":\"x\"},\"data\":{\"a/b\":\"eA==\"}}", &n),
                  422, kinds[i]);
        CHECK(str_contains(api_text(n, "message"),
                           STR("data[a/b]: Invalid value: \"a/b\": a valid config key")));
    }
}
