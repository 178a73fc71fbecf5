/* Small builds with one transformer each. */

#include "unit/kustomize/tree.h"

TEST(labels_are_set_where_the_entry_says)
{
    static const struct tree_case rows[] = {
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "labels:\n"
         "- pairs: {x: \"1\"}\n"
         "== r.yaml\n"
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata: {name: web}\n"
         "spec: {template: {spec: {containers: [{name: a, image: nginx:1}]}}}\n",
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata:\n"
         "  labels:\n"
         "    x: \"1\"\n"
         "  name: web\n"
         "spec:\n"
         "  template:\n"
         "    spec:\n"
         "      containers:\n"
         "      - image: nginx:1\n"
         "        name: a\n",
         NULL, false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "labels:\n"
         "- pairs: {x: v}\n"
         "  includeTemplates: true\n"
         "== r.yaml\n"
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata: {name: web}\n"
         "spec: {template: {spec: {containers: [{name: a, image: nginx:1}]}}}\n",
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata:\n"
         "  labels:\n"
         "    x: v\n"
         "  name: web\n"
         "spec:\n"
         "  template:\n"
         "    metadata:\n"
         "      labels:\n"
         "        x: v\n"
         "    spec:\n"
         "      containers:\n"
         "      - image: nginx:1\n"
         "        name: a\n",
         NULL, false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "labels:\n"
         "- pairs: {x: v}\n"
         "  includeSelectors: true\n"
         "  fields: [{path: spec/more, create: true, kind: Deployment}]\n"
         "== r.yaml\n"
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata: {name: web}\n"
         "spec: {template: {spec: {containers: [{name: a, image: nginx:1}]}}}\n",
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata:\n"
         "  labels:\n"
         "    x: v\n"
         "  name: web\n"
         "spec:\n"
         "  more:\n"
         "    x: v\n"
         "  selector:\n"
         "    matchLabels:\n"
         "      x: v\n"
         "  template:\n"
         "    metadata:\n"
         "      labels:\n"
         "        x: v\n"
         "    spec:\n"
         "      containers:\n"
         "      - image: nginx:1\n"
         "        name: a\n",
         NULL, false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "labels:\n"
         "- pairs: {x: v}\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: 3}\n",
         "considering field 'metadata/labels' of object Pod.v1.[noGrp]/p.[noNs]: wrong node kind: "
         "expected MappingNode but got ScalarNode",
         NULL, true, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "labels:\n"
         "- pairs: {x: v}\n"
         "  fields: [{path: metadata/labels}]\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "conflicting fieldspecs", NULL, true, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "commonAnnotations: {x: \"true\"}\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata:\n"
         "  annotations:\n"
         "    x: \"true\"\n"
         "  labels:\n"
         "    app: a\n"
         "  name: p\n"
         "spec:\n"
         "  containers:\n"
         "  - image: nginx:1\n"
         "    name: a\n",
         NULL, false, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}

TEST(names_get_prefixes_and_suffixes_but_for_some_kinds)
{
    static const struct tree_case rows[] = {
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "namePrefix: a-\n"
         "nameSuffix: -z\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata: {name: m}\n"
         "---\n"
         "apiVersion: v1\n"
         "kind: Namespace\n"
         "metadata: {name: n}\n",
         "apiVersion: v1\n"
         "kind: Namespace\n"
         "metadata:\n"
         "  name: \"n\"\n"
         "---\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata:\n"
         "  name: a-m-z\n",
         NULL, false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "namePrefix: t\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata: {name: rue}\n"
         "---\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata: {name: \"1\"}\n",
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata:\n"
         "  name: t1\n"
         "---\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata:\n"
         "  name: true\n",
         NULL, false, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}

TEST(namespaces_are_set_where_there_is_one)
{
    static const struct tree_case rows[] = {
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "namespace: ns\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata: {name: m}\n"
         "---\n"
         "apiVersion: rbac.authorization.k8s.io/v1\n"
         "kind: ClusterRoleBinding\n"
         "metadata: {name: b}\n"
         "subjects: [{kind: ServiceAccount, name: default}, {kind: User, name: u}]\n"
         "---\n"
         "apiVersion: v1\n"
         "kind: Namespace\n"
         "metadata: {name: old}\n",
         "apiVersion: v1\n"
         "kind: Namespace\n"
         "metadata:\n"
         "  name: ns\n"
         "---\n"
         "apiVersion: rbac.authorization.k8s.io/v1\n"
         "kind: ClusterRoleBinding\n"
         "metadata:\n"
         "  name: b\n"
         "subjects:\n"
         "- kind: ServiceAccount\n"
         "  name: default\n"
         "  namespace: ns\n"
         "- kind: User\n"
         "  name: u\n"
         "---\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata:\n"
         "  name: m\n"
         "  namespace: ns\n",
         NULL, false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "namespace: ns\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata: {name: m, namespace: a}\n"
         "---\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata: {name: m, namespace: b}\n",
         "namespace transformation produces ID conflict: ConfigMap.v1.[noGrp]/m.a (", NULL, true,
         false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "transformers:\n"
         "- |-\n"
         "  apiVersion: builtin\n"
         "  kind: NamespaceTransformer\n"
         "  metadata: {name: t, namespace: ns}\n"
         "  unsetOnly: true\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata: {name: m, namespace: a}\n"
         "---\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata: {name: o}\n",
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata:\n"
         "  name: m\n"
         "  namespace: a\n"
         "---\n"
         "apiVersion: v1\n"
         "kind: ConfigMap\n"
         "metadata:\n"
         "  name: o\n"
         "  namespace: ns\n",
         NULL, false, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}

TEST(replicas_and_images_are_replaced)
{
    static const struct tree_case rows[] = {
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "replicas: [{name: web, count: 3}]\n"
         "images: [{name: nginx, newName: nn, newTag: \"2\"}]\n"
         "== r.yaml\n"
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata: {name: web}\n"
         "spec: {template: {spec: {containers: [{name: a, image: nginx:1}]}}}\n",
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata:\n"
         "  name: web\n"
         "spec:\n"
         "  replicas: 3\n"
         "  template:\n"
         "    spec:\n"
         "      containers:\n"
         "      - image: nn:2\n"
         "        name: a\n",
         NULL, false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "replicas: [{name: nope, count: 3}]\n"
         "== r.yaml\n"
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata: {name: web}\n"
         "spec: {template: {spec: {containers: [{name: a, image: nginx:1}]}}}\n",
         "resource with name nope does not match a config with the following GVK "
         "[Deployment.[noVer].[noGrp] ReplicationController.[noVer].[noGrp] "
         "ReplicaSet.[noVer].[noGrp] StatefulSet.[noVer].[noGrp]]",
         NULL, true, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "images: [{name: nginx, tagSuffix: -x}]\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata:\n"
         "  labels:\n"
         "    app: a\n"
         "  name: p\n"
         "spec:\n"
         "  containers:\n"
         "  - image: nginx:1-x\n"
         "    name: a\n",
         NULL, false, true},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "images: [{name: \"ngin[\", newTag: x}]\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata:\n"
         "  labels:\n"
         "    app: a\n"
         "  name: p\n"
         "spec:\n"
         "  containers:\n"
         "  - image: nginx:1\n"
         "    name: a\n",
         "is no regular expression", false, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}

TEST(values_are_added_at_paths)
{
    static const struct tree_case rows[] = {
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "transformers:\n"
         "- |-\n"
         "  apiVersion: builtin\n"
         "  kind: ValueAddTransformer\n"
         "  metadata: {name: v}\n"
         "  value: zz\n"
         "  targets: [{fieldPath: metadata/labels/app}, {fieldPath: spec/path, filePathPosition: "
         "2}]\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {path: /a/b}\n",
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata:\n"
         "  labels:\n"
         "    app: zz\n"
         "  name: p\n"
         "spec:\n"
         "  path: /a/zz/b\n",
         NULL, false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "transformers:\n"
         "- |-\n"
         "  apiVersion: builtin\n"
         "  kind: ValueAddTransformer\n"
         "  metadata: {name: v}\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "must specify at least one target", NULL, true, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}

TEST(a_cloud_s_account_is_generated)
{
    static const struct tree_case rows[] = {
        {"== kustomization.yaml\n"
         "generators:\n"
         "- |-\n"
         "  apiVersion: builtin\n"
         "  kind: IAMPolicyGenerator\n"
         "  metadata: {name: g}\n"
         "  cloud: gke\n"
         "  kubernetesService: {name: k, namespace: ns}\n"
         "  serviceAccount: {name: s, projectId: p}\n",
         "apiVersion: v1\n"
         "kind: ServiceAccount\n"
         "metadata:\n"
         "  annotations:\n"
         "    iam.gke.io/gcp-service-account: s@p.iam.gserviceaccount.com\n"
         "  name: k\n"
         "  namespace: ns\n",
         NULL, false, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}
