#include "http/client.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "support/clock_jump.h"
#include "support/test.h"
#include "support/tiny_server.h"

static struct http_client *client(void)
{
    AUTO(err_done) struct err e = {0};
    struct http_client *c = http_client_new(&(struct http_client_options){0}, &e);

    CHECK_OK(&e);
    return c;
}

static str url_of(struct buf *out, const struct tiny_server *s, const char *path)
{
    buf_clear(out);
    buf_addf(out, "%s%s", tiny_url(s), path);
    return buf_view(out);
}

/* Plays the fault, or the answer, that the path names. */
static bool play(void *ctx, const struct tiny_request *req, int fd)
{
    str path = str_cut(req->target, '?', NULL);

    (void)ctx;
    if (str_eq(path, STR("/echo")))
        return tiny_answer(fd, 200, "text/plain", req->body);
    if (str_eq(path, STR("/head")))
        return tiny_answer(fd, 200, "text/plain", req->head);
    if (str_eq(path, STR("/404")))
        return tiny_answer(fd, 404, NULL, STR("no such thing"));
    if (str_eq(path, STR("/chunked")))
        return tiny_write(
            fd, STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Two:  a b \r\n\r\n"
                    "5\r\nhello\r\n7;x=y\r\n, world\r\n0\r\n\r\n"));
    if (str_eq(path, STR("/bad-chunk"))) {
        tiny_write(fd, STR("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n"));
        return false;
    }
    if (str_eq(path, STR("/half"))) {
        tiny_write(fd, STR("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"));
        return false;
    }
    if (str_eq(path, STR("/reset"))) {
        tiny_reset(fd);
        return false;
    }
    if (str_eq(path, STR("/folded")))
        return tiny_write(fd, STR("HTTP/1.1 200 OK\r\n folded: x\r\nContent-Length: 0\r\n\r\n"));
    if (str_eq(path, STR("/garbage"))) {
        tiny_write(fd, STR("\x16\x03\x01 this is not HTTP\r\n\r\n"));
        return false;
    }
    if (str_eq(path, STR("/redirect")))
        return tiny_write(
            fd, STR("HTTP/1.1 302 Found\r\nLocation: /head\r\nContent-Length: 4\r\n\r\nmove"));
    if (str_eq(path, STR("/loop")))
        return tiny_write(
            fd, STR("HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n"));
    if (str_eq(path, STR("/slow"))) {
        char byte;

        clock_jump(2 * CLOCK_HOUR);    /* where a test has such a clock */
        return read(fd, &byte, 1) > 0; /* never answers; ends when the client leaves */
    }
    if (str_eq(path, STR("/huge-header"))) {
        AUTO(buf_done) struct buf out = {0};

        buf_add_cstr(&out, "HTTP/1.1 200 OK\r\n");
        for (int i = 0; i < 40; i++) {
            buf_addf(&out, "X-%d: ", i);
            buf_add_repeat(&out, 'x', 10000);
            buf_add_cstr(&out, "\r\n");
        }
        buf_add_cstr(&out, "Content-Length: 0\r\n\r\n");
        return tiny_write(fd, buf_view(&out));
    }
    return tiny_answer(fd, 500, NULL, STR("what?"));
}

static int get(struct http_client *c, struct tiny_server *s, const char *path,
               struct http_response *ret, struct err *e)
{
    AUTO(buf_done) struct buf url = {0};
    struct http_request req = {.method = "GET", .url = url_of(&url, s, path)};

    return http_call(c, &req, NULL, ret, e);
}

TEST(an_answer_of_any_status_is_an_answer)
{
    AUTO(tiny_stop) struct tiny_server *s = tiny_start(play, NULL);
    AUTO(http_client_free) struct http_client *c = client();
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(err_done) struct err e = {0};

    CHECK_INT(get(c, s, "/404", &r, &e), 0, "404");
    CHECK_INT(r.status, 404, "404");
    CHECK_STR(buf_view(&r.body), STR("no such thing"), "body");
    CHECK_INT(get(c, s, "/chunked", &r, &e), 0, "chunked");
    CHECK_STR(buf_view(&r.body), STR("hello, world"), "chunked");
    CHECK_STR(http_response_header(&r, "x-two"), STR("a b"), "header");
    CHECK_STR(http_response_header(&r, "x-three"), STR(""), "no header");
    CHECK_INT(tiny_connections(s), 1, "kept alive");
}

TEST(methods_bodies_and_headers_arrive)
{
    static const char *const methods[] = {"POST", "PUT", "PATCH", "DELETE"};
    AUTO(tiny_stop) struct tiny_server *s = tiny_start(play, NULL);
    AUTO(http_client_free) struct http_client *c = client();
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf url = {0};
    struct http_header headers[] = {{STR("Content-Type"), STR("application/x-y")},
                                    {STR("X-Empty"), STR("")}};

    for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
        struct http_request req = {.method = methods[i],
                                   .url = url_of(&url, s, "/echo"),
                                   .headers = headers,
                                   .header_count = ARRAY_LEN(headers),
                                   .body = STR("payload")};

        CHECK_INT(http_call(c, &req, NULL, &r, &e), 0, methods[i]);
        CHECK_STR(buf_view(&r.body), STR("payload"), methods[i]);
        req.url = url_of(&url, s, "/head");
        CHECK_INT(http_call(c, &req, NULL, &r, &e), 0, methods[i]);
        CHECK(str_starts(buf_view(&r.body), str_of(methods[i])));
        CHECK(str_contains(buf_view(&r.body), STR("Content-Type: application/x-y\r\n")));
        CHECK(str_contains(buf_view(&r.body), STR("X-Empty:\r\n")));
        CHECK(str_contains(buf_view(&r.body), STR("User-Agent: grapnel/")));
        CHECK(!str_contains(buf_view(&r.body), STR("Expect")));
    }
    CHECK_INT(get(c, s, "/head", &r, &e), 0, "nothing stays behind");
    CHECK(str_starts(buf_view(&r.body), STR("GET /head HTTP/1.1\r\n")));
    CHECK(!str_contains(buf_view(&r.body), STR("X-Empty")));
    CHECK(!str_contains(buf_view(&r.body), STR("Content-")));
}

TEST(broken_answers_are_errors_that_say_so)
{
    static const struct {
        const char *path;
        enum err_kind kind;
        enum http_failure failure;
    } rows[] = {
        {"/half", ERR_UNAVAILABLE, HTTP_BROKEN}, {"/reset", ERR_UNAVAILABLE, HTTP_BROKEN},
        {"/garbage", ERR_IO, HTTP_NOT_HTTP},     {"/bad-chunk", ERR_UNAVAILABLE, HTTP_BROKEN},
        {"/huge-header", ERR_LIMIT, HTTP_OTHER},
    };
    AUTO(tiny_stop) struct tiny_server *s = tiny_start(play, NULL);
    AUTO(http_client_free) struct http_client *c = client();
    AUTO(http_response_done) struct http_response r = {0};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};

        CHECK_INT(get(c, s, rows[i].path, &r, &e), -1, rows[i].path);
        CHECK_INT(e.kind, rows[i].kind, err_text(&e));
        CHECK_INT(r.failure, rows[i].failure, err_text(&e));
        CHECK(r.was_sent);
    }
}

/* libcurl 7.88 read freed memory here when the two requests shared a handle. */
TEST(an_answer_that_begins_with_a_folded_line_is_refused)
{
    AUTO(tiny_stop) struct tiny_server *s = tiny_start(play, NULL);
    AUTO(http_client_free) struct http_client *c = client();
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(err_done) struct err e = {0};

    CHECK_INT(get(c, s, "/404", &r, &e), 0, "leaves headers behind");
    CHECK_INT(get(c, s, "/folded", &r, &e), -1, "folded");
    CHECK_INT(e.kind, ERR_IO, err_text(&e));
}

TEST(requests_that_cannot_be_sent_say_why)
{
    AUTO(tiny_stop) struct tiny_server *s = tiny_start(play, NULL);
    AUTO(http_client_free) struct http_client *c = client();
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf url = {0};
    struct http_header evil = {STR("X"), STR("a\r\nHost: b")};
    struct http_request req = {.method = "GET"};

    req.url = STR("http://u:hush@127.0.0.1:1/x");
    CHECK_INT(http_call(c, &req, NULL, &r, &e), -1, "refused");
    CHECK_INT(e.kind, ERR_UNAVAILABLE, "refused");
    CHECK_INT(e.code, ECONNREFUSED, "refused");
    CHECK_INT(r.failure, HTTP_REFUSED, "refused");
    CHECK(!r.was_sent);
    CHECK(str_starts(str_of(err_text(&e)), STR("http://127.0.0.1:1: connection refused")));
    CHECK(!str_contains(str_of(err_text(&e)), STR("hush")));
    req.url = STR("http://no-such-host.invalid/");
    CHECK_INT(http_call(c, &req, NULL, &r, &e), -1, "dns");
    CHECK_INT(r.failure, HTTP_UNKNOWN, err_text(&e));
    req.url = STR("ftp://h/");
    CHECK_INT(http_call(c, &req, NULL, &r, &e), -1, "scheme");
    CHECK_INT(e.kind, ERR_INVALID, "scheme");
    req.url = url_of(&url, s, "/echo");
    req.headers = &evil;
    req.header_count = 1;
    CHECK_INT(http_call(c, &req, NULL, &r, &e), -1, "line end in a header");
    CHECK_INT(e.kind, ERR_INVALID, "header");
    CHECK_INT(tiny_requests(s), 0, "nothing was sent");
}

TEST(a_handshake_that_never_ends_is_given_up)
{
    AUTO(tiny_stop) struct tiny_server *s = tiny_start(play, NULL);
    AUTO(err_done) struct err e = {0};
    AUTO(http_client_free)
    struct http_client *c =
        http_client_new(&(struct http_client_options){.connect_timeout_ms = 100}, &e);
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(buf_done) struct buf url = {0};
    struct http_request req = {.method = "GET"};

    buf_addf(&url, "https://127.0.0.1:%d/echo", tiny_port(s)); /* it waits for an HTTP request */
    req.url = buf_view(&url);
    CHECK_INT(http_call(c, &req, NULL, &r, &e), -1, "no TLS there");
    CHECK_INT(r.failure, HTTP_UNREACHED, err_text(&e));
    CHECK(!r.was_sent);
}

TEST(redirects_are_followed_when_asked_and_take_no_credentials_along)
{
    AUTO(tiny_stop) struct tiny_server *s = tiny_start(play, NULL);
    AUTO(http_client_free) struct http_client *c = client();
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf url = {0};
    struct http_header auth = {STR("Authorization"), STR("Bearer hush")};
    struct http_request req = {
        .method = "GET", .url = url_of(&url, s, "/redirect"), .headers = &auth, .header_count = 1};

    CHECK_INT(http_call(c, &req, NULL, &r, &e), 0, "not followed");
    CHECK_INT(r.status, 302, "not followed");
    req.max_redirects = 3;
    CHECK_INT(http_call(c, &req, NULL, &r, &e), 0, "followed");
    CHECK_INT(r.status, 200, "followed");
    CHECK(str_contains(buf_view(&r.body), STR("Bearer hush"))); /* the same host */
    CHECK(!str_contains(buf_view(&r.headers), STR("location")));
    req.url = url_of(&url, s, "/loop");
    CHECK_INT(http_call(c, &req, NULL, &r, &e), -1, "loop");
    CHECK_INT(e.kind, ERR_LIMIT, "loop");
}

static bool redirect_to(void *ctx, const struct tiny_request *req, int fd)
{
    AUTO(buf_done) struct buf out = {0};

    (void)req;
    buf_addf(&out, "HTTP/1.1 307 Go\r\nLocation: %s/head\r\nContent-Length: 0\r\n\r\n",
             tiny_url(ctx));
    return tiny_write(fd, buf_view(&out));
}

TEST(credentials_stay_with_their_host)
{
    AUTO(tiny_stop) struct tiny_server *other = tiny_start(play, NULL);
    AUTO(tiny_stop) struct tiny_server *s = tiny_start(redirect_to, other);
    AUTO(http_client_free) struct http_client *c = client();
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(err_done) struct err e = {0};
    struct http_header headers[] = {{STR("Authorization"), STR("Bearer hush")},
                                    {STR("Cookie"), STR("hush=1")}};
    struct http_request req = {.method = "GET",
                               .url = str_of(tiny_url(s)),
                               .headers = headers,
                               .header_count = 2,
                               .max_redirects = 1};

    CHECK_INT(http_call(c, &req, NULL, &r, &e), 0, "followed");
    CHECK_INT(r.status, 200, "followed");
    CHECK(!str_contains(buf_view(&r.body), STR("hush")));
}

TEST(bodies_have_a_limit)
{
    AUTO(tiny_stop) struct tiny_server *s = tiny_start(play, NULL);
    AUTO(http_client_free) struct http_client *c = client();
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf url = {0}, body = {0};
    struct http_request req = {.method = "POST", .url = url_of(&url, s, "/echo")};

    buf_add_repeat(&body, 'x', 100000);
    req.body = buf_view(&body);
    req.max_body = 100000;
    CHECK_INT(http_call(c, &req, NULL, &r, &e), 0, "as large as allowed");
    CHECK_INT(r.body.len, 100000, "as large as allowed");
    req.max_body = 99999;
    CHECK_INT(http_call(c, &req, NULL, &r, &e), -1, "too large");
    CHECK_INT(e.kind, ERR_LIMIT, "too large");
}

TEST(a_deadline_and_a_cancel_end_a_call_at_once)
{
    AUTO(tiny_stop) struct tiny_server *s = tiny_start(play, NULL);
    AUTO(http_client_free) struct http_client *c = client();
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf url = {0};
    AUTO(cancel_free) struct cancel *cancel = NULL;
    struct http_request req = {.method = "GET", .url = url_of(&url, s, "/slow")};

    clock_jumps_begin(NULL);
    cancel = cancel_new(NULL, clock_after(CLOCK_HOUR));
    CHECK_INT(http_call(c, &req, cancel, &r, &e), -1, "deadline");
    CHECK_INT(e.kind, ERR_TIMEOUT, "deadline");
    CHECK(r.was_sent);
    CHECK_INT(http_call(c, &req, cancel, &r, &e), -1, "before it starts");
    CHECK_INT(e.kind, ERR_TIMEOUT, "before it starts");
    CHECK(!r.was_sent);
    CHECK_INT(tiny_requests(s), 1, "the second was never sent");
    clock_jumps_end();
}

static void *trigger_soon(void *cancel)
{
    usleep(30000);
    cancel_trigger(cancel, ERR_CANCELED, "interrupted");
    return NULL;
}

TEST(a_cancel_from_another_thread_wakes_a_call)
{
    AUTO(tiny_stop) struct tiny_server *s = tiny_start(play, NULL);
    AUTO(http_client_free) struct http_client *c = client();
    AUTO(http_response_done) struct http_response r = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf url = {0};
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, CLOCK_NEVER);
    struct http_request req = {.method = "GET", .url = url_of(&url, s, "/slow")};
    pthread_t thread;

    pthread_create(&thread, NULL, trigger_soon, cancel);
    CHECK_INT(http_call(c, &req, cancel, &r, &e), -1, "cancel");
    CHECK_INT(e.kind, ERR_CANCELED, "cancel");
    CHECK(str_contains(str_of(err_text(&e)), STR("interrupted")));
    pthread_join(thread, NULL);
}

/* ---- many at once */
struct caller {
    struct http_client *client;
    const char *url;
    pthread_t thread;
    int good;
};

static void *call_many(void *arg)
{
    struct caller *caller = arg;
    AUTO(http_response_done) struct http_response r = {0};

    for (int i = 0; i < 20; i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf url = {0}, body = {0};
        struct http_request req = {.method = "POST"};

        buf_addf(&url, "%s/echo", caller->url);
        buf_addf(&body, "%p %d", (void *)caller, i);
        req.url = buf_view(&url);
        req.body = buf_view(&body);
        if (http_call(caller->client, &req, NULL, &r, &e) == 0)
            caller->good += str_eq(buf_view(&r.body), buf_view(&body));
    }
    return NULL;
}

TEST(many_threads_share_a_client_and_its_connections)
{
    AUTO(tiny_stop) struct tiny_server *s = tiny_start(play, NULL);
    AUTO(http_client_free) struct http_client *c = client();
    struct caller callers[40] = {0};

    for (size_t i = 0; i < ARRAY_LEN(callers); i++) {
        callers[i].client = c;
        callers[i].url = tiny_url(s);
        pthread_create(&callers[i].thread, NULL, call_many, &callers[i]);
    }
    for (size_t i = 0; i < ARRAY_LEN(callers); i++) {
        pthread_join(callers[i].thread, NULL);
        CHECK_INT(callers[i].good, 20, "each got its own answers");
    }
    CHECK(tiny_connections(s) <= 28); /* 24, and what died on the way */
}
