#include "khook/state/hash.h"

#include <sys/stat.h>
#include <unistd.h>

#include "khook/spec/values.h"
#include "support/test.h"
#include "sys/file.h"

static void hash_in(const char *folder, const char *step, struct buf *out)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};
    AUTO(buf_done) struct buf text = {0};
    struct khook_engines engines = {0};

    buf_addf(&text,
             "apiVersion: khook.io/v1\nkind: Khook\nmetadata: {name: t}\nsteps:\n- {name: a, %s}\n",
             step);
    AUTO(khook_spec_free)
    struct khook_spec *spec = khook_spec_read(buf_view(&text), "spec", &vars, &engines, &problems);

    CHECK(spec != NULL);
    if (spec)
        khook_step_hash(&spec->steps[0], str_of(folder), out);
    else
        test_fail(__FILE__, __LINE__, "%s: %s", step, problems.v[0].text.p);
}

TEST(writing_a_default_out_does_not_change_a_hash)
{
    static const struct {
        const char *a, *b;
        bool same;
    } rows[] = {
        {"job: {image: i}", "job: {image: i, namespace: default, createNamespace: false}", true},
        {"job: {image: i}", "job: {skipIf: null, args: [], image: \"i\"}", true},
        {"job: {image: i}", "job: {image: i, namespace: other}", false},
        {"job: {image: i}", "job: {image: i, env: {A: b}}", false},
        {"job: {image: i}", "timeout: 1s, retries: 4, job: {image: i}", true},
        {"delete: {resource: pods}", "delete: {resource: pods, ignoreNotFound: true}", true},
        {"delete: {resource: pods}", "delete: {resource: pods, ignoreNotFound: false}", false},
        {"delete: {resource: pods}", "delete: {resource: pods, allNamespaces: true}", false},
        {"patch: {target: a/b, patch: {a: 1}}",
         "patch: {target: a/b, type: strategic, patch: {a: 1}}", true},
        {"patch: {target: a/b, patch: {a: null}}", "patch: {target: a/b, patch: {}}", false},
        {"patch: {target: a/b, patch: {a: 0x10}}", "patch: {target: a/b, patch: {a: 16}}", true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf a = {0}, b = {0};

        hash_in("", rows[i].a, &a);
        hash_in("", rows[i].b, &b);
        CHECK_INT(str_eq(buf_view(&a), buf_view(&b)), rows[i].same, rows[i].b);
        CHECK_INT((long)a.len, 71, "sha256: and 64 digits");
    }
}

static void put_file(const char *folder, const char *name, const char *text)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf path = {0};

    buf_addf(&path, "%s/%s", folder, name);
    CHECK_INT(file_replace(buf_cstr(&path), str_of(text), NULL, &e), 0, err_text(&e));
}

static void put_folder(const char *folder, const char *name)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf path = {0};

    buf_addf(&path, "%s/%s", folder, name);
    CHECK_INT(file_mkdirs(buf_cstr(&path), 0777, &e), 0, err_text(&e));
}

TEST(content_of_files_and_reached_folders_counts)
{
    static const char step[] = "apply: {manifests: [{kustomize: ./app/on}, {file: f.yaml}]}";
    static const struct {
        const char *file, *text;
        bool same;
    } rows[] = {
        {"f.yaml", "changed", false},       {"app/on/new", "x", false},
        {"app/base/c.yaml", "y", false},    {"shared/patch.yaml", "z", false},
        {"app/other/unrelated", "u", true},
    };
    const char *root = test_tmp();
    AUTO(buf_done) struct buf before = {0};

    put_folder(root, "app/on");
    put_folder(root, "app/base");
    put_folder(root, "app/other");
    put_folder(root, "shared");
    put_file(root, "f.yaml", "a");
    put_file(root, "app/on/kustomization.yaml", "resources: [../base, missing]\n");
    put_file(root, "app/base/kustomization.yml",
             "patches: [{path: ../../shared/patch.yaml}]\nresources: [c.yaml, ../on]\n");
    put_file(root, "app/base/c.yaml", "x");
    put_file(root, "shared/patch.yaml", "p");
    hash_in(root, step, &before);
    CHECK(before.len > 0);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf after = {0};

        put_file(root, rows[i].file, rows[i].text);
        hash_in(root, step, &after);
        CHECK_INT(str_eq(buf_view(&before), buf_view(&after)), rows[i].same, rows[i].file);
        buf_clear(&before);
        buf_add_str(&before, buf_view(&after));
    }
}

TEST(an_unreadable_file_gives_no_hash)
{
    AUTO(buf_done) struct buf out = {0};

    hash_in(test_tmp(), "apply: {manifests: [{file: absent.yaml}]}", &out);
    CHECK_INT((long)out.len, 0, "empty");
}

TEST(values_layers_merge_maps_and_replace_the_rest)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct doc_node *into, *from;

    into = khook_values_parse(set, STR("a: {x: 1, y: [1]}\nb: 1\n"), "v", &e);
    from = khook_values_parse(set, STR("a: {y: [2], z: on}\nb: null\n"), "v", &e);
    CHECK_OK(&e);
    khook_values_merge(set, into, from);
    CHECK_INT(doc_int(doc_at(into, "a/x"), 0), 1, "kept");
    CHECK_INT(doc_int(doc_item(doc_at(into, "a/y"), 0), 0), 2, "list replaced");
    CHECK_STR(doc_text(doc_at(into, "a/z"), STR_NONE), STR("on"), "a text");
    CHECK(doc_get_lit(into, "b") && doc_is_null(doc_get_lit(into, "b")));
    CHECK(!khook_values_parse(set, STR("- a"), "v", &e));
}
