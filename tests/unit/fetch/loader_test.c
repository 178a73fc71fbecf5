#include "fetch/loader.h"

#include <dirent.h>

#include "base/mem.h"
#include "http/cert.h"
#include "support/clock_jump.h"
#include "support/test.h"
#include "support/tiny_server.h"
#include "sys/env.h"
#include "sys/file.h"
#include "sys/thread.h"
#include "unit/fetch/repository.h"

struct fixture {
    struct env_list env;
    struct buf temp; /* $TMPDIR of the test */
    struct buf notes;
    struct fetch_loader_options options;
    struct fetch_loader *loader;
    struct fetch_root *root;
    struct buf text;
    char *path; /* $PATH as it was, when put_bin_first changed it */
    struct err e;
};

static void keep_note(void *ctx, enum fetch_note kind, str text)
{
    struct fixture *f = ctx;

    buf_addf(&f->notes, "%s%.*s\n", kind == FETCH_WARNING ? "warning: " : "", STR_ARG(text));
}

/* A home without settings, a folder for temporary files of its own. */
static void start(struct fixture *f)
{
    buf_addf(&f->temp, "%s/temp", test_tmp());
    CHECK_INT(file_mkdirs(buf_cstr(&f->temp), 0700, &f->e), 0, "temp");
    env_list_inherit(&f->env);
    env_list_set(&f->env, STR("HOME"), str_of(test_tmp()));
    env_list_set(&f->env, STR("TMPDIR"), buf_view(&f->temp));
    env_list_set(&f->env, STR("GIT_CONFIG_NOSYSTEM"), STR("1"));
    env_replace(f->env.v);
    f->options.note = keep_note;
    f->options.ctx = f;
    f->loader = fetch_loader_new(&f->options);
}

/* A new run with the options as they are now. */
static void again(struct fixture *f)
{
    fetch_root_unref(TAKE(f->root));
    fetch_loader_free(f->loader);
    buf_clear(&f->text);
    buf_clear(&f->notes);
    err_done(&f->e);
    f->loader = fetch_loader_new(&f->options);
}

/* Programs of the test's folder bin stand before others. */
static void put_bin_first(struct fixture *f)
{
    AUTO(buf_done) struct buf path = {0};

    buf_addf(&path, "%s/bin:%s", test_tmp(), env_get("PATH"));
    f->path = mem_strdup(getenv("PATH"));
    CHECK_INT(setenv("PATH", buf_cstr(&path), 1), 0, "where programs are searched");
    env_list_set(&f->env, STR("PATH"), buf_view(&path));
    env_replace(f->env.v);
}

static int entries(const char *path)
{
    DIR *dir = opendir(path);
    int count = 0;

    while (dir && readdir(dir))
        count++;
    if (dir)
        closedir(dir);
    return count - 2;
}

static void finish(struct fixture *f)
{
    fetch_root_unref(f->root);
    fetch_loader_free(f->loader);
    CHECK_INT(entries(buf_cstr(&f->temp)), 0, "temporary folders that were left");
    env_replace(NULL);
    if (f->path)
        CHECK_INT(setenv("PATH", f->path, 1), 0, "as before");
    mem_free(f->path);
    env_list_done(&f->env);
    buf_done(&f->temp);
    buf_done(&f->notes);
    buf_done(&f->text);
    err_done(&f->e);
}
AUTO_VALUE(struct fixture, finish)

/* Opens FMT as the run's target and reads app.yaml in it. */
static void open_and_read(struct fixture *f, const char *fmt, ...) PRINTF(2, 3);
static void open_and_read(struct fixture *f, const char *fmt, ...)
{
    AUTO(buf_done) struct buf target = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&target, fmt, args);
    va_end(args);
    f->root = fetch_loader_open(f->loader, buf_view(&target), &f->e);
    if (f->root && fetch_loader_read(f->loader, f->root, STR("app.yaml"), &f->text, &f->e) < 0)
        CHECK_OK(&f->e);
}

TEST(loader_reads_a_repository_at_its_head_a_tag_a_branch_and_a_commit)
{
    AUTO(finish) struct fixture f = {0};
    AUTO(buf_done) struct buf commit = {0}, name = {0};
    const char *repository;

    start(&f);
    repository = repository_make();
    repository_shell("cd shop.git; git config uploadpack.allowAnySHA1InWant true; "
                     "git rev-parse 'v1^{commit}'",
                     &commit);
    open_and_read(&f, "file://%s//deploy", repository);
    CHECK_STR(buf_view(&f.text), STR("v2\n"), err_text(&f.e));
    CHECK(f.root && str_starts(fetch_root_repository(f.root), STR("file:///")));
    if (f.root)
        fetch_root_name(f.root, STR("app.yaml"), &name);
    CHECK(str_ends(buf_view(&name), STR("/shop.git//deploy/app.yaml")));
    again(&f);
    open_and_read(&f, "file://%s//deploy?ref=v1", repository);
    CHECK_STR(buf_view(&f.text), STR("v1\n"), err_text(&f.e));
    CHECK(str_starts(buf_view(&f.notes), STR("cloning file:///")));
    again(&f);
    open_and_read(&f, "git::file://%s//deploy?version=main", repository);
    CHECK_STR(buf_view(&f.text), STR("v2\n"), err_text(&f.e));
    CHECK(str_starts(buf_view(&f.notes), STR("warning: the prefix 'git::'")));
    again(&f);
    open_and_read(&f, "file://%s//deploy?ref=%s", repository, buf_cstr(&commit));
    CHECK_STR(buf_view(&f.text), STR("v1\n"), err_text(&f.e));
}

TEST(loader_clones_once_and_says_what_is_missing)
{
    static const struct {
        const char *rest;
        enum err_kind kind;
        const char *part;
    } rows[] = {
        {"//deploy?ref=none", ERR_IO, "couldn't find remote ref none"},
        {"//none", ERR_NOT_FOUND, "open directory 'none': No such file"},
        {"//deploy/app.yaml", ERR_INVALID, "is a file, not a directory"},
        {"-not-there//deploy", ERR_IO, "git fetch: exit status 128"},
    };
    AUTO(finish) struct fixture f = {0};
    const char *repository;

    start(&f);
    repository = repository_make();
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        open_and_read(&f, "file://%s%s", repository, rows[i].rest);
        CHECK_INT(f.e.kind, rows[i].kind, rows[i].rest);
        if (!str_contains(str_of(err_text(&f.e)), str_of(rows[i].part)))
            test_fail(__FILE__, __LINE__, "%s: got %s", rows[i].rest, err_text(&f.e));
        err_done(&f.e);
    }
    buf_clear(&f.notes);
    open_and_read(&f, "file://%s//deploy", repository);
    fetch_root_unref(TAKE(f.root));
    open_and_read(&f, "file://%s/deploy", repository);
    CHECK_STR(buf_view(&f.notes), STR_NONE, "HEAD was there already");
}

TEST(loader_runs_nothing_that_a_repository_or_its_user_put_in_the_way)
{
    AUTO(finish) struct fixture f = {0};
    AUTO(buf_done) struct buf ran = {0};
    const char *repository;

    start(&f);
    repository = repository_make();
    repository_shell(
        "mkdir -p hooks template/hooks; for h in post-checkout reference-transaction; do "
        "printf '#!/bin/sh\\ntouch %s/ran\\n' \"$PWD\" >hooks/$h; "
        "chmod +x hooks/$h; cp hooks/$h template/hooks; done; "
        "printf '[core]\\n hooksPath = %s/hooks\\n fsmonitor = %s/hooks/post-checkout\\n"
        "[init]\\n templateDir = %s/template\\n' \"$PWD\" \"$PWD\" \"$PWD\" >.gitconfig",
        NULL);
    env_list_set(&f.env, STR("GIT_DIR"), str_of(repository));
    env_list_set(&f.env, STR("GIT_TEMPLATE_DIR"), STR("/nonexistent"));
    env_replace(f.env.v);
    open_and_read(&f, "file://%s//deploy", repository);
    CHECK_STR(buf_view(&f.text), STR("v2\n"), err_text(&f.e));
    buf_addf(&ran, "%s/ran", test_tmp());
    CHECK(!file_exists(buf_cstr(&ran)));
}

TEST(loader_gets_submodules_over_allowed_protocols_only)
{
    AUTO(finish) struct fixture f = {0};
    const char *repository;

    start(&f);
    repository = repository_make();
    repository_shell(
        "cd shop.git; printf '[submodule \"x\"]\\n path = x\\n url = ext::sh -c touch%% "
        "ran\\n' >.gitmodules; git add .gitmodules; "
        "git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),x; "
        "git commit -qm bad",
        NULL);
    open_and_read(&f, "file://%s//deploy", repository);
    CHECK_INT(f.e.kind, ERR_IO, "refused");
    CHECK(str_contains(str_of(err_text(&f.e)), STR("transport 'ext' not allowed")));
    again(&f);
    open_and_read(&f, "file://%s//deploy?submodules=false", repository);
    CHECK_STR(buf_view(&f.text), STR("v2\n"), err_text(&f.e));
}

static void serve(struct fixture *f, struct cert_pair *ca, struct cert_pair *cert,
                  struct http_server **ret)
{
    struct cert_request request = {.common_name = "server", .is_server = true, .days = 1};
    struct http_server_options options = {.handler = repository_serve, .ctx = (void *)test_tmp()};
    AUTO(buf_done) struct buf path = {0};

    CHECK_INT(cert_make_authority("ca", 1, ca, &f->e), 0, err_text(&f->e));
    CHECK_INT(cert_make_signed(ca, &request, cert, &f->e), 0, err_text(&f->e));
    buf_addf(&path, "%s/ca.pem", test_tmp());
    CHECK_INT(file_replace(buf_cstr(&path), buf_view(&ca->cert_pem), NULL, &f->e), 0, "ca");
    options.cert_pem = buf_view(&cert->cert_pem);
    options.key_pem = buf_view(&cert->key_pem);
    *ret = http_server_start(&options, &f->e);
    CHECK_OK(&f->e);
    env_list_set(&f->env, STR("GIT_SSL_CAINFO"), buf_view(&path));
    env_replace(f->env.v);
}

TEST(loader_clones_over_https_and_trusts_no_stranger)
{
    AUTO(finish) struct fixture f = {0};
    AUTO(cert_pair_done) struct cert_pair ca = {0};
    AUTO(cert_pair_done) struct cert_pair cert = {0};
    AUTO(http_server_stop) struct http_server *server = NULL;
    int port;

    start(&f);
    (void)repository_make();
    serve(&f, &ca, &cert, &server);
    port = server ? http_server_port(server) : 0;
    open_and_read(&f, "https://127.0.0.1:%d/shop.git/deploy?ref=v1", port);
    CHECK_STR(buf_view(&f.text), STR("v1\n"), err_text(&f.e));
    again(&f);
    env_list_unset(&f.env, STR("GIT_SSL_CAINFO"));
    env_replace(f.env.v);
    open_and_read(&f, "https://127.0.0.1:%d/shop.git/deploy?ref=v1", port);
    CHECK(!f.root && str_contains(str_of(err_text(&f.e)), STR("certificate")));
}

TEST(loader_clones_over_ssh_as_git_speaks_it)
{
    AUTO(finish) struct fixture f = {0};
    AUTO(buf_done) struct buf command = {0}, seen = {0};

    start(&f);
    (void)repository_make();
    /* in place of ssh: notes what it is told and runs what the server would */
    repository_shell("printf '#!/bin/sh\\necho \"$*\" >>%s/ssh.log\\n"
                     "for last; do :; done; exec sh -c \"$last\"\\n' \"$PWD\" >ssh; chmod +x ssh",
                     NULL);
    buf_addf(&command, "%s/ssh", test_tmp());
    env_list_set(&f.env, STR("GIT_SSH_COMMAND"), buf_view(&command));
    env_replace(f.env.v);
    open_and_read(&f, "git@host.example:%s/shop.git//deploy?ref=v1", test_tmp());
    CHECK_STR(buf_view(&f.text), STR("v1\n"), err_text(&f.e));
    again(&f);
    open_and_read(&f, "ssh://me@host.example:2222%s/shop.git//deploy", test_tmp());
    CHECK_STR(buf_view(&f.text), STR("v2\n"), err_text(&f.e));
    repository_shell("cat ssh.log", &seen);
    CHECK(str_contains(buf_view(&seen), STR("git@host.example git-upload-pack '")));
    CHECK(str_contains(buf_view(&seen), STR("-p 2222 me@host.example git-upload-pack '")));
}

/* Asks for a password, and notes what it got. */
static bool ask_password(void *ctx, const struct tiny_request *req, int fd)
{
    struct buf *seen = ctx;
    str auth = tiny_header(req, "Authorization");

    buf_addf(seen, "%.*s\n", STR_ARG(auth));
    if (auth.len)
        return tiny_answer(fd, 403, NULL, STR("no"));
    return tiny_write(fd, STR("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"\r\n"
                              "Content-Length: 0\r\n\r\n"));
}

TEST(loader_hands_passwords_to_git_unseen)
{
    AUTO(finish) struct fixture f = {0};
    AUTO(buf_done) struct buf seen = {0}, argv = {0};
    struct tiny_server *server = tiny_start(ask_password, &seen);

    start(&f);
    repository_shell("mkdir bin; printf '#!/bin/sh\\necho \"$*\" >>%s/argv\\nPATH=${PATH#*:}; "
                     "exec git \"$@\"\\n' \"$PWD\" >bin/git; chmod +x bin/git",
                     NULL);
    put_bin_first(&f);
    open_and_read(&f, "http://me:s%%40crit@127.0.0.1:%d/acme/shop", tiny_port(server));
    tiny_stop(server);
    CHECK_INT(f.e.kind, ERR_IO, "403");
    CHECK(!str_contains(str_of(err_text(&f.e)), STR("crit")));
    CHECK(!str_contains(buf_view(&f.notes), STR("crit")));
    CHECK(str_contains(buf_view(&seen), STR("Basic bWU6c0Bjcml0"))); /* me:s@crit */
    repository_shell("cat argv", &argv);
    CHECK(str_contains(buf_view(&argv), STR("fetch")));
    CHECK(!str_contains(buf_view(&argv), STR("crit")));
}

TEST(loader_gives_git_the_time_of_the_url_and_no_more)
{
    AUTO(finish) struct fixture f = {0};
    AUTO(buf_done) struct buf ready = {0};

    start(&f);
    repository_shell("mkdir bin; printf '#!/bin/sh\\ncase \"$*\" in *fetch*--depth*) "
                     ": >%s/ready; sleep 600;; esac' \"$PWD\" >bin/git; chmod +x bin/git",
                     NULL);
    put_bin_first(&f);
    buf_addf(&ready, "%s/ready", test_tmp());
    clock_jumps_begin(buf_cstr(&ready));
    open_and_read(&f, "https://host/acme/shop?timeout=1h");
    clock_jumps_end();
    CHECK_INT(f.e.kind, ERR_TIMEOUT, err_text(&f.e));
    CHECK(str_contains(str_of(err_text(&f.e)), STR("git fetch took longer than 1h")));
}

TEST(loader_answers_offline_from_the_cache_by_commit)
{
    AUTO(finish) struct fixture f = {0};
    AUTO(buf_done) struct buf cache = {0};
    const char *repository;

    start(&f);
    repository = repository_make();
    buf_addf(&cache, "%s/cache", test_tmp());
    f.options.is_offline = true;
    again(&f);
    open_and_read(&f, "file://%s//deploy?ref=v1", repository);
    CHECK_INT(f.e.kind, ERR_UNAVAILABLE, "no cache");
    f.options.cache_dir = buf_cstr(&cache);
    again(&f);
    open_and_read(&f, "file://%s//deploy?ref=v1", repository);
    CHECK(str_contains(str_of(err_text(&f.e)), STR("offline, and file://")));
    f.options.is_offline = false;
    again(&f);
    open_and_read(&f, "file://%s//deploy?ref=v1", repository);
    CHECK_STR(buf_view(&f.text), STR("v1\n"), err_text(&f.e));
    CHECK(f.notes.len > 0);
    again(&f);
    open_and_read(&f, "file://%s//deploy?ref=v1", repository);
    CHECK_STR(buf_view(&f.notes), STR_NONE, "the same commit is not cloned again");
    CHECK_STR(buf_view(&f.text), STR("v1\n"), "but read");
    f.options.is_offline = true;
    again(&f);
    repository_shell("mv shop.git gone", NULL);
    open_and_read(&f, "file://%s//deploy?ref=v1", repository);
    CHECK_STR(buf_view(&f.text), STR("v1\n"), err_text(&f.e));
}

TEST(loader_follows_a_branch_that_moved_unless_a_lock_holds_it)
{
    AUTO(finish) struct fixture f = {0};
    AUTO(buf_done) struct buf cache = {0}, path = {0}, text = {0};
    AUTO(fetch_lock_free) struct fetch_lock *lock = NULL, *same = NULL;
    const char *repository;

    start(&f);
    repository = repository_make();
    buf_addf(&cache, "%s/cache", test_tmp());
    buf_addf(&path, "%s/grapnel.lock", test_tmp());
    lock = fetch_lock_load(buf_cstr(&path), &f.e);
    f.options.cache_dir = buf_cstr(&cache);
    f.options.lock = lock;
    again(&f);
    open_and_read(&f, "file://%s//deploy?ref=main", repository);
    CHECK_OK(&f.e);
    CHECK_INT(fetch_lock_save(lock, &f.e), 0, err_text(&f.e));
    repository_shell("cat grapnel.lock", &text);
    CHECK(str_contains(buf_view(&text), STR("  ref: main\n  url: file:///")));
    repository_shell("cd shop.git; echo v3 >deploy/app.yaml; git commit -qam three", NULL);
    same = fetch_lock_load(buf_cstr(&path), &f.e);
    f.options.lock = same;
    again(&f);
    open_and_read(&f, "file://%s//deploy?ref=main", repository);
    CHECK_INT(f.e.kind, ERR_CONFLICT, err_text(&f.e));
    f.options.cache_dir = NULL;
    again(&f);
    open_and_read(&f, "file://%s//deploy?ref=main", repository);
    CHECK_INT(f.e.kind, ERR_CONFLICT, "without a cache too");
    f.options.lock = NULL;
    again(&f);
    open_and_read(&f, "file://%s//deploy?ref=main", repository);
    CHECK_STR(buf_view(&f.text), STR("v3\n"), err_text(&f.e));
}

TEST(loader_lets_no_remote_repository_name_a_local_one)
{
    AUTO(finish) struct fixture f = {0};
    AUTO(cert_pair_done) struct cert_pair ca = {0};
    AUTO(cert_pair_done) struct cert_pair cert = {0};
    AUTO(http_server_stop) struct http_server *server = NULL;
    AUTO(buf_done) struct buf url = {0};
    struct fetch_root *sub;

    start(&f);
    buf_addf(&url, "file://%s//deploy", repository_make());
    serve(&f, &ca, &cert, &server);
    open_and_read(&f, "https://127.0.0.1:%d/shop.git/deploy",
                  server ? http_server_port(server) : 0);
    if (!f.root)
        return test_fail(__FILE__, __LINE__, "%s", err_text(&f.e));
    sub = fetch_loader_enter(f.loader, f.root, buf_view(&url), &f.e);
    CHECK(!sub && f.e.kind == ERR_DENIED);
    err_done(&f.e);
    sub = fetch_loader_enter(f.loader, f.root, STR("../../x"), &f.e);
    CHECK(!sub && f.e.kind != ERR_NONE);
}

static void enter_in_thread(void *ctx)
{
    AUTO(err_done) struct err e = {0};
    struct fixture *f = ctx;
    AUTO(buf_done) struct buf url = {0};
    AUTO(fetch_root_unref) struct fetch_root *root = NULL;

    buf_addf(&url, "file://%s/shop.git//deploy?ref=v1", test_tmp());
    root = fetch_loader_enter(f->loader, f->root, buf_view(&url), &e);
    CHECK(root != NULL);
    CHECK_OK(&e);
}

TEST(loader_serves_many_threads_with_one_clone)
{
    AUTO(finish) struct fixture f = {0};
    struct thread *threads[4];

    start(&f);
    (void)repository_make();
    f.root = fetch_loader_open(f.loader, str_of(test_tmp()), &f.e);
    CHECK_OK(&f.e);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        threads[i] = thread_start("enter", enter_in_thread, &f, &f.e);
    for (size_t i = 0; i < ARRAY_LEN(threads); i++)
        thread_join(threads[i]);
    CHECK_INT(str_find_char(buf_view(&f.notes), '\n'), (long long)f.notes.len - 1, "one note");
}

static bool answer_files(void *ctx, const struct tiny_request *req, int fd)
{
    (void)ctx;
    if (str_eq(req->target, STR("/a.yaml")))
        return tiny_answer(fd, 200, "text/plain", STR("a: 1\n"));
    if (str_eq(req->target, STR("/created")))
        return tiny_answer(fd, 203, NULL, STR("b: 2\n"));
    if (str_eq(req->target, STR("/away")))
        return tiny_write(fd, STR("HTTP/1.1 302 Found\r\nLocation: /a.yaml\r\n"
                                  "Content-Length: 0\r\n\r\n"));
    if (str_eq(req->target, STR("/acme/shop")) || str_eq(req->target, STR("/page")))
        return tiny_answer(fd, 200, "text/html; charset=utf-8", STR("<html>"));
    return tiny_answer(fd, str_eq(req->target, STR("/broken")) ? 500 : 404, NULL, STR("no"));
}

TEST(loader_reads_files_at_urls)
{
    static const struct {
        const char *path, *want;
        enum err_kind kind;
        int code;
    } rows[] = {
        {"/a.yaml", "a: 1\n", ERR_NONE, 0}, {"/created", "b: 2\n", ERR_NONE, 0},
        {"/away", "a: 1\n", ERR_NONE, 0},   {"/page", "<html>", ERR_NONE, 0},
        {"/acme/shop", "", ERR_INVALID, 0}, {"/none", "", ERR_NOT_FOUND, 404},
        {"/broken", "", ERR_IO, 500},
    };
    AUTO(finish) struct fixture f = {0};
    struct tiny_server *server = tiny_start(answer_files, NULL);

    start(&f);
    f.root = fetch_loader_open(f.loader, str_of(test_tmp()), &f.e);
    for (size_t i = 0; f.root && i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf url = {0}, text = {0};
        AUTO(err_done) struct err e = {0};

        buf_addf(&url, "HTTP://me:secret@127.0.0.1:%d%s", tiny_port(server), rows[i].path);
        (void)!fetch_loader_read(f.loader, f.root, buf_view(&url), &text, &e);
        CHECK_INT(e.kind, rows[i].kind, rows[i].path);
        CHECK_INT(e.code, rows[i].code, rows[i].path);
        CHECK_STR(buf_view(&text), str_of(rows[i].want), rows[i].path);
        CHECK(!str_contains(str_of(err_text(&e)), STR("secret")));
    }
    tiny_stop(server);
}

TEST(loader_keeps_files_for_offline_runs_and_holds_them_against_the_lock)
{
    AUTO(finish) struct fixture f = {0};
    AUTO(buf_done) struct buf url = {0}, cache = {0}, path = {0};
    AUTO(fetch_lock_free) struct fetch_lock *lock = NULL;
    struct tiny_server *server = tiny_start(answer_files, NULL);

    start(&f);
    buf_addf(&url, "http://127.0.0.1:%d/a.yaml", tiny_port(server));
    buf_addf(&cache, "%s/cache", test_tmp());
    buf_addf(&path, "%s/lock", test_tmp());
    lock = fetch_lock_load(buf_cstr(&path), &f.e);
    f.options.cache_dir = buf_cstr(&cache);
    f.options.lock = lock;
    again(&f);
    CHECK_INT(fetch_loader_read(f.loader, NULL, buf_view(&url), &f.text, &f.e), 0, "online");
    tiny_stop(server);
    f.options.is_offline = true;
    again(&f);
    CHECK_INT(fetch_loader_read(f.loader, NULL, buf_view(&url), &f.text, &f.e), 0, "offline");
    CHECK_STR(buf_view(&f.text), STR("a: 1\n"), err_text(&f.e));
    CHECK_INT(fetch_loader_read(f.loader, NULL, STR("http://127.0.0.1/x"), &f.text, &f.e), -1, "x");
    CHECK_INT(f.e.kind, ERR_UNAVAILABLE, err_text(&f.e));
    repository_shell("for f in cache/http/*; do echo changed >$f; done", NULL);
    again(&f);
    CHECK_INT(fetch_loader_read(f.loader, NULL, buf_view(&url), &f.text, &f.e), -1, "changed");
    CHECK_INT(f.e.kind, ERR_CONFLICT, err_text(&f.e));
}

TEST(lock_files_with_faults_are_refused_with_their_place)
{
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"sources:\n- url: https://host/a\n", "lock:2:3: a source needs url with sha256"},
        {"sources:\n- ref: x\n  commit: y\n", "lock:2:3: a source needs url"},
        {"sources: [\n", "lock:"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf path = {0};
        AUTO(fetch_lock_free) struct fetch_lock *lock = NULL;

        buf_addf(&path, "%s/lock", test_tmp());
        CHECK_INT(file_replace(buf_cstr(&path), str_of(rows[i].text), NULL, &e), 0, "write");
        lock = fetch_lock_load(buf_cstr(&path), &e);
        CHECK(!lock && e.kind == ERR_INVALID);
        if (!str_contains(str_of(err_text(&e)), str_of(rows[i].part)))
            test_fail(__FILE__, __LINE__, "%s: got %s", rows[i].text, err_text(&e));
    }
}
