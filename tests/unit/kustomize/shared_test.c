#include "unit/kustomize/tree.h"

#define BASE                                                                                 \
    "== base/kustomization.yaml\nresources: [d.yaml]\n"                                      \
    "labels: [{pairs: {app: one}, includeSelectors: true}]\n"                                \
    "== base/d.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {}\n" \
    "== kustomization.yaml\nresources: [base]\n"
#define OUT(own, others)                                                         \
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  labels:\n    app: " own \
    "\n  name: d\nspec:\n  selector:\n    matchLabels:\n      app: " others      \
    "\n  template:\n    metadata:\n      labels:\n        app: " others "\n"
#define MERGE                                                                \
    "patches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n" \
    "    metadata: {name: d, labels: {app: two}}\n"
static const struct tree_case cases[] = {
    {BASE "labels: [{pairs: {app: two}}]\n", OUT("two", "two"), NULL, 0, 0},
    {BASE "labels: [{pairs: {app: two}}]\n", OUT("two", "one"), NULL, 0, true},
    {BASE MERGE, OUT("two", "two"), NULL, 0, 0},
    {BASE MERGE, OUT("two", "one"), NULL, 0, true},
    {BASE "replacements:\n- sourceValue: two\n  targets:\n  - select: {kind: Deployment}\n"
          "    fieldPaths: [spec.selector.matchLabels.app]\n",
     OUT("two", "two"), NULL, 0, 0},
    /* what was written anew shares nothing */
    {BASE "patches:\n- target: {kind: Deployment}\n  patch: |-\n    - op: replace\n"
          "      path: /metadata/labels/app\n      value: two\n",
     OUT("two", "one"), NULL, 0, 0},
};

TEST(labels_made_in_one_go_change_together)
{
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        tree_check(&cases[i]);
}

#define MARKS                                                                             \
    "== r.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, labels: {a: b}}\n"   \
    "== kustomization.yaml\nresources: [r.yaml]\npatches:\n- target: {kind: ConfigMap}\n" \
    "  patch: |-\n    apiVersion: v1\n    kind: ConfigMap\n"                              \
    "    metadata: {name: c, labels: {a: null}}\n"

TEST(a_null_label_in_a_patch_with_a_target_is_a_word)
{
    static const struct tree_case strict = {
        MARKS,
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  labels:\n    a: \"null\"\n  name: c\n",
        "does not delete \"a\" but makes it the text \"null\"", 0, 0};
    static const struct tree_case fixed = {
        MARKS, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  labels: {}\n  name: c\n", NULL, 0,
        true};

    tree_check(&strict);
    tree_check(&fixed);
}
