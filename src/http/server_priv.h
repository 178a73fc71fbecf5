/* What server.c (connections, handler) and server_stream.c (pulled answers) share. */
#pragma once
#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <pthread.h>

#include "http/server.h"
#include "sys/dl.h"

#define MHD_FUNCTIONS(X)                 \
    X(MHD_start_daemon)                  \
    X(MHD_stop_daemon)                   \
    X(MHD_get_daemon_info)               \
    X(MHD_get_connection_info)           \
    X(MHD_lookup_connection_value)       \
    X(MHD_create_response_from_buffer)   \
    X(MHD_create_response_from_callback) \
    X(MHD_add_response_header)           \
    X(MHD_queue_response)                \
    X(MHD_destroy_response)              \
    X(MHD_suspend_connection)            \
    X(MHD_resume_connection)
DL_DECLARE(mhd, MHD_FUNCTIONS)

struct http_server {
    const struct mhd_dl *mhd;
    struct MHD_Daemon *daemon;
    struct http_server_options o;
    char *cert, *key, *ca; /* C strings, owned */
    uint16_t port;

    pthread_mutex_t lock; /* streams, next_id, is_stopping; taken before a stream's own lock */
    struct http_stream *streams;
    uint64_t next_id;
    bool is_stopping;
    int hangups; /* epoll of the streams' sockets: a peer that leaves is seen while we wait */
    int stop_fd; /* eventfd in that epoll */
    pthread_t hangup_thread;
    bool has_hangup_thread;
};

/* What is known of a connection's peer; checked at its first request. */
struct http_peer {
    bool is_checked, is_good;
    char name[128], org[128];
};

struct http_call {
    struct http_server *server;
    struct MHD_Connection *connection;
    char *target;
    struct buf body;
    str method;
    bool is_too_big, is_handled;

    pthread_mutex_t lock; /* the fields below; the answer may come from another thread */
    int refs;             /* the connection's and the handler's */
    struct MHD_Response *response;
    int status;
    bool is_answered, is_cut, is_waiting;
};

/* Hands the answer (NULL: cut) to the connection and gives the handler's reference back. */
void http_call_answer(struct http_call *call, struct MHD_Response *response, int status);
int http_hangups_start(struct http_server *s, struct err *e);
void http_hangups_stop(struct http_server *s); /* wakes all streams for the last time */
void http_hangups_done(struct http_server *s); /* once the daemon has stopped */
