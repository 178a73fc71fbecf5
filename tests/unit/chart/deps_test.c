/* Dependencies on disk: locks, what is in charts/, packages (helm spec 16, 17). */
#include "base/sha256.h"
#include "chart/deps/deps.h"
#include "chart/deps/lock.h"
#include "chart/package.h"
#include "doc/parse.h"
#include "support/test.h"
#include "sys/file.h"

static const char *in_tmp(struct buf *out, const char *name)
{
    buf_clear(out);
    buf_addf(out, "%s/%s", test_tmp(), name);
    return buf_cstr(out);
}

static void put(const char *name, const char *text)
{
    AUTO(buf_done) struct buf path = {0}, parent = {0};
    AUTO(err_done) struct err e = {0};

    in_tmp(&path, name);
    buf_add_str(&parent, str_sub(buf_view(&path), 0, (size_t)str_rfind_char(buf_view(&path), '/')));
    CHECK_INT(file_mkdirs(buf_cstr(&parent), 0755, &e), 0, err_text(&e));
    CHECK_INT(file_replace(buf_cstr(&path), str_of(text), NULL, &e), 0, err_text(&e));
}

static void get(const char *name, struct buf *ret)
{
    AUTO(buf_done) struct buf path = {0};
    AUTO(err_done) struct err e = {0};

    buf_clear(ret);
    CHECK_INT(file_read(in_tmp(&path, name), 1 << 20, ret, &e), 0, err_text(&e));
}

static void count_line(void *ctx, str line) { buf_addf(ctx, "%.*s\n", STR_ARG(line)); }

struct fixture {
    struct chart_dirs dirs;
    struct chart_source source;
    struct buf lines;
    struct chart_deps_options options;
};
static void fixture_init(struct fixture *f)
{
    buf_addf(&f->dirs.repository_config, "%s/repositories.yaml", test_tmp());
    buf_addf(&f->dirs.repository_cache, "%s/cache", test_tmp());
    buf_addf(&f->dirs.content_cache, "%s/content", test_tmp());
    buf_addf(&f->dirs.registry_config, "%s/registry.json", test_tmp());
    f->source.dirs = &f->dirs;
    f->options = (struct chart_deps_options){.source = &f->source,
                                             .now_us = 1,
                                             .epoch_s = 1700000000,
                                             .line = count_line,
                                             .ctx = &f->lines};
}
static void fixture_done(struct fixture *f)
{
    chart_dirs_done(&f->dirs);
    buf_done(&f->lines);
}
AUTO_VALUE(struct fixture, fixture_done)

static const char top_yaml[] =
    "apiVersion: v2\nname: top\nversion: 1.0.0\ndependencies:\n"
    "- {name: sib, version: 0.3.x, repository: 'file://../sib', tags: ['<b>']}\n"
    "- {name: own, version: ^1}\n";

static void put_charts(void)
{
    put("top/Chart.yaml", top_yaml);
    put("top/charts/own/Chart.yaml", "apiVersion: v2\nname: own\nversion: 1.5.0\n");
    put("sib/Chart.yaml", "apiVersion: v2\nname: sib\nversion: 0.3.1\n");
    put("sib/templates/a.yaml", "a: 1\n");
}

TEST(dependencies_of_folders_are_packed_and_locked)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(buf_done) struct buf path = {0}, text = {0}, first = {0}, want = {0};
    AUTO(err_done) struct err e = {0};

    fixture_init(&f);
    put_charts();
    CHECK_INT(chart_deps_update(in_tmp(&path, "top"), &f.options, &e), 0, err_text(&e));
    CHECK_STR(
        buf_view(&f.lines),
        STR("Saving 2 charts\nDependency own did not declare a repository. Assuming it exists "
            "in the charts directory\nDeleting outdated charts\n"),
        "");
    get("top/charts/sib-0.3.1.tgz", &first);
    get("top/Chart.lock", &text);
    buf_add_cstr(&want, "dependencies:\n- name: sib\n  repository: file://../sib\n"
                        "  version: 0.3.1\n- name: own\n  repository: \"\"\n  version: ^1\n"
                        "digest: sha256:");
    sha256_hex(STR("[[{\"name\":\"sib\",\"version\":\"0.3.x\",\"repository\":\"file://../sib\","
                   "\"tags\":[\"\\u003cb\\u003e\"]},"
                   "{\"name\":\"own\",\"version\":\"^1\",\"repository\":\"\"}],"
                   "[{\"name\":\"sib\",\"version\":\"0.3.1\",\"repository\":\"file://../sib\"},"
                   "{\"name\":\"own\",\"version\":\"^1\",\"repository\":\"\"}]]"),
               &want);
    buf_add_cstr(&want, "\ngenerated: \"1970-01-01T00:00:00.000001Z\"\n");
    CHECK_STR(buf_view(&text), buf_view(&want), "Chart.lock");

    f.options.now_us = 2; /* the same digest: the lock stays */
    CHECK_INT(chart_deps_build(buf_cstr(&path), &f.options, &e), 0, err_text(&e));
    CHECK_INT(chart_deps_update(buf_cstr(&path), &f.options, &e), 0, err_text(&e));
    get("top/Chart.lock", &text);
    CHECK_STR(buf_view(&text), buf_view(&want), "again");
    get("top/charts/sib-0.3.1.tgz", &text);
    CHECK_STR(buf_view(&text), buf_view(&first), "the same bytes for the same files");
}

TEST(a_failed_update_changes_nothing)
{
    static const struct {
        const char *dependency, *want;
    } rows[] = {
        {"{name: sib, version: 9.x, repository: 'file://../sib'}",
         "can't get a valid version for 1 subchart(s): \"sib\" (repository \"file://../sib\", "
         "version \"9.x\"). Make sure a matching chart version exists in the repo, or change the "
         "version constraint in Chart.yaml"},
        {"{name: sib, version: 'a b', repository: 'file://../sib'}",
         "dependency \"sib\" has an invalid version/constraint format: improper constraint: \"a "
         "b\""},
        {"{name: x, version: '1', repository: '@nope'}",
         "no repository definition for @nope. Please add them via 'helm repo add'"},
        {"{name: x, version: '1', repository: 'alias:zz'}",
         "no repository definition for alias:zz. Please add them via 'helm repo add'"},
        {"{name: own, version: '2'}",
         "dependency own at version 1.5.0 does not satisfy the constraint 2"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(fixture_done) struct fixture f = {0};
        AUTO(buf_done) struct buf path = {0}, yaml = {0};
        AUTO(err_done) struct err e = {0};

        fixture_init(&f);
        put_charts();
        buf_addf(&yaml, "apiVersion: v2\nname: top\nversion: 1.0.0\ndependencies:\n- %s\n",
                 rows[i].dependency);
        put("top/Chart.yaml", buf_cstr(&yaml));
        CHECK_INT(chart_deps_update(in_tmp(&path, "top"), &f.options, &e), -1, rows[i].dependency);
        CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), rows[i].dependency);
        CHECK(!file_exists(in_tmp(&path, "top/Chart.lock")));
    }
}

TEST(locks_that_do_not_belong_are_refused)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(buf_done) struct buf path = {0};
    AUTO(err_done) struct err e = {0};

    fixture_init(&f);
    put_charts();
    put("top/Chart.lock", "dependencies: []\ndigest: sha256:0\n");
    CHECK_INT(chart_deps_build(in_tmp(&path, "top"), &f.options, &e), -1, "");
    CHECK_STR(str_of(err_text(&e)),
              STR("the lock file (Chart.lock) is out of sync with the dependencies file "
                  "(Chart.yaml). Please update the dependencies with 'helm dependency update'"),
              "");
}

TEST(what_is_in_charts_has_a_status)
{
    static const struct {
        const char *name, *version, *want;
    } rows[] = {
        {"own", "^1", "unpacked"},
        {"own", "2", "wrong version"},
        {"own", "a b", "invalid version"},
        {"gone", "1", "missing"},
        {"sib", "0.3.1", "ok"},
        {"sib", "0.x", "ok"},
        {"sib", "1", "wrong version"},
        {"alias", "0", "misnamed"},
    };
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(buf_done) struct buf path = {0}, archive = {0}, copy = {0};
    AUTO(err_done) struct err e = {0};

    fixture_init(&f);
    put_charts();
    CHECK_INT(chart_deps_update(in_tmp(&path, "top"), &f.options, &e), 0, err_text(&e));
    get("top/charts/sib-0.3.1.tgz", &archive);
    CHECK_INT(
        file_replace(in_tmp(&copy, "top/charts/alias-1.0.0.tgz"), buf_view(&archive), NULL, &e), 0,
        err_text(&e));
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        struct chart *c = chart_load(set, buf_cstr(&path), &e);
        struct chart_dependency dep = {.name = str_of(rows[i].name),
                                       .version = str_of(rows[i].version)};

        CHECK_OK(&e);
        c->dependencies = &dep;
        c->dependency_count = 1;
        CHECK_STR(str_of(chart_deps_status(buf_cstr(&path), c, 0)), str_of(rows[i].want),
                  rows[i].version);
    }
}

TEST(requirements_of_helm_2_have_a_digest_of_their_own)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf got = {0}, want = {0};
    AUTO(err_done) struct err e = {0};
    struct doc_node *requests =
        doc_parse(set, STR("[{name: a, repository: ''}]"), DOC_VALUES, "", &e);

    CHECK_OK(&e);
    chart_lock_old_digest(requests, &got);
    buf_add_cstr(&want, "sha256:");
    sha256_hex(STR("{\"dependencies\":[{\"name\":\"a\",\"repository\":\"\"}]}"), &want);
    CHECK_STR(buf_view(&got), buf_view(&want), "");
}

TEST(packages_have_other_versions_if_asked)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf path = {0}, archive = {0}, name = {0};
    AUTO(err_done) struct err e = {0};
    struct chart *c, *again;

    put_charts();
    c = chart_load(set, in_tmp(&path, "top"), &e);
    CHECK_OK(&e);
    CHECK_INT(chart_set_versions(set, c, STR("x"), STR(""), &e), -1, "no version");
    err_done(&e);
    CHECK_INT(chart_set_versions(set, c, STR("2.0.0"), STR("7"), &e), 0, err_text(&e));
    chart_package_name(c, &name);
    CHECK_STR(buf_view(&name), STR("top-2.0.0.tgz"), "");
    CHECK_INT(chart_package(set, c, 0, &archive, &e), 0, err_text(&e));
    again = chart_load_bytes(set, buf_view(&archive), &e);
    CHECK_OK(&e);
    CHECK_STR(again->version, STR("2.0.0"), "");
    CHECK_INT((long long)again->child_count, 1, "own");
    CHECK_INT((long long)again->dependency_count, 2, "");
}

TEST(tar_takes_names_of_any_length)
{
    static const size_t lengths[] = {1, 99, 100, 101, 200, 255, 256, 257, 300, 1000};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};

    for (size_t i = 0; i < ARRAY_LEN(lengths); i++) {
        AUTO(buf_done) struct buf name = {0}, packed = {0};
        AUTO(chart_files_done) struct chart_files files = {0};
        struct chart *c, *again;

        buf_add_cstr(&name, "f");
        while (name.len < lengths[i])
            buf_add_char(&name, name.len % 40 == 30 && name.len + 1 < lengths[i] ? '/' : 'x');
        vec_push(&files, {.name = STR("Chart.yaml"), .text = STR("name: c\nversion: 1.0.0\n")});
        vec_push(&files, {.name = buf_view(&name), .text = STR("hello")});
        c = chart_from_files(set, &files, &e);
        CHECK_OK(&e);
        CHECK_INT(chart_package(set, c, 0, &packed, &e), 0, err_text(&e));
        again = chart_load_bytes(set, buf_view(&packed), &e);
        CHECK_OK(&e);
        CHECK(again && again->file_count == 1);
        if (again && again->file_count == 1)
            CHECK_STR(again->files[0].name, buf_view(&name), "");
    }
}
