#include <unistd.h>

#include "kustomize/edit/edit.h"
#include "support/test.h"
#include "sys/file.h"

#define K "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
#define VAR "vars:\n- name: A\n  objref: {kind: ConfigMap, name: c, apiVersion: v1}\n"
#define OBJECT(text) "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {v: \"" text "\"}\n"
#define SOURCE \
    "replacements:\n- source:\n    version: v1\n    kind: ConfigMap\n    name: c\n  targets:\n"
#define TARGET                                                                          \
    "  - select:\n      version: v1\n      kind: Pod\n      name: p\n    fieldPaths:\n" \
    "    - spec.v\n"

static void put(const char *name, const char *text)
{
    AUTO(err_done) struct err e = {0};

    CHECK_INT(file_replace(name, str_of(text), NULL, &e), 0, name);
}

static void check_file(const char *name, const char *want)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};

    CHECK_INT(file_read(name, 1 << 20, &text, &e), 0, name);
    CHECK_STR(buf_view(&text), str_of(want), name);
}

TEST(vars_become_replacements_where_one_character_divides_them)
{
    static const struct {
        const char *text, *want_text, *more; /* of the target; NULL: refused */
    } rows[] = {
        {"$(A)", "A_PLACEHOLDER", ""},
        {"$(A)-x", "A_PLACEHOLDER-x", "    options:\n      delimiter: '-'\n"},
        {"h:/$(A)/y", "h:/A_PLACEHOLDER/y", "    options:\n      delimiter: /\n      index: 1\n"},
        {"a.b.$(A)", "a.b.A_PLACEHOLDER", "    options:\n      delimiter: .\n      index: 2\n"},
        {"x-$(A)/y", NULL, NULL},
        {"x_$(A)", NULL, NULL}, /* the placeholder has the character, too */
    };

    CHECK_INT(chdir(test_tmp()), 0, "chdir");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(kustomize_edit_done) struct kustomize_edit edit = {0};
        AUTO(mem_free_str) char *before = str_printf(OBJECT("%s"), rows[i].text);
        AUTO(mem_free_str)
        char *after = str_printf(OBJECT("%s"), rows[i].want_text ? rows[i].want_text : "");
        AUTO(mem_free_str)
        char *want = str_printf(K "resources: [r.yaml]\n" SOURCE TARGET "%s",
                                rows[i].more ? rows[i].more : "");
        AUTO(err_done) struct err e = {0};
        int rc;

        put("kustomization.yaml", K "resources: [r.yaml]\n" VAR);
        put("r.yaml", before);
        CHECK_INT(kustomize_edit_open(&edit, &e), 0, rows[i].text);
        rc = kustomize_edit_fix_vars(&edit, &e);
        CHECK_INT(rc, rows[i].want_text ? 0 : -1, rows[i].text);
        if (rc < 0) {
            CHECK(strstr(err_text(&e), "$(A) is not delimited") != NULL);
            check_file("r.yaml", before);
            continue;
        }
        CHECK_INT(kustomize_edit_save(&edit, &e), 0, rows[i].text);
        check_file("r.yaml", after);
        check_file("kustomization.yaml", want);
    }
}

TEST(vars_in_a_patch_take_its_target_and_replacements_stay)
{
    AUTO(kustomize_edit_done) struct kustomize_edit edit = {0};
    AUTO(err_done) struct err e = {0};

    CHECK_INT(chdir(test_tmp()), 0, "chdir");
    put("kustomization.yaml", K "patches:\n- path: p.yaml\n  target: {kind: Pod, name: .*}\n"
                                "replacements:\n- path: old.yaml\n" VAR);
    put("p.yaml", OBJECT("$(A)"));
    CHECK_INT(kustomize_edit_open(&edit, &e), 0, "open");
    CHECK_INT(kustomize_edit_fix_vars(&edit, &e), 0, "fix");
    CHECK_INT(kustomize_edit_save(&edit, &e), 0, "save");
    check_file("p.yaml", OBJECT("A_PLACEHOLDER"));
    check_file("kustomization.yaml",
               K "patches:\n- path: p.yaml\n  target: {kind: Pod, name: .*}\n"
                 "replacements:\n- path: old.yaml\n- source:\n    version: v1\n"
                 "    kind: ConfigMap\n    name: c\n  targets:\n  - select: {kind: Pod, name: "
                 ".*}\n    fieldPaths:\n    - spec.v\n");
}
