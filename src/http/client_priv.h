/* What the files of the HTTP client share: libcurl's functions, the client and its transfers. */
#pragma once
#define CURL_DISABLE_TYPECHECK /* its macros would hide the loaded functions */
#include <curl/curl.h>

#include "base/mem.h"
#include "http/client.h"
#include "http/proxy.h"
#include "sys/dl.h"
#include "sys/thread.h"

#define CURL_FUNCTIONS(X)       \
    X(curl_global_init)         \
    X(curl_easy_init)           \
    X(curl_easy_cleanup)        \
    X(curl_easy_setopt)         \
    X(curl_easy_getinfo)        \
    X(curl_easy_pause)          \
    X(curl_easy_strerror)       \
    X(curl_slist_append)        \
    X(curl_slist_free_all)      \
    X(curl_multi_init)          \
    X(curl_multi_cleanup)       \
    X(curl_multi_setopt)        \
    X(curl_multi_add_handle)    \
    X(curl_multi_remove_handle) \
    X(curl_multi_perform)       \
    X(curl_multi_socket_action) \
    X(curl_multi_assign)        \
    X(curl_multi_info_read)
DL_DECLARE(curl, CURL_FUNCTIONS)

/* What callers ask of the I/O thread; bits of transfer.commands. */
enum { CMD_START = 1, CMD_ABORT = 2, CMD_RESUME = 4 };

enum transfer_place { PLACE_IDLE, PLACE_WAITING, PLACE_RUNNING };

enum transfer_limit { LIMIT_NONE, LIMIT_BODY, LIMIT_HEADERS };

/* One request on its way. Transfers are pooled, their curl handles are not. A transfer belongs to
 * the calling thread until CMD_START and again from is_done. */
struct transfer {
    struct http_client *client;
    CURL *easy; /* of this request */
    struct curl_slist *headers_out, *connect_to;
    struct http_proxy proxy; /* of this request */
    char error[CURL_ERROR_SIZE];
    bool is_stream;
    size_t max_body;

    /* with client->lock held */
    struct transfer *next; /* pool, or list of commands */
    unsigned commands;
    bool is_queued;

    /* I/O thread */
    struct transfer *next_waiting;
    enum transfer_place place;
    int64_t started_us;

    pthread_mutex_t lock; /* taken after client->lock when both are */
    pthread_cond_t changed;
    bool is_done, is_paused, is_cancelled;
    enum transfer_limit limit;
    CURLcode code;
    int status;               /* of the answer whose body is arriving; 0: not asked yet */
    struct buf headers, body; /* of the answer */
    struct buf data;          /* pieces of a stream that its reader has not taken */
};

struct http_client {
    const struct curl_dl *curl;
    CURLM *multi;
    struct thread *thread;
    struct buf ca_pem, cert_pem, key_pem;
    char *server_name, *proxy, *proxy_source, *user_agent;
    bool insecure, use_env_proxy;
    int64_t connect_timeout_ms;
    int max_connections;

    pthread_mutex_t lock;
    pthread_cond_t idle; /* running reached 0 */
    struct transfer *pool;
    struct transfer *first_command, *last_command;
    size_t calls; /* running, for http_client_free */
    bool is_polling, is_stopping;
    size_t posted, awaited; /* commands since the last look at them; how many of them wake */
    int wake_fd;            /* an eventfd */

    /* I/O thread */
    int epoll_fd;
    bool is_blind;    /* a socket could not be put into the set: all are looked at in short turns */
    int64_t timer_us; /* when curl wants to be called, of clock_now_us; INT64_MAX: never */
    struct transfer *first_waiting, *last_waiting;
    int running_calls; /* transfers in curl that are not streams */
    bool is_http2;
    int64_t answer_us; /* what a call takes, smoothed */
    int64_t read_us;   /* answers lie in the kernel until then, of clock_now_us; 0: read them */
    bool is_full;      /* the kernel takes no more of a request */
    size_t owed;       /* callers answered by the last reading that have sent nothing since */
};

/* loop.c */
void http_loop_run(void *client);
void http_loop_post(struct transfer *t, unsigned command); /* any thread; t->lock not held */
void http_loop_forget(struct transfer *t);                 /* drops commands not yet carried out */
size_t http_loop_on_body(char *p, size_t size, size_t count, void *transfer);
size_t http_loop_on_header(char *p, size_t size, size_t count, void *transfer);

/* sockets.c: what curl waits for */
int http_sockets_init(struct http_client *c, struct err *e);
void http_sockets_wait(struct http_client *c, bool is_idle); /* not idle: only looks */
/* After answers were taken: the next may wait for others. A reading that completed no call, of a
 * long answer or of the server's permission to send more, is followed by the next at once. */
void http_sockets_gather(struct http_client *c);
bool http_sockets_holds(const struct http_client *c); /* they wait now */
void http_sockets_wake(struct http_client *c);        /* any thread */
void http_sockets_done(struct http_client *c);

/* transfer.c */
struct transfer *http_transfer_take(struct http_client *c, const struct http_request *req,
                                    bool is_stream, struct err *e);
void http_transfer_give(struct transfer *t); /* back to the pool */
void http_transfer_free(struct transfer *t);

/* failure.c: sets e and ret->failure, ret->was_sent from a transfer that ended badly */
int http_failure_set(struct transfer *t, str url, struct http_response *ret, struct err *e);
