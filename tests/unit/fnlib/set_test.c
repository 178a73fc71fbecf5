#include "unit/fnlib/case.h"

#define CM "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n"

TEST(set_namespace_follows_where_namespaces_are_named)
{
    static const struct fn_case cases[] = {
        {&fnlib_set_namespace, "namespace: new\n",
         "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata:\n"
         "  name: b\nsubjects:\n- kind: ServiceAccount\n  name: a\n  namespace: old # here\n"
         "- kind: User\n  name: u\n",
         "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleBinding\nmetadata:\n"
         "  name: b\nsubjects:\n- kind: ServiceAccount\n  name: a\n  namespace: new # here\n"
         "- kind: User\n  name: u\n",
         NULL, false},
        {&fnlib_set_namespace, "namespace: new\nnamespaceMatcher: old\n",
         "apiVersion: apiregistration.k8s.io/v1\nkind: APIService\nmetadata:\n  name: v1.x\nspec:\n"
         "  service:\n    name: s\n    namespace: other\n---\n" CM,
         NULL, NULL, false},
        {&fnlib_set_namespace, "namespace: new\n",
         "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n"
         "  name: x\nspec:\n  conversion:\n    webhook:\n      clientConfig:\n        service:\n"
         "          namespace: 'old'\n",
         "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n"
         "  name: x\nspec:\n  conversion:\n    webhook:\n      clientConfig:\n        service:\n"
         "          namespace: 'new'\n",
         NULL, false},
        {&fnlib_set_namespace, "namespace: new\n",
         "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n---\n"
         "apiVersion: x/v1\nkind: X\nmetadata:\n  name: x\n  annotations:\n"
         "    config.kubernetes.io/depends-on: /namespaces/default/Secret/s\n",
         "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  namespace: new\n---\n"
         "apiVersion: x/v1\nkind: X\nmetadata:\n  name: x\n  annotations:\n"
         "    config.kubernetes.io/depends-on: /namespaces/new/Secret/s\n",
         NULL, false},
        {&fnlib_set_namespace, "namespace: new\n",
         CM "  namespace: old\n  annotations:\n"
            "    config.kubernetes.io/depends-on: /namespaces/old/Secret/s, a/namespaces/old/B/c\n"
            "---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  namespace: old\n",
         CM "  namespace: new\n  annotations:\n"
            "    config.kubernetes.io/depends-on: /namespaces/new/Secret/s, a/namespaces/old/B/c\n"
            "---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  namespace: new\n",
         NULL, false},
        {&fnlib_set_namespace,
         "apiVersion: fn.kpt.dev/v1alpha1\nkind: SetNamespace\nmetadata:\n"
         "  name: x\nnamespace: new\n",
         CM, CM "  namespace: new\n", "namespace set to \"new\" in 1 place", false},
        {&fnlib_set_namespace, "", CM, NULL, "functionConfig is missing", true},
        {&fnlib_set_namespace, "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\n", CM, NULL,
         "functionConfig must be v1 ConfigMap or fn.kpt.dev/v1alpha1 SetNamespace", true},
    };

    fn_cases_run(cases, ARRAY_LEN(cases));
}

TEST(set_labels_changes_only_what_is_there_where_pods_are_chosen)
{
    static const struct fn_case cases[] = {
        {&fnlib_set_labels, "app: new\nb: x\n",
         "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata:\n  name: p\nspec:\n"
         "  selector:\n    matchLabels: {app: web}\n",
         "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata:\n  name: p\n  labels:\n"
         "    app: new\n    b: x\nspec:\n  selector:\n    matchLabels: {app: new}\n",
         NULL, false},
        {&fnlib_set_labels, "app: new\n",
         "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata:\n  name: p\n"
         "  labels: {app: new}\nspec:\n  podSelector: {}\n  ingress:\n  - from:\n"
         "    - podSelector:\n        matchLabels:\n          app: \"web\"\n",
         "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata:\n  name: p\n"
         "  labels: {app: new}\nspec:\n  podSelector: {}\n  ingress:\n  - from:\n"
         "    - podSelector:\n        matchLabels:\n          app: \"new\"\n",
         NULL, false},
        {&fnlib_set_labels, "v: 5\non: yes\n", CM,
         CM "  labels:\n    \"on\": \"yes\"\n    v: \"5\"\n", NULL, false},
        {&fnlib_set_labels,
         "apiVersion: fn.kpt.dev/v1alpha1\nkind: SetLabels\nmetadata:\n"
         "  name: x\n",
         CM, NULL, "there are no labels to set", true},
        {&fnlib_set_labels, "a: {}\n", CM, NULL, "the value of \"a\" must be a string", true},
        {&fnlib_set_labels, "a: b\n", CM "  labels: text\n", NULL,
         "the labels must be a mapping, found \"text\"", true},
    };

    fn_cases_run(cases, ARRAY_LEN(cases));
}

#define POD "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n"

TEST(set_image_takes_images_apart)
{
    static const struct fn_case cases[] = {
        {&fnlib_set_image, "name: nginx\ndigest: sha256:abc\n", POD "  - image: nginx:1 # one\n",
         POD "  - image: nginx@sha256:abc # one\n", "1 image(s) set", false},
        {&fnlib_set_image, "name: nginx\nnewName: host:5000/x\n", POD "  - image: nginx:1\n",
         POD "  - image: host:5000/x:1\n", NULL, false},
        {&fnlib_set_image, "name: nginx\nnewTag: \"1\"\n", POD "  - image: nginx:1\n", NULL,
         "0 image(s) set", false},
        {&fnlib_set_image, "name: \"(\"\nnewTag: \"1\"\n", POD "  - image: nginx:1\n", NULL, NULL,
         false},
        {&fnlib_set_image, "name: a\nnewTag: x\ndigest: y\n", POD "  - image: a\n", NULL,
         "newTag and digest exclude each other", true},
        {&fnlib_set_image, "name: a\nnewTags: x\n", POD "  - image: a\n", NULL,
         "unknown field \"newTags\"", true},
        {&fnlib_set_image,
         "apiVersion: fn.kpt.dev/v1alpha1\nkind: SetImage\nmetadata:\n  name: x\nimage:\n"
         "  name: a\n  newTag: b\nadditionalImageFields:\n- kind: Foo\n  path: spec/pic\n",
         "apiVersion: e/v1\nkind: Foo\nmetadata:\n  name: f\nspec:\n  pic: a\n",
         "apiVersion: e/v1\nkind: Foo\nmetadata:\n  name: f\nspec:\n  pic: a:b\n", NULL, false},
    };

    fn_cases_run(cases, ARRAY_LEN(cases));
}

TEST(names_change_with_what_refers_to_them)
{
    static const struct fn_case cases[] = {
        {&fnlib_ensure_name_substring, "prepend: dev-\n",
         "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata:\n  name: b\n"
         "roleRef:\n  kind: ClusterRole\n  name: r\nsubjects:\n- kind: ServiceAccount\n"
         "  name: sa # me\n- kind: User\n  name: sa\n---\n"
         "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata:\n  name: r\n---\n"
         "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: sa\n",
         "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata:\n  name: dev-b\n"
         "roleRef:\n  kind: ClusterRole\n  name: r\nsubjects:\n- kind: ServiceAccount\n"
         "  name: dev-sa # me\n- kind: User\n  name: sa\n---\n"
         "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata:\n  name: dev-r\n---\n"
         "apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: dev-sa\n",
         NULL, false},
        {&fnlib_ensure_name_substring, "append: -x\n",
         POD "  - envFrom:\n    - configMapRef: {name: c}\n---\n" CM "  namespace: other\n---\n" CM,
         "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p-x\nspec:\n  containers:\n"
         "  - envFrom:\n    - configMapRef: {name: c-x}\n---\n"
         "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c-x\n  namespace: other\n---\n"
         "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c-x\n",
         NULL, false},
        {&fnlib_set_name_prefix, "prefix: b-\noldPrefix: a-\n",
         "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a-n\n---\n"
         "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a-c\n  annotations:\n"
         "    config.kubernetes.io/depends-on: /namespaces//ConfigMap/x\n---\n"
         "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n---\n"
         "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b-y\n",
         "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: a-n\n---\n"
         "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b-c\n  annotations:\n"
         "    config.kubernetes.io/depends-on: /namespaces//ConfigMap/b-x\n---\n"
         "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b-x\n---\n"
         "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b-y\n",
         NULL, false},
        {&fnlib_ensure_name_substring,
         "apiVersion: fn.kpt.dev/v1alpha1\nkind: EnsureNameSubstring\nmetadata:\n  name: x\n"
         "substring: q\neditMode: middle\n",
         CM, NULL, "editMode must be prepend or append", true},
    };

    fn_cases_run(cases, ARRAY_LEN(cases));
}
