/* An HTTP/1.1 server for tests: raw sockets on a free loopback port, a thread a connection. The
 * handler writes what bytes it likes, so that every fault of a server can be played. */
#pragma once
#include "base/buf.h"

struct tiny_request {
    str method, target; /* "/path?query" */
    str head;           /* request line and headers */
    str body;
    size_t number; /* of this request at the server, from 0 */
};
/* Runs on the connection's thread; writes the answer to fd and returns whether the connection goes
 * on. */
typedef bool tiny_fn(void *ctx, const struct tiny_request *req, int fd);

struct tiny_server;
struct tiny_server *tiny_start(tiny_fn *fn, void *ctx);
void tiny_stop(struct tiny_server *s); /* ends open connections, joins the threads */
AUTO_PTR(struct tiny_server, tiny_stop)
const char *tiny_url(const struct tiny_server *s); /* "http://127.0.0.1:PORT" */
int tiny_port(const struct tiny_server *s);
size_t tiny_requests(struct tiny_server *s);    /* so far */
size_t tiny_connections(struct tiny_server *s); /* so far */
bool tiny_is_stopping(struct tiny_server *s);

bool tiny_write(int fd, str bytes); /* false when the client has gone */
/* A whole answer with Content-Length; type may be NULL. True. */
bool tiny_answer(int fd, int status, const char *type, str body);
str tiny_header(const struct tiny_request *req, const char *name); /* empty when absent */
void tiny_reset(int fd); /* the client will see a reset, not an end */
