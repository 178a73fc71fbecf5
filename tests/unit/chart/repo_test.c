/* Chart repositories: URLs, indexes, repositories.yaml (helm spec 11, 14). */
#include <sys/stat.h>

#include "base/log.h"
#include "chart/repo/config.h"
#include "chart/repo/get.h"
#include "chart/repo/index.h"
#include "support/test.h"
#include "sys/file.h"

TEST(urls_of_charts_are_relative_to_the_repository)
{
    static const struct {
        const char *base, *ref, *want;
    } rows[] = {
        {"http://h", "a-1.tgz", "http://h/a-1.tgz"},
        {"http://h/", "a-1.tgz", "http://h/a-1.tgz"},
        {"https://h:8443/charts", "a.tgz", "https://h:8443/charts/a.tgz"},
        {"https://h/charts/", "../a.tgz", "https://h/a.tgz"},
        {"https://h/charts/", "../../../a.tgz", "https://h/a.tgz"},
        {"https://h/charts", "/x/a.tgz", "https://h/x/a.tgz"},
        {"https://h/charts?k=1", "a.tgz", "https://h/charts/a.tgz?k=1"},
        {"https://h/charts?k=1", "a.tgz?z", "https://h/charts/a.tgz?z"},
        {"https://u:p@h/c", "./a.tgz", "https://u:p@h/c/a.tgz"},
        {"https://[::1]:80/c", "a.tgz", "https://[::1]:80/c/a.tgz"},
        {"https://h/c", "http://other/a.tgz", "http://other/a.tgz"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf got = {0};
        AUTO(err_done) struct err e = {0};

        CHECK_INT(chart_url_resolve(str_of(rows[i].base), str_of(rows[i].ref), &got, &e), 0,
                  rows[i].ref);
        CHECK_STR(buf_view(&got), str_of(rows[i].want), rows[i].ref);
    }
}

TEST(urls_are_the_same_but_for_a_slash_at_the_end)
{
    CHECK(chart_url_is_same(STR("https://h/a"), STR("HTTPS://H:443/a/")));
    CHECK(!chart_url_is_same(STR("https://h/a"), STR("http://h/a")));
    CHECK(!chart_url_is_same(STR("https://h/a"), STR("https://h/b")));
    CHECK(!chart_url_is_same(STR("https://h:1/a"), STR("https://h:2/a")));
    CHECK(chart_url_is_same(STR("file://x/"), STR("file://x")));
}

static int ignored_lines;
static void count_line(void *ctx, enum log_level level, str line)
{
    (void)ctx;
    (void)level;
    (void)line;
    ignored_lines++;
}

static const char index_yaml[] = "apiVersion: v1\n"
                                 "entries:\n"
                                 "  web:\n"
                                 "  - {name: web, version: 0.9.0, urls: [web-0.9.0.tgz]}\n"
                                 "  - {name: web, version: 1.10.0, urls: [http://x/a.tgz, b]}\n"
                                 "  - {name: web, version: 1.9.0+b, digest: abc}\n"
                                 "  - {name: web, version: 2.0.0-rc.1}\n"
                                 "  - null\n"
                                 "  - {name: web, version: not one}\n"
                                 "  - {version: 3.0.0}\n"
                                 "  empty: []\n";

TEST(indexes_choose_the_newest_version_that_satisfies)
{
    static const struct {
        const char *constraint, *want; /* NULL: none */
    } rows[] = {
        {"", "1.10.0"},
        {"1.x", "1.10.0"},
        {"<1", "0.9.0"},
        {"1.9.0+b", "1.9.0+b"},
        {"1.9.0", "1.9.0+b"},
        {">0.0.0-0", "2.0.0-rc.1"},
        {"2.0.0-rc.1", "2.0.0-rc.1"},
        {"3", NULL},
        {"a b", NULL},
    };
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct chart_index index = {0};

    ignored_lines = 0;
    log_set_sink(count_line, NULL);
    CHECK_INT(chart_index_read(set, str_of(index_yaml), "x", &index, &e), 0, err_text(&e));
    log_set_sink(NULL, NULL);
    CHECK_INT(ignored_lines, 3, "entries that are no charts");
    CHECK_INT((long long)chart_index_find(&index, STR("web"))->count, 4, "");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err none = {0};
        const struct chart_index_version *version =
            chart_index_choose(&index, STR("web"), str_of(rows[i].constraint), &none);

        CHECK_STR(version ? version->version : STR(""), str_of(rows[i].want), rows[i].constraint);
    }
    CHECK(!chart_index_choose(&index, STR("nope"), STR(""), &e));
    CHECK_STR(str_of(err_text(&e)), STR("no chart name found"), "");
    CHECK_STR(chart_index_url(&chart_index_find(&index, STR("web"))->versions[1]),
              STR("http://x/a.tgz"), "");
}

TEST(texts_of_an_index_are_cleaned_as_those_of_a_chart)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct chart_index index = {0};

    CHECK_INT(chart_index_read(set,
                               STR("apiVersion: v1\nentries:\n  web:\n  - name: web\n"
                                   "    version: 1.0.0\n    description: |\n      two\n"
                                   "      lines\n"),
                               "x", &index, &e),
              0, err_text(&e));
    CHECK_STR(doc_text(doc_get_lit(index.entries[0].versions[0].node, "description"), STR_NONE),
              STR("two lines "), "");
}

TEST(indexes_that_are_none_are_refused)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", "empty index.yaml file"},
        {"entries: {}", "no API version specified"},
        {"{\"entries\": {}}", "no API version specified"},
        {"a: [", "error converting YAML to JSON: yaml: line 1: did not find expected node content"},
        {"- a", "no API version specified"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(err_done) struct err e = {0};
        struct chart_index index = {0};

        CHECK_INT(chart_index_read(set, str_of(rows[i].text), "x", &index, &e), -1, rows[i].text);
        CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), rows[i].text);
    }
}

TEST(repositories_are_written_as_helm_writes_them)
{
    AUTO(chart_repos_done) struct chart_repos repos = {0}, again = {0};
    AUTO(buf_done) struct buf path = {0}, text = {0};
    AUTO(err_done) struct err e = {0};
    struct chart_repo web = {.name = STR("web"),
                             .url = STR("https://h/c"),
                             .username = STR("me"),
                             .password = STR("pa55: word"),
                             .passes_credentials = true};
    struct stat st;
    int lock;

    buf_addf(&path, "%s/deep/repositories.yaml", test_tmp());
    CHECK_INT(chart_repos_load(buf_cstr(&path), &repos, &e), 0, err_text(&e));
    CHECK_INT((long long)repos.list.len, 0, "a file that is missing");
    chart_repos_put(&repos, &web);
    chart_repos_put(&repos, &web);
    lock = chart_repos_lock(buf_cstr(&path), NULL, &e);
    CHECK(lock >= 0);
    CHECK_INT(chart_repos_save(buf_cstr(&path), &repos, &e), 0, err_text(&e));
    file_close(lock);
    CHECK(stat(buf_cstr(&path), &st) == 0 && (st.st_mode & 0777) == 0600);
    CHECK_INT(file_read(buf_cstr(&path), 1 << 20, &text, &e), 0, err_text(&e));
    CHECK_STR(buf_view(&text),
              STR("apiVersion: \"\"\ngenerated: \"0001-01-01T00:00:00Z\"\nrepositories:\n"
                  "- caFile: \"\"\n  certFile: \"\"\n  insecure_skip_tls_verify: false\n"
                  "  keyFile: \"\"\n  name: web\n  pass_credentials_all: true\n"
                  "  password: 'pa55: word'\n  url: https://h/c\n  username: me\n"),
              "");
    CHECK_INT(chart_repos_load(buf_cstr(&path), &again, &e), 0, err_text(&e));
    CHECK(again.list.len == 1 && chart_repo_equal(&again.list.v[0], &web));
    CHECK(chart_repos_find_url(&again, STR("https://h/c/")) == &again.list.v[0]);
    CHECK(chart_repos_remove(&again, STR("web")) && !chart_repos_remove(&again, STR("web")));
    secret_forget_all();
}
