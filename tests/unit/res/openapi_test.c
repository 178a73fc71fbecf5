#include "res/openapi.h"

#include "support/test.h"

#define META "io.k8s.apimachinery.pkg.apis.meta.v1."
#define LINK(name) "{\"allOf\":[{\"$ref\":\"#/components/schemas/" name "\"}]"

static void print(enum res_openapi_version version, str definition, struct buf *out)
{
    AUTO(res_openapi_done) struct res_openapi o = {.version = version};

    CHECK(res_openapi_want(&o, definition));
    buf_add_char(out, '{');
    res_openapi_print(&o, out);
    buf_add_char(out, '}');
}

TEST(definitions_are_printed_with_what_they_refer_to)
{
    static const struct {
        const char *definition, *part, *v2_part;
    } rows[] = {
        {"io.k8s.api.apps.v1.RollingUpdateDeployment",
         "\"maxSurge\":" LINK("io.k8s.apimachinery.pkg.util.intstr.IntOrString") "}",
         "\"maxSurge\":{\"$ref\":\"#/definitions/"
         "io.k8s.apimachinery.pkg.util.intstr.IntOrString\"}"},
        {"io.k8s.api.apps.v1.RollingUpdateDeployment",
         "\"io.k8s.apimachinery.pkg.util.intstr.IntOrString\":{\"oneOf\":[{\"type\":\"integer\"},"
         "{\"type\":\"string\"}],\"format\":\"int-or-string\"}",
         "\"io.k8s.apimachinery.pkg.util.intstr.IntOrString\":{\"type\":\"string\",\"format\":"
         "\"int-or-string\"}"},
        {"io.k8s.api.core.v1.Pod",
         "\"containers\":{\"type\":\"array\",\"items\":" LINK(
             "io.k8s.api.core.v1.Container") "},"
                                             "\"x-kubernetes-list-map-keys\":[\"name\"],\"x-"
                                             "kubernetes-list-type\":\"map\","
                                             "\"x-kubernetes-patch-merge-key\":\"name\",\"x-"
                                             "kubernetes-patch-strategy\":\"merge\"}",
         NULL},
        {"io.k8s.api.core.v1.Pod",
         "\"limits\":{\"type\":\"object\",\"additionalProperties\":" LINK(
             "io.k8s.apimachinery.pkg.api.resource.Quantity") "}}",
         NULL},
        {"io.k8s.api.core.v1.Pod", "\"required\":[\"containers\"],\"properties\":{", NULL},
        {"io.k8s.api.core.v1.Pod",
         "\"x-kubernetes-group-version-kind\":[{\"group\":\"\",\"kind\":\"Pod\",\"version\":"
         "\"v1\"}]",
         NULL},
        {"io.k8s.api.core.v1.Pod",
         "\"" META "Time\":{\"type\":\"string\",\"format\":\"date-time\"}", NULL},
        {"io.k8s.api.core.v1.Pod",
         "\"activeDeadlineSeconds\":{\"type\":\"integer\",\"format\":"
         "\"int64\"}",
         NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf v3 = {0}, v2 = {0};

        print(RES_OPENAPI_V3, str_of(rows[i].definition), &v3);
        print(RES_OPENAPI_V2, str_of(rows[i].definition), &v2);
        CHECK(str_contains(buf_view(&v3), str_of(rows[i].part)));
        CHECK(!rows[i].v2_part || str_contains(buf_view(&v2), str_of(rows[i].v2_part)));
    }
}

TEST(only_what_was_asked_for_is_printed)
{
    AUTO(res_openapi_done) struct res_openapi o = {.version = RES_OPENAPI_V3};
    AUTO(buf_done) struct buf out = {0};

    CHECK(!res_openapi_want(&o, STR("io.example.v1.Nothing")));
    CHECK(!res_openapi_want_kind(&o, STR("apps"), STR("v1"), STR("Pod")));
    CHECK(res_openapi_want_kind(&o, STR_NONE, STR("v1"), STR("ConfigMap")));
    buf_add_char(&out, '{');
    res_openapi_print(&o, &out);
    CHECK(str_starts(buf_view(&out), STR("{\"io.k8s.api.core.v1.ConfigMap\":{")));
    CHECK(str_contains(buf_view(&out), STR("\"" META "ObjectMeta\":{")));
    CHECK(!str_contains(buf_view(&out), STR("Pod")));
}
