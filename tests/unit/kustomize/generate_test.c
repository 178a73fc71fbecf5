#include "unit/kustomize/tree.h"

static const struct tree_case cases[] = {
    {.files = "== kustomization.yaml\n"
              "configMapGenerator:\n- name: c\n  literals: [b=2, a=1]\n  envs: [e.env]\n"
              "  files: [f.txt, k=f.txt]\n"
              "== e.env\nX=1\n"
              "== f.txt\ntext\n",
     .want = "apiVersion: v1\ndata:\n  X: \"1\"\n  a: \"1\"\n  b: \"2\"\n  f.txt: |\n    text\n"
             "  k: |\n    text\nkind: ConfigMap\nmetadata:\n  name: c-775924929t\n"},
    {.files = "== kustomization.yaml\n"
              "generatorOptions:\n  labels: {l: g, m: g}\n  immutable: true\n"
              "secretGenerator:\n- name: s\n  type: t\n  literals: [a=b]\n"
              "  options: {labels: {l: e}, disableNameSuffixHash: true}\n",
     .want = "apiVersion: v1\ndata:\n  a: Yg==\nimmutable: true\nkind: Secret\nmetadata:\n"
             "  labels:\n    l: e\n    m: g\n  name: s\ntype: t\n"},
    {.files = "== kustomization.yaml\nconfigMapGenerator:\n- literals: [a=b]\n",
     .want = "kustomization.yaml:2:3: a configmap must have a name",
     .fails = true},
    {.files = "== kustomization.yaml\nsecretGenerator:\n- name: s\n  literals: [a=b, a=c]\n",
     .want = "configmap s illegally repeats the key `a`",
     .fails = true},
    {.files = "== kustomization.yaml\nsecretGenerator:\n- name: s\n  literals: [a]\n",
     .want = "loading KV pairs: literal sources [a]: invalid literal source a, expected key=value",
     .fails = true},
    {.files = "== kustomization.yaml\nconfigMapGenerator:\n- name: s\n  envs: [none.env]\n",
     .want = "loading KV pairs: env source files: [none.env]: evalsymlink failure",
     .fails = true},
};

TEST(generators_read_their_sources)
{
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        tree_check(&cases[i]);
}

#define BASE "== base/kustomization.yaml\nconfigMapGenerator:\n- name: c\n  literals: [a=1, b=1]\n"

static const struct tree_case absorbed[] = {
    {.files = BASE "== kustomization.yaml\nresources: [base]\nconfigMapGenerator:\n"
                   "- {name: c, behavior: merge, literals: [b=2, c=2]}\n",
     .want = "apiVersion: v1\ndata:\n  a: \"1\"\n  b: \"2\"\n  c: \"2\"\nkind: ConfigMap\n"
             "metadata:\n  name: c-gmcbm69h57\n"},
    {.files = BASE "== kustomization.yaml\nresources: [base]\nconfigMapGenerator:\n"
                   "- {name: c, behavior: replace, literals: [b=2],"
                   " options: {disableNameSuffixHash: true}}\n",
     .want = "apiVersion: v1\ndata:\n  b: \"2\"\nkind: ConfigMap\nmetadata:\n  name: c\n"},
    /* what was a file is not hashed, and its stringData counts as data */
    {.files = "== s.yaml\napiVersion: v1\nkind: Secret\nmetadata: {name: s, labels: {n: 5}}\n"
              "data: {a: MQ==, b: MQ==}\nstringData: {b: x}\n"
              "== kustomization.yaml\nresources: [s.yaml]\nsecretGenerator:\n"
              "- {name: s, behavior: merge, literals: [c=2]}\n",
     .want = "apiVersion: v1\ndata:\n  a: MQ==\n  b: eA==\n  c: Mg==\nkind: Secret\nmetadata:\n"
             "  labels:\n    \"n\": \"5\"\n  name: s\ntype: Opaque\n"},
    {.files = BASE "== kustomization.yaml\nresources: [base]\nconfigMapGenerator:\n- name: c\n",
     .want = "exists; behavior must be merge or replace",
     .fails = true},
    {.files = "== kustomization.yaml\nconfigMapGenerator:\n- {name: c, behavior: merge}\n",
     .want = "does not exist; cannot merge or replace",
     .fails = true},
};

TEST(generated_resources_are_absorbed)
{
    for (size_t i = 0; i < ARRAY_LEN(absorbed); i++)
        tree_check(&absorbed[i]);
}
