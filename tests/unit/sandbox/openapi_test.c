/* OpenAPI documents: what kubectl explain and validating clients read. */
#include "unit/sandbox/api.h"

#define DEFINITIONS "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

static const char definition[] =
    "{\"metadata\":{\"name\":\"gadgets.shop.example.com\"},\"spec\":{\"group\":"
    "\"shop.example.com\",\"scope\":\"Namespaced\",\"names\":{\"plural\":\"gadgets\",\"kind\":"
    "\"Gadget\"},\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"schema\":"
    "{\"openAPIV3Schema\":{\"description\":\"A gadget.\",\"type\":\"object\",\"properties\":"
    "{\"spec\":{\"type\":\"object\",\"description\":\"What is wanted.\",\"required\":[\"size\"],"
    "\"properties\":{\"size\":{\"type\":\"string\",\"enum\":[\"small\",\"large\"]}}}}}}}]}}";

static str at(const struct doc_node *document, const char *schema, const char *path)
{
    return api_text(doc_get(doc_at(document, "components/schemas"), str_of(schema)), path);
}

/* The address that the index has for a group's version. */
static const char *address(struct api *a, const char *version)
{
    struct doc_node *index = NULL;
    str found;

    CHECK_INT(api_get(a, "/openapi/v3", &index), 200, "index");
    found = api_text(doc_get(doc_get_lit(index, "paths"), str_of(version)), "serverRelativeURL");
    return arena_dup(&a->set->arena, found).p;
}

TEST(openapi_has_the_fields_of_built_in_kinds)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *d = NULL;

    api_start(&a, &(struct sandbox_options){.no_controllers = true});
    CHECK_INT(api_get(&a, address(&a, "apis/apps/v1"), &d), 200, "apps/v1");
    CHECK_STR(at(d, "io.k8s.api.apps.v1.DeploymentSpec", "properties/replicas/type"),
              STR("integer"), "field");
    CHECK_STR(at(d, "io.k8s.api.apps.v1.DeploymentList", "properties/items/type"), STR("array"),
              "list");
    CHECK_STR(at(d, "io.k8s.api.autoscaling.v1.ScaleSpec", "properties/replicas/format"),
              STR("int32"), "scale");
    CHECK(!doc_get(doc_at(d, "components/schemas"), STR("io.k8s.api.batch.v1.Job")));
    CHECK_STR(api_text(doc_get(doc_get_lit(d, "paths"),
                               STR("/apis/apps/v1/namespaces/{namespace}/deployments/{name}")),
                       "patch/x-kubernetes-group-version-kind/kind"),
              STR("Deployment"), "path");
    CHECK_INT(api_get(&a, "/openapi/v3/apis/nothing/v1", NULL), 404, "unknown group");
    CHECK_INT(api_get(&a, "/openapi/v2", &d), 200, "version 2");
    CHECK_STR(api_text(doc_get(doc_get_lit(d, "definitions"), STR("io.k8s.api.core.v1.Secret")),
                       "properties/data/additionalProperties/format"),
              STR("byte"), "version 2");
}

TEST(openapi_tells_what_definitions_say_of_custom_kinds)
{
    AUTO(api_stop) struct api a = {0};
    AUTO(buf_done) struct buf before = {0};
    struct doc_node *d = NULL;

    api_start(&a, &(struct sandbox_options){.no_controllers = true});
    CHECK_STR(str_of(address(&a, "apis/shop.example.com/v1")), STR_NONE, "no definition yet");
    CHECK_INT(api_post(&a, DEFINITIONS, definition, NULL), 201, "definition");
    buf_add_cstr(&before, address(&a, "apis/shop.example.com/v1"));
    CHECK_INT(api_get(&a, buf_cstr(&before), &d), 200, "document");
    CHECK_STR(at(d, "com.example.shop.v1.Gadget", "description"), STR("A gadget."), "kind");
    CHECK_STR(at(d, "com.example.shop.v1.Gadget", "properties/spec/description"),
              STR("What is wanted."), "field");
    CHECK_STR(at(d, "com.example.shop.v1.Gadget", "properties/apiVersion/type"), STR("string"),
              "what every object has");
    CHECK_STR(at(d, "com.example.shop.v1.GadgetList", "properties/items/type"), STR("array"),
              "list");
    CHECK_STR(at(d, "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "type"), STR("object"),
              "metadata");
    CHECK_INT(api_merge(&a, DEFINITIONS "/gadgets.shop.example.com",
                        "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}", NULL),
              200, "change");
    CHECK(!str_eq(str_of(address(&a, "apis/shop.example.com/v1")), buf_view(&before)));
    CHECK_INT(api_delete(&a, DEFINITIONS "/gadgets.shop.example.com", NULL), 200, "delete");
    api_await(&a, DEFINITIONS "/gadgets.shop.example.com", "reason", "NotFound");
    CHECK_STR(str_of(address(&a, "apis/shop.example.com/v1")), STR_NONE, "gone");
}
