/* HTTP(S) client over libcurl (design 4): HTTP/1.1 and HTTP/2, one I/O thread that multiplexes all
 * transfers over shared connections. Callers see blocking calls with a cancel. libcurl is loaded at
 * the first http_client_new.
 *
 * A client may be used from many threads at once. Credentials stay in memory: certificates and keys
 * are given as PEM text. A credential header (Authorization, Cookie) never follows a redirect to
 * another host. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "sys/cancel.h"

struct http_tls {
    str ca_pem;            /* empty: the system's trust store */
    str cert_pem, key_pem; /* client certificate, or empty */
    str server_name;       /* tls-server-name, or empty */
    bool insecure;         /* no verification; callers warn loudly */
};

struct http_client_options {
    struct http_tls tls;
    str proxy_url;              /* empty: none, unless use_env_proxy */
    str proxy_source;           /* who asked for it, for messages */
    bool use_env_proxy;         /* http/proxy.h; never for loopback hosts */
    int max_connections;        /* calls in flight over HTTP/1.1, streams not counted; 0: 24 */
    int64_t connect_timeout_ms; /* 0: 30,000 */
    str user_agent;             /* empty: grapnel/VERSION */
};

struct http_client;
struct http_client *http_client_new(const struct http_client_options *options, struct err *e);
void http_client_free(struct http_client *c); /* waits for running calls to end; NULL is fine */
AUTO_PTR(struct http_client, http_client_free)

struct http_header {
    str name, value;
};

struct http_request {
    const char *method; /* "GET" */
    str url;
    const struct http_header *headers;
    size_t header_count;
    str body;
    size_t max_body;   /* of the answer; 0: 64 MiB. More is ERR_LIMIT */
    int max_redirects; /* 0: none are followed */
    bool gzip;         /* the answer may come compressed (for long ways: it costs cpu); max_body
                          counts what it unpacks to */
};

/* Why there was no answer, for those who know a remedy. */
enum http_failure {
    HTTP_OK,
    HTTP_REFUSED,   /* nothing listens there */
    HTTP_UNKNOWN,   /* DNS does not know the host */
    HTTP_UNREACHED, /* no route, or no answer to the connection in time */
    HTTP_BROKEN,    /* reset or ended in the middle */
    HTTP_UNTRUSTED, /* TLS: signed by nobody we trust */
    HTTP_EXPIRED,   /* TLS: expired or not valid yet */
    HTTP_WRONG_HOST,
    HTTP_CLIENT_CERT, /* TLS: our certificate or key is unusable, or the server refused it */
    HTTP_TLS,         /* TLS: anything else, such as a server that speaks plain HTTP */
    HTTP_PROXY,       /* the proxy does not answer, or not let us through */
    HTTP_NOT_HTTP,    /* something else than HTTP is spoken there */
    HTTP_OTHER,
};

struct http_response { /* {0}, or what an earlier call left: its buffers are used again */
    int status;
    enum http_failure failure; /* when the call returned -1 */
    bool was_sent; /* some of the request may have reached the server, also when the call failed */
    struct buf body;
    struct buf headers; /* "name: value\n" lines, names in lower case, of the final answer */
};
void http_response_done(struct http_response *r);
AUTO_VALUE(struct http_response, http_response_done)
str http_response_header(const struct http_response *r,
                         const char *name); /* empty when absent; borrowed */

/* Any HTTP status is success (0); -1 is: no answer (ERR_UNAVAILABLE with errno-like code for
 * refused, reset, DNS), TLS failure (ERR_DENIED: wrong CA, expired, wrong host), cancel or
 * deadline, over the limit. No userinfo in messages. */
int http_call(struct http_client *c, const struct http_request *req, struct cancel *cancel,
              struct http_response *ret, struct err *e);

/* Streams the body of an answer: on_data is called on the calling thread with successive pieces; a
 * non-zero return ends the stream. Returns 0 when the server ended it (or on_data did), -1 as
 * http_call. For a status of 300 and above the body is gathered into ret->body in place of on_data.
 * idle_ms > 0: ERR_TIMEOUT when nothing arrives for so long. */
typedef int http_data_fn(void *ctx, str piece);
int http_stream(struct http_client *c, const struct http_request *req, int64_t idle_ms,
                struct cancel *cancel, http_data_fn *on_data, void *ctx, struct http_response *ret,
                struct err *e);
