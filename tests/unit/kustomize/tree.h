/* Builds of small trees that stand in a text: "== path" lines begin the files. */
#pragma once
#include <stdio.h>
#include <sys/stat.h>

#include "kustomize/build.h"
#include "support/test.h"

struct tree_case {
    const char *files;
    const char *want;    /* the output, or a part of the message when it fails */
    const char *warning; /* a part of the warnings, NULL: there are none */
    bool fails, is_fixed;
};

static inline void tree_write(const char *dir, str path, str text)
{
    AUTO(mem_free_str) char *name = str_printf("%s/%.*s", dir, STR_ARG(path));
    FILE *f;

    for (char *slash = strchr(name + strlen(dir) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(name, 0777);
        *slash = '/';
    }
    f = fopen(name, "w");
    CHECK(f != NULL);
    if (!f)
        return;
    CHECK_INT(fwrite(text.p, 1, text.len, f), text.len, name);
    fclose(f);
}

static inline void tree_write_all(const char *dir, str files)
{
    while (str_drop_prefix(&files, STR("== "))) {
        str path = str_cut(files, '\n', &files);
        ssize_t len = str_find(files, STR("\n== "));
        size_t end = len < 0 ? files.len : (size_t)len + 1;

        tree_write(dir, path, str_sub(files, 0, end));
        files = str_from(files, end);
    }
}

static inline void tree_check_warnings(const struct kustomize_result *r, const struct tree_case *c)
{
    AUTO(buf_done) struct buf all = {0};

    for (size_t i = 0; i < r->warnings.len; i++) {
        diag_format(&r->warnings.v[i], &all);
        buf_add_char(&all, '\n');
    }
    if (!c->warning)
        CHECK_STR(buf_view(&all), STR(""), c->files);
    else if (!str_contains(buf_view(&all), str_of(c->warning)))
        CHECK_STR(buf_view(&all), str_of(c->warning), c->files);
}

static inline void tree_check(const struct tree_case *c)
{
    struct kustomize_options options = {.is_fixed = c->is_fixed, .jobs = 1};
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    AUTO(mem_free_str) char *dir = str_printf("%s/XXXXXX", test_tmp());
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err e = {0};

    CHECK(mkdtemp(dir) != NULL);
    tree_write_all(dir, str_of(c->files));
    if (kustomize_build_run(dir, &options, &result, &e) < 0 ||
        kustomize_result_print(&result, &out, &e) < 0) {
        if (!c->fails || !str_contains(str_of(err_text(&e)), str_of(c->want)))
            CHECK_STR(str_of(err_text(&e)), str_of(c->want), c->files);
        return;
    }
    CHECK(!c->fails);
    CHECK_STR(buf_view(&out), str_of(c->want), c->files);
    tree_check_warnings(&result, c);
}
