#include "khook/act/action.h"
#include "support/test.h"
#include "sys/file.h"

static void put(const char *name, const char *text)
{
    AUTO(buf_done) struct buf path = {0};
    AUTO(err_done) struct err e = {0};

    buf_addf(&path, "%s/%s", test_tmp(), name);
    CHECK_INT(file_replace(buf_cstr(&path), str_of(text), NULL, &e), 0, name);
}

static void folder(const char *name)
{
    AUTO(buf_done) struct buf path = {0};
    AUTO(err_done) struct err e = {0};

    buf_addf(&path, "%s/%s", test_tmp(), name);
    CHECK_INT(file_mkdirs(buf_cstr(&path), 0755, &e), 0, name);
}

static int load(const char *kustomize, struct khook_objects *ret, struct err *e)
{
    struct khook_source source = {.kustomize = str_of(kustomize)};
    struct khook_blocks blocks = {&source, 1};
    struct khook_context ctx = {.base_dir = str_of(test_tmp())};

    return khook_sources_load_local(&ctx, &blocks, ret, e);
}

TEST(kustomize_sources_are_built_from_local_files)
{
    AUTO(khook_objects_done) struct khook_objects objects = {0};
    AUTO(err_done) struct err e = {0};

    folder("base");
    folder("prod");
    put("base/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n");
    put("base/kustomization.yaml", "resources: [a.yaml]\n");
    put("prod/kustomization.yaml", "resources: [../base]\nnamePrefix: p-\nnamespace: shop\n");
    CHECK_INT(load("./prod", &objects, &e), 0, err_text(&e));
    CHECK_INT(objects.list.len, 1, "one object");
    if (objects.list.len)
        CHECK_STR(doc_text(doc_at(objects.list.v[0].node, "metadata/name"), STR_NONE), STR("p-a"),
                  "transformed");
}

TEST(kustomize_sources_fetch_and_run_nothing)
{
    static const struct {
        const char *kustomization, *part;
    } rows[] = {
        {"resources: ['https://example.com/org/repo//base?ref=v1']\n", "offline"},
        {"resources: ['https://example.com/a.yaml']\n", "offline"},
        {"resources: [gone.yaml]\n", "gone.yaml"},
        {"resources: []\nbogus: 1\n", "bogus"},
        {"helmCharts: [{name: c}]\n", "must specify --enable-helm"},
    };

    folder("app");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(khook_objects_done) struct khook_objects objects = {0};
        AUTO(err_done) struct err e = {0};

        put("app/kustomization.yaml", rows[i].kustomization);
        CHECK_INT(load("./app", &objects, &e), -1, rows[i].kustomization);
        if (!str_starts(str_of(err_text(&e)), STR("manifests[0]: kustomize ")) ||
            !str_contains(str_of(err_text(&e)), str_of(rows[i].part)))
            test_fail(__FILE__, __LINE__, "%s: got %s", rows[i].kustomization, err_text(&e));
    }
}
