/* What libcurl waits for: its sockets in an epoll set, its timer, and an eventfd by which callers
 * wake the I/O thread. An event costs the transfers of its socket, not all there are.
 *
 * Where many calls share a connection that is all of them, and answers trickle in one by one: most
 * of the processor time then goes into waking up for each. So after answers were read, the next are
 * left in the kernel until some more should have come, a fraction of what a call takes; and callers
 * that were answered are let send their next requests together. */
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "http/client_priv.h"

enum {
    EVENTS = 64,
    LONGEST_MS = 60000,
    BLIND_MS = 20,
    GATHER_CALLS = 16, /* answers are gathered with so many calls in flight */
    GATHERED = 4,      /* about so many at a time */
    GATHER_US = 10000, /* at the longest */
};

/* curl's socket callback. known is what curl_multi_assign set: not NULL once the socket is in the
 * set. */
static int on_socket(CURL *easy, curl_socket_t fd, int what, void *client, void *known)
{
    struct http_client *c = client;
    struct epoll_event ev = {.data.fd = fd};

    (void)easy;
    c->is_full = what == CURL_POLL_OUT || what == CURL_POLL_INOUT;
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(c->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
        return 0;
    }
    if (what & CURL_POLL_IN)
        ev.events |= EPOLLIN;
    if (what & CURL_POLL_OUT)
        ev.events |= EPOLLOUT;
    if (epoll_ctl(c->epoll_fd, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &ev) < 0 &&
        (errno != EEXIST || epoll_ctl(c->epoll_fd, EPOLL_CTL_MOD, fd, &ev) < 0))
        c->is_blind = true; /* out of memory, or of watches for this user */
    if (!known)
        c->curl->curl_multi_assign(c->multi, fd, c);
    return 0;
}

static int on_timer(CURLM *multi, long ms, void *client)
{
    struct http_client *c = client;

    (void)multi;
    c->timer_us = ms < 0 ? INT64_MAX : clock_now_us() + ms * 1000;
    return 0;
}

int http_sockets_init(struct http_client *c, struct err *e)
{
    struct epoll_event ev = {.events = EPOLLIN};

    c->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    c->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    ev.data.fd = c->wake_fd;
    if (c->epoll_fd < 0 || c->wake_fd < 0 ||
        epoll_ctl(c->epoll_fd, EPOLL_CTL_ADD, c->wake_fd, &ev) < 0)
        return err_errno(e, errno, "starting the HTTP client");
    c->curl->curl_multi_setopt(c->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    c->curl->curl_multi_setopt(c->multi, CURLMOPT_SOCKETDATA, c);
    c->curl->curl_multi_setopt(c->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    c->curl->curl_multi_setopt(c->multi, CURLMOPT_TIMERDATA, c);
    return 0;
}

void http_sockets_done(struct http_client *c)
{
    if (c->epoll_fd >= 0)
        close(c->epoll_fd);
    if (c->wake_fd >= 0)
        close(c->wake_fd);
}

void http_sockets_wake(struct http_client *c)
{
    uint64_t one = 1;

    while (write(c->wake_fd, &one, sizeof(one)) < 0 && errno == EINTR)
        ;
}

static void drain(struct http_client *c)
{
    uint64_t count;

    while (read(c->wake_fd, &count, sizeof(count)) < 0 && errno == EINTR)
        ;
}

static void act(struct http_client *c, curl_socket_t fd, int what)
{
    int running;

    c->curl->curl_multi_socket_action(c->multi, fd, what, &running);
}

static void handle(struct http_client *c, const struct epoll_event *ev)
{
    int what = 0;

    if (ev->data.fd == c->wake_fd) {
        drain(c);
        return;
    }
    if (ev->events & EPOLLIN)
        what |= CURL_CSELECT_IN;
    if (ev->events & EPOLLOUT)
        what |= CURL_CSELECT_OUT;
    if (ev->events & (EPOLLERR | EPOLLHUP))
        what |= CURL_CSELECT_ERR;
    act(c, ev->data.fd, what);
}

/* Milliseconds until curl's timer, rounded up; the clock is the machine's, also in tests that play
 * with ours. */
static int timer_left(const struct http_client *c)
{
    int64_t left;

    if (c->timer_us == INT64_MAX)
        return LONGEST_MS;
    left = c->timer_us - clock_now_us();
    return left <= 0 ? 0 : (int)MIN((left + 999) / 1000, (int64_t)LONGEST_MS);
}

static int64_t hold_left(const struct http_client *c)
{
    return c->read_us ? c->read_us - clock_now_us() : 0;
}

bool http_sockets_holds(const struct http_client *c) { return hold_left(c) > 0; }

void http_sockets_gather(struct http_client *c)
{
    int64_t time;

    if (c->read_us || c->owed == 0 || !c->is_http2 || c->running_calls < GATHER_CALLS ||
        c->is_blind || c->is_full)
        return;
    time = c->answer_us * GATHERED / c->running_calls;
    c->read_us = clock_now_us() + MIN(time, (int64_t)GATHER_US);
}

/* Nothing is read, but requests and curl's timer are served. */
static void hold(struct http_client *c, bool is_idle)
{
    int64_t left = MIN(hold_left(c), timer_left(c) * (int64_t)1000);
    struct timespec time = {.tv_nsec = left * 1000};
    struct pollfd wake = {.fd = c->wake_fd, .events = POLLIN};

    if (is_idle && left > 0 && ppoll(&wake, 1, &time, NULL) > 0)
        drain(c);
}

static void look(struct http_client *c, bool is_idle)
{
    struct epoll_event events[EVENTS];
    int left = is_idle ? timer_left(c) : 0;
    int count = epoll_wait(c->epoll_fd, events, EVENTS, c->is_blind ? MIN(left, BLIND_MS) : left);

    c->read_us = 0;
    c->owed = 0;
    for (int i = 0; i < count; i++)
        handle(c, &events[i]);
    if (c->is_blind)
        c->curl->curl_multi_perform(c->multi, &count);
}

void http_sockets_wait(struct http_client *c, bool is_idle)
{
    if (http_sockets_holds(c))
        hold(c, is_idle);
    else
        look(c, is_idle);
    if (c->timer_us == INT64_MAX || timer_left(c) > 0)
        return;
    c->timer_us = INT64_MAX; /* curl sets it again in the call */
    act(c, CURL_SOCKET_TIMEOUT, 0);
}
