#include "unit/kustomize/tree.h"

#define CM(name) "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " name "}\n---\n"
#define POD(more) "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n" more
#define K "== kustomization.yaml\nresources: [r.yaml]\nsortOptions: {order: fifo}\n"
#define RBAC "apiVersion: rbac.authorization.k8s.io/v1\n"

static const struct tree_case cases[] = {
    /* names follow in whatever form they stand, others stay */
    {.files = K "namePrefix: x-\n== r.yaml\n" CM("a")
         POD("  volumes:\n  - configMap: {name: a}\n  - configMap: {name: b}\n"),
     .want = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x-a\n---\n"
             "apiVersion: v1\nkind: Pod\nmetadata:\n  name: x-p\nspec:\n  volumes:\n"
             "  - configMap:\n      name: x-a\n  - configMap:\n      name: b\n"},
    {.files = K "namePrefix: x-\n== r.yaml\n" CM("a") RBAC
     "kind: Role\nmetadata: {name: r}\nrules: [{resourceNames: [a, b, ~]}]\n",
     .want = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x-a\n---\n"
             "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata:\n  name: x-r\n"
             "rules:\n- resourceNames:\n  - x-a\n  - b\n  - null\n"},
    /* a plain name is what the new one means unquoted, as upstream writes it */
    {.files = K "namePrefix: \"1\"\n== r.yaml\n" CM("\"2\"")
         POD("  volumes:\n  - configMap: {name: 2}\n  - configMap: {name: \"2\"}\n"),
     .want = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: \"12\"\n---\n"
             "apiVersion: v1\nkind: Pod\nmetadata:\n  name: 1p\nspec:\n  volumes:\n"
             "  - configMap:\n      name: 12\n  - configMap:\n      name: \"12\"\n"},
    /* subjects get the account's namespace with its name */
    {.files = K "namespace: ns\n== r.yaml\n"
                "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: s}\n---\n" RBAC
                "kind: ClusterRoleBinding\nmetadata: {name: b}\n"
                "subjects: [{kind: ServiceAccount, name: s}, {kind: User, name: other}]\n",
     .want = "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: s\n  namespace: ns\n---\n"
             "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata:\n"
             "  name: b\nsubjects:\n- kind: ServiceAccount\n  name: s\n  namespace: ns\n"
             "- kind: User\n  name: other\n"},
    /* a roleRef looks at its kind */
    {.files = K "namePrefix: x-\n== r.yaml\n" RBAC "kind: Role\nmetadata: {name: r}\n---\n" RBAC
                "kind: RoleBinding\nmetadata: {name: b}\n"
                "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: r}\n",
     .want = "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata:\n  name: x-r\n---\n"
             "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata:\n"
             "  name: x-b\nroleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: ClusterRole\n"
             "  name: r\n"},
    {.files = K "namePrefix: x-\n== r.yaml\n" CM("a") POD("  volumes: text\n"),
     .want = "r.yaml:5:1: updating name reference in 'spec/volumes/configMap/name' field of "
             "'Pod.v1.[noGrp]/x-p.[noNs]'",
     .fails = true},
    {.files = K "namePrefix: x-\n== r.yaml\n" RBAC
                "kind: ClusterRoleBinding\nmetadata: {name: b}\nsubjects: [{kind: User}]\n",
     .want = "path config error; no 'name' field in node",
     .fails = true},
    {.files = K "namePrefix: x-\n== r.yaml\n" RBAC "kind: RoleBinding\nmetadata: {name: b}\n"
                "subjects: [{kind: ServiceAccount, name: s, namespace: 5}]\n",
     .want = "r.yaml:4:12: Invalid Input: namespace is blank for resource",
     .fails = true},
};

TEST(names_follow_what_they_mean)
{
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        tree_check(&cases[i]);
}

#define TWO                                                                    \
    "== a/kustomization.yaml\nresources: [../s]\nnamespace: a\n"               \
    "== b/kustomization.yaml\nresources: [../s]\nnamespace: b\n"               \
    "== s/kustomization.yaml\nresources: [s.yaml]\n"                           \
    "== s/s.yaml\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: s}\n" \
    "== r.yaml\n" RBAC "kind: ClusterRoleBinding\nmetadata: {name: b}\n"       \
    "subjects: [{kind: ServiceAccount, name: s}]\n"

TEST(two_that_a_name_may_mean_are_an_error)
{
    static const struct tree_case c = {
        .files = TWO "== kustomization.yaml\nresources: [a, b, r.yaml]\n",
        .want = "found multiple possible referrals: ServiceAccount.v1.[noGrp]/s.a, "
                "ServiceAccount.v1.[noGrp]/s.b",
        .fails = true};

    tree_check(&c);
}

#define CLASS                                                                             \
    K "namePrefix: x-\n== r.yaml\napiVersion: networking.k8s.io/v1\nkind: IngressClass\n" \
      "metadata: {name: c}\n---\napiVersion: networking.k8s.io/v1\nkind: Ingress\n"       \
      "metadata: {name: i}\nspec: {ingressClassName: c}\n"
#define CLASS_OUT(name)                                                                   \
    "apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata:\n  name: x-c\n---\n" \
    "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: x-i\nspec:\n"    \
    "  ingressClassName: " name "\n"

TEST(ingress_classes_follow_when_mended)
{
    static const struct tree_case strict = {CLASS, CLASS_OUT("c"), "r.yaml:8:26: KD-2", 0, 0};
    static const struct tree_case fixed = {CLASS, CLASS_OUT("x-c"), NULL, 0, true};

    tree_check(&strict);
    tree_check(&fixed);
}
