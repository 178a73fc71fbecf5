/* Whole builds of small folders: what the core does around the transformers. */
#include "kustomize/build.h"

#include <sys/stat.h>

#include "base/mem.h"
#include "support/test.h"
#include "sys/file.h"

struct written {
    const char *path, *text;
};

static void write_files(const char *dir, const struct written *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf path = {0};
        ssize_t slash;

        buf_addf(&path, "%s/%s", dir, files[i].path);
        slash = str_rfind_char(buf_view(&path), '/');
        path.p[slash] = '\0';
        CHECK(file_mkdirs(path.p, 0777, &e) == 0);
        path.p[slash] = '/';
        CHECK(file_replace(path.p, str_of(files[i].text), NULL, &e) == 0);
        CHECK_OK(&e);
    }
}

/* The output, or the error's text behind "error: "; yours to mem_free. */
static char *build(const char *target, const struct written *files, size_t count,
                   const struct kustomize_options *options)
{
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0}, path = {0};
    const char *dir = test_tmp();

    write_files(dir, files, count);
    buf_addf(&path, "%s/%s", dir, target);
    if (kustomize_build_run(buf_cstr(&path), options, &result, &e) < 0 ||
        kustomize_result_print(&result, &out, &e) < 0) {
        buf_clear(&out);
        buf_addf(&out, "error: %s", err_text(&e));
    }
    return buf_take(&out);
}
#define BUILD(target, options, ...)                      \
    build(target, (const struct written[]){__VA_ARGS__}, \
          sizeof((struct written[]){__VA_ARGS__}) / sizeof(struct written), options)

static const struct kustomize_options plain = {0};

#define CM(name) "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " name "\n"

TEST(resources_are_printed_in_the_legacy_order_unless_asked_otherwise)
{
    static const char *const text = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: z}\n"
                                    "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n";
    AUTO(mem_free_str)
    char *legacy =
        BUILD("", &plain, {"kustomization.yaml", "resources: [r.yaml]\n"}, {"r.yaml", text});
    AUTO(mem_free_str)
    char *fifo = BUILD("", &plain,
                       {"kustomization.yaml", "resources: [r.yaml]\nsortOptions: {order: fifo}\n"},
                       {"r.yaml", text});

    CHECK(strstr(legacy, "Namespace") < strstr(legacy, "Deployment"));
    CHECK(strstr(fifo, "Namespace") > strstr(fifo, "Deployment"));
}

TEST(fields_match_whatever_their_letter_case_and_unknown_ones_are_told)
{
    AUTO(mem_free_str)
    char *good = BUILD("", &plain, {"kustomization.yaml", "RESOURCES: [r.yaml]\nNameprefix: p-\n"},
                       {"r.yaml", CM("a")});
    AUTO(mem_free_str)
    char *bad =
        BUILD("", &plain, {"kustomization.yaml", "resources: [r.yaml]\npatches: [{pach: x}]\n"},
              {"r.yaml", CM("a")});

    CHECK_STR(str_of(good), STR(CM("p-a")), "letter case");
    CHECK(strstr(bad, "unknown field \"pach\"") && strstr(bad, "did you mean \"path\""));
}

TEST(a_wrong_type_names_its_field_and_says_what_helps)
{
    AUTO(mem_free_str)
    char *got =
        BUILD("", &plain, {"kustomization.yaml", "resources: [r.yaml]\ncommonLabels: {x: y}\n"},
              {"r.yaml", CM("a")});

    CHECK(strstr(got, "cannot unmarshal bool into field commonLabels.x of type string"));
    CHECK(strstr(got, "quote it: \"y\""));
}

TEST(a_file_that_sets_nothing_is_no_kustomization_and_an_empty_list_is_one)
{
    AUTO(mem_free_str)
    char *empty = BUILD("", &plain, {"kustomization.yaml", "kind: Kustomization\nresources:\n"});
    AUTO(mem_free_str) char *list = BUILD("", &plain, {"kustomization.yaml", "resources: []\n"});

    CHECK(strstr(empty, "kustomization.yaml is empty"));
    CHECK_STR(str_of(list), STR(""), "nothing to print");
}

TEST(many_bases_join_in_the_order_of_their_list)
{
    static const struct kustomize_options four = {.jobs = 4, .reorder = KUSTOMIZE_REORDER_NONE};
    AUTO(mem_free_str)
    char *got =
        BUILD("top", &four,
              {"top/kustomization.yaml", "resources: [../e, ../d, ../c, ../b, ../a, ../f]\n"},
              {"a/kustomization.yaml", "resources: [r.yaml]\n"}, {"a/r.yaml", CM("a")},
              {"b/kustomization.yaml", "resources: [r.yaml]\n"}, {"b/r.yaml", CM("b")},
              {"c/kustomization.yaml", "resources: [r.yaml]\n"}, {"c/r.yaml", CM("c")},
              {"d/kustomization.yaml", "resources: [r.yaml]\n"}, {"d/r.yaml", CM("d")},
              {"e/kustomization.yaml", "resources: [r.yaml]\n"}, {"e/r.yaml", CM("e")},
              {"f/kustomization.yaml", "resources: [r.yaml]\n"}, {"f/r.yaml", CM("f")});

    CHECK_STR(str_of(got),
              STR(CM("e") "---\n" CM("d") "---\n" CM("c") "---\n" CM("b") "---\n" CM(
                  "a") "---\n" CM("f")),
              "order");
}

TEST(the_first_base_at_fault_is_told_whichever_was_ready_first)
{
    static const struct kustomize_options four = {.jobs = 4};
    AUTO(mem_free_str)
    char *got =
        BUILD("top", &four, {"top/kustomization.yaml", "resources: [../a, ../b, ../c, ../d]\n"},
              {"a/kustomization.yaml", "resources: [r.yaml]\n"}, {"a/r.yaml", CM("a")},
              {"b/kustomization.yaml", "resources: [gone.yaml]\n"},
              {"c/kustomization.yaml", "nonsense: 1\n"}, {"d/kustomization.yaml", "x: ["});

    CHECK(strstr(got, "gone.yaml") && !strstr(got, "nonsense"));
}

TEST(a_schema_of_a_base_counts_the_same_with_threads_and_without)
{
    static const char *const openapi =
        "definitions:\n  v1.Foo:\n    properties:\n      spec:\n        properties:\n"
        "          list:\n            type: array\n            x-kubernetes-patch-strategy: merge\n"
        "            x-kubernetes-patch-merge-key: k\n            items: {type: object}\n"
        "    x-kubernetes-group-version-kind: [{group: x.io, version: v1, kind: Foo}]\n";
    static const char *const foo = "apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: f}\n"
                                   "spec: {list: [{k: a, v: 1}]}\n";
    static const char *const patch =
        "resources: [r.yaml]\nopenapi: {path: o.yaml}\npatches:\n- patch: |\n"
        "    apiVersion: x.io/v1\n    kind: Foo\n    metadata: {name: f}\n"
        "    spec: {list: [{k: b, v: 2}]}\n";
    char *got[2];

    for (unsigned jobs = 1; jobs <= 2; jobs++)
        got[jobs - 1] =
            BUILD("top", (&(struct kustomize_options){.jobs = jobs * 2 - 1}),
                  {"top/kustomization.yaml", "resources: [../a, ../b, ../c, ../d]\n"},
                  {"a/kustomization.yaml", patch}, {"a/r.yaml", foo}, {"a/o.yaml", openapi},
                  {"b/kustomization.yaml", "resources: [r.yaml]\n"}, {"b/r.yaml", CM("b")},
                  {"c/kustomization.yaml", "resources: []\n"},
                  {"d/kustomization.yaml", "resources: []\n"});
    CHECK(strstr(got[0], "k: b\n    v: 2\n  - k: a\n    v: 1\n"));
    CHECK_STR(str_of(got[1]), str_of(got[0]), "threads");
    mem_free(got[0]);
    mem_free(got[1]);
}

TEST(what_upstream_makes_of_folded_text_and_left_out_values_is_made_here_too)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"a: >\n  one\n    more\n  two\n", "  a: |\n    one\n\n      more\n    two\n"},
        {"a: >+\n  one\n\n", "  a: |+\n    one\n\n\n"},
        {"a: >\n  one\n  two\n\n  three\n", "  a: |\n    one two\n    three\n"},
        {"a: {b: , c: ~}\n", "  a:\n    b: \"\"\n    c: null\n"},
        {"a:\n  b:\n", "  a:\n    b: null\n"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf in = {0}, want = {0};
        AUTO(mem_free_str) char *got = NULL;
        str rest = str_of(rows[i].in), line;

        buf_add_cstr(&in, "apiVersion: x/v1\nkind: Foo\nmetadata:\n  name: a\nspec:\n");
        while (str_next_line(&rest, &line))
            buf_addf(&in, "  %.*s\n", STR_ARG(line));
        buf_addf(&want, "apiVersion: x/v1\nkind: Foo\nmetadata:\n  name: a\nspec:\n%s",
                 rows[i].out);
        got = BUILD("", &plain, {"kustomization.yaml", "resources: [r.yaml]\n"},
                    {"r.yaml", buf_cstr(&in)});
        CHECK_STR(str_of(got), buf_view(&want), rows[i].in);
    }
}

TEST(local_resources_and_empty_annotations_are_not_printed)
{
    AUTO(mem_free_str)
    char *got = BUILD(
        "", &plain, {"kustomization.yaml", "resources: [r.yaml]\n"},
        {"r.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, annotations: {}}\n---\n"
                   "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  annotations:\n"
                   "    config.kubernetes.io/local-config: \"true\"\n"});

    CHECK_STR(str_of(got), STR(CM("a")), "left");
}

TEST(origins_and_transformations_are_written_when_asked_for)
{
    AUTO(mem_free_str)
    char *got = BUILD(
        "top", &plain,
        {"top/kustomization.yaml", "resources: [../base]\nnamePrefix: p-\n"
                                   "buildMetadata: [originAnnotations, transformerAnnotations]\n"},
        {"base/kustomization.yaml", "resources: [r.yaml]\n"}, {"base/r.yaml", CM("a")});

    CHECK(strstr(got, "config.kubernetes.io/origin: |\n      path: ../base/r.yaml\n"));
    CHECK(strstr(got, "kind: PrefixTransformer\n"));
}

TEST(charts_are_rendered_by_another_program_when_one_is_named)
{
    static const char *const helm =
        "#!/bin/sh\nprintf 'apiVersion: v1\\nkind: ConfigMap\\nmetadata:\\n  name: x\\ndata:\\n'\n"
        "printf '  args: %s\\n' \"$(echo \"$*\" | sed 's, /[^ ]*,,')\"\nsed 's/^/  /'\n";
    AUTO(buf_done) struct buf path = {0};
    struct kustomize_options options = {.helm = true};

    buf_addf(&path, "%s/helm", test_tmp());
    options.helm_command = buf_view(&path);
    write_files(test_tmp(), (const struct written[]){{"helm", helm}}, 1);
    CHECK(chmod(buf_cstr(&path), 0755) == 0);
    for (int fails = 0; fails < 2; fails++) {
        AUTO(mem_free_str)
        char *got = BUILD("", &options,
                          {"kustomization.yaml",
                           fails ? "helmCharts: [{name: c, releaseName: --post-renderer=x}]\n"
                                 : "helmCharts: [{name: c, releaseName: r, namespace: n1, "
                                   "valuesInline: {b: over}, skipTests: true}]\n"},
                          {"charts/c/Chart.yaml", "apiVersion: v2\nname: c\nversion: 1.0.0\n"},
                          {"charts/c/values.yaml", "a: own\nb: own\n"});

        if (fails)
            CHECK(strstr(got, "error: ") && !strstr(got, "args"));
        else
            CHECK_STR(str_of(got),
                      STR("apiVersion: v1\ndata:\n  a: own\n  args: template r --namespace n1 -f - "
                          "--skip-tests\n  b: over\nkind: ConfigMap\nmetadata:\n  name: x\n"),
                      "its arguments, and the values");
    }
}
