/* Input: what a server sends on a connection. Our client reads it over a loopback socket as a call
 * and as a stream: every end is an answer or an error that says why, and both see the same. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/client.h"
#include "sys/clock.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int listener = -1, port;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static str answer; /* of the run at hand; copied with the lock held */
static struct http_client *client;

/* Reads a request's head, sends the answer, hangs up; for ever. */
static void *serve(void *arg)
{
    (void)arg;
    for (;;) {
        AUTO(buf_done) struct buf own = {0};
        char head[4096];
        size_t have = 0;
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        ssize_t n;

        while (have < sizeof(head) && (n = recv(fd, head + have, sizeof(head) - have, 0)) > 0) {
            have += (size_t)n;
            if (str_contains((str){head, have}, STR("\r\n\r\n")))
                break;
        }
        pthread_mutex_lock(&lock);
        buf_add_str(&own, answer);
        pthread_mutex_unlock(&lock);
        send(fd, own.p, own.len, MSG_NOSIGNAL);
        shutdown(fd, SHUT_WR);
        while (recv(fd, head, sizeof(head), 0) > 0)
            ;
        close(fd);
    }
    return NULL;
}

static void start(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);
    struct err e = {0};
    pthread_t thread;

    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&at, sizeof(at)) < 0 || listen(listener, 128) < 0 ||
        getsockname(listener, (struct sockaddr *)&at, &len) < 0)
        abort();
    port = ntohs(at.sin_port);
    pthread_create(&thread, NULL, serve, NULL);
    client = http_client_new(&(struct http_client_options){0}, &e);
    if (!client)
        abort();
}

static int add(void *ctx, str piece)
{
    buf_add_str(ctx, piece);
    return 0;
}

static void check_error(const struct err *e)
{
    assert(e->kind != ERR_NONE && e->text && e->text[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(http_response_done) struct http_response whole = {0}, rest = {0};
    AUTO(buf_done) struct buf pieces = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(err_done) struct err e2 = {0};
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, clock_after(5000));
    char url[64];
    struct http_request req = {.method = "GET", .max_body = 1 << 20};

    if (listener < 0)
        start();
    pthread_mutex_lock(&lock);
    answer = (str){(const char *)data, size};
    pthread_mutex_unlock(&lock);
    snprintf(url, sizeof(url), "http://127.0.0.1:%d/x", port);
    req.url = str_of(url);
    if (http_call(client, &req, cancel, &whole, &e) < 0)
        check_error(&e);
    if (http_stream(client, &req, 5000, cancel, add, &pieces, &rest, &e2) < 0)
        check_error(&e2);
    pthread_mutex_lock(&lock);
    answer = STR_NONE; /* the fuzzer's own again */
    pthread_mutex_unlock(&lock);
    assert(e.kind == e2.kind);
    if (e.kind != ERR_NONE)
        return 0;
    assert(whole.status == rest.status);
    assert(str_eq(buf_view(&whole.headers), buf_view(&rest.headers)));
    assert(str_eq(buf_view(&whole.body),
                  whole.status < 300 ? buf_view(&pieces) : buf_view(&rest.body)));
    return 0;
}
