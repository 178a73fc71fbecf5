/* kustomize: every case of the set built as a user's overlay would be, once with the flags it asks
 * for and once without an order (`kustomize/default-order`). */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/escape.h"
#include "conformance/suite.h"
#include "fetch/path.h"
#include "kustomize/build.h"
#include "re/re.h"
#include "sys/file.h"

struct build_case {
    struct suite *suite;
    const struct doc_node *node, *expect, *options;
    bool is_default_order;
    char root[64]; /* its folder, links resolved */
    struct buf out, err;
    int rc;
    struct buf why;
};

static void build_case_done(struct build_case *c)
{
    AUTO(err_done) struct err e = {0};

    if (c->root[0] && file_remove_tree(c->root, &e) < 0)
        (void)fprintf(stderr, "%s\n", err_text(&e));
    buf_done(&c->out);
    buf_done(&c->err);
    buf_done(&c->why);
}
AUTO_VALUE(struct build_case, build_case_done)

static void add_replaced(struct buf *out, str text, str what, str with)
{
    ssize_t at;

    while (what.len && (at = str_find(text, what)) >= 0) {
        buf_add_str(out, str_sub(text, 0, (size_t)at));
        buf_add_str(out, with);
        text = str_from(text, (size_t)at + what.len);
    }
    buf_add_str(out, text);
}

/* ---- the folder */

static void make_folder(struct build_case *c)
{
    const char *tmp = getenv("TMPDIR");
    char *real;

    (void)snprintf(c->root, sizeof(c->root), "%.40s/kcase-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(c->root) || !(real = realpath(c->root, NULL)))
        suite_abort(c->suite, "cannot make %s", c->root);
    (void)snprintf(c->root, sizeof(c->root), "%.60s", real);
    free(real);
}

static void write_file(struct build_case *c, str name, str text)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf path = {0}, content = {0};
    ssize_t slash;

    buf_addf(&path, "%s/%.*s", c->root, STR_ARG(name));
    slash = str_rfind_char(buf_view(&path), '/');
    path.p[slash] = '\0';
    if (file_mkdirs(path.p, 0777, &e) < 0)
        suite_abort(c->suite, "%s", err_text(&e));
    path.p[slash] = '/';
    add_replaced(&content, text, STR("@ROOT@"), str_of(c->root));
    if (file_replace(path.p, buf_view(&content), NULL, &e) < 0)
        suite_abort(c->suite, "%s", err_text(&e));
}

static void write_files(struct build_case *c)
{
    struct doc_iter it = doc_children(doc_get_lit(c->node, "dirs"));

    while (doc_next(&it)) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf path = {0};

        buf_addf(&path, "%s/%.*s", c->root, STR_ARG(doc_text(it.value, STR_NONE)));
        if (file_mkdirs(path.p, 0777, &e) < 0)
            suite_abort(c->suite, "%s", err_text(&e));
    }
    it = doc_children(doc_get_lit(c->node, "files"));
    while (doc_next(&it))
        write_file(c, it.key, doc_text(it.value, STR_NONE));
    it = doc_children(doc_get_lit(c->node, "files_base64"));
    while (doc_next(&it)) {
        AUTO(buf_done) struct buf bytes = {0};

        unescape_base64(doc_text(it.value, STR_NONE), &bytes);
        write_file(c, it.key, buf_view(&bytes));
    }
    it = doc_children(doc_get_lit(c->node, "executable"));
    while (doc_next(&it)) {
        AUTO(buf_done) struct buf path = {0};

        buf_addf(&path, "%s/%.*s", c->root, STR_ARG(doc_text(it.value, STR_NONE)));
        if (chmod(path.p, 0755) < 0)
            suite_abort(c->suite, "cannot chmod %s", path.p);
    }
}

/* ---- the build */

static bool option(const struct build_case *c, const char *name)
{
    return doc_bool(doc_get(c->options, str_of(name)), false);
}

static void set_options(const struct build_case *c, struct kustomize_options *o)
{
    str reorder = doc_text(doc_get_lit(c->options, "reorder"), STR_NONE);
    struct doc_iter it = doc_children(doc_get_lit(c->options, "helm_api_versions"));

    o->exec = option(c, "exec");
    o->plugins = option(c, "plugins") || o->exec;
    o->helm = option(c, "helm");
    o->managed_by_label = option(c, "managed_by_label");
    o->helm_kube_version = doc_text(doc_get_lit(c->options, "helm_kube_version"), STR_NONE);
    while (doc_next(&it))
        vec_push(&o->helm_api_versions, doc_text(it.value, STR_NONE));
    if (str_eq(doc_text(doc_get_lit(c->options, "load_restrictor"), STR_NONE), STR("none")))
        o->restriction = FETCH_UNRESTRICTED;
    if (!c->is_default_order && str_eq(reorder, STR("none")))
        o->reorder = KUSTOMIZE_REORDER_NONE;
    if (!c->is_default_order && str_eq(reorder, STR("legacy")))
        o->reorder = KUSTOMIZE_REORDER_LEGACY;
    o->functions = (struct fn_runner){.allows_container = o->plugins,
                                      .allows_exec = o->exec,
                                      .allows_mounts = true,
                                      .container_flag = "--enable-alpha-plugins",
                                      .exec_flag = "--enable-exec",
                                      .network_name = "bridge",
                                      .accepts_documents = true,
                                      .logs_to_stderr = true};
}

static void run_build(struct build_case *c)
{
    AUTO(kustomize_result_done) struct kustomize_result result = {0};
    AUTO(buf_done) struct buf whole = {0}, target = {0}, out = {0}, message = {0};
    AUTO(err_done) struct err e = {0};
    struct kustomize_options options = {0};

    set_options(c, &options);
    buf_addf(&whole, "%s/%.*s", c->root,
             STR_ARG(doc_text(doc_get_lit(c->node, "target"), STR_NONE)));
    fetch_clean_path(buf_view(&whole), &target);
    c->rc = kustomize_build_run(buf_cstr(&target), &options, &result, &e);
    if (c->rc == 0)
        c->rc = kustomize_result_print(&result, &out, &e);
    str_vec_done(&options.helm_api_versions);
    for (size_t i = 0; i < result.warnings.len; i++) {
        diag_format(&result.warnings.v[i], &message);
        buf_add_char(&message, '\n');
    }
    if (c->rc < 0)
        buf_add_cstr(&message, err_text(&e));
    add_replaced(&c->out, buf_view(&out), str_of(c->root), STR("@ROOT@"));
    buf_clear(&whole);
    buf_addf(&whole, "%s/", c->root);
    buf_clear(&out);
    add_replaced(&out, buf_view(&message), buf_view(&whole), STR("/"));
    add_replaced(&c->err, buf_view(&out), str_of(c->root), STR("/"));
}

/* ---- the verdict */

/* "@ANY@" in what is wanted stands for any text within its line. */
static bool is_same(str want, str got)
{
    while (want.len) {
        str part = want;
        ssize_t any = str_find(want, STR("@ANY@"));
        ssize_t at;

        if (any < 0)
            return str_eq(want, got);
        part.len = (size_t)any;
        if (!str_drop_prefix(&got, part))
            return false;
        want = str_from(want, (size_t)any + 5);
        at = str_find_char(got, '\n');
        got = str_from(got, at < 0 ? got.len : (size_t)at);
    }
    return got.len == 0;
}

static int by_text(const void *a, const void *b)
{
    return str_cmp(*(const str *)a, *(const str *)b);
}

static void split_documents(str text, struct str_vec *ret)
{
    ssize_t at;

    while ((at = str_find(text, STR("\n---\n"))) >= 0) {
        vec_push(ret, str_sub(text, 0, (size_t)at + 1));
        text = str_from(text, (size_t)at + 5);
    }
    vec_push(ret, text);
    vec_sort(ret, by_text);
}

static bool has_same_documents(str want, str got)
{
    AUTO(str_vec_done) struct str_vec a = {0}, b = {0};
    bool is_equal;

    split_documents(want, &a);
    split_documents(got, &b);
    is_equal = a.len == b.len;
    for (size_t i = 0; i < a.len && is_equal; i++)
        is_equal = str_eq(a.v[i], b.v[i]);
    return is_equal;
}

static bool output_is_right(struct build_case *c)
{
    const struct doc_node *by_default = doc_get_lit(c->expect, "output_default_order");
    bool use_default = c->is_default_order && by_default;
    str want = doc_text(use_default ? by_default : doc_get_lit(c->expect, "output"), STR_NONE);

    if (is_same(want, buf_view(&c->out)))
        return true;
    /* Cases that only v5.8.2 was run on say nothing about the order without a flag. */
    if (c->is_default_order && !by_default &&
        str_eq(doc_text(doc_get_lit(c->node, "verified"), STR_NONE), STR("v5.8.2")) &&
        has_same_documents(want, buf_view(&c->out)))
        return true;
    buf_addf(&c->why, "output differs:\n%s", buf_cstr(&c->out));
    return false;
}

static bool matches(struct build_case *c, str pattern)
{
    AUTO(err_done) struct err e = {0};
    AUTO(re_free) struct re *re = re_compile(pattern, 0, &e);

    if (!re)
        suite_abort(c->suite, "%s", err_text(&e));
    return re_match(re, buf_view(&c->err));
}

static bool error_is_right(struct build_case *c)
{
    struct doc_iter it = doc_children(doc_get_lit(c->expect, "error"));

    buf_addf(&c->why, "it says: %s", buf_cstr(&c->err));
    if (c->rc == 0)
        return false;
    while (doc_next(&it))
        if (!str_contains(buf_view(&c->err), doc_text(it.value, STR_NONE)))
            return false;
    it = doc_children(doc_get_lit(c->expect, "error_regexp"));
    while (doc_next(&it))
        if (!matches(c, doc_text(it.value, STR_NONE)))
            return false;
    return true;
}

static bool is_right(struct build_case *c)
{
    if (doc_get_lit(c->expect, "error"))
        return error_is_right(c);
    if (c->rc == 0)
        return output_is_right(c);
    buf_addf(&c->why, "fails: %s", buf_cstr(&c->err));
    return false;
}

static void run_case(struct suite *s, const struct doc_node *node, bool is_default_order)
{
    AUTO(build_case_done)
    struct build_case c = {
        .suite = s,
        .node = node,
        .expect = doc_get_lit(node, "expect"),
        .options = doc_get_lit(node, "options"),
        .is_default_order = is_default_order,
    };
    bool passed;

    if (!suite_begin(s, doc_text(doc_get_lit(node, "name"), STR_NONE)))
        return;
    make_folder(&c);
    write_files(&c);
    run_build(&c);
    passed = is_right(&c);
    suite_end(s, passed, "%s", buf_cstr(&c.why));
}

static void run_all(struct suite *s, bool is_default_order)
{
    AUTO(str_vec_done) struct str_vec files = suite_list(s, "cases", ".json");

    for (size_t i = 0; i < files.len; i++) {
        AUTO(mem_free_str) char *path = str_printf("cases/%.*s", STR_ARG(files.v[i]));
        struct doc_iter it = doc_children(doc_get_lit(suite_json(s, path), "cases"));

        while (doc_next(&it))
            run_case(s, it.value, is_default_order);
    }
}

SUITE(kustomize)
{
    suite_table(s, "");
    run_all(s, false);
    suite_table(s, "default-order");
    run_all(s, true);
}
