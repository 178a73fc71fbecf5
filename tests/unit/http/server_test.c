#include "http/server.h"

#include "http/client.h"
#include "support/test.h"
#include "sys/thread.h"

/* Answers by path; /later is kept and answered by another thread, /stream tells ten numbers, each
 * woken by that thread. */
struct host {
    struct http_call *kept;
    struct http_stream *stream;
    int told, allowed;
    bool is_done;
    struct cancel *on_start; /* triggered when a stream has started; may be NULL */
    pthread_mutex_t lock;
    pthread_cond_t cond;
};

static ssize_t read_numbers(void *ctx, char *out, size_t max)
{
    struct host *h = ctx;

    LOCK_SCOPE(&h->lock);
    if (h->told == 10)
        return HTTP_STREAM_END;
    if (h->told == h->allowed || max < 2)
        return HTTP_STREAM_WAIT;
    out[0] = (char)('0' + h->told++);
    return 1;
}

static void numbers_done(void *ctx)
{
    struct host *h = ctx;

    LOCK_SCOPE(&h->lock);
    h->stream = NULL;
    h->is_done = true;
    pthread_cond_broadcast(&h->cond);
}

static void numbers_started(void *ctx, struct http_stream *stream)
{
    struct host *h = ctx;

    LOCK_SCOPE(&h->lock);
    h->stream = stream;
    pthread_cond_broadcast(&h->cond);
    if (h->on_start)
        cancel_trigger(h->on_start, ERR_CANCELED, "the stream is there");
}

static void answer(struct http_call *call, int status, str text, int64_t cut_after)
{
    struct http_reply reply = {
        .status = status, .content_type = "text/plain", .cut_after = cut_after};

    buf_add_str(&reply.body, text);
    http_call_reply(call, &reply);
}

static void on_request(void *ctx, const struct http_server_request *req)
{
    static const struct http_source numbers = {read_numbers, numbers_done};
    struct host *h = ctx;

    if (str_eq(req->target, STR("/later"))) {
        LOCK_SCOPE(&h->lock);
        h->kept = req->call;
        pthread_cond_broadcast(&h->cond);
    } else if (str_eq(req->target, STR("/stream"))) {
        http_call_stream(req->call, 200, "text/plain", &numbers, h, numbers_started);
    } else if (str_eq(req->target, STR("/cut"))) {
        http_call_cut(req->call);
    } else if (str_eq(req->target, STR("/half"))) {
        answer(req->call, 200, STR("promised"), 4);
    } else if (str_starts(req->target, STR("/header"))) {
        answer(req->call, 200, http_call_header(req->call, "x-word"), 0);
    } else {
        answer(req->call, 200, req->body.len ? req->body : req->target, 0);
    }
}

static void helper(void *ctx)
{
    struct host *h = ctx;
    clock_ms end = clock_after(TEST_PATIENCE_MS);

    LOCK_SCOPE(&h->lock);
    while (!h->kept && !h->stream && clock_now() < end)
        thread_cond_wait(&h->cond, &h->lock, end);
    if (h->kept)
        answer(TAKE(h->kept), 200, STR("late"), 0);
    while (h->stream && h->allowed < 10) {
        h->allowed++;
        http_stream_wake(h->stream);
        thread_cond_wait(&h->cond, &h->lock, clock_after(1));
    }
}

struct rig {
    struct host host;
    struct http_server *server;
    struct http_client *client;
};

static void rig_start(struct rig *r, size_t max_body)
{
    AUTO(err_done) struct err e = {0};
    struct http_server_options o = {.handler = on_request, .ctx = &r->host, .max_body = max_body};

    pthread_mutex_init(&r->host.lock, NULL);
    thread_cond_init(&r->host.cond);
    r->server = http_server_start(&o, &e);
    r->client = http_client_new(&(struct http_client_options){0}, &e);
    CHECK_OK(&e);
}

static void rig_stop(struct rig *r)
{
    http_client_free(r->client);
    http_server_stop(r->server);
    pthread_cond_destroy(&r->host.cond);
    pthread_mutex_destroy(&r->host.lock);
}

static int ask(struct rig *r, const char *method, const char *path, str body, struct buf *out)
{
    AUTO(err_done) struct err e = {0};
    AUTO(http_response_done) struct http_response response = {0};
    AUTO(buf_done) struct buf url = {0};
    struct http_header h = {STR("X-Word"), STR("hi there")};
    struct http_request req = {.method = method, .headers = &h, .header_count = 1, .body = body};

    buf_addf(&url, "http://127.0.0.1:%u%s", http_server_port(r->server), path);
    req.url = buf_view(&url);
    buf_clear(out);
    if (http_call(r->client, &req, NULL, &response, &e) < 0)
        return -1;
    buf_add_str(out, buf_view(&response.body));
    return response.status;
}

TEST(server_answers_with_target_body_and_headers_as_sent)
{
    AUTO(buf_done) struct buf out = {0};
    struct rig r = {0};

    rig_start(&r, 100);
    CHECK_INT(ask(&r, "GET", "/a%2Fb?c=%20d+e", STR_NONE, &out), 200, "target");
    CHECK_STR(buf_view(&out), STR("/a%2Fb?c=%20d+e"), "not decoded");
    CHECK_INT(ask(&r, "POST", "/x", STR("some text"), &out), 200, "body");
    CHECK_STR(buf_view(&out), STR("some text"), "body");
    CHECK_INT(ask(&r, "GET", "/header", STR_NONE, &out), 200, "header");
    CHECK_STR(buf_view(&out), STR("hi there"), "header");
    {
        AUTO(buf_done) struct buf big = {0};

        buf_add_repeat(&big, 'x', 101);
        CHECK_INT(ask(&r, "POST", "/x", buf_view(&big), &out), 413, "too large");
    }
    rig_stop(&r);
}

TEST(server_cuts_what_it_is_told_to_cut)
{
    AUTO(buf_done) struct buf out = {0};
    struct rig r = {0};

    rig_start(&r, 0);
    CHECK_INT(ask(&r, "GET", "/cut", STR_NONE, &out), -1, "no answer");
    CHECK_INT(ask(&r, "GET", "/half", STR_NONE, &out), -1, "half an answer");
    CHECK_INT(ask(&r, "GET", "/fine", STR_NONE, &out), 200, "the next is fine");
    rig_stop(&r);
}

TEST(server_calls_may_be_answered_later_and_streams_are_woken)
{
    static const char *const rows[][2] = {{"/later", "late"}, {"/stream", "0123456789"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf out = {0};
        struct rig r = {0};
        struct thread *t;

        rig_start(&r, 0);
        t = thread_start("helper", helper, &r.host, &e);
        CHECK_OK(&e);
        CHECK_INT(ask(&r, "GET", rows[i][0], STR_NONE, &out), 200, rows[i][0]);
        CHECK_STR(buf_view(&out), str_of(rows[i][1]), rows[i][0]);
        thread_join(t);
        rig_stop(&r);
    }
}

TEST(server_sees_peers_that_leave_a_sleeping_stream)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf url = {0};
    AUTO(http_response_done) struct http_response response = {0};
    AUTO(cancel_free) struct cancel *leave = cancel_new(NULL, CLOCK_NEVER);
    struct http_request req = {.method = "GET"};
    struct rig r = {.host.on_start = leave};
    clock_ms end = clock_after(TEST_PATIENCE_MS);

    rig_start(&r, 0);
    buf_addf(&url, "http://127.0.0.1:%u/stream", http_server_port(r.server));
    req.url = buf_view(&url);
    CHECK_INT(http_call(r.client, &req, leave, &response, &e), -1, "given up");
    {
        LOCK_SCOPE(&r.host.lock);
        while (!r.host.is_done && clock_now() < end)
            thread_cond_wait(&r.host.cond, &r.host.lock, end);
        CHECK(r.host.is_done);
    }
    rig_stop(&r);
}

TEST(server_says_when_its_port_is_taken)
{
    AUTO(err_done) struct err e = {0};
    struct rig r = {0};
    struct http_server_options o = {.handler = on_request, .ctx = &r.host};

    rig_start(&r, 0);
    o.port = http_server_port(r.server);
    CHECK(!http_server_start(&o, &e));
    CHECK(str_contains(str_of(err_text(&e)), STR("cannot listen on 127.0.0.1:")));
    rig_stop(&r);
}
