#include "http/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>

#include "base/escape.h"
#include "base/mem.h"
#include "http/server_priv.h"

DL_DEFINE(mhd, MHD_FUNCTIONS, SONAME_microhttpd, "libmicrohttpd12")

#define TLS_FUNCTIONS(X)                \
    X(gnutls_certificate_verify_peers2) \
    X(gnutls_certificate_get_peers)     \
    X(gnutls_x509_crt_init)             \
    X(gnutls_x509_crt_import)           \
    X(gnutls_x509_crt_get_dn_by_oid)    \
    X(gnutls_x509_crt_deinit)
#include <gnutls/x509.h>
DL_LIBRARY(peer_tls, TLS_FUNCTIONS, SONAME_gnutls, "libgnutls30")

enum { DEFAULT_THREADS = 2, DEFAULT_MAX_BODY = 8 << 20, POOL_BYTES = 32 << 10 };

/* ---- the peer's certificate */

static void read_names(const struct peer_tls_dl *tls, const gnutls_datum_t *der,
                       struct http_peer *peer)
{
    gnutls_x509_crt_t crt;
    size_t len = sizeof(peer->name);

    if (tls->gnutls_x509_crt_init(&crt) < 0)
        return;
    if (tls->gnutls_x509_crt_import(crt, der, GNUTLS_X509_FMT_DER) >= 0) {
        if (tls->gnutls_x509_crt_get_dn_by_oid(crt, GNUTLS_OID_X520_COMMON_NAME, 0, 0, peer->name,
                                               &len) < 0)
            peer->name[0] = '\0';
        len = sizeof(peer->org);
        if (tls->gnutls_x509_crt_get_dn_by_oid(crt, GNUTLS_OID_X520_ORGANIZATION_NAME, 0, 0,
                                               peer->org, &len) < 0)
            peer->org[0] = '\0';
    }
    tls->gnutls_x509_crt_deinit(crt);
}

static void check_peer(struct http_call *call, struct http_peer *peer)
{
    AUTO(err_done) struct err e = {0};
    const struct peer_tls_dl *tls = peer_tls_load(&e);
    const union MHD_ConnectionInfo *info = call->server->mhd->MHD_get_connection_info(
        call->connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    unsigned status = 0, count = 0;
    const gnutls_datum_t *chain;

    peer->is_checked = true;
    if (!tls || !info)
        return;
    chain = tls->gnutls_certificate_get_peers(info->tls_session, &count);
    if (!chain || count == 0)
        return;
    if (tls->gnutls_certificate_verify_peers2(info->tls_session, &status) < 0 || status != 0)
        return;
    peer->is_good = true;
    read_names(tls, &chain[0], peer);
}

static struct http_peer *peer_of(struct http_call *call)
{
    const union MHD_ConnectionInfo *info = call->server->mhd->MHD_get_connection_info(
        call->connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct http_peer *peer = info ? info->socket_context : NULL;

    if (peer && !peer->is_checked) {
        if (call->server->ca)
            check_peer(call, peer);
        else
            peer->is_good = peer->is_checked = true;
    }
    return peer;
}

static void on_connection(void *cls UNUSED, struct MHD_Connection *c UNUSED, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        *context = NEW(struct http_peer);
    } else {
        mem_free(*context);
        *context = NULL;
    }
}

/* ---- calls */

static void call_unref(struct http_call *call)
{
    bool is_last;

    pthread_mutex_lock(&call->lock);
    is_last = --call->refs == 0;
    pthread_mutex_unlock(&call->lock);
    if (!is_last)
        return;
    if (call->response)
        call->server->mhd->MHD_destroy_response(call->response);
    pthread_mutex_destroy(&call->lock);
    buf_done(&call->body);
    mem_free(call->target);
    mem_free(call);
}

void http_call_answer(struct http_call *call, struct MHD_Response *response, int status)
{
    pthread_mutex_lock(&call->lock);
    assert(!call->is_answered);
    call->is_answered = true;
    call->is_cut = response == NULL;
    call->response = response;
    call->status = status;
    if (call->is_waiting) {
        call->is_waiting = false;
        call->server->mhd->MHD_resume_connection(call->connection);
    }
    pthread_mutex_unlock(&call->lock);
    call_unref(call);
}

/* A body that ends too early, its length having been promised. */
struct cut_body {
    struct buf body;
    size_t end;
};

static ssize_t cut_read(void *cls, uint64_t pos, char *out, size_t max)
{
    const struct cut_body *cut = cls;
    size_t n;

    if (pos >= cut->end)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    n = MIN(max, cut->end - (size_t)pos);
    memcpy(out, cut->body.p + pos, n);
    return (ssize_t)n;
}

static void cut_free(void *cls)
{
    struct cut_body *cut = cls;

    buf_done(&cut->body);
    mem_free(cut);
}

static struct MHD_Response *response_of(const struct mhd_dl *mhd, struct http_reply *reply)
{
    size_t len = reply->body.len;
    struct cut_body *cut;

    if (reply->cut_after <= 0 || (size_t)reply->cut_after >= len)
        return mhd->MHD_create_response_from_buffer(len, buf_take(&reply->body),
                                                    MHD_RESPMEM_MUST_FREE);
    cut = NEW(struct cut_body);
    cut->body = reply->body;
    cut->end = (size_t)reply->cut_after;
    reply->body = (struct buf){0};
    return mhd->MHD_create_response_from_callback(len, 4096, cut_read, cut, cut_free);
}

static void add_warnings(const struct mhd_dl *mhd, struct MHD_Response *response, str texts)
{
    str line;

    while (str_next_line(&texts, &line)) {
        AUTO(buf_done) struct buf header = {0};

        buf_add_cstr(&header, "299 - ");
        escape_quoted(line, &header);
        mhd->MHD_add_response_header(response, "Warning", buf_cstr(&header));
    }
}

void http_call_reply(struct http_call *call, struct http_reply *reply)
{
    const struct mhd_dl *mhd = call->server->mhd;
    struct MHD_Response *response = response_of(mhd, reply);
    char number[16];

    if (response) {
        mhd->MHD_add_response_header(response, "Content-Type",
                                     reply->content_type ? reply->content_type
                                                         : "application/json");
        add_warnings(mhd, response, str_of(reply->warnings));
        if (reply->retry_after_s > 0) {
            snprintf(number, sizeof(number), "%d", reply->retry_after_s);
            mhd->MHD_add_response_header(response, "Retry-After", number);
        }
    }
    http_call_answer(call, response, reply->status);
}

void http_call_cut(struct http_call *call) { http_call_answer(call, NULL, 0); }

str http_call_header(struct http_call *call, const char *name)
{
    return str_of(
        call->server->mhd->MHD_lookup_connection_value(call->connection, MHD_HEADER_KIND, name));
}

/* ---- the callbacks of the library */

/* Called first for each request, with the target as it was sent; what it returns is the request's
 * context. */
static void *on_target(void *cls, const char *target, struct MHD_Connection *connection)
{
    struct http_call *call = NEW(struct http_call);

    call->server = cls;
    call->connection = connection;
    call->target = mem_strdup(target);
    call->refs = 1;
    pthread_mutex_init(&call->lock, NULL);
    return call;
}

static void on_completed(void *cls UNUSED, struct MHD_Connection *connection UNUSED, void **context,
                         enum MHD_RequestTerminationCode code UNUSED)
{
    struct http_call *call = *context;

    if (call)
        call_unref(call);
    *context = NULL;
}

static void handle(struct http_call *call)
{
    const struct http_server *s = call->server;
    const struct http_peer *peer = peer_of(call);
    struct http_server_request req = {.method = call->method,
                                      .target = str_of(call->target),
                                      .body = buf_view(&call->body),
                                      .call = call};

    if (peer) {
        req.peer_name = str_of(peer->name);
        req.peer_org = str_of(peer->org);
        req.is_peer_good = peer->is_good;
    }
    call->refs++; /* the handler's; nobody else knows the call yet */
    if (call->is_too_big) {
        struct http_reply reply = {.status = 413, .content_type = "text/plain"};

        buf_add_cstr(&reply.body, "request body too large\n");
        http_call_reply(call, &reply);
        return;
    }
    s->o.handler(s->o.ctx, &req);
}

/* Queues the answer that is there; suspends the connection when it comes later. */
static enum MHD_Result give_answer(struct http_call *call)
{
    const struct mhd_dl *mhd = call->server->mhd;
    enum MHD_Result rc = MHD_YES;

    pthread_mutex_lock(&call->lock);
    if (!call->is_answered) {
        call->is_waiting = true;
        mhd->MHD_suspend_connection(call->connection);
    } else if (call->is_cut || !call->response) {
        rc = MHD_NO;
    } else {
        rc = mhd->MHD_queue_response(call->connection, (unsigned)call->status, call->response);
        mhd->MHD_destroy_response(call->response);
        call->response = NULL;
    }
    pthread_mutex_unlock(&call->lock);
    return rc;
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *connection UNUSED,
                                  const char *url UNUSED, const char *method,
                                  const char *version UNUSED, const char *data, size_t *data_len,
                                  void **context)
{
    struct http_server *s = cls;
    struct http_call *call = *context;

    if (!call)
        return MHD_NO;
    if (!call->method.p) { /* headers only so far; answering now would close the connection */
        call->method = str_of(method);
        return MHD_YES;
    }
    if (*data_len > 0) {
        if (call->body.len + *data_len > s->o.max_body)
            call->is_too_big = true;
        else
            buf_add(&call->body, data, *data_len);
        *data_len = 0;
        return MHD_YES;
    }
    if (!call->is_handled) {
        call->is_handled = true;
        handle(call);
    }
    return give_answer(call);
}

static enum MHD_Result on_accept(void *cls, const struct sockaddr *addr UNUSED,
                                 socklen_t len UNUSED)
{
    struct http_server *s = cls;

    return !s->o.accept || s->o.accept(s->o.ctx) ? MHD_YES : MHD_NO;
}

/* ---- start and stop */

static size_t keep_text(void *cls UNUSED, struct MHD_Connection *c UNUSED, char *text)
{
    return strlen(text);
}

static struct MHD_Daemon *start_daemon(struct http_server *s, const struct sockaddr_in *addr)
{
    struct MHD_OptionItem tls[4] = {{0}};
    unsigned flags = MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_SUSPEND_RESUME;
    sigset_t all, before;
    struct MHD_Daemon *daemon;
    size_t n = 0;

    if (s->cert) {
        flags |= MHD_USE_TLS;
        tls[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, s->cert};
        tls[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, s->key};
        if (s->ca)
            tls[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_TRUST, 0, s->ca};
    }
    tls[n] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    sigfillset(&all); /* signals are for the thread that waits for them */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    daemon = s->mhd->MHD_start_daemon(
        flags, s->o.port, on_accept, s, on_request, s, MHD_OPTION_SOCK_ADDR, addr,
        MHD_OPTION_THREAD_POOL_SIZE, s->o.threads, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)POOL_BYTES, MHD_OPTION_URI_LOG_CALLBACK, on_target, s, MHD_OPTION_UNESCAPE_CALLBACK,
        keep_text, NULL, MHD_OPTION_NOTIFY_COMPLETED, on_completed, s, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, s, MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return daemon;
}

static struct http_server *server_new(const struct http_server_options *options,
                                      const struct mhd_dl *mhd)
{
    struct http_server *s = NEW(struct http_server);

    s->mhd = mhd;
    s->o = *options;
    s->o.threads = s->o.threads ? s->o.threads : DEFAULT_THREADS;
    s->o.max_body = s->o.max_body ? s->o.max_body : DEFAULT_MAX_BODY;
    s->hangups = s->stop_fd = -1;
    pthread_mutex_init(&s->lock, NULL);
    if (options->cert_pem.len) {
        s->cert = mem_strndup(options->cert_pem.p, options->cert_pem.len);
        s->key = mem_strndup(options->key_pem.p, options->key_pem.len);
        if (options->client_ca_pem.len)
            s->ca = mem_strndup(options->client_ca_pem.p, options->client_ca_pem.len);
    }
    return s;
}

struct http_server *http_server_start(const struct http_server_options *options, struct err *e)
{
    const struct mhd_dl *mhd = mhd_load(e);
    const char *address = options->address ? options->address : "127.0.0.1";
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_port = htons(options->port)};
    AUTO(http_server_stop) struct http_server *s = NULL;

    if (!mhd)
        return NULL;
    if (inet_pton(AF_INET, address, &addr.sin_addr) != 1) {
        err_set(e, ERR_INVALID, "\"%s\" is no IPv4 address", address);
        return NULL;
    }
    s = server_new(options, mhd);
    if (http_hangups_start(s, e) < 0)
        return NULL;
    errno = 0;
    s->daemon = start_daemon(s, &addr);
    if (!s->daemon) {
        err_errno(e, errno ? errno : EIO, "cannot listen on %s:%u", address, options->port);
        return NULL;
    }
    s->port = mhd->MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    return TAKE(s);
}

uint16_t http_server_port(const struct http_server *s) { return s->port; }

void http_server_stop(struct http_server *s)
{
    if (!s)
        return;
    http_hangups_stop(s);
    if (s->daemon)
        s->mhd->MHD_stop_daemon(s->daemon);
    http_hangups_done(s);
    pthread_mutex_destroy(&s->lock);
    if (s->key) /* a private key does not stay in freed memory */
        explicit_bzero(s->key, strlen(s->key));
    mem_free(s->cert);
    mem_free(s->key);
    mem_free(s->ca);
    mem_free(s);
}
