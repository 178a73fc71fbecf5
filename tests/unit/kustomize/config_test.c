#include "doc/parse.h"
#include "kustomize/config/config.h"

#include "support/test.h"

static int read(struct kustomize_config *c, struct doc_set *set, const char *text, struct err *e)
{
    struct doc_node *n = doc_parse(set, str_of(text), DOC_KUSTOMIZATION, "c.yaml", e);

    return n ? kustomize_config_read(c, set, n, e) : -1;
}

TEST(configurations_are_read_whatever_the_case_of_their_keys)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kustomize_config_done) struct kustomize_config c = {0};

    CHECK_INT(read(&c, set,
                   "NamePrefix: [{PATH: a/b, create: true, kind: K}]\n"
                   "nameReference: [{kind: T, version: v1, fieldSpecs: [{path: c}]}]\n",
                   &e),
              0, "read");
    CHECK_OK(&e);
    CHECK_STR(c.name_prefix.v[0].path, STR("a/b"), "path");
    CHECK_STR(c.name_prefix.v[0].gvk.kind, STR("K"), "kind");
    CHECK(c.name_prefix.v[0].create);
    CHECK_STR(c.name_reference.v[0].target.version, STR("v1"), "version");
    CHECK_STR(c.name_reference.v[0].referrers.v[0].path, STR("c"), "referrer");
}

TEST(configurations_say_what_is_wrong_and_where)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"image: []\n", "c.yaml:1:1: unknown field \"image\"; did you mean \"images\"?"},
        {"images: [{pat: a}]\n", "c.yaml:1:11: unknown field \"pat\"; did you mean \"path\"?"},
        {"images: {a: b}\n", "c.yaml:1:9: a list is expected here"},
        {"images: [{path: [a]}]\n", "c.yaml:1:17: a text is expected here"},
        {"images: [{create: 1}]\n", "c.yaml:1:19: true or false is expected here"},
        {"nameReference: [{xyz: 1}]\n", "c.yaml:1:18: unknown field \"xyz\""},
        {"[]\n", "c.yaml:1:1: a map is expected here"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(kustomize_config_done) struct kustomize_config c = {0};

        CHECK_INT(read(&c, set, rows[i].text, &e), -1, rows[i].text);
        CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), rows[i].text);
    }
}

TEST(configurations_merge_unless_they_contradict)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kustomize_config_done) struct kustomize_config a = {0}, b = {0}, c = {0}, copy = {0};

    CHECK_INT(
        read(&a, set,
             "labels: [{path: x, kind: K}]\n"
             "nameReference: [{kind: T, fieldSpecs: [{path: c}]}]\n",
             &e) |
            read(&b, set,
                 "labels: [{path: x}, {path: y, create: true}]\n"
                 "nameReference: [{kind: T, fieldSpecs: [{path: c}, {path: d}]}, {kind: U}]\n",
                 &e) |
            read(&c, set, "labels: [{path: y}]\n", &e) | kustomize_config_merge(&a, &b, &e),
        0, "read and merge");
    CHECK_OK(&e);
    /* The spec for every kind counts as there: one for K is. */
    CHECK_INT((long long)a.labels.len, 2, "labels");
    CHECK_INT((long long)a.name_reference.len, 2, "targets");
    CHECK_INT((long long)a.name_reference.v[0].referrers.len, 2, "referrers");
    kustomize_config_copy(&copy, &a);
    CHECK_INT((long long)copy.name_reference.v[0].referrers.len, 2, "copied");
    CHECK_INT(kustomize_config_merge(&a, &c, &e), -1, "conflict");
    CHECK_STR(str_of(err_text(&e)),
              STR("failed to merge Labels fieldSpec: conflicting fieldspecs: 'y' is given twice, "
                  "once with create and once without"),
              "conflict");
}

static int read_crd(struct kustomize_config *c, struct doc_set *set, const char *text,
                    struct err *e)
{
    struct doc_node *n = doc_parse(set, str_of(text), DOC_KUSTOMIZATION, "crd.yaml", e);

    return n ? kustomize_config_read_crd(c, set, n, e) : -1;
}

TEST(crds_say_which_fields_are_names_labels_and_references)
{
    static const char text[] =
        "a.Thing:\n"
        "  Schema:\n"
        "    properties: {apiVersion: {}, kind: {}, metadata: {}, spec: {$ref: a.Spec}}\n"
        "a.Spec:\n"
        "  Schema:\n"
        "    properties:\n"
        "      id: {x-kubernetes-identity: ''}\n"
        "      pods: {x-kubernetes-label-selector: ''}\n"
        "      notes: {x-kubernetes-annotation: ''}\n"
        "      ref:\n"
        "        x-kubernetes-object-ref-api-version: v1\n"
        "        x-kubernetes-object-ref-kind: Secret\n"
        "        x-kubernetes-object-ref-name-key: key\n";
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kustomize_config_done) struct kustomize_config c = {0};

    CHECK_INT(read_crd(&c, set, text, &e), 0, "read");
    CHECK_OK(&e);
    CHECK_STR(c.name_prefix.v[0].path, STR("spec/id"), "identity");
    CHECK_STR(c.name_prefix.v[0].gvk.kind, STR("Thing"), "kind");
    CHECK_STR(c.common_labels.v[0].path, STR("spec/pods"), "labels");
    CHECK_STR(c.common_annotations.v[0].path, STR("spec/notes"), "annotations");
    CHECK_STR(c.name_reference.v[0].target.kind, STR("Secret"), "target");
    CHECK_STR(c.name_reference.v[0].referrers.v[0].path, STR("spec/ref/key"), "reference");
}

TEST(crds_that_are_definitions_are_read_too)
{
    static const char text[] = "kind: CustomResourceDefinition\n"
                               "spec:\n"
                               "  names: {kind: Thing}\n"
                               "  versions:\n"
                               "  - schema:\n"
                               "      openAPIV3Schema:\n"
                               "        properties:\n"
                               "          spec: {properties: {all: {items: {properties: {id: "
                               "{x-kubernetes-identity: ''}}}}}}\n";
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kustomize_config_done) struct kustomize_config c = {0};

    CHECK_INT(read_crd(&c, set, text, &e), 0, "read");
    CHECK_OK(&e);
    CHECK_STR(c.name_prefix.v[0].path, STR("spec/all/id"), "identity");
}

TEST(crds_that_never_end_or_are_none_are_refused)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"[]\n", "crd.yaml:1:1: a map from names to types is expected here"},
        {"apiVersion: v1\n", "crd.yaml:1:13: a type is a map with a \"Schema\""},
        {"T: {Schema: {properties: {apiVersion: {}, kind: {}, metadata: {}, spec: {$ref: T}}}}\n",
         "types refer to one another without an end"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(kustomize_config_done) struct kustomize_config c = {0};

        CHECK_INT(read_crd(&c, set, rows[i].text, &e), -1, rows[i].text);
        CHECK(str_starts(str_of(err_text(&e)), str_of(rows[i].want)));
    }
}
