#include "chart/oci.h"

#include "base/mem.h"
#include "base/sha256.h"
#include "chart/deps/deps.h"
#include "chart/download.h"
#include "chart/repo/cache.h"
#include "support/test.h"
#include "support/tiny_server.h"
#include "sys/file.h"
#include "unit/chart/tgz.h"

/* A registry that keeps what it is given, in memory. */
struct kept {
    char *name; /* digest, or tag */
    struct buf bytes;
};
struct store {
    struct kept v[64];
    size_t len;
};

static void store_done(struct store *s)
{
    for (size_t i = 0; i < s->len; i++) {
        mem_free(s->v[i].name);
        buf_done(&s->v[i].bytes);
    }
}

static struct buf *find(struct store *s, str name)
{
    for (size_t i = 0; i < s->len; i++)
        if (str_eq(str_of(s->v[i].name), name))
            return &s->v[i].bytes;
    return NULL;
}

static void put(struct store *s, str name, str bytes)
{
    struct buf *there = find(s, name);

    if (!there && s->len < ARRAY_LEN(s->v)) {
        s->v[s->len].name = mem_strndup(name.p, name.len);
        there = &s->v[s->len++].bytes;
    }
    if (there) {
        buf_clear(there);
        buf_add_str(there, bytes);
    }
}

static struct buf digest_of(str bytes)
{
    struct buf out = {0};

    buf_add_cstr(&out, "sha256:");
    sha256_hex(bytes, &out);
    return out;
}

static void put_manifest(struct store *s, str tag, str bytes)
{
    AUTO(buf_done) struct buf digest = digest_of(bytes);

    put(s, tag, bytes);
    put(s, buf_view(&digest), bytes);
}

static bool answer_tags(struct store *s, int fd)
{
    AUTO(buf_done) struct buf out = {0};

    buf_add_cstr(&out, "{\"tags\":[\"latest\",\"x_y\"");
    for (size_t i = 0; i < s->len; i++)
        if (!strchr(s->v[i].name, ':'))
            buf_addf(&out, ",\"%s\"", s->v[i].name);
    buf_add_cstr(&out, "]}");
    return tiny_answer(fd, 200, NULL, buf_view(&out));
}

static bool serve(void *ctx, const struct tiny_request *req, int fd)
{
    struct store *s = ctx;
    str path = str_cut(req->target, '?', NULL);
    str name = str_from(path, (size_t)(str_rfind_char(path, '/') + 1));
    ssize_t digest = str_find(req->target, STR("digest=sha256%3A"));
    struct buf *bytes = find(s, name);
    AUTO(buf_done) struct buf key = {0};

    if (str_starts(req->head, STR("POST")))
        return tiny_write(fd,
                          STR("HTTP/1.1 202 X\r\nLocation: /v2/up\r\nContent-Length: 0\r\n\r\n"));
    if (str_starts(req->head, STR("PUT")) && digest >= 0) {
        buf_addf(&key, "sha256:%.*s", STR_ARG(str_from(req->target, (size_t)digest + 16)));
        put(s, buf_view(&key), req->body);
        return tiny_answer(fd, 201, NULL, STR(""));
    }
    if (str_starts(req->head, STR("PUT"))) {
        put_manifest(s, name, req->body);
        return tiny_answer(fd, 201, NULL, STR(""));
    }
    if (str_ends(path, STR("/tags/list")))
        return answer_tags(s, fd);
    return tiny_answer(fd, bytes ? 200 : 404, NULL,
                       bytes && str_starts(req->head, STR("GET")) ? buf_view(bytes) : STR(""));
}

struct fixture {
    struct store store;
    struct tiny_server *server;
    struct chart_oci *oci;
    struct buf folder; /* "oci://HOST/charts" */
    struct buf chart;  /* and "/web" */
};

static void fixture_done(struct fixture *f)
{
    chart_oci_free(f->oci);
    tiny_stop(f->server);
    store_done(&f->store);
    buf_done(&f->folder);
    buf_done(&f->chart);
}
AUTO_VALUE(struct fixture, fixture_done)

static void start(struct fixture *f)
{
    AUTO(err_done) struct err e = {0};
    struct chart_access access = {.is_plain_http = true};

    f->server = tiny_start(serve, &f->store);
    f->oci = chart_oci_new(&access, NULL, &e);
    CHECK_OK(&e);
    buf_addf(&f->folder, "oci://127.0.0.1:%d/charts", tiny_port(f->server));
    buf_addf(&f->chart, "%s/web", buf_cstr(&f->folder));
}

/* Returns the digest of the manifest. */
static struct buf push(struct fixture *f, const char *version, str prov)
{
    AUTO(buf_done) struct buf archive = {0};
    AUTO(chart_oci_pulled_done) struct chart_oci_pulled pushed = {0};
    AUTO(err_done) struct err e = {0};
    struct chart_oci_push what = {
        .prov = prov, .reference = buf_view(&f->folder), .created = STR("2026-01-02T03:04:05Z")};
    struct buf digest = {0};

    tgz_make_chart("web", version, &archive);
    what.archive = buf_view(&archive);
    CHECK(chart_oci_push(f->oci, &what, &pushed, &e) == 0);
    CHECK_OK(&e);
    buf_add_str(&digest, buf_view(&pushed.digest));
    return digest;
}

static void push_all(struct fixture *f, const char *const *versions)
{
    for (; *versions; versions++) {
        struct buf digest = push(f, *versions, STR_NONE);

        buf_done(&digest);
    }
}

TEST(oci_charts_come_back_as_they_were_pushed)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(chart_oci_pulled_done) struct chart_oci_pulled got = {0}, by_digest = {0};
    AUTO(buf_done) struct buf digest = {0}, archive = {0}, reference = {0};
    struct buf *manifest;

    start(&f);
    digest = push(&f, "1.2.3+b1", STR("signed"));
    tgz_make_chart("web", "1.2.3+b1", &archive);
    CHECK(chart_oci_pull(f.oci, buf_view(&f.chart), STR("1.2.3+b1"), true, &got, &e) == 0);
    CHECK_STR(buf_view(&got.archive), buf_view(&archive), "archive");
    CHECK_STR(buf_view(&got.prov), STR("signed"), "provenance");
    CHECK_STR(buf_view(&got.version), STR("1.2.3+b1"), "version");
    CHECK_STR(buf_view(&got.digest), buf_view(&digest), "digest");
    CHECK(str_ends(buf_view(&got.reference), STR("/charts/web:1.2.3_b1")));
    buf_addf(&reference, "%s@%s", buf_cstr(&f.chart), buf_cstr(&digest));
    CHECK(chart_oci_pull(f.oci, buf_view(&reference), STR_NONE, false, &by_digest, &e) == 0);
    CHECK_STR(buf_view(&by_digest.archive), buf_view(&archive), "by digest");
    CHECK_STR(buf_view(&by_digest.prov), STR(""), "not asked for");
    manifest = find(&f.store, STR("1.2.3_b1"));
    CHECK(manifest != NULL);
    if (manifest)
        CHECK(
            str_contains(buf_view(manifest),
                         STR("\"annotations\":{"
                             "\"org.opencontainers.image.authors\":\"Ann (ann@example.org), Bob\","
                             "\"org.opencontainers.image.created\":\"2026-01-02T03:04:05Z\","
                             "\"org.opencontainers.image.description\":\"of a test\","
                             "\"org.opencontainers.image.source\":\"https://example.org/src\","
                             "\"org.opencontainers.image.title\":\"web\","
                             "\"org.opencontainers.image.url\":\"https://example.org\","
                             "\"org.opencontainers.image.version\":\"1.2.3+b1\",\"team\":\"x\"}")));
    CHECK_OK(&e);
}

TEST(oci_versions_are_chosen_as_constraints_say)
{
    static const char *const versions[] = {"1.0.0",    "1.10.0",     "1.9.1",
                                           "1.2.3+b1", "2.0.0-rc.1", NULL};
    static const struct {
        const char *tag, *version, *want; /* want: a version, or part of the message */
    } rows[] = {
        {"", "", "1.10.0"},
        {"", "~1.9", "1.9.1"},
        {"", "1.2.3+b1", "1.2.3+b1"},
        {"", ">0.0.0-0", "2.0.0-rc.1"},
        {"", "7.7.7", "7.7.7"}, /* exact: nothing is listed */
        {"", ">5", "could not locate a version matching provided version string >5"},
        {"", "no constraint", "improper constraint"},
        {":1.0.0", "", "1.0.0"},
        {":1.2.3+b1", "", "1.2.3+b1"},
        {":1.2.3_b1", "1.2.3+b1", "1.2.3+b1"},
        {":1.0.0", "1.0.1", "chart reference and version mismatch: 1.0.1 is not 1.0.0"},
    };
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(arena_done) struct arena arena = {0};
    AUTO(str_vec_done) struct str_vec tags = {0};
    AUTO(err_done) struct err listing = {0};

    start(&f);
    push_all(&f, versions);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf got = {0}, reference = {0};

        buf_addf(&reference, "%s%s", buf_cstr(&f.chart), rows[i].tag);
        if (chart_oci_choose(f.oci, buf_view(&reference), str_of(rows[i].version), &got, &e) == 0)
            CHECK_STR(buf_view(&got), str_of(rows[i].want), rows[i].version);
        else
            CHECK(str_starts(str_of(err_text(&e)), str_of(rows[i].want)));
    }
    CHECK(chart_oci_tags(f.oci, buf_view(&f.chart), &arena, &tags, &listing) == 0);
    CHECK_INT(tags.len, 5, "what is no version is left out");
    CHECK_STR(tags.v[0], STR("2.0.0-rc.1"), "newest first");
    CHECK_OK(&listing);
}

static void check_pull(struct fixture *f, const char *behind, const char *version, const char *why)
{
    AUTO(err_done) struct err e = {0};
    AUTO(chart_oci_pulled_done) struct chart_oci_pulled got = {0};
    AUTO(buf_done) struct buf reference = {0};

    buf_addf(&reference, "%s%s", buf_cstr(&f->chart), behind);
    CHECK_INT(chart_oci_pull(f->oci, buf_view(&reference), str_of(version), false, &got, &e),
              why ? -1 : 0, behind);
    if (why && !str_contains(str_of(err_text(&e)), str_of(why)))
        test_fail(__FILE__, __LINE__, "\"%s\" has no \"%s\"", err_text(&e), why);
}

TEST(oci_what_is_no_chart_is_refused)
{
    static const struct {
        const char *manifest, *why;
    } rows[] = {
        {"{", "manifest"},
        {"[]", "manifest is no map"},
        {"{\"config\":{\"mediaType\":\"application/vnd.oci.image.config.v1+json\"}}",
         "could not load config with mediatype application/vnd.cncf.helm.config.v1+json"},
        {"{\"config\":{\"mediaType\":\"application/vnd.cncf.helm.config.v1+json\"},\"layers\":[]}",
         "manifest does not contain a layer with mediatype "
         "application/vnd.cncf.helm.chart.content.v1.tar+gzip"},
        {"{\"config\":{\"mediaType\":\"application/vnd.cncf.helm.config.v1+json\"},\"layers\":[{"
         "\"mediaType\":\"application/tar+gzip\",\"digest\":\"sha256:x\",\"size\":1}]}",
         "digest \"sha256:x\" is not supported"},
        {"{\"manifests\":[{\"digest\":\"sha256:x\"}]}", "the index has no manifest"},
    };
    AUTO(fixture_done) struct fixture f = {0};

    start(&f);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        put_manifest(&f.store, STR("1.0.0"), str_of(rows[i].manifest));
        check_pull(&f, "", "1.0.0", rows[i].why);
    }
    check_pull(&f, ":2.0.0", "", "response status code 404");
    check_pull(&f, "/../x", "", "invalid reference");
}

TEST(oci_digest_and_version_must_be_the_same_thing)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(buf_done) struct buf one = {0}, two = {0}, behind = {0}, index = {0};

    start(&f);
    one = push(&f, "1.0.0", STR_NONE);
    two = push(&f, "2.0.0", STR_NONE);
    buf_addf(&behind, "@%s", buf_cstr(&one));
    check_pull(&f, buf_cstr(&behind), "1.0.0", NULL);
    check_pull(&f, buf_cstr(&behind), "2.0.0", "chart reference digest mismatch: sha256:");
    check_pull(&f, buf_cstr(&behind), ">=1", "the version must be exact");
    buf_addf(&index, "{\"manifests\":[{\"digest\":\"%s\"}]}", buf_cstr(&two));
    put_manifest(&f.store, STR("3.0.0"), buf_view(&index));
    check_pull(&f, ":3.0.0", "", NULL); /* followed to the chart in it */
    buf_add_char(find(&f.store, buf_view(&two)), ' ');
    check_pull(&f, ":3.0.0", "", "digest mismatch");
}

TEST(oci_downloads_are_named_as_helm_names_them)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(err_done) struct err e = {0}, wrong = {0};
    AUTO(chart_dirs_done) struct chart_dirs dirs = {0};
    AUTO(chart_download_done) struct chart_download got = {0}, other = {0};
    AUTO(buf_done) struct buf digest = {0};
    struct chart_source source = {.access = {.is_plain_http = true}, .dirs = &dirs};

    start(&f);
    buf_addf(&dirs.registry_config, "%s/config.json", test_tmp());
    digest = push(&f, "1.0.0", STR_NONE);
    CHECK(chart_download(buf_view(&f.chart), &source, CHART_PROV_IF_THERE, &got, &e) == 0);
    CHECK_OK(&e);
    CHECK_STR(buf_view(&got.file_name), STR("web-1.0.0.tgz"), "file name");
    CHECK_STR(buf_view(&got.oci_digest), buf_view(&digest), "digest");
    CHECK_INT(got.no_prov.kind, ERR_NOT_FOUND, "no provenance");
    source.verifies = true;
    CHECK(chart_download(buf_view(&f.chart), &source, CHART_NO_PROV, &other, &wrong) < 0);
    CHECK(str_starts(str_of(err_text(&wrong)), STR("failed to fetch provenance")));
}

static void damage(const struct chart_dirs *dirs, str sha256)
{
    AUTO(buf_done) struct buf path = {0};
    AUTO(err_done) struct err e = {0};

    chart_cache_path(dirs, sha256, "chart", &path);
    CHECK_INT(file_replace(buf_cstr(&path), STR("damaged"), NULL, &e), 0, err_text(&e));
}

TEST(oci_archives_of_the_content_cache_are_not_fetched_again)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(chart_dirs_done) struct chart_dirs dirs = {0};
    AUTO(chart_download_done) struct chart_download first = {0}, again = {0}, anew = {0};
    AUTO(buf_done) struct buf path = {0}, blob = {0}, archive = {0};
    AUTO(err_done) struct err e = {0};
    struct chart_source source = {.access = {.is_plain_http = true}, .dirs = &dirs};
    struct buf *kept;

    start(&f);
    buf_addf(&dirs.registry_config, "%s/config.json", test_tmp());
    buf_addf(&dirs.content_cache, "%s/content", test_tmp());
    push_all(&f, (const char *const[]){"1.0.0", NULL});
    CHECK_INT(chart_download(buf_view(&f.chart), &source, CHART_NO_PROV, &first, &e), 0,
              err_text(&e));
    CHECK(!first.is_recalled);
    CHECK_INT(chart_cache_put(&dirs, buf_view(&first.sha256), "chart", buf_view(&first.archive),
                              &path, &e),
              0, err_text(&e));
    buf_addf(&blob, "sha256:%s", buf_cstr(&first.sha256));
    kept = find(&f.store, buf_view(&blob));
    CHECK(kept != NULL);
    if (!kept)
        return;
    buf_add_str(&archive, buf_view(kept));
    buf_clear(kept); /* fetched, it would have another digest */
    CHECK_INT(chart_download(buf_view(&f.chart), &source, CHART_NO_PROV, &again, &e), 0,
              err_text(&e));
    CHECK(again.is_recalled);
    CHECK_STR(buf_view(&again.archive), buf_view(&first.archive), "archive");
    buf_add_str(kept, buf_view(&archive));
    damage(&dirs, buf_view(&first.sha256));
    CHECK_INT(chart_download(buf_view(&f.chart), &source, CHART_NO_PROV, &anew, &e), 0,
              err_text(&e));
    CHECK(!anew.is_recalled);
    CHECK_STR(buf_view(&anew.archive), buf_view(&first.archive), "archive");
}

static void add_line(void *ctx, str line) { buf_addf(ctx, "%.*s\n", STR_ARG(line)); }

/* A chart that wants versions 1.0.0 to COUNT.0.0 of web, the first one twice. */
static void write_top(const struct fixture *f, int count, struct buf *path)
{
    AUTO(buf_done) struct buf file = {0}, yaml = {0};
    AUTO(err_done) struct err e = {0};

    buf_addf(path, "%s/top", test_tmp());
    CHECK_INT(file_mkdirs(buf_cstr(path), 0755, &e), 0, err_text(&e));
    buf_addf(&file, "%s/Chart.yaml", buf_cstr(path));
    buf_add_cstr(&yaml, "apiVersion: v2\nname: top\nversion: 1.0.0\ndependencies:\n");
    for (int i = 0; i <= count; i++)
        buf_addf(&yaml, "- {name: web, alias: a%d, version: %d.0.0, repository: '%s'}\n", i,
                 MAX(i, 1), buf_cstr(&f->folder));
    CHECK_INT(file_replace(buf_cstr(&file), buf_view(&yaml), NULL, &e), 0, err_text(&e));
}

static void dirs_in_tmp(struct chart_dirs *dirs)
{
    buf_addf(&dirs->repository_config, "%s/repositories.yaml", test_tmp());
    buf_addf(&dirs->repository_cache, "%s/cache", test_tmp());
    buf_addf(&dirs->content_cache, "%s/content", test_tmp());
    buf_addf(&dirs->registry_config, "%s/config.json", test_tmp());
}

TEST(dependencies_are_fetched_side_by_side_and_told_in_order)
{
    enum { COUNT = 11 }; /* more than one batch */
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(chart_dirs_done) struct chart_dirs dirs = {0};
    AUTO(buf_done) struct buf path = {0}, lines = {0}, want = {0};
    AUTO(err_done) struct err e = {0};
    struct chart_source source = {.access = {.is_plain_http = true}, .dirs = &dirs};
    struct chart_deps_options options = {
        .source = &source, .now_us = 1, .line = add_line, .ctx = &lines};

    start(&f);
    dirs_in_tmp(&dirs);
    for (int i = 1; i <= COUNT; i++) {
        AUTO(buf_done) struct buf version = {0};

        buf_addf(&version, "%d.0.0", i);
        push_all(&f, (const char *const[]){buf_cstr(&version), NULL});
    }
    write_top(&f, COUNT, &path);
    CHECK_INT(chart_deps_update(buf_cstr(&path), &options, &e), 0, err_text(&e));
    buf_addf(&want, "Saving %d charts\n", COUNT + 1);
    for (int i = 0; i <= COUNT; i++)
        buf_addf(&want, "%s web from repo %s\n", i == 1 ? "Already downloaded" : "Downloading",
                 buf_cstr(&f.folder));
    buf_add_cstr(&want, "Deleting outdated charts\n");
    CHECK_STR(buf_view(&lines), buf_view(&want), "lines");
    for (int i = 1; i <= COUNT; i++) {
        AUTO(buf_done) struct buf archive = {0};

        buf_addf(&archive, "%s/charts/web-%d.0.0.tgz", buf_cstr(&path), i);
        CHECK(file_exists(buf_cstr(&archive)));
    }
}

TEST(the_first_dependency_that_cannot_be_fetched_is_the_one_that_is_told)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(chart_dirs_done) struct chart_dirs dirs = {0};
    AUTO(buf_done) struct buf path = {0}, lines = {0}, charts = {0};
    AUTO(err_done) struct err e = {0};
    struct chart_source source = {.access = {.is_plain_http = true}, .dirs = &dirs};
    struct chart_deps_options options = {
        .source = &source, .now_us = 1, .line = add_line, .ctx = &lines};

    start(&f);
    dirs_in_tmp(&dirs);
    for (int i = 1; i <= 3; i++) {
        AUTO(buf_done) struct buf version = {0};
        struct buf *manifest;

        buf_addf(&version, "%d.0.0", i);
        push_all(&f, (const char *const[]){buf_cstr(&version), NULL});
        manifest = find(&f.store, buf_view(&version));
        if (i > 1 && manifest) { /* 2.0.0 is no chart, 3.0.0 no JSON */
            buf_clear(manifest);
            buf_add_cstr(manifest, i == 2 ? "{}" : "nothing");
        }
    }
    write_top(&f, 3, &path);
    CHECK(chart_deps_update(buf_cstr(&path), &options, &e) < 0);
    CHECK(str_contains(str_of(err_text(&e)), STR("could not download web: could not load config")));
    CHECK(str_contains(buf_view(&lines), STR("Save error occurred:  could not download web")));
    buf_addf(&charts, "%s/charts/web-1.0.0.tgz", buf_cstr(&path));
    CHECK(!file_exists(buf_cstr(&charts)));
}
