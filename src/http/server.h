/* HTTP/1.1 server, plain or TLS, over libmicrohttpd, which is loaded at the first http_server_start
 * (design 5).
 *
 * A few worker threads multiplex all connections. The handler runs on one of them, once for each
 * request, with its body in memory. It answers at once or keeps the call and answers later from any
 * thread; while it waits the connection costs no thread. Streams (watches, logs) are pulled: the
 * server asks for more when the client took what was there, and is woken when there is more.
 *
 * Every call must be answered once (http_call_reply, _stream or _cut), which also gives it back. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

struct http_server;
struct http_call; /* one request that is being answered */

struct http_server_request {
    str method;
    str target; /* as sent: path and query, not decoded */
    str body;
    str peer_name;     /* CN of the verified client certificate; empty: none was shown */
    str peer_org;      /* its first O */
    bool is_peer_good; /* a certificate of client_ca_pem was shown; or none is asked for */
    struct http_call *call;
};

/* Runs on a worker thread with no lock held; everything in req lives until the call is answered. */
typedef void http_handler_fn(void *ctx, const struct http_server_request *req);

struct http_server_options {
    const char *address;   /* NULL: 127.0.0.1 */
    uint16_t port;         /* 0: any free one */
    str cert_pem, key_pem; /* empty: plain HTTP */
    str client_ca_pem;     /* clients are asked for a certificate of it; the handler refuses */
    unsigned threads;      /* 0: 2 */
    size_t max_body;       /* 0: 8 MiB; more is answered with 413 */
    http_handler_fn *handler;
    void *ctx;
    /* Asked for each new connection, may be NULL; false closes it before anything is read. */
    bool (*accept)(void *ctx);
};

/* ERR_UNSUPPORTED when the library is missing, ERR_IO when the port is taken. */
struct http_server *http_server_start(const struct http_server_options *options, struct err *e);
uint16_t http_server_port(const struct http_server *s);
/* Ends all connections, streams included. Calls that were kept must have been answered. */
void http_server_stop(struct http_server *s); /* NULL is fine */
AUTO_PTR(struct http_server, http_server_stop)

/* A request header by its name in any letter case; empty when absent. */
str http_call_header(struct http_call *call, const char *name);

struct http_reply {
    int status;
    const char *content_type; /* NULL: application/json */
    struct buf body;          /* taken over */
    int retry_after_s;        /* 0: no such header */
    const char *warnings;     /* texts of Warning headers, one a line, or NULL */
    int64_t cut_after;        /* > 0: the connection is cut after that many bytes of the body */
};
/* Answers. reply->body is taken over. */
void http_call_reply(struct http_call *call, struct http_reply *reply);
/* Closes the connection without an answer. */
void http_call_cut(struct http_call *call);

/* What a stream's read answers beside a number of bytes. */
enum { HTTP_STREAM_WAIT = 0, HTTP_STREAM_END = -1, HTTP_STREAM_CUT = -2 };
struct http_stream; /* borrowed by the source from start to its done call */
struct http_source {
    /* Puts at most max bytes into out and returns their number, or one of the above. Worker thread;
     * after HTTP_STREAM_WAIT called again once the stream was woken. */
    ssize_t (*read)(void *ctx, char *out, size_t max);
    void (*done)(void *ctx); /* the stream ended, whoever ended it; last call */
};
/* Starts a chunked answer. started (may be NULL) is called with the stream before the first read.
 */
void http_call_stream(struct http_call *call, int status, const char *content_type,
                      const struct http_source *source, void *ctx,
                      void (*started)(void *ctx, struct http_stream *stream));
/* There is more to read. Any thread, until done was called; locks of the caller may be held. */
void http_stream_wake(struct http_stream *stream);
