#include "unit/kustomize/tree.h"

#define R                                                                     \
    "== r.yaml\napiVersion: v1\nkind: Service\nmetadata: {name: s}\n"         \
    "spec: {ports: [{port: 80}], n: ~, m: {}, h: 0x1f, t: 2020-01-01}\n---\n" \
    "apiVersion: v1\nkind: Pod\nmetadata: {name: p, labels: {l: $(V)}}\nspec:\n  containers:\n"
#define K(path)                                                                                 \
    "== kustomization.yaml\nresources: [r.yaml]\nvars:\n"                                       \
    "- {name: V, objref: {apiVersion: v1, kind: Service, name: s}, fieldref: {fieldPath: " path \
    "}}\n"
#define SERVICE(rest)                                                                \
    "apiVersion: v1\nkind: Service\nmetadata:\n  name: s\nspec:\n  h: 31\n  m: {}\n" \
    "  \"n\": null\n  ports:\n  - port: 80\n  t: \"2020-01-01T00:00:00Z\"\n---\n"    \
    "apiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n    l: " rest
#define DEPRECATED "'vars' is deprecated"

static const struct tree_case cases[] = {
    {.files = K("'spec.ports[0].port'") R "  - args: [$(V), a$(V), $$(V), $(W)]\n",
     .want = SERVICE("80\n  name: p\nspec:\n  containers:\n  - args:\n    - 80\n    - a80\n"
                     "    - $(V)\n    - $(W)\n"),
     .warning = "r.yaml:11:12: KD-5"},
    {.files = K("'spec.ports[0].port'") R "  - args: [$(V)]\n",
     .want = SERVICE("80\n  name: p\nspec:\n  containers:\n  - args:\n    - \"80\"\n"),
     .warning = DEPRECATED,
     .is_fixed = true},
    {.files = K("spec.t") R "  - args: [$(V)]\n",
     .want = SERVICE("\"2020-01-01\"\n  name: p\nspec:\n  containers:\n  - args:\n"
                     "    - \"2020-01-01\"\n"),
     .warning = DEPRECATED},
    {.files = K("spec.m") R "  - args: [$(V)]\n",
     .want = SERVICE("$(V)\n  name: p\nspec:\n  containers:\n  - args:\n    - $(V)\n"),
     .warning = "well-defined vars that were never replaced: V"},
    {.files = K("spec.h") R "  - args: [$(V)]\n",
     .want = "field specified in var '{V Service.v1.[noGrp] {spec.h}}' not found in corresponding "
             "resource",
     .fails = true},
    {.files = "== kustomization.yaml\nresources: [r.yaml]\nvars:\n"
              "- {name: V, objref: {apiVersion: v1, kind: Service, name: none}}\n" R,
     .want = "var 'V' cannot be mapped to a field",
     .fails = true},
    {.files = "== kustomization.yaml\nresources: [r.yaml]\nvars:\n"
              "- {name: V, objref: {apiVersion: v1, kind: Service, name: s}}\n"
              "- {name: V, objref: {apiVersion: v1, kind: Pod, name: p}}\n" R,
     .want = "kustomization.yaml:4:3: var 'V' already encountered",
     .fails = true},
};

TEST(vars_are_put_into_the_fields_that_hold_them)
{
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        tree_check(&cases[i]);
}
