#include <pthread.h>
#include <unistd.h>

#include "http/client.h"
#include "support/clock_jump.h"
#include "support/test.h"
#include "support/tiny_server.h"

enum { PIECES = 20000, PIECE = 1000 };

static const char chunked[] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

/* /count: PIECES numbered pieces; /drip: one piece, then silence; /403; /cut: half a chunk. */
static bool play(void *ctx, const struct tiny_request *req, int fd)
{
    char piece[PIECE + 16], byte;

    (void)ctx;
    if (str_eq(req->target, STR("/403")))
        return tiny_answer(fd, 403, NULL, STR("forbidden"));
    tiny_write(fd, str_of(chunked));
    if (str_eq(req->target, STR("/count"))) {
        for (int i = 0; i < PIECES; i++) {
            memset(piece, '.', sizeof(piece));
            snprintf(piece, sizeof(piece), "%x\r\n%09d", PIECE, i);
            piece[strlen(piece)] = '.';
            memcpy(piece + 5 + PIECE, "\r\n", 2);
            if (!tiny_write(fd, (str){piece, 5 + PIECE + 2}))
                return false;
        }
        return tiny_write(fd, STR("0\r\n\r\n"));
    }
    if (str_eq(req->target, STR("/cut"))) {
        tiny_write(fd, STR("ff\r\nhalf"));
        return false;
    }
    tiny_write(fd, STR("4\r\ndrip\r\n"));
    return read(fd, &byte, 1) > 0;
}

struct reader {
    struct buf text;
    size_t pieces, stop_after;
    int64_t delay_us; /* that a piece takes */
    bool ends_time;   /* when one has come, hours pass */
};

static int on_data(void *ctx, str piece)
{
    struct reader *r = ctx;

    buf_add_str(&r->text, piece);
    if (r->delay_us)
        usleep((useconds_t)r->delay_us);
    if (r->ends_time)
        clock_jump_each(CLOCK_HOUR);
    return r->stop_after && ++r->pieces >= r->stop_after;
}

struct fixture {
    struct tiny_server *server;
    struct http_client *client;
    struct http_response response;
    struct reader reader;
    struct err e;
};
static void fixture_done(struct fixture *f)
{
    http_client_free(f->client);
    tiny_stop(f->server);
    http_response_done(&f->response);
    buf_done(&f->reader.text);
    err_done(&f->e);
}
AUTO_VALUE(struct fixture, fixture_done)

static int stream(struct fixture *f, const char *path, int64_t idle_ms, struct cancel *cancel)
{
    AUTO(buf_done) struct buf url = {0};
    struct http_request req = {.method = "GET"};

    if (!f->server) {
        f->server = tiny_start(play, NULL);
        f->client = http_client_new(&(struct http_client_options){0}, &f->e);
    }
    buf_addf(&url, "%s%s", tiny_url(f->server), path);
    req.url = buf_view(&url);
    return http_stream(f->client, &req, idle_ms, cancel, on_data, &f->reader, &f->response, &f->e);
}

static void check_count(const struct buf *text)
{
    size_t wrong = 0;

    CHECK_INT(text->len, (size_t)PIECES * PIECE, "all bytes");
    for (size_t i = 0; i < PIECES && text->len == (size_t)PIECES * PIECE; i++) {
        char want[16];

        snprintf(want, sizeof(want), "%09zu.", i);
        wrong += memcmp(text->p + i * PIECE, want, 10) != 0;
    }
    CHECK_INT(wrong, 0, "pieces in order");
}

TEST(a_stream_arrives_whole_and_in_order)
{
    AUTO(fixture_done) struct fixture f = {0};

    CHECK_INT(stream(&f, "/count", 0, NULL), 0, err_text(&f.e));
    CHECK_INT(f.response.status, 200, "status");
    check_count(&f.reader.text);
}

TEST(a_slow_reader_holds_the_server_back_and_loses_nothing)
{
    AUTO(fixture_done) struct fixture f = {.reader.delay_us = 3000};

    CHECK_INT(stream(&f, "/count", 0, NULL), 0, err_text(&f.e));
    check_count(&f.reader.text);
}

TEST(a_reader_may_end_a_stream)
{
    AUTO(fixture_done) struct fixture f = {.reader.stop_after = 1};

    CHECK_INT(stream(&f, "/drip", 0, NULL), 0, err_text(&f.e));
    CHECK_STR(buf_view(&f.reader.text), STR("drip"), "what came");
    CHECK_INT(f.response.status, 200, "status");
}

TEST(a_refused_stream_has_its_body_in_the_response)
{
    AUTO(fixture_done) struct fixture f = {0};

    CHECK_INT(stream(&f, "/403", 0, NULL), 0, err_text(&f.e));
    CHECK_INT(f.response.status, 403, "status");
    CHECK_STR(buf_view(&f.response.body), STR("forbidden"), "body");
    CHECK_INT(f.reader.text.len, 0, "no pieces");
}

TEST(a_cut_stream_hands_on_what_came_and_fails)
{
    AUTO(fixture_done) struct fixture f = {0};

    CHECK_INT(stream(&f, "/cut", 0, NULL), -1, "cut");
    CHECK_INT(f.e.kind, ERR_UNAVAILABLE, err_text(&f.e));
    CHECK_STR(buf_view(&f.reader.text), STR("half"), "what came");
}

TEST(a_silent_stream_times_out)
{
    AUTO(fixture_done) struct fixture f = {.reader.ends_time = true};

    clock_jumps_begin(NULL);
    CHECK_INT(stream(&f, "/drip", CLOCK_HOUR / 2, NULL), -1, "silent");
    clock_jumps_end();
    CHECK_INT(f.e.kind, ERR_TIMEOUT, err_text(&f.e));
    CHECK_STR(buf_view(&f.reader.text), STR("drip"), "what came");
}

static void *trigger_soon(void *cancel)
{
    usleep(30000);
    cancel_trigger(cancel, ERR_CANCELED, "interrupted");
    return NULL;
}

TEST(a_cancel_ends_a_stream)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, CLOCK_NEVER);
    pthread_t thread;

    pthread_create(&thread, NULL, trigger_soon, cancel);
    CHECK_INT(stream(&f, "/drip", 0, cancel), -1, "cancel");
    CHECK_INT(f.e.kind, ERR_CANCELED, err_text(&f.e));
    pthread_join(thread, NULL);
}
