#include "support/tiny_server.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"

enum { MAX_CONNECTIONS = 512 };

struct connection {
    struct tiny_server *server;
    pthread_t thread;
    int fd;
};

struct tiny_server {
    tiny_fn *fn;
    void *ctx;
    int fd, port;
    char url[40];
    pthread_t thread;
    atomic_bool is_stopping;
    atomic_size_t requests, connections;
    pthread_mutex_t lock;
    struct connection open[MAX_CONNECTIONS]; /* [0, connections) */
};

/* Requests that follow each other are ordered by the network, which a race detector does not see:
 * what a handler did before it answered is known to the handler of the next request. */
static void pass_on(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

bool tiny_write(int fd, str bytes)
{
    pass_on();
    while (bytes.len) {
        ssize_t n = send(fd, bytes.p, bytes.len, MSG_NOSIGNAL);

        if (n <= 0)
            return false;
        bytes = str_from(bytes, (size_t)n);
    }
    return true;
}

bool tiny_answer(int fd, int status, const char *type, str body)
{
    AUTO(buf_done) struct buf out = {0};

    buf_addf(&out, "HTTP/1.1 %d Status\r\nContent-Length: %zu\r\n", status, body.len);
    if (type)
        buf_addf(&out, "Content-Type: %s\r\n", type);
    buf_add_cstr(&out, "\r\n");
    buf_add_str(&out, body);
    tiny_write(fd, buf_view(&out));
    return true;
}

str tiny_header(const struct tiny_request *req, const char *name)
{
    str rest = req->head, line;

    while (str_next_line(&rest, &line)) {
        str value, key = str_cut(line, ':', &value);

        if (value.p && str_eq_nocase(key, str_of(name)))
            return str_trim(value);
    }
    return STR_NONE;
}

void tiny_reset(int fd)
{
    struct linger hard = {.l_onoff = 1, .l_linger = 0};

    pass_on();
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
}

/* Reads one request into in; false at the end of the connection. */
static bool read_request(int fd, struct buf *in, struct tiny_request *req)
{
    ssize_t head_end = -1;
    uint64_t body_len = 0;

    buf_clear(in);
    for (;;) {
        ssize_t n;

        if (head_end < 0 && (head_end = str_find(buf_view(in), STR("\r\n\r\n"))) >= 0) {
            req->head = str_sub(buf_view(in), 0, (size_t)head_end + 2);
            str_to_uint64(tiny_header(req, "Content-Length"), &body_len);
        }
        if (head_end >= 0 && in->len >= (size_t)head_end + 4 + body_len)
            break;
        buf_grow(in, 65536);
        n = recv(fd, in->p + in->len, 65536, 0);
        if (n <= 0)
            return false;
        in->len += (size_t)n;
    }
    req->head = str_sub(buf_view(in), 0, (size_t)head_end + 2);
    req->body = str_sub(buf_view(in), (size_t)head_end + 4, body_len);
    req->method = str_cut(req->head, ' ', &req->target);
    req->target = str_cut(req->target, ' ', NULL);
    return true;
}

static void *serve(void *arg)
{
    struct connection *c = arg;
    AUTO(buf_done) struct buf in = {0};
    struct tiny_request req = {0};
    bool go_on = true;

    while (go_on && read_request(c->fd, &in, &req)) {
        pass_on();
        req.number = atomic_fetch_add(&c->server->requests, 1);
        go_on = c->server->fn(c->server->ctx, &req, c->fd);
    }
    pthread_mutex_lock(&c->server->lock);
    close(c->fd);
    c->fd = -1;
    pthread_mutex_unlock(&c->server->lock);
    return NULL;
}

static void *accept_all(void *arg)
{
    struct tiny_server *s = arg;

    while (!s->is_stopping && s->connections < MAX_CONNECTIONS) {
        int on = 1, fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC);
        struct connection *c = &s->open[s->connections];

        if (fd < 0)
            break;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        *c = (struct connection){.server = s, .fd = fd};
        s->connections++; /* before anybody can be answered over it */
        pthread_create(&c->thread, NULL, serve, c);
    }
    return NULL;
}

struct tiny_server *tiny_start(tiny_fn *fn, void *ctx)
{
    struct tiny_server *s = NEW(struct tiny_server);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);

    s->fn = fn;
    s->ctx = ctx;
    pthread_mutex_init(&s->lock, NULL);
    s->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(s->fd, (struct sockaddr *)&at, sizeof(at)) < 0 || listen(s->fd, 128) < 0 ||
        getsockname(s->fd, (struct sockaddr *)&at, &len) < 0)
        abort();
    s->port = ntohs(at.sin_port);
    snprintf(s->url, sizeof(s->url), "http://127.0.0.1:%d", s->port);
    pthread_create(&s->thread, NULL, accept_all, s);
    return s;
}

void tiny_stop(struct tiny_server *s)
{
    if (!s)
        return;
    s->is_stopping = true;
    shutdown(s->fd, SHUT_RDWR);
    pthread_join(s->thread, NULL);
    close(s->fd);
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->connections; i++)
        if (s->open[i].fd >= 0)
            shutdown(s->open[i].fd, SHUT_RDWR);
    pthread_mutex_unlock(&s->lock);
    for (size_t i = 0; i < s->connections; i++)
        pthread_join(s->open[i].thread, NULL);
    pthread_mutex_destroy(&s->lock);
    mem_free(s);
}

const char *tiny_url(const struct tiny_server *s) { return s->url; }
int tiny_port(const struct tiny_server *s) { return s->port; }
size_t tiny_requests(struct tiny_server *s) { return s->requests; }
size_t tiny_connections(struct tiny_server *s) { return s->connections; }
bool tiny_is_stopping(struct tiny_server *s) { return s->is_stopping; }
