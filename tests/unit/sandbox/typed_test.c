/* What a real API server of 1.34 answered to the same requests. */
#include "doc/emit.h"
#include "unit/sandbox/api.h"

#define NS "/namespaces/default"
#define WIDGETS "/apis/example.com/v1" NS "/widgets"
#define WIDGET "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\""
#define MAP "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\""

static const char definition[] =
    "{\"metadata\":{\"name\":\"widgets.example.com\"},\"spec\":{\"group\":\"example.com\","
    "\"scope\":\"Namespaced\",\"names\":{\"plural\":\"widgets\",\"kind\":\"Widget\"},"
    "\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"schema\":"
    "{\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\","
    "\"properties\":{\"count\":{\"type\":\"integer\"},\"mode\":{\"type\":\"string\"},"
    "\"items\":{\"type\":\"array\",\"x-kubernetes-list-type\":\"map\","
    "\"x-kubernetes-list-map-keys\":[\"k\",\"p\"],\"items\":{\"type\":\"object\",\"required\":["
    "\"k\"],\"properties\":"
    "{\"k\":{\"type\":\"string\"},\"p\":{\"type\":\"string\",\"default\":\"TCP\"},"
    "\"v\":{\"type\":\"string\"}}}},\"tags\":{\"type\":\"array\",\"x-kubernetes-list-type\":"
    "\"set\",\"items\":{\"type\":\"string\"}},\"m\":{\"type\":\"object\","
    "\"additionalProperties\":{\"type\":\"string\"}},\"free\":{\"type\":\"object\","
    "\"x-kubernetes-preserve-unknown-fields\":true}}}}}}}]}}";

static void start(struct api *a)
{
    api_start(a, &(struct sandbox_options){.no_controllers = true});
    CHECK_INT(
        api_post(a, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition, NULL),
        201, "definition");
}

static int apply_spec(struct api *a, const char *path, const char *spec, struct doc_node **ret)
{
    AUTO(buf_done) struct buf body = {0};

    buf_addf(&body, WIDGET ",\"spec\":%s}", spec);
    return api_apply(a, path, buf_cstr(&body), ret);
}

TEST(apply_tells_mistakes_as_a_real_server)
{
    static const struct {
        const char *spec, *why;
    } rows[] = {
        {"{\"count\":\"x\"}", ".spec.count: expected numeric (int or float), got string"},
        {"{\"mode\":1}", ".spec.mode: expected string, got &value.valueUnstructured{Value:1}"},
        {"{\"items\":{\"a\":1}}", NULL},
        {"{\"tags\":\"x\"}", ".spec.tags: expected list, got &{x}"},
        {"{\"m\":[1]}", ".spec.m: expected map, got &{[1]}"},
        {"{\"items\":[1]}",
         ".spec.items: element 0: associative list with keys may not have non-map elements"},
        {"{\"tags\":[null]}",
         ".spec.tags: element 0: associative list without keys has an element that's an explicit "
         "null"},
        {"{\"tags\":[\"b\",\"b\"]}", ".spec.tags: duplicate entries for key [=\"b\"]"},
        {"{\"items\":[{\"k\":\"c\"},{\"k\":\"c\",\"p\":\"TCP\"}]}",
         ".spec.items: duplicate entries for key [k=\"c\",p=\"TCP\"]"},
        {"{\"zz\":1,\"yy\":2,\"items\":[{\"k\":\"a\",\"b\":1}]}",
         "errors:\n  .spec.items[k=\"a\",p=\"TCP\"].b: field not declared in schema\n"
         "  .spec.yy: field not declared in schema"},
    };
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    start(&a);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf want = {0};

        CHECK_INT(apply_spec(&a, WIDGETS "/w?fieldManager=m", rows[i].spec, &n), 500, rows[i].spec);
        buf_addf(&want, "failed to create typed patch object (/w; example.com/v1, Kind=Widget): %s",
                 rows[i].why ? rows[i].why : "");
        CHECK(str_starts(api_text(n, "message"), buf_view(&want)));
        if (rows[i].why)
            CHECK_STR(api_text(n, "message"), buf_view(&want), rows[i].spec);
    }
    CHECK_INT(api_apply(&a, WIDGETS "/w?fieldManager=m", "{\"apiVersion\":\"example.com/v1\"}", &n),
              400, "no kind");
    CHECK_STR(api_text(n, "message"), STR("invalid object type: example.com/v1, Kind="), "no kind");
    CHECK_INT(
        api_call(&a, "PATCH", WIDGETS "/none", "application/strategic-merge-patch+json", "{}", &n),
        415, "no strategic patches of custom resources, of none either");
}

static void check_fields(struct doc_node *n, const char *want)
{
    AUTO(buf_done) struct buf got = {0};

    doc_emit_json(doc_get_lit(doc_first(doc_at(n, "metadata/managedFields")), "fieldsV1"),
                  DOC_JSON_SORTED, &got);
    CHECK_STR(buf_view(&got), str_of(want), want);
}

TEST(managers_own_what_they_wrote)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    start(&a);
    CHECK_INT(api_post(&a, WIDGETS,
                       WIDGET ",\"metadata\":{\"name\":\"w\",\"labels\":{\"a\":\"b\"}},\"spec\":{"
                              "\"items\":[{\"k\":\"a\"}],\"m\":{\"a\":\"1\"},\"tags\":[]}}",
                       &n),
              201, "create");
    check_fields(n, "{\"f:metadata\":{\"f:labels\":{\".\":{},\"f:a\":{}}},\"f:spec\":{\".\":{},"
                    "\"f:items\":{\".\":{},\"k:{\\\"k\\\":\\\"a\\\",\\\"p\\\":\\\"TCP\\\"}\":"
                    "{\".\":{},\"f:k\":{},\"f:p\":{}}},\"f:m\":{\".\":{},\"f:a\":{}},"
                    "\"f:tags\":{}}}");
    CHECK_INT(apply_spec(&a, WIDGETS "/v?fieldManager=m",
                         "{\"items\":[{\"k\":\"a\"}],\"m\":{},\"tags\":[],\"free\":{\"a\":{\"b\":"
                         "1}}}",
                         &n),
              201, "apply");
    check_fields(n, "{\"f:spec\":{\"f:free\":{\"f:a\":{\".\":{},\"f:b\":{}}},\"f:items\":{"
                    "\"k:{\\\"k\\\":\\\"a\\\",\\\"p\\\":\\\"TCP\\\"}\":{\".\":{},\"f:k\":{}}},"
                    "\"f:m\":{}}}");
    CHECK_INT(api_post(&a, "/api/v1" NS "/serviceaccounts",
                       "{\"metadata\":{\"name\":\"s\",\"labels\":{}},\"secrets\":[{\"name\":\"t\"}"
                       "],\"imagePullSecrets\":[]}",
                       &n),
              201, "items that are values as a whole");
    check_fields(n, "{\"f:secrets\":{\".\":{},\"k:{\\\"name\\\":\\\"t\\\"}\":{}}}");
    CHECK(!doc_at(n, "metadata/labels") && !doc_get_lit(n, "imagePullSecrets"));
}

static void check_keys(struct doc_node *n, const char *want)
{
    AUTO(buf_done) struct buf got = {0};
    struct doc_iter it = doc_children(doc_at(n, "spec/items"));

    while (doc_next(&it))
        buf_add_str(&got, doc_text(doc_get_lit(it.value, "k"), STR_NONE));
    CHECK_STR(buf_view(&got), str_of(want), want);
}

TEST(applied_items_keep_the_order_they_are_applied_in)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    start(&a);
    CHECK_INT(apply_spec(&a, WIDGETS "/w?fieldManager=one",
                         "{\"items\":[{\"k\":\"a\"},{\"k\":\"x\"},{\"k\":\"b\"}]}", &n),
              201, "one");
    CHECK_INT(apply_spec(&a, WIDGETS "/w?fieldManager=two",
                         "{\"items\":[{\"k\":\"b\"},{\"k\":\"n\"},{\"k\":\"a\"}]}", &n),
              200, "two");
    check_keys(n, "xbna");
}

TEST(checks_of_built_in_kinds)
{
    static const struct {
        const char *path, *body;
        int status;
        const char *message;
    } rows[] = {
        {"/secrets", "{\"metadata\":{\"name\":\"s\"},\"data\":{\"a\":\"aGk\"}}", 400,
         "Secret in version \"v1\" cannot be handled as a Secret: illegal base64 data at input "
         "byte 0"},
        {"/secrets", "{\"metadata\":{\"name\":\"s\"},\"data\":{\"a\":\"aGk=\"}}", 201, NULL},
        {"/secrets", "{\"metadata\":{\"name\":\"s\"},\"data\":{\"a\":\"!\"}}", 400, NULL},
        {"/secrets", "{\"metadata\":{\"name\":\"s\"}}", 409, "secrets \"s\" already exists"},
        {"/services",
         "{\"metadata\":{\"name\":\"s\"},\"spec\":{\"ports\":[{\"port\":1},{\"port\":2,\"name\":"
         "\"w\"},{\"port\":3,\"name\":\"w\"}]}}",
         422,
         "Service \"s\" is invalid: [spec.ports[0].name: Required value, spec.ports[2].name: "
         "Duplicate value: \"w\"]"},
        {"/configmaps", "{\"metadata\":{\"name\":\"c\"},\"immutable\":true,\"data\":{}}", 201,
         NULL},
    };
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    start(&a);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf path = {0};

        buf_addf(&path, "/api/v1" NS "%s", rows[i].path);
        CHECK_INT(api_post(&a, buf_cstr(&path), rows[i].body, &n), rows[i].status, rows[i].body);
        if (rows[i].message)
            CHECK_STR(api_text(n, "message"), str_of(rows[i].message), rows[i].body);
    }
    CHECK_INT(api_apply(&a, "/api/v1" NS "/configmaps/c?fieldManager=m",
                        MAP ",\"immutable\":false,\"binaryData\":{\"a\":\"aGk=\"}}", &n),
              409, "a conflict comes first");
    CHECK_INT(api_apply(&a, "/api/v1" NS "/configmaps/c?fieldManager=m&force=true",
                        MAP ",\"immutable\":false,\"binaryData\":{\"a\":\"aGk=\"}}", &n),
              422, "immutable");
    CHECK_STR(api_text(n, "message"),
              STR("ConfigMap \"c\" is invalid: [immutable: Forbidden: field is immutable when "
                  "`immutable` is set, binaryData: Forbidden: field is immutable when `immutable` "
                  "is set]"),
              "immutable");
}

TEST(quantities_may_be_numbers_and_other_texts_not)
{
    static const struct {
        const char *spec;
        int status;
        const char *want;
    } rows[] = {
        {"\"resources\":{\"limits\":{\"cpu\":2}},\"containers\":[{\"name\":\"a\",\"image\":\"x\"}]",
         201, "2"},
        {"\"containers\":[{\"name\":\"a\",\"image\":\"x\"}],\"tolerations\":[{\"key\":\"a\","
         "\"value\":1}]",
         400, ""},
    };
    AUTO(api_stop) struct api a = {0};

    start(&a);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf body = {0};
        struct doc_node *got = NULL;

        buf_addf(&body, "{\"metadata\":{\"name\":\"p%zu\"},\"spec\":{%s}}", i, rows[i].spec);
        CHECK_INT(api_post(&a, "/api/v1" NS "/pods", buf_cstr(&body), &got), rows[i].status,
                  rows[i].spec);
        CHECK_STR(api_text(got, "spec/resources/limits/cpu"), str_of(rows[i].want), rows[i].spec);
    }
}
