#include "kustomize/composition/composition.h"

#include <sys/stat.h>

#include "kustomize/build.h"
#include "kustomize/composition/print.h"
#include "support/test.h"
#include "sys/file.h"

/* Writes a file of the test's folder, and the folders it lies in. */
static void put(const char *path, const char *text)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf whole = {0};

    buf_addf(&whole, "%s/%s", test_tmp(), path);
    for (char *p = whole.p + strlen(test_tmp()) + 1; (p = strchr(p, '/')); p++) {
        *p = '\0';
        (void)mkdir(whole.p, 0755);
        *p = '/';
    }
    if (file_replace(buf_cstr(&whole), str_of(text), NULL, &e) < 0)
        CHECK_OK(&e);
}

static void consolidate(const char *folder, unsigned flags, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf dir = {0};
    struct kustomize_options options = {0};

    buf_addf(&dir, "%s/%s", test_tmp(), folder);
    if (kustomize_print_composition(buf_cstr(&dir), &options, flags, out, e) < 0)
        CHECK(e->kind != ERR_NONE);
}

static void build(const char *folder, enum fetch_restriction restriction, struct buf *out)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf dir = {0};
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    struct kustomize_options options = {.restriction = restriction};

    buf_addf(&dir, "%s/%s", test_tmp(), folder);
    if (kustomize_build_run(buf_cstr(&dir), &options, &result, &e) < 0 ||
        kustomize_result_print(&result, out, &e) < 0)
        CHECK_OK(&e);
}

TEST(composition_names_are_kinds_in_kebab_case)
{
    static const char *const rows[][2] = {
        {"JavaApplication", "java-application"},
        {"HTTPLoadBalancer", "http-load-balancer"},
        {"IAMPolicyV2Binding", "iam-policy-v2-binding"},
        {"K8sApp", "k8s-app"},
        {"x", "x"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        kustomize_kebab(str_of(rows[i][0]), &out);
        CHECK_STR(buf_view(&out), str_of(rows[i][1]), rows[i][0]);
    }
}

static const char base_text[] =
    "kind: Composition\n"
    "transformers:\n"
    "- {apiVersion: builtin, kind: ResourceAccumulator, paths: [cm.yaml]}\n"
    "- {apiVersion: builtin, kind: ConfigMapGenerator, metadata: {name: g},"
    " files: [k=data.txt], envs: [data.env]}\n"
    "- {apiVersion: builtin, kind: PrefixTransformer, prefix: base-}\n";
static const char over_text[] =
    "kind: Composition\n"
    "transformersFrom: [{path: ../base}]\n"
    "transformerOverrides:\n"
    "- {apiVersion: builtin, kind: PrefixTransformer, prefix: over-}\n"
    "- {apiVersion: builtin, kind: ConfigMapGenerator, metadata: {name: g}, files: [k=mine.txt]}\n"
    "transformers:\n"
    "- {apiVersion: builtin, kind: SuffixTransformer, suffix: -x}\n";

static void put_example(void)
{
    put("base/composition.yaml", base_text);
    put("base/cm.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n");
    put("base/data.txt", "base");
    put("base/data.env", "e=1\n");
    put("over/mine.txt", "mine");
    put("over/composition.yaml", over_text);
}

TEST(composition_overrides_read_files_of_their_own_folder)
{
    AUTO(buf_done) struct buf out = {0};

    put_example();
    build("over", FETCH_ROOT_ONLY, &out);
    CHECK_STR(buf_view(&out),
              STR("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: over-c-x\n---\n"
                  "apiVersion: v1\ndata:\n  e: \"1\"\n  k: mine\nkind: ConfigMap\nmetadata:\n"
                  "  name: over-g-x-fbm9k9bmt9\n"),
              "over");
}

TEST(composition_consolidated_builds_to_the_same_and_consolidates_to_itself)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf once = {0}, twice = {0}, was = {0}, is = {0};

    put_example();
    build("over", FETCH_ROOT_ONLY, &was);
    consolidate("over", KUSTOMIZE_NO_ORIGIN, &once, &e);
    CHECK_OK(&e);
    CHECK(str_contains(buf_view(&once), STR("  - ../base/cm.yaml\n")));
    CHECK(str_contains(buf_view(&once), STR("  - k=mine.txt\n")));
    put("over/composition.yaml", buf_cstr(&once));
    consolidate("over", KUSTOMIZE_NO_ORIGIN, &twice, &e);
    CHECK_OK(&e);
    CHECK_STR(buf_view(&twice), buf_view(&once), "again");
    /* its files are those of another folder now */
    build("over", FETCH_UNRESTRICTED, &is);
    CHECK_STR(buf_view(&is), buf_view(&was), "the same resources");
}

TEST(composition_says_where_transformers_come_from)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};

    put_example();
    consolidate("over", 0, &out, &e);
    CHECK_OK(&e);
    CHECK(str_contains(buf_view(&out), STR("base/composition.yaml#2, overridden by ")));
    CHECK(str_contains(buf_view(&out), STR("over/composition.yaml#0\n- apiVersion: builtin\n"
                                           "  kind: SuffixTransformer\n")));
}

TEST(composition_errors_name_the_place)
{
    static const char *const rows[][2] = {
        {"kind: Composition\ntransformers: [{apiVersion: builtin, kind: Nope}]\n",
         ":2:16: unknown built-in kind \"Nope\""},
        {"kind: Composition\ntransformers:\n- {apiVersion: v1, kind: A}\n",
         ":3:16: transformer of kind A: apiVersion must be \"builtin\" or \"group/version\""},
        {"kind: Composition\ntransformers:\n- {apiVersion: a/v1, kind: A, runtime: {}}\n",
         ":3:40: runtime must have exactly one of container and exec"},
        {"kind: Composition\ntransformers:\n- {apiVersion: a/v1, kind: A, metadata: {name: B}}\n",
         ":3:48: metadata.name \"B\" must be a lower-case DNS-1123 subdomain of at most 253 "
         "characters"},
        {"kind: Composition\ntransformersFrom: [{path: /abs}]\n",
         ":2:27: transformersFrom: path \"/abs\" must be relative"},
        {"kind: Composition\ntransformers: [3]\n",
         ":2:16: a transformer must be an object, or the path of a file"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf dir = {0};
        AUTO(kustomize_result_done) struct kustomize_result result = {0};
        struct kustomize_options options = {0};

        put("c/composition.yaml", rows[i][0]);
        buf_addf(&dir, "%s/c", test_tmp());
        CHECK(kustomize_build_run(buf_cstr(&dir), &options, &result, &e) < 0);
        if (!str_contains(str_of(err_text(&e)), str_of(rows[i][1])))
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i][1]), rows[i][0]);
    }
}
