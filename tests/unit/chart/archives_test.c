/* Archives of charts: what is unpacked, indexed and found (helm spec 2, 14). */
#include <archive.h>
#include <archive_entry.h>

#include "base/sha256.h"
#include "chart/repo/generate.h"
#include "chart/repo/search.h"
#include "chart/unpack.h"
#include "support/test.h"
#include "sys/file.h"

static void add_file(struct archive *a, const char *name, const char *text)
{
    struct archive_entry *entry = archive_entry_new();

    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)strlen(text));
    CHECK(archive_write_header(a, entry) == ARCHIVE_OK);
    CHECK(archive_write_data(a, text, strlen(text)) >= 0);
    archive_entry_free(entry);
}

static void make_archive(const char *path, const char *chart_yaml, const char *extra)
{
    struct archive *a = archive_write_new();

    archive_write_add_filter_gzip(a);
    archive_write_set_format_ustar(a);
    CHECK(archive_write_open_filename(a, path) == ARCHIVE_OK);
    add_file(a, "x/Chart.yaml", chart_yaml);
    add_file(a, "x/templates/a.yaml", "a: 1\n");
    if (extra)
        add_file(a, extra, "out\n");
    archive_write_free(a);
}

static const char *in_tmp(struct buf *out, const char *name)
{
    buf_clear(out);
    buf_addf(out, "%s/%s", test_tmp(), name);
    return buf_cstr(out);
}

TEST(archives_are_unpacked_below_the_name_of_their_chart)
{
    AUTO(buf_done) struct buf path = {0}, bytes = {0}, where = {0}, text = {0};
    AUTO(err_done) struct err e = {0};

    make_archive(in_tmp(&path, "a.tgz"), "name: web\nversion: 1.0.0\n", NULL);
    CHECK_INT(file_read(buf_cstr(&path), 1 << 20, &bytes, &e), 0, err_text(&e));
    CHECK_INT(chart_unpack(buf_view(&bytes), test_tmp(), &where, &e), 0, err_text(&e));
    CHECK_INT(file_read(in_tmp(&path, "web/templates/a.yaml"), 100, &text, &e), 0, err_text(&e));
    CHECK_STR(buf_view(&text), STR("a: 1\n"), "");
    CHECK_INT(chart_unpack(buf_view(&bytes), test_tmp(), &where, &e), -1, "a second time");
    CHECK_INT(e.kind, ERR_EXISTS, err_text(&e));
}

TEST(archives_that_lead_out_are_not_unpacked)
{
    static const char *const names[] = {"x/../../evil", "/evil", "x//evil", "x/..\\..\\evil/.."};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        AUTO(buf_done) struct buf path = {0}, bytes = {0}, where = {0};
        AUTO(err_done) struct err e = {0};

        make_archive(in_tmp(&path, "a.tgz"), "name: web\nversion: 1.0.0\n", names[i]);
        CHECK_INT(file_read(buf_cstr(&path), 1 << 20, &bytes, &e), 0, err_text(&e));
        CHECK_INT(chart_unpack(buf_view(&bytes), test_tmp(), &where, &e), -1, names[i]);
        CHECK(!file_exists(in_tmp(&path, "web")));
    }
}

TEST(indexes_of_folders_name_every_archive)
{
    AUTO(buf_done) struct buf path = {0}, dir = {0}, out = {0}, want = {0}, bytes = {0};
    AUTO(err_done) struct err e = {0};
    struct chart_index_options options = {.url = STR("http://h/c/"), .now_us = 1500000};

    CHECK_INT(file_mkdirs(in_tmp(&dir, "r/sub"), 0755, &e), 0, err_text(&e));
    make_archive(in_tmp(&path, "r/a.tgz"), "name: web\nversion: 1.0.0\n", NULL);
    make_archive(in_tmp(&path, "r/b.tgz"), "name: web\nversion: 1.0.0\n", NULL);
    make_archive(in_tmp(&path, "r/sub/c.tgz"), "name: web\nversion: 1.10.0\n", NULL);
    CHECK_INT(file_read(buf_cstr(&path), 1 << 20, &bytes, &e), 0, err_text(&e));
    CHECK_INT(file_replace(in_tmp(&path, "r/d.tgz"), STR("no archive"), NULL, &e), 0, "");
    CHECK_INT(chart_index_generate(in_tmp(&dir, "r"), &options, &out, &e), 0, err_text(&e));
    buf_add_cstr(&want, "apiVersion: v1\nentries:\n  web:\n  - apiVersion: v1\n"
                        "    created: \"1970-01-01T00:00:01.5Z\"\n    digest: ");
    sha256_hex(buf_view(&bytes), &want);
    buf_add_cstr(&want, "\n    name: web\n    urls:\n    - http://h/c/sub/c.tgz\n"
                        "    version: 1.10.0\n  - apiVersion: v1\n");
    CHECK_STR(str_sub(buf_view(&out), 0, want.len), buf_view(&want), "");
    CHECK(str_contains(buf_view(&out), STR("- http://h/c/a.tgz\n")));
    CHECK(!str_contains(buf_view(&out), STR("b.tgz")));
}

TEST(indexes_are_merged_where_a_version_is_missing)
{
    AUTO(buf_done) struct buf path = {0}, dir = {0}, out = {0}, none = {0};
    AUTO(err_done) struct err e = {0};
    struct chart_index_options options = {.is_json = true};

    CHECK_INT(file_mkdirs(in_tmp(&dir, "r"), 0755, &e), 0, err_text(&e));
    make_archive(in_tmp(&path, "r/a.tgz"), "name: web\nversion: 1.0.0\n", NULL);
    CHECK_INT(file_replace(in_tmp(&path, "old.yaml"),
                           STR("apiVersion: v1\nentries:\n  web:\n"
                               "  - {name: web, version: 1.0.0, urls: [old]}\n"
                               "  - {name: web, version: 0.9.0, urls: [older], x: y}\n"),
                           NULL, &e),
              0, "");
    options.merge = buf_cstr(&path);
    CHECK_INT(chart_index_generate(buf_cstr(&dir), &options, &out, &e), 0, err_text(&e));
    CHECK(str_contains(buf_view(&out), STR("\"older\"")));
    CHECK(!str_contains(buf_view(&out), STR("\"old\"")));
    CHECK(!str_contains(buf_view(&out), STR("\"x\"")));
    options.merge = in_tmp(&none, "none.yaml");
    CHECK_INT(chart_index_generate(buf_cstr(&dir), &options, &out, &e), 0, err_text(&e));
    CHECK(file_exists(buf_cstr(&none)));
}

static const char cached[] =
    "apiVersion: v1\nentries:\n"
    "  db:\n  - {name: db, version: 1.0.0, description: Stores web pages, keywords: [sql, Fast]}\n"
    "  web:\n  - {name: web, version: 2.0.0-rc.1}\n  - {name: web, version: 1.1.0}\n"
    "  - {name: web, version: 1.0.0}\n";

TEST(searches_go_through_names_descriptions_and_keywords)
{
    static const struct {
        struct chart_search what;
        const char *want; /* NULL: an error */
    } rows[] = {
        {{.term = STR_INIT("")}, "r/db 1.0.0, r/web 1.1.0, "},
        {{.term = STR_INIT("WEB")}, "r/web 1.1.0, r/db 1.0.0, "},
        {{.term = STR_INIT("r/d")}, "r/db 1.0.0, "},
        {{.term = STR_INIT("fast")}, "r/db 1.0.0, "},
        {{.term = STR_INIT("nope")}, ""},
        {{.term = STR_INIT("w.b$"), .is_regexp = true}, ""},
        {{.term = STR_INIT("w.b"), .is_regexp = true}, "r/web 1.1.0, r/db 1.0.0, "},
        {{.term = STR_INIT("w(b"), .is_regexp = true}, NULL},
        {{.term = STR_INIT("web"), .has_all_versions = true},
         "r/web 1.1.0, r/web 1.0.0, r/db 1.0.0, "},
        {{.term = STR_INIT("r/web"), .constraint = STR_INIT(">0-0")}, "r/web 2.0.0-rc.1, "},
        {{.term = STR_INIT(""), .constraint = STR_INIT("x y")}, NULL},
    };
    AUTO(chart_repos_done) struct chart_repos repos = {.set = doc_set_new()};
    AUTO(chart_dirs_done) struct chart_dirs dirs = {0};
    AUTO(buf_done) struct buf path = {0};
    AUTO(err_done) struct err e = {0};

    buf_add_cstr(&dirs.repository_cache, test_tmp());
    CHECK_INT(file_replace(in_tmp(&path, "r-index.yaml"), str_of(cached), NULL, &e), 0, "");
    chart_repos_put(&repos, &(struct chart_repo){.name = STR("r")});
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(chart_hits_done) struct chart_hits hits = {0};
        AUTO(buf_done) struct buf got = {0};
        AUTO(err_done) struct err bad = {0};
        int rc = chart_search(&repos, &dirs, &rows[i].what, set, &hits, &bad);

        for (size_t k = 0; k < hits.len; k++)
            buf_addf(&got, "%.*s %.*s, ", STR_ARG(hits.v[k].name),
                     STR_ARG(hits.v[k].version->version));
        CHECK_INT(rc, rows[i].want ? 0 : -1, rows[i].what.term.p);
        CHECK_STR(buf_view(&got), str_of(rows[i].want), rows[i].what.term.p);
    }
}
