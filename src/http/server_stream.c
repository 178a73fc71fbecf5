/* Pulled answers. A stream that has nothing to send suspends its connection; whoever has something
 * wakes it. The library does not look at suspended sockets, so one thread per server waits for
 * peers that hang up meanwhile. */
#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/mem.h"
#include "http/server_priv.h"

enum { STREAM_BLOCK = 16 << 10 };

struct http_stream {
    struct http_server *server;
    struct MHD_Connection *connection;
    struct http_stream *next, **link;
    const struct http_source *source;
    void *ctx;
    uint64_t id;
    int fd;
    pthread_mutex_t lock; /* the fields below */
    bool is_asleep, is_woken, is_over;
};

void http_stream_wake(struct http_stream *st)
{
    pthread_mutex_lock(&st->lock);
    if (st->is_asleep) {
        st->is_asleep = false;
        st->server->mhd->MHD_resume_connection(st->connection);
    } else {
        st->is_woken = true;
    }
    pthread_mutex_unlock(&st->lock);
}

/* False: it was woken since it was last asked, so ask again. */
static bool fall_asleep(struct http_stream *st)
{
    bool sleeps;

    pthread_mutex_lock(&st->lock);
    sleeps = !st->is_woken && !st->is_over;
    st->is_woken = false;
    if (sleeps) {
        st->is_asleep = true;
        st->server->mhd->MHD_suspend_connection(st->connection);
    }
    pthread_mutex_unlock(&st->lock);
    return sleeps;
}

static bool is_over(struct http_stream *st)
{
    bool over;

    pthread_mutex_lock(&st->lock);
    over = st->is_over;
    pthread_mutex_unlock(&st->lock);
    return over;
}

static ssize_t stream_read(void *cls, uint64_t pos UNUSED, char *out, size_t max)
{
    struct http_stream *st = cls;

    for (;;) {
        ssize_t n;

        if (is_over(st))
            return MHD_CONTENT_READER_END_WITH_ERROR;
        n = st->source->read(st->ctx, out, max);
        if (n > 0)
            return n;
        if (n == HTTP_STREAM_END)
            return MHD_CONTENT_READER_END_OF_STREAM;
        if (n == HTTP_STREAM_CUT)
            return MHD_CONTENT_READER_END_WITH_ERROR;
        if (fall_asleep(st))
            return 0;
    }
}

static void stream_free(void *cls)
{
    struct http_stream *st = cls;
    struct http_server *s = st->server;

    pthread_mutex_lock(&s->lock);
    *st->link = st->next;
    if (st->next)
        st->next->link = st->link;
    pthread_mutex_unlock(&s->lock);
    if (st->fd >= 0) /* the library closes the socket after this */
        (void)epoll_ctl(s->hangups, EPOLL_CTL_DEL, st->fd, NULL);
    st->source->done(st->ctx);
    pthread_mutex_destroy(&st->lock);
    mem_free(st);
}

static void stream_enlist(struct http_server *s, struct http_stream *st)
{
    struct epoll_event ev = {.events = EPOLLRDHUP | EPOLLONESHOT};

    pthread_mutex_lock(&s->lock);
    st->id = ++s->next_id;
    st->is_over = s->is_stopping;
    st->next = s->streams;
    st->link = &s->streams;
    if (st->next)
        st->next->link = &st->next;
    s->streams = st;
    pthread_mutex_unlock(&s->lock);
    ev.data.u64 = st->id;
    if (st->fd >= 0 && epoll_ctl(s->hangups, EPOLL_CTL_ADD, st->fd, &ev) < 0)
        st->fd = -1;
}

void http_call_stream(struct http_call *call, int status, const char *content_type,
                      const struct http_source *source, void *ctx,
                      void (*started)(void *ctx, struct http_stream *stream))
{
    struct http_server *s = call->server;
    const union MHD_ConnectionInfo *info =
        s->mhd->MHD_get_connection_info(call->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct http_stream *st = NEW(struct http_stream);
    struct MHD_Response *response;

    st->server = s;
    st->connection = call->connection;
    st->source = source;
    st->ctx = ctx;
    st->fd = info ? info->connect_fd : -1;
    pthread_mutex_init(&st->lock, NULL);
    stream_enlist(s, st);
    if (started)
        started(ctx, st);
    response = s->mhd->MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK,
                                                         stream_read, st, stream_free);
    if (!response)
        stream_free(st);
    else
        s->mhd->MHD_add_response_header(response, "Content-Type", content_type);
    http_call_answer(call, response, status);
}

/* ---- hang-ups */

static void end_stream(struct http_stream *st)
{
    pthread_mutex_lock(&st->lock);
    st->is_over = true;
    pthread_mutex_unlock(&st->lock);
    http_stream_wake(st);
}

static void end_stream_of(struct http_server *s, uint64_t id)
{
    pthread_mutex_lock(&s->lock);
    for (struct http_stream *st = s->streams; st; st = st->next)
        if (st->id == id)
            end_stream(st);
    pthread_mutex_unlock(&s->lock);
}

static void *hangup_main(void *arg)
{
    struct http_server *s = arg;

    for (;;) {
        struct epoll_event events[32];
        int n = epoll_wait(s->hangups, events, ARRAY_LEN(events), -1);

        if (n < 0 && errno != EINTR)
            return NULL;
        for (int i = 0; i < n; i++) {
            if (events[i].data.u64 == 0)
                return NULL; /* stop_fd */
            end_stream_of(s, events[i].data.u64);
        }
    }
}

int http_hangups_start(struct http_server *s, struct err *e)
{
    struct epoll_event ev = {.events = EPOLLIN};
    sigset_t all, before;
    int rc;

    s->hangups = epoll_create1(EPOLL_CLOEXEC);
    s->stop_fd = eventfd(0, EFD_CLOEXEC);
    if (s->hangups < 0 || s->stop_fd < 0 ||
        epoll_ctl(s->hangups, EPOLL_CTL_ADD, s->stop_fd, &ev) < 0)
        return err_errno(e, errno, "cannot watch connections");
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    rc = pthread_create(&s->hangup_thread, NULL, hangup_main, s);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc != 0)
        return err_errno(e, rc, "cannot start a thread");
    s->has_hangup_thread = true;
    return 0;
}

void http_hangups_stop(struct http_server *s)
{
    uint64_t one = 1;

    if (s->has_hangup_thread) {
        while (write(s->stop_fd, &one, sizeof(one)) < 0 && errno == EINTR)
            continue;
        pthread_join(s->hangup_thread, NULL);
    }
    pthread_mutex_lock(&s->lock);
    s->is_stopping = true;
    for (struct http_stream *st = s->streams; st; st = st->next)
        end_stream(st);
    pthread_mutex_unlock(&s->lock);
}

void http_hangups_done(struct http_server *s)
{
    if (s->hangups >= 0)
        close(s->hangups);
    if (s->stop_fd >= 0)
        close(s->stop_fd);
}
