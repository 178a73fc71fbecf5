#include "fetch/registry.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/sha256.h"
#include "fetch/registry_login.h"
#include "fetch/registry_priv.h"
#include "http/server.h"
#include "support/test.h"
#include "support/tiny_server.h"
#include "sys/env.h"
#include "sys/file.h"

TEST(registry_names_are_split_and_judged)
{
    static const struct {
        const char *text, *host, *path, *tag, *digest, *why;
    } rows[] = {
        {"localhost:5000/a/b:1.0", "localhost:5000", "a/b", "1.0", "", NULL},
        {"r.io/web", "r.io", "web", "", "", NULL},
        {"[::1]:5000/a-b__c.d/e:x", "[::1]:5000", "a-b__c.d/e", "x", "", NULL},
        {"r.io/a@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "r.io",
         "a", "", "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", NULL},
        {"r.io", "", "", "", "", "missing registry or repository"},
        {"/a", "", "", "", "", "missing registry or repository"},
        {"r.io/A", "", "", "", "", "invalid repository \"A\""},
        {"r.io/a//b", "", "", "", "", "invalid repository"},
        {"r.io/a___b", "", "", "", "", "invalid repository"},
        {"r.io/a-", "", "", "", "", "invalid repository"},
        {"r.io/../v2", "", "", "", "", "invalid repository"},
        {"r.io/a:", "", "", "", "", "invalid tag \"\""},
        {"r.io/a:1+2", "", "", "", "", "invalid tag \"1+2\""},
        {"r.io/a@sha256:12", "", "", "", "", "invalid digest"},
        {"r!o/a", "", "", "", "", "invalid registry \"r!o\""},
        {"user@r.io/a", "", "", "", "", "invalid registry"},
        {"r.io:x/a", "", "", "", "", "invalid registry"},
        {"[::1/a", "", "", "", "", "invalid registry"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        struct registry_name name;
        int rc = registry_name_parse(str_of(rows[i].text), &name, &e);

        CHECK_INT(rc, rows[i].why ? -1 : 0, rows[i].text);
        if (rows[i].why) {
            CHECK(str_contains(str_of(err_text(&e)), str_of(rows[i].why)));
            continue;
        }
        CHECK_STR(name.host, str_of(rows[i].host), rows[i].text);
        CHECK_STR(name.path, str_of(rows[i].path), rows[i].text);
        CHECK_STR(name.tag, str_of(rows[i].tag), rows[i].text);
        CHECK_STR(name.digest, str_of(rows[i].digest), rows[i].text);
    }
}

TEST(registry_challenges_are_read_whatever_their_shape)
{
    static const struct {
        const char *text;
        bool is_bearer, is_basic;
        const char *realm, *service, *scope;
    } rows[] = {
        {"Bearer realm=\"https://a/t\",service=\"s\",scope=\"repository:a/b:pull\"", true, false,
         "https://a/t", "s", "repository:a/b:pull"},
        {"Basic realm=\"x\", Bearer realm=\"https://t\"", true, true, "https://t", "", ""},
        {"bearer REALM=https", true, false, "https", "", ""},
        {"Bearer realm=\"a\\\"b\" , service = x", true, false, "a\"b", "", ""},
        {"Bearer realm=\"never ends", true, false, "never ends", "", ""},
        {"\"\"\"==,,", false, false, "", "", ""},
        {"Negotiate, Basic", false, true, "", "", ""},
        {"", false, false, "", "", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(registry_challenge_done) struct registry_challenge c = {0};

        registry_challenge_parse(str_of(rows[i].text), &c);
        CHECK_INT(c.is_bearer, rows[i].is_bearer, rows[i].text);
        CHECK_INT(c.is_basic, rows[i].is_basic, rows[i].text);
        CHECK_STR(buf_view(&c.realm), str_of(rows[i].realm), rows[i].text);
        CHECK_STR(buf_view(&c.service), str_of(rows[i].service), rows[i].text);
        CHECK_STR(buf_view(&c.scope), str_of(rows[i].scope), rows[i].text);
    }
}

/* ---- a registry that plays what a test wants */

#define BLOB "the bytes of a blob"
#define MANIFEST "{\"schemaVersion\":2}"

enum fault { FINE, BUSY, CUT, OTHER_BYTES, TOO_LONG, REDIRECT, LOST_UPLOAD };

struct fake {
    struct tiny_server *server;
    const char *elsewhere; /* of redirects */
    enum fault fault;
    size_t faults_left;
    bool wants_basic, wants_token, keeps_no_token; /* each token is good for one request */
    int tokens;                                    /* given out */
    char token[32];                                /* that is good now */
    bool saw_form, saw_password, saw_leak;
    char uploaded[64], manifest[64], scope[128];
};

static struct buf digest_of(const char *text)
{
    struct buf out = {0};

    buf_add_cstr(&out, "sha256:");
    sha256_hex(str_of(text), &out);
    return out;
}

static bool answer_with(int fd, int status, const char *headers, const char *body)
{
    AUTO(buf_done) struct buf text = {0};

    buf_addf(&text, "HTTP/1.1 %d X\r\n%sContent-Length: %zu\r\n\r\n%s", status, headers,
             strlen(body), body);
    return tiny_write(fd, buf_view(&text));
}

static bool give_token(struct fake *f, const struct tiny_request *req, int fd)
{
    AUTO(buf_done) struct buf body = {0};
    str scope;

    str_cut(req->target, '?', &scope);
    snprintf(f->scope, sizeof(f->scope), "%.*s", STR_ARG(scope));
    f->saw_password |=
        str_eq(tiny_header(req, "Authorization"), STR("Basic YW5uOnMzY3JldA==")); /* ann:s3cret */
    f->saw_form |= str_contains(req->body, STR("grant_type=refresh_token")) &&
                   str_contains(req->body, STR("refresh_token=id%2F1"));
    snprintf(f->token, sizeof(f->token), "t%d", ++f->tokens);
    buf_addf(&body, f->saw_form ? "{\"access_token\":\"%s\"}" : "{\"token\":\"%s\"}", f->token);
    return answer_with(fd, 200, "", buf_cstr(&body));
}

/* 0: let in; else the answer was given. */
static int at_the_door(struct fake *f, const struct tiny_request *req, int fd)
{
    str auth = tiny_header(req, "Authorization");
    AUTO(buf_done) struct buf head = {0};

    if (f->wants_basic && !str_eq(auth, STR("Basic YW5uOnMzY3JldA=="))) {
        answer_with(fd, 401, "WWW-Authenticate: Basic realm=\"x\"\r\n",
                    "{\"errors\":[{\"code\":\"UNAUTHORIZED\",\"message\":\"who are you\"}]}");
        return 1;
    }
    if (!f->wants_token)
        return 0;
    if (f->token[0] && str_starts(auth, STR("Bearer ")) &&
        str_eq(str_from(auth, 7), str_of(f->token))) {
        if (f->keeps_no_token)
            f->token[0] = '\0';
        return 0;
    }
    buf_addf(&head,
             "WWW-Authenticate: Bearer realm=\"%s/token\",service=\"the service\","
             "scope=\"repository:a/b:pull\"\r\n",
             tiny_url(f->server));
    answer_with(fd, 401, buf_cstr(&head), "");
    return 1;
}

static bool play_fault(struct fake *f, int fd)
{
    AUTO(buf_done) struct buf head = {0};

    switch (f->fault) {
    case BUSY:
        return answer_with(fd, 429, "", "{\"errors\":[{\"code\":\"TOOMANYREQUESTS\"}]}");
    case CUT:
        tiny_write(fd, STR("HTTP/1.1 200 OK\r\nContent-Length: 19\r\n\r\nthe"));
        return false;
    case OTHER_BYTES:
        return answer_with(fd, 200, "", "THE BYTES OF A BLOB");
    case TOO_LONG:
        return answer_with(fd, 200, "", BLOB "!");
    case REDIRECT:
        buf_addf(&head, "Location: %s\r\n", f->elsewhere);
        return answer_with(fd, 307, buf_cstr(&head), "");
    case LOST_UPLOAD:
        return answer_with(fd, 502, "", "");
    case FINE:
        break;
    }
    return false;
}

static bool serve_upload(struct fake *f, const struct tiny_request *req, int fd)
{
    if (str_starts(req->head, STR("POST")))
        return answer_with(fd, 202, "Location: /v2/a/b/blobs/uploads/7?state=x\r\n", "");
    if (f->fault == LOST_UPLOAD && f->faults_left) {
        f->faults_left--;
        return play_fault(f, fd);
    }
    snprintf(f->uploaded, sizeof(f->uploaded), "%.*s", STR_ARG(req->body));
    return answer_with(fd, 201, "", "");
}

static bool serve_tags(const struct tiny_request *req, int fd)
{
    if (str_contains(req->target, STR("last=2")))
        return answer_with(fd, 200, "", "{\"name\":\"a/b\",\"tags\":[\"3\",\"bad tag\",7]}");
    return answer_with(fd, 200, "Link: </v2/a/b/tags/list?last=2&n=2>; rel=\"next\"\r\n",
                       "{\"name\":\"a/b\",\"tags\":[\"1\",\"2\"]}");
}

static bool serve(void *ctx, const struct tiny_request *req, int fd)
{
    AUTO(buf_done) struct buf blob = digest_of(BLOB);
    struct fake *f = ctx;

    if (str_starts(req->target, STR("/token")))
        return give_token(f, req, fd);
    if (at_the_door(f, req, fd))
        return true;
    if (f->faults_left && f->fault != LOST_UPLOAD) {
        f->faults_left--;
        return play_fault(f, fd);
    }
    if (str_contains(req->target, STR("/blobs/uploads/")))
        return serve_upload(f, req, fd);
    if (str_starts(req->target, STR("/v2/a/b/tags/list")))
        return serve_tags(req, fd);
    if (str_ends(req->target, buf_view(&blob)))
        return answer_with(fd, 200, "", str_starts(req->head, STR("HEAD")) ? "" : BLOB);
    if (str_starts(req->head, STR("PUT /v2/a/b/manifests/"))) {
        snprintf(f->manifest, sizeof(f->manifest), "%.*s", STR_ARG(req->body));
        return answer_with(fd, 201, "", "");
    }
    if (str_starts(req->target, STR("/v2/a/b/manifests/")))
        return answer_with(fd, 200, "Content-Type: application/x; charset=y\r\n", MANIFEST);
    return answer_with(fd, str_eq(req->target, STR("/v2/")) ? 200 : 404, "", "");
}

struct fixture {
    struct fake fake;
    struct tiny_server *server;
    struct registry *registry;
    struct buf host;
    struct registry_name name;
    struct registry_descriptor blob;
    struct buf digest;
};

static void fixture_done(struct fixture *f)
{
    registry_free(f->registry);
    tiny_stop(f->server);
    buf_done(&f->host);
    buf_done(&f->digest);
}
AUTO_VALUE(struct fixture, fixture_done)

/* No file of the user's is read: the environment names an empty home. */
static void start(struct fixture *f, const struct registry_options *given)
{
    static char *env[3];
    AUTO(err_done) struct err e = {0};
    struct registry_options options = *given;

    env[0] = (char *)"HOME=/nowhere";
    env[1] = (char *)"PATH=/usr/bin:/bin";
    env_replace(env);
    options.first_wait_ms = 5;
    f->server = tiny_start(serve, &f->fake);
    f->fake.server = f->server;
    buf_addf(&f->host, "127.0.0.1:%d", tiny_port(f->server));
    f->registry = registry_new(&options, &e);
    CHECK_OK(&e);
    env_replace(NULL);
    f->name = (struct registry_name){.host = buf_view(&f->host), .path = STR("a/b")};
    f->digest = digest_of(BLOB);
    f->blob = (struct registry_descriptor){STR("x"), buf_view(&f->digest), strlen(BLOB)};
}

static const struct registry_options plain = {.is_plain_http = true};

static void check_blob(struct fixture *f, enum err_kind kind, const char *why)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf out = {0};
    int rc = registry_get_blob(f->registry, &f->name, &f->blob, 1 << 20, &out, &e);

    CHECK_INT(rc, kind == ERR_NONE ? 0 : -1, why);
    CHECK_INT(e.kind, kind, why);
    CHECK_STR(buf_view(&out), kind == ERR_NONE ? STR(BLOB) : STR_NONE, why);
    if (kind != ERR_NONE && !str_contains(str_of(err_text(&e)), str_of(why)))
        test_fail(__FILE__, __LINE__, "\"%s\" has no \"%s\"", err_text(&e), why);
}

TEST(registry_faults_of_blobs_are_told_or_outlasted)
{
    static const struct {
        enum fault fault;
        size_t times;
        enum err_kind kind;
        const char *why;
    } rows[] = {
        {FINE, 0, ERR_NONE, ""},
        {BUSY, 4, ERR_NONE, ""},
        {BUSY, 5, ERR_UNAVAILABLE, "response status code 429: toomanyrequests"},
        {CUT, 4, ERR_NONE, ""},
        {CUT, 5, ERR_UNAVAILABLE, "broke before the answer was complete"},
        {OTHER_BYTES, 1, ERR_CONFLICT, "digest mismatch"},
        {TOO_LONG, 1, ERR_CONFLICT, "size mismatch: 20 is not 19"},
    };
    AUTO(fixture_done) struct fixture f = {0};

    start(&f, &plain);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        f.fake.fault = rows[i].fault;
        f.fake.faults_left = rows[i].times;
        check_blob(&f, rows[i].kind, rows[i].why);
    }
    f.blob.size = 1 << 21;
    check_blob(&f, ERR_LIMIT, "has 2097152 bytes: more than 1048576");
    f.blob.size = -1;
    check_blob(&f, ERR_INVALID, "has no size");
    f.blob.digest = STR("sha512:00");
    check_blob(&f, ERR_INVALID, "digest \"sha512:00\" is not supported");
}

TEST(registry_manifests_are_held_against_their_digests)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(registry_manifest_done) struct registry_manifest m = {0}, other = {0};
    AUTO(buf_done) struct buf right = digest_of(MANIFEST), else_ = digest_of("x"), resolved = {0};
    AUTO(err_done) struct err e = {0}, wrong = {0};

    start(&f, &plain);
    CHECK(registry_get_manifest(f.registry, &f.name, buf_view(&right), &m, &e) == 0);
    CHECK_STR(buf_view(&m.text), STR(MANIFEST), "text");
    CHECK_STR(buf_view(&m.media_type), STR("application/x"), "media type");
    CHECK_STR(buf_view(&m.digest), buf_view(&right), "digest");
    CHECK(registry_get_manifest(f.registry, &f.name, buf_view(&else_), &other, &wrong) < 0);
    CHECK_INT(wrong.kind, ERR_CONFLICT, "another digest was asked for");
    CHECK(registry_resolve(f.registry, &f.name, STR("1"), &resolved, &e) == 0);
    CHECK_STR(buf_view(&resolved), buf_view(&right), "no header names it: it is computed");
    CHECK_OK(&e);
}

TEST(registry_tags_come_page_by_page)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(arena_done) struct arena arena = {0};
    AUTO(str_vec_done) struct str_vec tags = {0};
    AUTO(err_done) struct err e = {0};

    start(&f, &plain);
    CHECK(registry_get_tags(f.registry, &f.name, &arena, &tags, &e) == 0);
    CHECK_INT(tags.len, 3, "what is no tag is left out");
    CHECK_STR(vec_last(&tags), STR("3"), "last");
    CHECK_OK(&e);
}

TEST(registry_tokens_are_asked_for_once_and_again_when_they_expire)
{
    AUTO(fixture_done) struct fixture f = {0};
    struct registry_options options = plain;

    options.username = STR("ann");
    options.password = STR("s3cret");
    start(&f, &options);
    f.fake.wants_token = true;
    check_blob(&f, ERR_NONE, "");
    check_blob(&f, ERR_NONE, "");
    CHECK_INT(f.fake.tokens, 1, "kept by scope");
    CHECK(f.fake.saw_password);
    CHECK_STR(str_of(f.fake.scope),
              STR("service=the%20service&scope=repository%3Aa%2Fb%3Apull&account=ann"), "query");
    f.fake.keeps_no_token = true;
    check_blob(&f, ERR_NONE, "");
    check_blob(&f, ERR_NONE, "");
    CHECK_INT(f.fake.tokens, 2, "one that was refused is replaced");
}

TEST(registry_identity_tokens_are_posted)
{
    AUTO(fixture_done) struct fixture f = {0};
    struct registry_options options = plain;

    options.password = STR("id/1");
    start(&f, &options);
    f.fake.wants_token = true;
    check_blob(&f, ERR_NONE, "");
    CHECK(f.fake.saw_form);
    CHECK(!f.fake.saw_password);
}

TEST(registry_passwords_are_in_no_message)
{
    AUTO(fixture_done) struct fixture f = {0}, g = {0};
    struct registry_options options = plain;

    start(&f, &plain);
    f.fake.wants_basic = true;
    check_blob(&f, ERR_DENIED, "basic credential not found");
    options.username = STR("ann");
    options.password = STR("wrong-secret");
    start(&g, &options);
    g.fake.wants_basic = true;
    check_blob(&g, ERR_DENIED, "response status code 401: unauthorized: who are you");
    CHECK_INT(tiny_requests(g.server), 2, "a wrong password is sent once");
}

static bool storage(void *ctx, const struct tiny_request *req, int fd)
{
    bool *leaked = ctx;

    *leaked |= tiny_header(req, "Authorization").len > 0;
    return answer_with(fd, 200, "", BLOB);
}

TEST(registry_credentials_stay_where_they_belong_after_a_redirect)
{
    AUTO(fixture_done) struct fixture f = {0};
    struct registry_options options = plain;
    bool leaked = false;
    AUTO(tiny_stop) struct tiny_server *other = tiny_start(storage, &leaked);

    options.username = STR("ann");
    options.password = STR("s3cret");
    start(&f, &options);
    f.fake.wants_basic = true;
    f.fake.fault = REDIRECT;
    f.fake.faults_left = 1;
    f.fake.elsewhere = tiny_url(other);
    check_blob(&f, ERR_NONE, "");
    CHECK_INT(tiny_requests(other), 1, "the blob came from there");
    CHECK(!leaked);
}

static void answer_ping(void *ctx UNUSED, const struct http_server_request *req)
{
    struct http_reply reply = {.status = str_eq(req->target, STR("/v2/")) ? 200 : 404};

    http_call_reply(req->call, &reply);
}

TEST(registry_of_this_machine_may_be_plain)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf host = {0};
    struct http_server_options options = {.handler = answer_ping};
    AUTO(http_server_stop) struct http_server *server = http_server_start(&options, &e);
    AUTO(registry_free)
    struct registry *r = registry_new(&(struct registry_options){.first_wait_ms = 5}, &e);

    CHECK_OK(&e);
    buf_addf(&host, "localhost:%d", http_server_port(server));
    CHECK(registry_ping(r, buf_view(&host), &e) == 0);
    CHECK_OK(&e);
}

TEST(registry_uploads_begin_again_when_they_break)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf other = digest_of("another blob");

    start(&f, &plain);
    f.fake.wants_token = true;
    f.fake.fault = LOST_UPLOAD;
    f.fake.faults_left = 2;
    CHECK(registry_put_blob(f.registry, &f.name, buf_view(&other), STR("another blob"), &e) == 0);
    CHECK_STR(str_of(f.fake.uploaded), STR("another blob"), "uploaded");
    CHECK(str_contains(str_of(f.fake.scope), STR("pull%2Cpush")));
    f.fake.uploaded[0] = '\0';
    CHECK(registry_put_blob(f.registry, &f.name, buf_view(&f.digest), STR(BLOB), &e) == 0);
    CHECK_STR(str_of(f.fake.uploaded), STR(""), "what is there is not sent");
    CHECK(registry_put_manifest(f.registry, &f.name, STR("1"), STR("application/x"), STR(MANIFEST),
                                &e) == 0);
    CHECK_STR(str_of(f.fake.manifest), STR(MANIFEST), "manifest");
    CHECK(registry_ping(f.registry, f.name.host, &e) == 0);
    CHECK_OK(&e);
}

/* ---- credentials in files */

static void write_file(const char *path, const char *text, unsigned mode)
{
    AUTO(err_done) struct err e = {0};

    CHECK(file_replace(path, str_of(text), &(struct file_replace){.mode = mode}, &e) == 0);
    CHECK(chmod(path, mode) == 0);
}

static void check_login(const char *config, const char *host, const char *user,
                        const char *password)
{
    AUTO(registry_login_done) struct registry_login login = {0};
    AUTO(err_done) struct err e = {0};

    CHECK(registry_login_find(config, str_of(host), NULL, &login, &e) == 0);
    CHECK_STR(buf_view(&login.username), str_of(user), host);
    CHECK_STR(buf_view(&login.password), str_of(password), host);
    CHECK_OK(&e);
}

TEST(registry_logins_are_found_in_every_spelling)
{
    AUTO(buf_done) struct buf path = {0};
    AUTO(registry_login_done) struct registry_login token = {0}, none = {0};
    AUTO(err_done) struct err e = {0};

    buf_addf(&path, "%s/config.json", test_tmp());
    write_file(buf_cstr(&path),
               "{\"auths\":{\"r.io\":{\"auth\":\"YW5uOmE6Yg==\"},"
               "\"https://old.io/v1/\":{\"username\":\"u\",\"password\":\"p\"},"
               "\"https://index.docker.io/v1/\":{\"auth\":\"aHViOng=\"},"
               "\"t.io\":{\"auth\":\"!\",\"identitytoken\":\"id\"}}}",
               0600);
    check_login(buf_cstr(&path), "r.io", "ann", "a:b");
    check_login(buf_cstr(&path), "old.io", "u", "p");
    check_login(buf_cstr(&path), "registry-1.docker.io", "hub", "x");
    check_login(buf_cstr(&path), "docker.io", "hub", "x");
    check_login(buf_cstr(&path), "other.io", "", "");
    CHECK(registry_login_find(buf_cstr(&path), STR("t.io"), NULL, &token, &e) == 0);
    CHECK_STR(buf_view(&token.identity), STR("id"), "identity token");
    write_file(buf_cstr(&path), "[]", 0600);
    CHECK(registry_login_find(buf_cstr(&path), STR("t.io"), NULL, &none, &e) < 0);
    CHECK_INT(e.kind, ERR_INVALID, "a list is no config");
}

TEST(registry_logins_are_kept_for_their_owner_alone)
{
    AUTO(buf_done) struct buf path = {0}, text = {0};
    AUTO(registry_login_done) struct registry_login login = {0};
    AUTO(err_done) struct err e = {0};
    struct stat st;

    buf_addf(&path, "%s/new/config.json", test_tmp());
    buf_add_cstr(&login.username, "ann");
    buf_add_cstr(&login.password, "s3cret");
    CHECK(registry_login_store(buf_cstr(&path), STR("r.io"), &login, NULL, &e) == 0);
    CHECK(stat(buf_cstr(&path), &st) == 0 && (st.st_mode & 0777) == 0600);
    check_login(buf_cstr(&path), "r.io", "ann", "s3cret");
    write_file(buf_cstr(&path), "{\"x\":1,\"auths\":{\"https://r.io/v1/\":{}}}", 0644);
    CHECK(registry_login_store(buf_cstr(&path), STR("r.io"), &login, NULL, &e) == 0);
    CHECK(stat(buf_cstr(&path), &st) == 0 && (st.st_mode & 0777) == 0600);
    CHECK(registry_login_erase(buf_cstr(&path), STR("r.io"), NULL, &e) == 0);
    CHECK(registry_login_erase(buf_cstr(&path), STR("r.io"), NULL, &e) == 0);
    CHECK(file_read(buf_cstr(&path), 1000, &text, &e) == 0);
    CHECK_STR(buf_view(&text), STR("{\n  \"x\": 1,\n  \"auths\": {}\n}"), "what else is there");
    CHECK_OK(&e);
}

TEST(registry_credential_programs_are_told_by_their_input)
{
    AUTO(buf_done) struct buf config = {0}, program = {0}, path_var = {0}, seen = {0};
    AUTO(registry_login_done) struct registry_login login = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(mem_free_str) char *before = mem_strdup(getenv("PATH"));

    buf_addf(&config, "%s/config.json", test_tmp());
    buf_addf(&program, "%s/docker-credential-fake", test_tmp());
    buf_addf(&path_var, "%s:%s", test_tmp(), before);
    write_file(
        buf_cstr(&program),
        "#!/bin/sh\nread -r line; echo \"$# $1 $line\" >>\"${0%/*}/seen\"\n"
        "case \"$1 $line\" in\n"
        "\"get r.io\") echo '{\"ServerURL\":\"r.io\",\"Username\":\"ann\",\"Secret\":\"pw\"}';;\n"
        "\"get t.io\") echo '{\"Username\":\"<token>\",\"Secret\":\"id\"}';;\n"
        "get*) echo 'credentials not found in native keychain'; exit 1;;\n"
        "esac\n",
        0700);
    write_file(buf_cstr(&config),
               "{\"credsStore\":\"none-such\",\"credHelpers\":{\"r.io\":\"fake\","
               "\"t.io\":\"fake\",\"x.io\":\"fake\",\"evil.io\":\"../fake\"}}",
               0600);
    CHECK(setenv("PATH", buf_cstr(&path_var), 1) == 0);
    check_login(buf_cstr(&config), "r.io", "ann", "pw");
    check_login(buf_cstr(&config), "x.io", "", "");
    check_login(buf_cstr(&config), "evil.io", "", "");
    check_login(buf_cstr(&config), "other.io", "", "");
    CHECK(registry_login_find(buf_cstr(&config), STR("t.io"), NULL, &login, &e) == 0);
    CHECK_STR(buf_view(&login.identity), STR("id"), "identity token");
    CHECK(registry_login_store(buf_cstr(&config), STR("r.io"), &login, NULL, &e) == 0);
    CHECK(registry_login_erase(buf_cstr(&config), STR("r.io"), NULL, &e) == 0);
    CHECK(registry_login_store(buf_cstr(&config), STR("other.io"), &login, NULL, &e) < 0);
    CHECK(setenv("PATH", before, 1) == 0);
    buf_clear(&program);
    buf_addf(&program, "%s/seen", test_tmp());
    err_done(&e);
    CHECK(file_read(buf_cstr(&program), 1000, &seen, &e) == 0);
    CHECK_STR(buf_view(&seen),
              STR("1 get r.io\n1 get x.io\n1 get t.io\n"
                  "1 store {\"ServerURL\":\"r.io\",\"Username\":\"<token>\",\"Secret\":\"id\"}\n"
                  "1 erase r.io\n"),
              "what the program was given");
}
