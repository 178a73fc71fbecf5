#include "unit/kustomize/tree.h"

/* One replacement from the field `s` of a Source to a field of a Target. */
#define K(path, options)                                                               \
    "== kustomization.yaml\nresources: [r.yaml]\nreplacements:\n"                      \
    "- source: {kind: Source, fieldPath: s}\n  targets:\n  - select: {kind: Target}\n" \
    "    fieldPaths: ['" path "']\n    options: {" options "}\n"
#define R(source, target)                                      \
    "== r.yaml\nkind: Source\nmetadata: {name: s}\ns: " source \
    "\n---\nkind: Target\nmetadata: {name: t}\n" target "\n"
#define OUT(source, target)                                                        \
    "kind: Source\nmetadata:\n  name: s\n" source "---\nkind: Target\nmetadata:\n" \
    "  name: t\n" target

static const struct tree_case types[] = {
    {K("t", "") R("5", "t: abc"), OUT("s: 5\n", "t: \"5\"\n"), NULL, 0, 0},
    {K("t", "") R("\"5\"", "t: 7"), OUT("s: \"5\"\n", "t: 5\n"), NULL, 0, 0},
    {K("t", "") R("0x1F", "t: 7"), OUT("s: 31\n", "t: 31\n"), NULL, 0, 0},
    {K("t", "") R("0x1F", "t: a"), OUT("s: 31\n", "t: \"0x1F\"\n"), NULL, 0, 0},
    {K("t", "") R("5", "t: 1.5"), OUT("s: 5\n", "t: 5\n"), NULL, 0, 0},
    {K("t", "") R("{a: 1}", "t: abc"), OUT("s:\n  a: 1\n", "t: \"\"\n"), NULL, 0, 0},
    {K("t", "") R("{a: 1}", "t: [b]"), OUT("s:\n  a: 1\n", "t:\n  a: 1\n"), NULL, 0, 0},
    {K("t", "") R("\"5\"", "t: {}"), OUT("s: \"5\"\n", "t: \"5\"\n"), NULL, 0, 0},
    {K("t", "create: true") R("\"5\"", "u: 1"), OUT("s: \"5\"\n", "t: 5\nu: 1\n"), NULL, 0, 0},
    {K("t", "") R("abc", "t: 5"), "cannot decode !!str `abc` as a !!int", NULL, true, 0},
    {K("t", "") R("1.5", "t: 5"), "cannot decode !!float `1.5` as a !!int", NULL, true, 0},
    {K("t", "") R("q", "t: ~"), "cannot decode !!str `q` as a !!null", NULL, true, 0},
};

TEST(a_field_that_was_made_has_the_type_of_its_text)
{
    static const struct tree_case c = {
        "== kustomization.yaml\nresources: [r.yaml]\nreplacements:\n"
        "- sourceValue: '5'\n  targets:\n  - select: {kind: Target}\n    fieldPaths: [t]\n"
        "    options: {create: true}\n"
        "- source: {kind: Source, fieldPath: s}\n  targets:\n  - select: {kind: Target}\n"
        "    fieldPaths: [t]\n" R("q", "u: 1"),
        OUT("s: q\n", "t: q\nu: 1\n"), NULL, 0, 0};

    tree_check(&c);
}

TEST(a_name_with_a_suffix_is_what_its_text_means)
{
    static const struct tree_case c = {
        "== kustomization.yaml\nresources: [r.yaml]\nnameSuffix: -x\nreplacements:\n"
        "- {sourceValue: '12', targets: [{select: {kind: Target}}]}\n"
        "== r.yaml\nkind: Target\nmetadata: {name: t}\n",
        "kind: Target\nmetadata:\n  name: 12\n", NULL, 0, 0};

    tree_check(&c);
}

TEST(scalars_keep_their_type_and_get_another_text)
{
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        tree_check(&types[i]);
}

#define Q "s: q\n"
static const struct tree_case paths[] = {
    {K("t.*.v", "") R("q", "t: [{v: a}, {w: b}]"), OUT(Q, "t:\n- v: q\n- w: b\n"), NULL, 0, 0},
    {K("t.1", "") R("q", "t: [a, b]"), OUT(Q, "t:\n- a\n- q\n"), NULL, 0, 0},
    {K("t.[k=b].v", "") R("q", "t: [{k: b, v: a}]"), OUT(Q, "t:\n- k: b\n  v: q\n"), NULL, 0, 0},
    {K("t.[=b]", "") R("q", "t: [ab, b]"), OUT(Q, "t:\n- q\n- q\n"),
     "kustomization.yaml:6:18: KD-13", 0, 0},
    {K("t.[=b]", "") R("q", "t: [ab, b]"), OUT(Q, "t:\n- ab\n- q\n"), NULL, 0, true},
    {K("a\\.b", "") R("q", "a.b: c"),
     "kind: Source\nmetadata:\n  name: s\ns: q\n---\na.b: q\nkind: Target\nmetadata:\n  name: t\n",
     NULL, 0, 0},
    {K("t.1", "create: true") R("q", "t: [a]"), OUT(Q, "t:\n- a\n- q\n"), NULL, 0, 0},
    {K("t.[k=b].v", "create: true") R("q", "u: 1"), OUT(Q, "t:\n- k: b\n  v: q\nu: 1\n"), NULL, 0,
     0},
    {K("t.-", "create: true") R("q", "u: 1"), OUT(Q, "t:\n  '-': q\nu: 1\n"), NULL, 0, 0},
    {K("t.u", "create: true") R("q", "t: ~"), OUT(Q, "t: null\n"), NULL, 0, 0},
    {K("t.2", "create: true") R("q", "t: [a]"),
     "unable to find or create field \"t.2\" in replacement target: index 2 specified but only 1 "
     "elements found",
     NULL, true, 0},
    {K("t.*", "") R("q", "t: {a: b}"), "wrong node kind: expected SequenceNode but got MappingNode",
     NULL, true, 0},
    {K("t.0", "") R("q", "t: {a: b}"), "wrong node kind: expected SequenceNode but got MappingNode",
     NULL, true, 0},
    {K("t.[k=(].v", "") R("q", "t: [{k: b, v: a}]"), "missing closing )", NULL, true, 0},
    {K("labels", "") R("q", "label: a"),
     "kustomization.yaml:6:18: unable to find field \"labels\" in replacement target; did you mean "
     "\"label\"?",
     NULL, true, 0},
};

TEST(paths_lead_to_fields)
{
    for (size_t i = 0; i < ARRAY_LEN(paths); i++)
        tree_check(&paths[i]);
}

#define PART(index) "delimiter: /, index: " index
static const struct tree_case parts[] = {
    {K("t", PART("1")) R("q", "t: a/b/c"), OUT(Q, "t: a/q/c\n"), NULL, 0, 0},
    {K("t", PART("-1")) R("q", "t: a/b"), OUT(Q, "t: q/a/b\n"), NULL, 0, 0},
    {K("t", PART("9")) R("q", "t: a/b"), OUT(Q, "t: a/b/q\n"), NULL, 0, 0},
    {K("t", PART("0")) R("q", "t: \"\""), OUT(Q, "t: q\n"), NULL, 0, 0},
    {K("t", PART("1") ", create: true") R("q", "u: 1"), OUT(Q, "t: /q\nu: 1\n"), NULL, 0, 0},
    {K("t", PART("1")) R("q", "t: [a]"), "delimiter option can only be used with scalar nodes",
     NULL, true, 0},
};

TEST(a_delimiter_replaces_a_part)
{
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        tree_check(&parts[i]);
}

static const struct tree_case inside[] = {
    {K("t.a", "") R("q", "t: '{\"b\":1,\"a\": \"x\"}'"), OUT(Q, "t: '{\"a\":\"q\",\"b\":1}'\n"),
     NULL, 0, 0},
    {K("t.a", "") R("q", "t: |\n  {\n    \"a\": \"x\"\n  }"),
     OUT(Q, "t: |-\n  {\n    \"a\": \"q\"\n  }\n"), NULL, 0, 0},
    {K("t.a", "") R("q", "t: |\n  # c\n  a: 'x' # d\n  b: [1]"),
     OUT(Q, "t: |-\n  # c\n  a: 'q' # d\n  b: [1]\n"), NULL, 0, 0},
    /* JSON that cannot take the text stays; YAML gets a tag */
    {K("t.a", "") R("q", "t: '{\"a\": 1}'"), OUT(Q, "t: '{\"a\": 1}'\n"), NULL, 0, 0},
    {K("t.a", "") R("q", "t: 'a: 1'"), OUT(Q, "t: 'a: !!int q'\n"), NULL, 0, 0},
    {K("t.b.0", "create: true") R("q", "t: 'a: 1'"), OUT(Q, "t: |-\n  a: 1\n  b:\n  - q\n"), NULL,
     0, 0},
    {K("t.z", "") R("q", "t: 'a: 1'"), "unable to find field \"t.z\"", NULL, true, 0},
    {K("t.z", "") R("q", "t: text"), "wrong node kind: expected MappingNode but got ScalarNode",
     NULL, true, 0},
};

TEST(paths_lead_into_texts_that_hold_documents)
{
    for (size_t i = 0; i < ARRAY_LEN(inside); i++)
        tree_check(&inside[i]);
}

#define SOURCE(source)                                                              \
    "== kustomization.yaml\nresources: [r.yaml]\nreplacements:\n- source: {" source \
    "}\n  targets:\n  - select: {kind: Target}\n    fieldPaths: [t]\n"
static const struct tree_case sources[] = {
    {SOURCE("kind: Source, fieldPath: s, options: {delimiter: '-', index: 1}") R("a-b", "t: x"),
     OUT("s: a-b\n", "t: b\n"), NULL, 0, 0},
    {SOURCE("kind: Source, fieldPath: s.-") R("[a, b]", "t: x"), OUT("s:\n- a\n- b\n", "t: b\n"),
     NULL, 0, 0},
    {SOURCE("kind: Source, fieldPath: s.*") R("[a, b]", "t: x"),
     "error looking up replacement source: wildcard is not supported", NULL, true, 0},
    {SOURCE("kind: Source, fieldPath: z") R("a", "t: x"),
     "kustomization.yaml:3:11: fieldPath `z` is missing for replacement source "
     "Source.[noVer].[noGrp]/[noName].[noNs]",
     NULL, true, 0},
    {SOURCE("kind: Source, name: sx") R("a", "t: x"),
     "nothing selected by Source.[noVer].[noGrp]/sx.[noNs]", NULL, true, 0},
    {SOURCE("version: ''") R("a", "t: x"), "multiple matches for selector", NULL, true, 0},
    {SOURCE("kind: Source, fieldPath: s, options: {delimiter: '-', index: 2}") R("a-b", "t: x"),
     "options.index 2 is out of bounds for value a-b", NULL, true, 0},
    {"== kustomization.yaml\nresources: [r.yaml]\nreplacements:\n- sourceValue: v\n  targets:\n"
     "  - {select: {name: '[tx]'}, reject: [{name: x}], fieldPaths: [t]}\n" R("a", "t: x"),
     OUT("s: a\n", "t: v\n"), NULL, 0, 0},
    {"== kustomization.yaml\nresources: [r.yaml]\nreplacements:\n- path: p.yaml\n"
     "== p.yaml\nsource: {kind: Source}\ntargets: [{select: {kind: Target}, fieldPaths: [t]}]\n" R(
         "a", "t: x"),
     OUT("s: a\n", "t: s\n"), NULL, 0, 0},
    {"== kustomization.yaml\nresources: [r.yaml]\nreplacements:\n- source: {kind: Source}\n" R(
         "a", "t: x"),
     "replacements must specify a source and at least one target", NULL, true, 0},
};

TEST(sources_are_one_field_of_one_resource)
{
    for (size_t i = 0; i < ARRAY_LEN(sources); i++)
        tree_check(&sources[i]);
}
