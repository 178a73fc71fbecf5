#include "unit/fnlib/case.h"

#define CM "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n"

TEST(upsert_resource_keeps_the_place_of_what_it_replaces)
{
    static const struct fn_case cases[] = {
        {&fnlib_upsert_resource,
         CM "  annotations:\n    config.kubernetes.io/function: x\n"
            "    internal.config.kubernetes.io/path: fn.yaml\ndata:\n  a: b\n",
         CM "  annotations:\n    internal.config.kubernetes.io/path: 'p.yaml'\n",
         CM "  annotations:\n    internal.config.kubernetes.io/path: p.yaml\ndata:\n  a: b\n",
         "replaced", false},
        {&fnlib_upsert_resource,
         CM "  annotations:\n    config.kubernetes.io/target-path: t.yaml\n", CM,
         CM "---\n" CM "  annotations:\n    internal.config.kubernetes.io/path: t.yaml\n"
            "    config.kubernetes.io/path: t.yaml\n",
         "added", false},
        {&fnlib_upsert_resource,
         "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n"
         "  kind: Secret\n  metadata: {name: s}\n",
         CM, CM "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\n", NULL, false},
        {&fnlib_upsert_resource, "apiVersion: v1\nkind: Secret\n", CM, NULL, "metadata.name", true},
    };

    fn_cases_run(cases, ARRAY_LEN(cases));
}

TEST(set_enforcement_action_touches_constraints_only)
{
    static const struct fn_case cases[] = {
        {&fnlib_set_enforcement_action, "enforcementAction: warn\n",
         "apiVersion: constraints.gatekeeper.sh/v1beta1\nkind: K\nmetadata:\n  name: k\n---\n" CM,
         "apiVersion: constraints.gatekeeper.sh/v1beta1\nkind: K\nmetadata:\n  name: k\nspec:\n"
         "  enforcementAction: warn\n---\n" CM,
         NULL, false},
        {&fnlib_set_enforcement_action, "enforcementAction: shout\n", CM, NULL,
         "must be deny, warn or dryrun", true},
    };

    fn_cases_run(cases, ARRAY_LEN(cases));
}

TEST(format_orders_fields)
{
    static const struct fn_case cases[] = {
        {&fnlib_format, "",
         "spec:\n  template: {}\n  # how many\n  replicas: 1\nkind: X\nmetadata:\n  labels:\n"
         "    kind: a\n    app: b\n  name: n\napiVersion: e/v1\n",
         "apiVersion: e/v1\nkind: X\nmetadata:\n  name: n\n  labels:\n    app: b\n    kind: a\n"
         "spec:\n  # how many\n  replicas: 1\n  template: {}\n",
         NULL, false},
    };

    fn_cases_run(cases, ARRAY_LEN(cases));
}

#define CRD                                                                                 \
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n"      \
    "  name: foos.e\nspec:\n  group: e\n  names: {kind: Foo, plural: foos}\n"               \
    "  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n" \
    "    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n"      \
    "          spec:\n            type: object\n            required: [size]\n"             \
    "            properties:\n              size: {type: integer}\n"                        \
    "              port: {x-kubernetes-int-or-string: true}\n"                              \
    "              mode: {type: string, enum: [a, b]}\n"

TEST(kubeval_judges_by_schemas_of_crds_and_built_in_kinds)
{
    static const struct fn_case cases[] = {
        {&fnlib_kubeval, "strict: \"true\"\n",
         CRD "---\napiVersion: e/v1\nkind: Foo\nmetadata:\n  name: f\nspec:\n  size: 1\n  port: x\n"
             "  mode: a\n",
         NULL, NULL, false},
        {&fnlib_kubeval, "",
         CRD "---\napiVersion: e/v1\nkind: Foo\nmetadata:\n  name: f\nspec:\n  mode: c\n", NULL,
         "size is required", true},
        {&fnlib_kubeval, "",
         CRD "---\napiVersion: e/v1\nkind: Foo\nmetadata:\n  name: f\nspec:\n  size: 1\n"
             "  mode: c\n",
         NULL, "must be one of the following: \"a\", \"b\"", true},
        {&fnlib_kubeval, "",
         "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: d\nspec:\n  template:\n"
         "    spec:\n      containers:\n      - name: 5\n",
         NULL, "path: spec.template.spec.containers[0].name", true},
        {&fnlib_kubeval, "skip_kinds: A, Foo\n",
         "apiVersion: e/v1\nkind: Foo\nmetadata: {name: f}\n", NULL, NULL, false},
        {&fnlib_kubeval, "skip_kinds: [A, Foo]\n",
         "apiVersion: e/v1\nkind: Foo\nmetadata: {name: f}\n", NULL, NULL, false},
        {&fnlib_kubeval, "schema_location: /nowhere\nskip_kinds: CustomResourceDefinition\n",
         "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
         "metadata: {name: foos.e}\nspec:\n  group: e\n  names: {kind: Foo}\n  versions:\n"
         "  - name: v1\n    schema:\n      openAPIV3Schema:\n"
         "        {type: object, properties: {n: {type: integer}}}\n"
         "---\napiVersion: e/v1\nkind: Foo\nmetadata: {name: f}\nn: x\n",
         NULL, "Expected: integer", true},
        {&fnlib_kubeval, "ignore_missing_schemas: \"true\"\n",
         "apiVersion: e/v1\nkind: Foo\nmetadata: {name: f}\n", NULL, NULL, false},
        {&fnlib_kubeval, "strict: maybe\n", CM, NULL, "must be \"true\" or \"false\"", true},
        {&fnlib_kubeval, "schema_location: https://x.example/\n", CM, NULL,
         "schemas are read from directories only", true},
        {&fnlib_kubeval, "", CM "data:\n  a: 5\nbinaryData: null\n", NULL,
         "Invalid type. Expected: string, given: integer", true},
    };

    fn_cases_run(cases, ARRAY_LEN(cases));
}

#define REPLACE(source, target)                                                        \
    "apiVersion: fn.kpt.dev/v1alpha1\nkind: ApplyReplacements\nmetadata:\n  name: x\n" \
    "replacements:\n- source:\n    " source "\n  targets:\n  - select: " target "\n"

TEST(apply_replacements_copies_values)
{
    static const struct fn_case cases[] = {
        {&fnlib_apply_replacements,
         REPLACE("{kind: ConfigMap, fieldPath: data.host, options: {delimiter: '.', index: 1}}",
                 "{kind: F.*}\n    reject:\n    - name: no\n    fieldPaths: [spec.new]\n"
                 "    options: {create: true}"),
         CM "data:\n  host: a.b.c\n---\napiVersion: e/v1\nkind: Foo\nmetadata:\n  name: f\n---\n"
            "apiVersion: e/v1\nkind: Foo\nmetadata:\n  name: no\n",
         CM "data:\n  host: a.b.c\n---\napiVersion: e/v1\nkind: Foo\nmetadata:\n  name: f\nspec:\n"
            "  new: b\n---\napiVersion: e/v1\nkind: Foo\nmetadata:\n  name: no\n",
         NULL, false},
        {&fnlib_apply_replacements, REPLACE("{kind: None}", "{kind: Foo}"), CM, NULL,
         "nothing selected by the replacement source (kind None)", true},
        {&fnlib_apply_replacements, REPLACE("{kind: ConfigMap, fieldPath: data.no}", "{kind: Foo}"),
         CM "data:\n  host: x\n", NULL, "fieldPath `data.no` is missing", true},
        {&fnlib_apply_replacements,
         REPLACE("{kind: ConfigMap}", "{kind: ConfigMap}\n    fieldPaths: [data.no]"),
         CM "data: {}\n", NULL, "unable to find field \"data.no\" in replacement target", true},
        {&fnlib_apply_replacements, REPLACE("{kind: ConfigMap}", "{kind: '('}"), CM, NULL,
         "replacement target: kind: error parsing regexp", true},
    };

    fn_cases_run(cases, ARRAY_LEN(cases));
}
