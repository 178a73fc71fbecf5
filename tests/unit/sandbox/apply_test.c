/* Patches, server-side apply, custom resources. */
#include "unit/sandbox/api.h"

#define NS "/namespaces/default"
#define CM "/api/v1" NS "/configmaps"
#define A_MAP "\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\""

static const char definition[] =
    "{\"metadata\":{\"name\":\"widgets.example.com\"},\"spec\":{\"group\":\"example.com\","
    "\"scope\":"
    "\"Namespaced\",\"names\":{\"plural\":\"widgets\",\"kind\":\"Widget\",\"shortNames\":[\"wd\"]},"
    "\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"subresources\":{\"status\":{"
    "},"
    "\"scale\":{\"specReplicasPath\":\".spec.size\",\"statusReplicasPath\":\".status.size\"}},"
    "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":"
    "\"object\",\"required\":[\"size\"],\"properties\":{\"size\":{\"type\":\"integer\",\"minimum\":"
    "1},"
    "\"color\":{\"type\":\"string\",\"enum\":[\"red\",\"blue\"],\"default\":\"red\"},\"parts\":"
    "{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[\"id\"]"
    ","
    "\"items\":{\"type\":\"object\",\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":"
    "\"string\"},\"v\":{\"type\":"
    "\"integer\"}}}}}},\"status\":{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":"
    "true}"
    "}}}}]}}";
#define DEFINITIONS "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
#define WIDGETS "/apis/example.com/v1" NS "/widgets"

static str owner_of(const struct doc_node *n, size_t at)
{
    return api_text(doc_item(doc_at(n, "metadata/managedFields"), at), "manager");
}

TEST(merge_and_json_patches_change_objects)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(
        api_post(&a, CM, "{\"metadata\":{\"name\":\"c\"},\"data\":{\"a\":\"1\",\"b\":\"2\"}}", &n),
        201, "create");
    CHECK_INT(api_merge(&a, CM "/c", "{\"data\":{\"a\":null,\"c\":\"3\"}}", &n), 200, "merge");
    CHECK(!doc_at(n, "data/a"));
    CHECK_STR(api_text(n, "data/c"), STR("3"), "added");
    CHECK_INT(api_call(&a, "PATCH", CM "/c", "application/json-patch+json",
                       "[{\"op\":\"test\",\"path\":\"/data/b\",\"value\":\"2\"},{\"op\":\"remove\","
                       "\"path\":\"/data/b\"}]",
                       &n),
              200, "json");
    CHECK(!doc_at(n, "data/b"));
    CHECK_INT(api_call(&a, "PATCH", CM "/c", "application/json-patch+json",
                       "[{\"op\":\"remove\",\"path\":\"/data/none\"}]", &n),
              422, "no such place");
    CHECK_INT(api_call(&a, "PATCH", CM "/c", "text/plain", "{}", &n), 415, "unknown type");
    CHECK_INT(api_merge(&a, CM "/c", "{\"metadata\":{\"resourceVersion\":\"1\"}}", &n), 409,
              "a version in the patch is a condition");
}

TEST(writes_that_change_nothing_keep_the_version)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;
    str version;

    api_start(&a, NULL);
    CHECK_INT(api_apply(&a, CM "/c?fieldManager=m", "{" A_MAP ",\"data\":{\"a\":\"1\"}}", &n), 201,
              "apply");
    version = api_text(n, "metadata/resourceVersion");
    CHECK_INT(api_apply(&a, CM "/c?fieldManager=m", "{" A_MAP ",\"data\":{\"a\":\"1\"}}", &n), 200,
              "again");
    CHECK_STR(api_text(n, "metadata/resourceVersion"), version, "apply");
    CHECK_INT(api_merge(&a, CM "/c", "{\"data\":{\"a\":\"1\"}}", &n), 200, "merge");
    CHECK_STR(api_text(n, "metadata/resourceVersion"), version, "merge");
}

TEST(apply_owns_removes_and_conflicts)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(api_apply(&a, CM "/c?fieldManager=one",
                        "{" A_MAP ",\"data\":{\"a\":\"1\",\"b\":\"2\"}}", &n),
              201, "create");
    CHECK_STR(owner_of(n, 0), STR("one"), "owner");
    CHECK_INT(api_apply(&a, CM "/c?fieldManager=two", "{" A_MAP ",\"data\":{\"b\":\"3\"}}", &n),
              409, "conflict");
    CHECK_STR(api_text(n, "message"),
              STR("Apply failed with 1 conflict: conflict with \"one\": .data.b"), "message");
    CHECK_STR(api_text(doc_first(doc_at(n, "details/causes")), "field"), STR(".data.b"), "cause");
    CHECK_INT(api_apply(&a, CM "/c?fieldManager=two&force=true",
                        "{" A_MAP ",\"data\":{\"b\":\"3\"}}", &n),
              200, "force");
    CHECK_STR(api_text(n, "data/b"), STR("3"), "taken over");
    CHECK_INT(api_apply(&a, CM "/c?fieldManager=one", "{" A_MAP ",\"data\":{}}", &n), 200,
              "let go");
    CHECK(!doc_at(n, "data/a")); /* it was one's alone */
    CHECK_STR(api_text(n, "data/b"), STR("3"), "two's stays");
    CHECK_INT(api_merge(&a, CM "/c?fieldManager=three", "{\"data\":{\"b\":\"4\"}}", &n), 200,
              "an update takes what it changes");
    CHECK_INT(api_apply(&a, CM "/c?fieldManager=two", "{" A_MAP ",\"data\":{\"b\":\"3\"}}", &n),
              409, "conflict with an update");
    CHECK_STR(api_text(n, "message"),
              STR("Apply failed with 1 conflict: conflict with \"three\" using v1: .data.b"),
              "message");
    CHECK_INT(api_apply(&a, CM "/c", "{" A_MAP ",\"data\":{}}", &n), 422, "no manager");
}

/* As kubectl does it: what `kubectl apply` owned is handed over to `kubectl apply --server-side`,
 * the map itself too, which the next apply does not name. */
TEST(a_map_that_is_let_go_keeps_what_is_wanted_below)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(api_apply(&a, CM "/c?fieldManager=one",
                        "{" A_MAP ",\"data\":{\"a\":\"1\",\"b\":\"2\"}}", &n),
              201, "create");
    CHECK_INT(api_merge(&a, CM "/c",
                        "{\"metadata\":{\"managedFields\":[{\"manager\":\"one\",\"operation\":"
                        "\"Apply\",\"apiVersion\":\"v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":"
                        "{\"f:data\":{\".\":{},\"f:a\":{},\"f:b\":{}}}}]}}",
                        &n),
              200, "handed over");
    CHECK_INT(api_apply(&a, CM "/c?fieldManager=one", "{" A_MAP ",\"data\":{\"a\":\"1\"}}", &n),
              200, "apply");
    CHECK_STR(api_text(n, "data/a"), STR("1"), "wanted");
    CHECK(!doc_at(n, "data/b"));
    CHECK_INT(api_apply(&a, CM "/c?fieldManager=one", "{" A_MAP "}", &n), 200, "let go");
    CHECK(!doc_at(n, "data"));
}

TEST(apply_merges_lists_by_their_keys)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;
    static const char path[] = "/apis/apps/v1" NS "/deployments/d";
    AUTO(buf_done) struct buf url = {0};

    api_start(&a, &(struct sandbox_options){.no_controllers = true});
    buf_addf(&url, "%s?fieldManager=one", path);
    CHECK_INT(
        api_apply(&a, buf_cstr(&url),
                  "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"spec\":{\"selector\":"
                  "{\"matchLabels\":{\"a\":\"b\"}},\"template\":{\"metadata\":{\"labels\":"
                  "{\"a\":\"b\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"x:1\","
                  "\"env\":[{\"name\":\"E\",\"value\":\"1\"}],\"ports\":[{\"containerPort\":80"
                  "}]}]}}}}",
                  &n),
        201, "create");
    CHECK_STR(api_text(n, "spec/replicas"), STR("1"), "defaulted");
    buf_clear(&url);
    buf_addf(&url, "%s?fieldManager=two", path);
    CHECK_INT(
        api_apply(&a, buf_cstr(&url),
                  "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"spec\":{\"template\":"
                  "{\"spec\":{\"containers\":[{\"name\":\"c\",\"env\":[{\"name\":\"F\","
                  "\"value\":\"2\"}]},{\"name\":\"side\",\"image\":\"y:1\"}]}}}}",
                  &n),
        200, "second manager");
    CHECK_INT((long long)doc_len(doc_at(n, "spec/template/spec/containers")), 2, "containers");
    CHECK_INT((long long)doc_len(
                  doc_get_lit(doc_first(doc_at(n, "spec/template/spec/containers")), "env")),
              2, "env");
    CHECK_STR(api_text(n, "metadata/generation"), STR("2"), "generation");
    CHECK_INT(
        api_apply(&a, buf_cstr(&url),
                  "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"spec\":{\"template\":"
                  "{\"spec\":{\"containers\":[{\"name\":\"c\",\"env\":[{\"name\":\"F\","
                  "\"value\":\"2\"}]}]}}}}",
                  &n),
        200, "side is let go");
    CHECK_INT((long long)doc_len(doc_at(n, "spec/template/spec/containers")), 1, "containers");
}

TEST(definitions_are_served_at_once)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(api_get(&a, WIDGETS, NULL), 404, "not served");
    CHECK_INT(api_post(&a, DEFINITIONS, definition, &n), 201, "define");
    CHECK_STR(api_condition(n, "Established"), STR("True"), "established");
    CHECK_INT(api_get(&a, "/apis/example.com/v1", &n), 200, "discovery");
    CHECK_INT(
        api_post(&a, WIDGETS,
                 "{\"metadata\":{\"name\":\"w\"},\"spec\":{\"size\":2,\"other\":1},\"status\":"
                 "{\"x\":1}}",
                 &n),
        201, "create");
    CHECK(!doc_at(n, "spec/other")); /* pruned */
    CHECK(!doc_get_lit(n, "status"));
    CHECK_STR(api_text(n, "spec/color"), STR("red"), "defaulted");
    CHECK_INT(
        api_merge(&a, WIDGETS "/w/status", "{\"status\":{\"x\":2},\"spec\":{\"size\":9}}", &n), 200,
        "status");
    CHECK_STR(api_text(n, "status/x"), STR("2"), "status");
    CHECK_STR(api_text(n, "spec/size"), STR("2"), "the rest stays");
    CHECK_INT(api_merge(&a, WIDGETS "/w", "{\"spec\":{\"size\":0,\"color\":\"green\"}}", &n), 422,
              "invalid");
    CHECK_INT((long long)doc_len(doc_at(n, "details/causes")), 2, "causes");
    CHECK_INT(api_merge(&a, WIDGETS "/w", "{\"spec\":{\"size\":\"big\"}}", &n), 422, "type");
    CHECK_STR(api_text(n, "message"),
              STR("Widget.example.com \"w\" is invalid: spec.size: Invalid value: \"string\": "
                  "spec.size in body must be of type integer: \"string\""),
              "message");
    CHECK_INT(
        api_call(&a, "PATCH", WIDGETS "/w", "application/strategic-merge-patch+json", "{}", &n),
        415, "no strategic merge");
    CHECK_INT(api_get(&a, WIDGETS "/w/scale", &n), 200, "scale");
    CHECK_STR(api_text(n, "spec/replicas"), STR("2"), "replicas");
    CHECK_INT(api_delete(&a, DEFINITIONS "/widgets.example.com", &n), 200, "delete");
    api_await(&a, DEFINITIONS "/widgets.example.com", "reason", "NotFound");
    CHECK_INT(api_get(&a, WIDGETS, NULL), 404, "no more");
}

TEST(objects_survive_in_the_data_file)
{
    AUTO(buf_done) struct buf file = {0};

    buf_addf(&file, "%s/cluster.db", test_tmp());
    for (int round = 0; round < 2; round++) {
        AUTO(api_stop) struct api a = {0};
        struct doc_node *n;

        api_start(&a, &(struct sandbox_options){.data_file = buf_cstr(&file)});
        if (round == 0) {
            CHECK_INT(api_post(&a, DEFINITIONS, definition, &n), 201, "define");
            CHECK_INT(
                api_post(&a, WIDGETS, "{\"metadata\":{\"name\":\"w\"},\"spec\":{\"size\":2}}", &n),
                201, "create");
            CHECK_INT(api_post(&a, CM, "{\"metadata\":{\"name\":\"gone\"}}", &n), 201, "create");
            CHECK_INT(api_delete(&a, CM "/gone", &n), 200, "delete");
        } else {
            CHECK_INT(api_get(&a, WIDGETS "/w", &n), 200, "read back");
            CHECK_STR(api_text(n, "spec/color"), STR("red"), "color");
            CHECK_INT(api_get(&a, CM "/gone", &n), 404, "deleted");
        }
    }
}

TEST(hooks_see_requests_and_may_change_the_store)
{
    AUTO(api_stop) struct api a = {0};
    AUTO(err_done) struct err e = {0};
    struct doc_node *n;

    api_start(&a, &(struct sandbox_options){.is_bare = true});
    CHECK_INT(sandbox_add_kind(a.sb, STR("x.io/v1"), STR("Thing"), STR("things"), true, true, &e),
              0, "kind");
    CHECK_INT(
        api_post(&a, "/apis/x.io/v1/namespaces/any/things", "{\"metadata\":{\"name\":\"t\"}}", &n),
        201, "no namespace is needed");
    CHECK_INT(sandbox_merge(a.sb, STR("x.io/v1"), STR("Thing"), STR("any"), STR("t"),
                            STR("{\"status\":{\"ready\":true}}"), &e),
              0, "merge");
    CHECK_INT(api_get(&a, "/apis/x.io/v1/namespaces/any/things/t", &n), 200, "get");
    CHECK_STR(api_text(n, "status/ready"), STR("true"), "status");
}

TEST(faults_hit_requests)
{
    static const struct {
        const char *fault;
        int status, again;
    } rows[] = {
        {"{\"fault\":\"unauthorized\"}", 401, 200},
        {"{\"fault\":\"too-many\",\"retryAfter\":3}", 429, 200},
        {"{\"fault\":\"conflict\",\"count\":2}", 409, 409},
        {"{\"fault\":\"server-error\",\"point\":\"header\"}", 0, 200},
        /* a client asks again on a connection that ended before it said a word */
        {"{\"fault\":\"reset\",\"count\":-1}", -1, -1},
        {"{\"fault\":\"reset\",\"point\":\"header\",\"count\":-1}", -1, -1},
        {"{\"fault\":\"reset\",\"point\":\"close\"}", -1, 200},
        {"{\"fault\":\"half-event\",\"point\":\"header\"}", -1, 200},
        {"{\"fault\":\"slow\"}", 200, 200},
        {"{\"fault\":\"late\",\"delayMs\":20}", 200, 200},
        {"{\"fault\":\"reset\",\"path\":\"/other*\"}", 200, 200},
        {"{\"fault\":\"reset\",\"skip\":1,\"count\":-1}", 200, -1},
    };
    AUTO(api_stop) struct api a = {0};

    api_start(&a, NULL);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        int got;

        CHECK_INT(api_post(&a, "/sandbox/faults", rows[i].fault, NULL), 200, rows[i].fault);
        got = api_get(&a, "/api/v1/namespaces", NULL);
        if (rows[i].status)
            CHECK_INT(got, rows[i].status, rows[i].fault);
        else
            CHECK(got >= 500);
        if (got == 429)
            CHECK_STR(http_response_header(&a.response, "retry-after"), STR("3"), "retry");
        CHECK_INT(api_get(&a, "/api/v1/namespaces", NULL), rows[i].again, rows[i].fault);
        CHECK_INT(api_delete(&a, "/sandbox/faults", NULL), 200, "clear");
    }
    CHECK_INT(api_post(&a, "/sandbox/faults", "{\"fault\":\"gone\",\"point\":\"connect\"}", NULL),
              400, "cannot be");
}

TEST(unknown_and_misplaced_fields_are_told)
{
    static const struct {
        const char *query, *body;
        int status;
        const char *message;
    } rows[] = {
        {"", "{\"metadata\":{\"name\":\"a\"},\"dota\":{}}", 201, NULL},
        {"?fieldValidation=Ignore", "{\"metadata\":{\"name\":\"b\"},\"dota\":{}}", 201, NULL},
        {"?fieldValidation=Strict", "{\"metadata\":{\"name\":\"c\",\"nam\":\"x\"},\"dota\":{}}",
         400,
         "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: "
         "unknown field \"metadata.nam\", unknown field \"dota\""},
        {"", "{\"metadata\":{\"name\":\"d\"},\"data\":{\"a\":1}}", 400,
         "ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal "
         "number into Go struct field .data.a of type string"},
        {"", "{\"metadata\":{\"name\":\"e\",\"labels\":[]}}", 400, NULL},
    };
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf path = {0};

        buf_addf(&path, CM "%s", rows[i].query);
        CHECK_INT(api_post(&a, buf_cstr(&path), rows[i].body, &n), rows[i].status, rows[i].body);
        if (rows[i].message)
            CHECK_STR(api_text(n, "message"), str_of(rows[i].message), rows[i].body);
        CHECK(!doc_get_lit(n, "dota"));
        if (i == 0)
            CHECK_STR(http_response_header(&a.response, "warning"),
                      STR("299 - \"unknown field \\\"dota\\\"\""), "warning");
    }
    CHECK_INT(api_apply(&a, CM "/f?fieldManager=m", "{" A_MAP ",\"dota\":{}}", &n), 500, "apply");
    CHECK(str_contains(api_text(n, "message"), STR(".dota: field not declared in schema")));
}

TEST(strategic_patches_merge_lists_and_nulls_go)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;
    static const char path[] = "/api/v1" NS "/pods/p";

    api_start(&a, &(struct sandbox_options){.no_controllers = true});
    CHECK_INT(
        api_post(&a, "/api/v1" NS "/pods",
                 "{\"metadata\":{\"name\":\"p\",\"creationTimestamp\":null,\"labels\":{\"a\":"
                 "null}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"x:1\"},{\"name\":"
                 "\"d\",\"image\":\"y:1\"}]}}",
                 &n),
        201, "create");
    CHECK(!doc_at(n, "metadata/labels/a"));
    CHECK_INT(api_call(&a, "PATCH", path, "application/strategic-merge-patch+json",
                       "{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"x:2\"}]}}", &n),
              200, "patch");
    CHECK_INT((long long)doc_len(doc_at(n, "spec/containers")), 2, "containers");
    CHECK_STR(api_text(doc_first(doc_at(n, "spec/containers")), "image"), STR("x:2"), "image");
    CHECK_INT(api_call(&a, "PATCH", path, "application/strategic-merge-patch+json",
                       "{\"spec\":{\"containers\":[{\"$patch\":\"nonsense\"}]}}", &n),
              400, "directive");
}
