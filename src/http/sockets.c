/* What libcurl waits for: its sockets in an epoll set, its timer, and an eventfd by which callers
 * wake the I/O thread. An event costs the transfers of its socket, not all there are. */
#include <errno.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "http/client_priv.h"

enum { EVENTS = 64, LONGEST_MS = 60000, BLIND_MS = 20 };

/* curl's socket callback. known is what curl_multi_assign set: not NULL once the socket is in the
 * set. */
static int on_socket(CURL *easy, curl_socket_t fd, int what, void *client, void *known)
{
    struct http_client *c = client;
    struct epoll_event ev = {.data.fd = fd};

    (void)easy;
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

static void act(struct http_client *c, curl_socket_t fd, int what)
{
    int running;

    c->curl->curl_multi_socket_action(c->multi, fd, what, &running);
}

static void handle(struct http_client *c, const struct epoll_event *ev)
{
    uint64_t count;
    int what = 0;

    if (ev->data.fd == c->wake_fd) {
        while (read(c->wake_fd, &count, sizeof(count)) < 0 && errno == EINTR)
            ;
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

void http_sockets_wait(struct http_client *c, bool is_idle)
{
    struct epoll_event events[EVENTS];
    int left = is_idle ? timer_left(c) : 0;
    int count = epoll_wait(c->epoll_fd, events, EVENTS, c->is_blind ? MIN(left, BLIND_MS) : left);

    for (int i = 0; i < count; i++)
        handle(c, &events[i]);
    if (c->is_blind)
        c->curl->curl_multi_perform(c->multi, &count);
    if (c->timer_us == INT64_MAX || timer_left(c) > 0)
        return;
    c->timer_us = INT64_MAX; /* curl sets it again in the call */
    act(c, CURL_SOCKET_TIMEOUT, 0);
}
