/* Small builds with patches. */

#include "unit/kustomize/tree.h"

TEST(patches_are_merged_into_what_they_name)
{
    static const struct tree_case rows[] = {
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- path: p.yaml\n"
         "== r.yaml\n"
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata: {name: web}\n"
         "spec: {template: {spec: {containers: [{name: a, image: nginx:1}]}}}\n"
         "== p.yaml\n"
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata: {name: web}\n"
         "spec: {replicas: 2, template: {spec: {containers: [{name: b, image: c}, {name: a, image: "
         "null}]}}}\n",
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata:\n"
         "  name: web\n"
         "spec:\n"
         "  replicas: 2\n"
         "  template:\n"
         "    spec:\n"
         "      containers:\n"
         "      - image: c\n"
         "        name: b\n"
         "      - name: a\n",
         NULL, false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- patch: |-\n"
         "    apiVersion: apps/v1\n"
         "    kind: Deployment\n"
         "    metadata: {name: wob}\n"
         "== r.yaml\n"
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata: {name: web}\n"
         "spec: {template: {spec: {containers: [{name: a, image: nginx:1}]}}}\n",
         "kustomization.yaml:4:1: no resource matches strategic merge patch "
         "\"Deployment.v1.apps/wob.[noNs]\": no matches for Id Deployment.v1.apps/wob.[noNs]; "
         "failed to find unique target for patch Deployment.v1.apps/wob.[noNs]; did you mean "
         "Deployment.v1.apps/web.[noNs]?",
         NULL, true, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- path: p.yaml\n"
         "== r.yaml\n"
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata: {name: web}\n"
         "spec: {template: {spec: {containers: [{name: a, image: nginx:1}]}}}\n"
         "== p.yaml\n"
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata: {name: web}\n"
         "$patch: delete\n",
         "", NULL, false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- path: p.yaml\n"
         "== r.yaml\n"
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata: {name: web}\n"
         "spec: {template: {spec: {containers: [{name: a, image: nginx:1}]}}}\n"
         "== p.yaml\n"
         "apiVersion: apps/v1\n"
         "kind: Deployment\n"
         "metadata: {name: web}\n"
         "spec: {$patch: explode}\n",
         "unknown patch strategy 'explode'", NULL, true, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}

TEST(patches_with_a_target_go_to_all_it_selects)
{
    static const struct tree_case rows[] = {
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- target: {kind: Pod|Service, labelSelector: \"app in (a, b)\"}\n"
         "  patch: |-\n"
         "    kind: X\n"
         "    metadata: {name: y}\n"
         "    spec: {x: 1}\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n"
         "---\n"
         "apiVersion: v1\n"
         "kind: Service\n"
         "metadata: {name: s}\n"
         "spec: {ports: [{port: 80, protocol: TCP}]}\n",
         "apiVersion: v1\n"
         "kind: Service\n"
         "metadata:\n"
         "  name: s\n"
         "spec:\n"
         "  ports:\n"
         "  - port: 80\n"
         "    protocol: TCP\n"
         "---\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata:\n"
         "  labels:\n"
         "    app: a\n"
         "  name: p\n"
         "spec:\n"
         "  containers:\n"
         "  - image: nginx:1\n"
         "    name: a\n"
         "  x: 1\n",
         NULL, false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- target: {kind: Pod}\n"
         "  options: {allowNameChange: true, allowKindChange: true}\n"
         "  patch: |-\n"
         "    kind: X\n"
         "    metadata: {name: y}\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "apiVersion: v1\n"
         "kind: X\n"
         "metadata:\n"
         "  labels:\n"
         "    app: a\n"
         "  name: \"y\"\n"
         "spec:\n"
         "  containers:\n"
         "  - image: nginx:1\n"
         "    name: a\n",
         NULL, false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- target: {name: q, kind: Pod}\n"
         "  patch: |-\n"
         "    kind: X\n"
         "    metadata: {name: y}\n"
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
         "the target of this patch selects nothing; did you mean Pod.v1.[noGrp]/p.[noNs]?", false,
         false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- target: {labelSelector: \"a=b=c\"}\n"
         "  patch: |-\n"
         "    kind: X\n"
         "    metadata: {name: y}\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "unable to find patch target \"[noKind].[noVer].[noGrp]/[noName].[noNs]:a=:l=a=b=c\" in "
         "`resources`",
         NULL, true, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- target: {kind: Pod}\n"
         "  patch: |-\n"
         "    kind: X\n"
         "    metadata: {name: y}\n"
         "    ---\n"
         "    kind: X\n"
         "    metadata: {name: z}\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "Multiple Strategic-Merge Patches in one `patches` entry is not allowed to set "
         "`patches.target` field",
         NULL, true, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}

TEST(json_patches_are_carried_out)
{
    static const struct tree_case rows[] = {
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- target: {kind: Pod}\n"
         "  patch: |-\n"
         "    - {op: add, path: /spec/containers/-1, value: {name: b}}\n"
         "    - {op: replace, path: /metadata/name, value: q}\n"
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
         "  name: q\n"
         "spec:\n"
         "  containers:\n"
         "  - image: nginx:1\n"
         "    name: a\n"
         "  - name: b\n",
         NULL, false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- target: {kind: Pod}\n"
         "  patch: |-\n"
         "    - op: add\n"
         "      path: /spec/word\n"
         "      value: n\n"
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
         "    name: a\n"
         "  word: false\n",
         "kustomization.yaml:7:3: KD-8: 'n' is read as the boolean false here", false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- target: {kind: Pod}\n"
         "  patch: |-\n"
         "    - {op: add, path: /spec/word, value: n}\n"
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
         "    name: a\n"
         "  word: \"n\"\n",
         NULL, false, true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}

TEST(json_patches_that_fail_say_where)
{
    static const struct tree_case rows[] = {
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- target: {kind: Pod}\n"
         "  patch: |-\n"
         "    - op: add\n"
         "      path: /spec/no/where\n"
         "      value: 1\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "kustomization.yaml:5:3: operation 0, add \"/spec/no/where\": there is nothing at "
         "\"/spec/no\"",
         NULL, true, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- patch: \"[]\"\n"
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
         NULL, false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- patch: \"- {op: remove, path: /spec}\"\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "must specify a target for JSON patch [patch: \"- {op: remove, path: /spec}\"]", NULL,
         true, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- target: {kind: Pod}\n"
         "  patch: \"- {op: remove, path: /kind}\"\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "missing kind in object Pod.v1.[noGrp]/p.[noNs] once it is patched", NULL, true, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}

TEST(patches_must_be_one_thing)
{
    static const struct tree_case rows[] = {
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- patch: \"- a\"\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "unable to parse SM or JSON patch from [patch: \"- a\"]", NULL, true, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- {}\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "must specify one of patch and path", NULL, true, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- {path: p, patch: q}\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n",
         "patch and path can't be set at the same time", NULL, true, false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}

TEST(partial_keys_are_mended_when_asked)
{
    static const struct tree_case rows[] = {
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- path: p.yaml\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Service\n"
         "metadata: {name: s}\n"
         "spec: {ports: [{port: 80, protocol: TCP}]}\n"
         "== p.yaml\n"
         "apiVersion: v1\n"
         "kind: Service\n"
         "metadata: {name: s}\n"
         "spec: {ports: [{port: 80, name: http}]}\n",
         "apiVersion: v1\n"
         "kind: Service\n"
         "metadata:\n"
         "  name: s\n"
         "spec:\n"
         "  ports:\n"
         "  - port: 80\n"
         "    protocol: TCP\n",
         "p.yaml:1:1: KD-1: this patch loses ports", false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- path: p.yaml\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Service\n"
         "metadata: {name: s}\n"
         "spec: {ports: [{port: 80, protocol: TCP}]}\n"
         "== p.yaml\n"
         "apiVersion: v1\n"
         "kind: Service\n"
         "metadata: {name: s}\n"
         "spec: {ports: [{port: 80, name: http}]}\n",
         "apiVersion: v1\n"
         "kind: Service\n"
         "metadata:\n"
         "  name: s\n"
         "spec:\n"
         "  ports:\n"
         "  - name: http\n"
         "    port: 80\n"
         "    protocol: TCP\n",
         NULL, false, true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}

TEST(directives_are_carried_out_when_asked)
{
    static const struct tree_case rows[] = {
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- path: p.yaml\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n"
         "== p.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p}\n"
         "spec: {$setElementOrder/containers: [{name: b}, {name: a}], containers: [{name: b}]}\n",
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata:\n"
         "  labels:\n"
         "    app: a\n"
         "  name: p\n"
         "spec:\n"
         "  $setElementOrder/containers:\n"
         "  - name: b\n"
         "  - name: a\n"
         "  containers:\n"
         "  - name: b\n"
         "  - image: nginx:1\n"
         "    name: a\n",
         "p.yaml:4:8: KD-3: '$setElementOrder/containers' becomes a field", false, false},
        {"== kustomization.yaml\n"
         "resources: [r.yaml]\n"
         "patches:\n"
         "- path: p.yaml\n"
         "== r.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, labels: {app: a}}\n"
         "spec: {containers: [{name: a, image: nginx:1}]}\n"
         "== p.yaml\n"
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata: {name: p, finalizers: [x], $deleteFromPrimitiveList/finalizers: [x]}\n"
         "spec: {$setElementOrder/containers: [{name: a}, {name: b}], containers: [{name: b}], "
         "$retainKeys: [containers]}\n",
         "apiVersion: v1\n"
         "kind: Pod\n"
         "metadata:\n"
         "  finalizers: []\n"
         "  labels:\n"
         "    app: a\n"
         "  name: p\n"
         "spec:\n"
         "  containers:\n"
         "  - image: nginx:1\n"
         "    name: a\n"
         "  - name: b\n",
         NULL, false, true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        tree_check(&rows[i]);
}
