/* Upstream's known faults (kustomize spec 20): its bytes with a warning, and --compat fixed. The
 * tests of the others stand beside those of what they are about. */
#include "unit/kustomize/tree.h"

#define K "== kustomization.yaml\nsortOptions: {order: fifo}\nresources: [r.yaml]\n"
#define POD "== r.yaml\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n"
#define POD_OUT "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n"
#define CONTAINER "  containers: [{name: a, image: \"x:1\"}]\n"
#define EPHEMERAL "  ephemeralContainers: [{name: b, image: \"x:1\"}]\n"
#define CRD(scope)                                                                            \
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"                   \
    "metadata: {name: things.e.com}\nspec:\n  group: e.com\n  names: {kind: Thing}\n"         \
    "  scope: " scope "\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n"    \
    "        properties:\n          spec:\n            properties:\n              l: {type: " \
    "array, "                                                                                 \
    "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, "    \
    "properties: {k: {type: string}}}}\n"
#define THING \
    "apiVersion: e.com/v1\nkind: Thing\nmetadata: {name: t}\nspec: {l: [{k: a}, {k: b, v: 1}]}\n"
#define THING_OUT(meta, list) \
    "apiVersion: e.com/v1\nkind: Thing\nmetadata:\n  name: t\n" meta "spec:\n  l:\n" list
#define PATCH                                                                                    \
    "patches:\n- patch: |\n    apiVersion: e.com/v1\n    kind: Thing\n    metadata: {name: t}\n" \
    "    spec: {l: [{k: b, v: 2}]}\n"

static const struct tree_case images[] = {
    {K "images: [{name: x, newTag: \"2\"}]\n" POD CONTAINER EPHEMERAL,
     POD_OUT "  containers:\n  - image: x:2\n    name: a\n  ephemeralContainers:\n"
             "  - image: x:1\n    name: b\n",
     "r.yaml:6:42: KD-6", false, false},
    {K "images: [{name: x, newTag: \"2\"}]\n" POD CONTAINER EPHEMERAL,
     POD_OUT "  containers:\n  - image: x:2\n    name: a\n  ephemeralContainers:\n"
             "  - image: x:2\n    name: b\n",
     NULL, false, true},
    {K "images: [{name: x, tagSuffix: -s}]\n" POD CONTAINER,
     POD_OUT "  containers:\n  - image: x:1-s-s\n    name: a\n", "r.yaml:5:33: KD-6", false, false},
    {K "images: [{name: x, tagSuffix: -s}]\n" POD CONTAINER,
     POD_OUT "  containers:\n  - image: x:1-s\n    name: a\n", NULL, false, true},
    /* what other containers have says nothing */
    {K "images: [{name: w, newTag: \"2\"}]\n" POD EPHEMERAL,
     POD_OUT "  ephemeralContainers:\n  - image: x:1\n    name: b\n", NULL, false, false},
};

TEST(images_of_ephemeral_containers_and_twice_changed_ones_are_told)
{
    for (size_t i = 0; i < ARRAY_LEN(images); i++)
        tree_check(&images[i]);
}

#define WHOLE                                                                              \
    K "patches:\n- patch: |\n    apiVersion: v1\n    kind: Pod\n    metadata: {name: p}\n" \
      "    $patch: replace\n    spec: {a: 1}\n" POD CONTAINER

static const struct tree_case whole[] = {
    {WHOLE, POD_OUT "  containers:\n  - image: x:1\n    name: a\n",
     "kustomization.yaml:8:1: KD-16: '$patch: replace'", false, false},
    {WHOLE, POD_OUT "  a: 1\n", NULL, false, true},
};

TEST(patch_that_replaces_a_whole_resource_is_told)
{
    for (size_t i = 0; i < ARRAY_LEN(whole); i++)
        tree_check(&whole[i]);
}

#define TWICE "== kustomization.yaml\nnamePrefix: a-\nresources: [r.yaml]\nnamePrefix: b-\n"
#define CM "== r.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"

static const struct tree_case repeated[] = {
    {TWICE CM, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b-c\n",
     "kustomization.yaml:3:1: KD-9: 'namePrefix' is here more than once", false, false},
    {TWICE CM, "kustomization.yaml:3:13: duplicate key \"namePrefix\"", NULL, true, true},
    {K "commonAnnotations: {a: x, a: z}\n" CM,
     "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  annotations:\n    a: z\n  name: c\n",
     "kustomization.yaml:3:27: KD-9: 'a'", false, false},
};

TEST(a_key_given_twice_is_told_or_refused)
{
    for (size_t i = 0; i < ARRAY_LEN(repeated); i++)
        tree_check(&repeated[i]);
}

#define TYPE(kind)                                                                               \
    "{\"properties\": {\"spec\": {\"properties\": {\"l\": {\"type\": \"array\", \"items\": {}, " \
    "\"x-kubernetes-patch-merge-key\": \"k\", \"x-kubernetes-patch-strategy\": \"merge\"}}}}, "  \
    "\"x-kubernetes-group-version-kind\": [{\"group\": \"e.com\", \"version\": \"v1\", "         \
    "\"kind\": \"" kind "\"}]}"
#define SCHEMAS(first, second)                                                                   \
    "== kustomization.yaml\nresources: [a, b]\nsortOptions: {order: fifo}\n"                     \
    "== a/kustomization.yaml\nopenapi: {path: s.json}\nresources: [r.yaml]\n" PATCH              \
    "== a/r.yaml\n" THING "== a/s.json\n{\"definitions\": {\"A\": " first "}}\n"                 \
    "== b/kustomization.yaml\nnamePrefix: b-\nopenapi: {path: s.json}\nresources: "              \
    "[r.yaml]\n" PATCH2                                                                          \
    "== b/r.yaml\napiVersion: e.com/v1\nkind: Other\nmetadata: {name: t}\nspec: {l: [{k: a}]}\n" \
    "== b/s.json\n{\"definitions\": {" second "}}\n"
#define PATCH2                                                                                   \
    "patches:\n- patch: |\n    apiVersion: e.com/v1\n    kind: Other\n    metadata: {name: t}\n" \
    "    spec: {l: [{k: b}]}\n"
#define MERGED THING_OUT("", "  - k: b\n    v: 2\n  - k: a\n")
#define OTHER_OUT(list) \
    "---\napiVersion: e.com/v1\nkind: Other\nmetadata:\n  name: b-t\nspec:\n  l:\n" list

static const struct tree_case schemas[] = {
    {SCHEMAS(TYPE("Thing"), "\"B\": " TYPE("Other")), MERGED OTHER_OUT("  - k: b\n"),
     "b/kustomization.yaml:2:1: KD-14", false, false},
    {SCHEMAS(TYPE("Thing"), "\"B\": " TYPE("Other")), MERGED OTHER_OUT("  - k: b\n  - k: a\n"),
     NULL, false, true},
    {SCHEMAS(TYPE("Thing"), "\"A\": " TYPE("Other")),
     "the schema defines \"A\" otherwise than the one of another level", NULL, true, true},
    /* the same one again is no news */
    {SCHEMAS(TYPE("Thing"), "\"A\": " TYPE("Thing")), MERGED OTHER_OUT("  - k: b\n"), NULL, false,
     false},
};

TEST(schemas_of_several_levels_are_told_or_merged)
{
    for (size_t i = 0; i < ARRAY_LEN(schemas); i++)
        tree_check(&schemas[i]);
}

#define HIDDEN(scope) "== crd.yaml\n" CRD(scope)
#define REPLACED THING_OUT("", "  - k: b\n    v: 2\n")

/* The definition is known from a `crds` file here, so that it is not in the output. */
static const struct tree_case definitions[] = {
    {K "crds: [crd.yaml]\n" PATCH "== r.yaml\n" THING HIDDEN("Namespaced"), REPLACED,
     "kustomization.yaml:6:1: KD-7: this patch replaces lists of Thing \"t\"", false, false},
    {K "crds: [crd.yaml]\n" PATCH "== r.yaml\n" THING HIDDEN("Namespaced"), MERGED, NULL, false,
     true},
    {K "crds: [crd.yaml]\nnamespace: one\n== r.yaml\n" THING HIDDEN("Cluster"),
     THING_OUT("  namespace: one\n", "  - k: a\n  - k: b\n    v: 1\n"),
     "r.yaml:1:1: KD-7: Thing \"t\" gets a namespace", false, false},
    {K "crds: [crd.yaml]\nnamespace: one\n== r.yaml\n" THING HIDDEN("Cluster"),
     THING_OUT("", "  - k: a\n  - k: b\n    v: 1\n"), NULL, false, true},
    /* and counts for the levels above */
    {"== kustomization.yaml\nresources: [a]\nnamespace: one\n"
     "== a/kustomization.yaml\ncrds: [crd.yaml]\nresources: [r.yaml]\n== a/r.yaml\n" THING
     "== a/crd.yaml\n" CRD("Cluster"),
     THING_OUT("", "  - k: a\n  - k: b\n    v: 1\n"), NULL, false, true},
    {K "crds: [crd.yaml]\nnamespace: one\n== r.yaml\n" THING HIDDEN("Namespaced"),
     THING_OUT("  namespace: one\n", "  - k: a\n  - k: b\n    v: 1\n"), NULL, false, true},
};

TEST(definitions_give_scope_and_list_keys)
{
    for (size_t i = 0; i < ARRAY_LEN(definitions); i++)
        tree_check(&definitions[i]);
}

#define AMONG                                                                                     \
    "== kustomization.yaml\nresources: [r.yaml, crd.yaml]\nnamespace: one\nnamePrefix: x-\n"      \
    "configurations: [c.yaml]\npatches:\n- target: {kind: CustomResourceDefinition}\n"            \
    "  patch: |\n    - {op: remove, path: /spec/versions}\n"                                      \
    "== c.yaml\nnameReference:\n- kind: Thing\n  fieldSpecs: [{kind: ConfigMap, path: data/t}]\n" \
    "== r.yaml\n" THING                                                                           \
    "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: m}\n"                   \
    "data: {t: t}\n== crd.yaml\n" CRD("Cluster")
#define AMONG_OUT(thing_ns)                                                                       \
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n"            \
    "  name: things.e.com\nspec:\n  group: e.com\n  names:\n    kind: Thing\n  scope: Cluster\n"  \
    "---\napiVersion: v1\ndata:\n  t: x-t\nkind: ConfigMap\nmetadata:\n  name: x-c\n"             \
    "  namespace: one\n---\napiVersion: e.com/v1\nkind: Thing\nmetadata:\n  name: x-t\n" thing_ns \
    "spec:\n  l:\n  - k: a\n  - k: b\n    v: 1\n"

TEST(a_definition_among_the_resources_counts_and_references_know_it)
{
    static const struct tree_case rows[] = {
        {AMONG, AMONG_OUT("  namespace: one\n"), "KD-7: Thing \"t\" gets a namespace", false,
         false},
        {AMONG, AMONG_OUT(""), NULL, false, true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}

#define SERVICE(port)                                                                              \
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: s\n  annotations:\n"                        \
    "    internal.config.kubernetes.io/needsHashSuffix: enabled\nspec:\n  ports:\n  - port: " port \
    "\n"
#define SERVICE_OUT(suffix)                                                                 \
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: s-" suffix "\nspec:\n  ports:\n  - " \
    "port: 80\n"

/* The suffixes of the first three are those that v5.8.2 gives. */
TEST(suffixes_of_other_kinds_hang_on_the_text_or_the_content)
{
    static const struct tree_case rows[] = {
        {K "== r.yaml\n" SERVICE("80"), SERVICE_OUT("5ccchf58hd"),
         "r.yaml:1:1: KD-10: the suffix of Service \"s\"", false, false},
        {K "== r.yaml\n" SERVICE("{a: ~, b: 0755}"),
         "apiVersion: v1\nkind: Service\nmetadata:\n  name: s-ck2cmfbm9t\nspec:\n  ports:\n"
         "  - port:\n      a: null\n      b: 493\n",
         "KD-10", false, false},
        {K "== r.yaml\n"
           "---\n" SERVICE("80"),
         SERVICE_OUT("44bm28k979"), "KD-10", false, false},
        {K "== r.yaml\n" SERVICE("80"), SERVICE_OUT("bt528gd8tm"), NULL, false, true},
        {K "== r.yaml\n" SERVICE(" 80"), SERVICE_OUT("bt528gd8tm"), NULL, false, true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}
