#include "http/client.h"

#include "http/client_priv.h"

DL_DEFINE(curl, CURL_FUNCTIONS, SONAME_curl, "libcurl4")

static const struct curl_dl *load_curl(struct err *e)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool is_ready;
    const struct curl_dl *curl = curl_load(e);

    if (!curl)
        return NULL;
    pthread_mutex_lock(&lock);
    if (!is_ready)
        curl->curl_global_init(CURL_GLOBAL_DEFAULT);
    is_ready = true;
    pthread_mutex_unlock(&lock);
    return curl;
}

static char *copy_or_null(str s) { return s.len ? mem_strndup(s.p, s.len) : NULL; }

static struct http_client *client_init(const struct http_client_options *o,
                                       const struct curl_dl *functions)
{
    struct http_client *c = NEW(struct http_client);

    c->curl = functions;
    c->epoll_fd = c->wake_fd = -1;
    c->timer_us = INT64_MAX;
    buf_add_str(&c->ca_pem, o->tls.ca_pem);
    buf_add_str(&c->cert_pem, o->tls.cert_pem);
    buf_add_str(&c->key_pem, o->tls.key_pem);
    c->server_name = copy_or_null(o->tls.server_name);
    c->insecure = o->tls.insecure;
    c->proxy = copy_or_null(o->proxy_url);
    c->proxy_source = copy_or_null(o->proxy_source);
    c->use_env_proxy = o->use_env_proxy;
    c->user_agent = copy_or_null(o->user_agent);
    if (!c->user_agent)
        c->user_agent = mem_strdup("grapnel/" GRAPNEL_VERSION);
    c->max_connections = o->max_connections ? o->max_connections : 24;
    c->connect_timeout_ms = o->connect_timeout_ms ? o->connect_timeout_ms : 30000;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->idle, NULL);
    return c;
}

static void client_destroy(struct http_client *c)
{
    while (c->pool) {
        struct transfer *t = c->pool;

        c->pool = t->next;
        http_transfer_free(t);
    }
    if (c->multi)
        c->curl->curl_multi_cleanup(c->multi);
    http_sockets_done(c);
    pthread_mutex_destroy(&c->lock);
    pthread_cond_destroy(&c->idle);
    if (c->key_pem.p)
        explicit_bzero(c->key_pem.p, c->key_pem.len);
    buf_done(&c->ca_pem);
    buf_done(&c->cert_pem);
    buf_done(&c->key_pem);
    mem_free(c->server_name);
    mem_free(c->proxy);
    mem_free(c->proxy_source);
    mem_free(c->user_agent);
    mem_free(c);
}

struct http_client *http_client_new(const struct http_client_options *options, struct err *e)
{
    const struct curl_dl *functions = load_curl(e);
    struct http_client *c;

    if (!functions)
        return NULL;
    c = client_init(options, functions);
    c->multi = functions->curl_multi_init();
    if (c->multi) {
        functions->curl_multi_setopt(c->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
        functions->curl_multi_setopt(c->multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 200L);
        functions->curl_multi_setopt(c->multi, CURLMOPT_MAXCONNECTS, 64L);
    }
    if (!c->multi)
        err_set(e, ERR_IO, "libcurl gives no handle");
    else if (http_sockets_init(c, e) == 0)
        c->thread = thread_start("http", http_loop_run, c, e);
    if (!c->thread) {
        client_destroy(c);
        return NULL;
    }
    return c;
}

void http_client_free(struct http_client *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    while (c->calls)
        pthread_cond_wait(&c->idle, &c->lock);
    c->is_stopping = true;
    pthread_mutex_unlock(&c->lock);
    http_sockets_wake(c);
    thread_join(c->thread);
    client_destroy(c);
}

void http_response_done(struct http_response *r)
{
    buf_done(&r->body);
    buf_done(&r->headers);
    *r = (struct http_response){0};
}

str http_response_header(const struct http_response *r, const char *name)
{
    str rest = buf_view(&r->headers), line;

    while (str_next_line(&rest, &line)) {
        str value, key = str_cut(line, ':', &value);

        if (str_eq(key, str_of(name)))
            return str_trim(value);
    }
    return STR_NONE;
}

/* ---- the calling thread's side of a transfer */
struct call {
    struct transfer *t;
    struct cancel *cancel;
    struct cancel_watch *watch;
    clock_ms idle_until; /* of a stream: nothing came */
};

static void on_cancel(void *ctx)
{
    struct transfer *t = ctx;

    pthread_mutex_lock(&t->lock);
    t->is_cancelled = true;
    pthread_cond_signal(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

static void call_start(struct call *call)
{
    if (call->cancel)
        call->watch = cancel_watch(call->cancel, on_cancel, call->t);
    http_loop_post(call->t, CMD_START);
}

/* The transfer is the caller's again when this returns. */
static void call_abort(struct call *call)
{
    struct transfer *t = call->t;

    http_loop_post(t, CMD_ABORT);
    pthread_mutex_lock(&t->lock);
    while (!t->is_done)
        pthread_cond_wait(&t->changed, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

static void call_end(struct call *call)
{
    cancel_unwatch(call->cancel, call->watch);
    http_transfer_give(call->t);
}

enum wake { WAKE_DONE, WAKE_DATA, WAKE_STOP, WAKE_IDLE };

/* Blocks until something is to be done; pieces of a stream are moved into data. */
static enum wake call_wait(struct call *call, struct buf *data)
{
    struct transfer *t = call->t;
    clock_ms deadline = cancel_deadline(call->cancel);
    enum wake wake = WAKE_DONE;
    bool resume = false;

    pthread_mutex_lock(&t->lock);
    while (!t->is_done && t->data.len == 0) {
        if (t->is_cancelled || (deadline != CLOCK_NEVER && clock_left(deadline) <= 0)) {
            wake = WAKE_STOP;
            break;
        }
        if (call->idle_until != CLOCK_NEVER && clock_left(call->idle_until) <= 0) {
            wake = WAKE_IDLE;
            break;
        }
        thread_cond_wait(&t->changed, &t->lock, MIN(deadline, call->idle_until));
    }
    if (t->data.len) {
        struct buf empty = *data;

        *data = t->data;
        t->data = empty;
        resume = t->is_paused;
        t->is_paused = false;
        wake = t->is_cancelled ? WAKE_STOP : WAKE_DATA;
    }
    pthread_mutex_unlock(&t->lock);
    if (resume)
        http_loop_post(t, CMD_RESUME);
    return wake;
}

/* Fills ret and e from a transfer that is done. */
static int call_result(struct call *call, const struct http_request *req, struct http_response *ret,
                       struct err *e)
{
    struct transfer *t = call->t;
    struct buf old_body = ret->body, old_headers = ret->headers;
    long status = 0;

    if (t->code != CURLE_OK)
        return http_failure_set(t, req->url, ret, e);
    t->client->curl->curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    ret->status = (int)status;
    ret->was_sent = true;
    ret->body = t->body;
    ret->headers = t->headers;
    t->body = old_body;
    t->headers = old_headers;
    return 0;
}

static void response_reset(struct http_response *ret)
{
    ret->status = 0;
    ret->failure = HTTP_OK;
    ret->was_sent = false;
    buf_clear(&ret->body);
    buf_clear(&ret->headers);
}

static int stopped(const struct call *call, struct http_response *ret, struct err *e)
{
    ret->failure = HTTP_OTHER;
    ret->was_sent = true; /* nobody knows */
    if (cancel_check(call->cancel, e) == 0)
        return err_set(e, ERR_CANCELED, "cancelled");
    return -1;
}

int http_call(struct http_client *c, const struct http_request *req, struct cancel *cancel,
              struct http_response *ret, struct err *e)
{
    struct call call = {.cancel = cancel, .idle_until = CLOCK_NEVER};
    AUTO(buf_done) struct buf none = {0};
    int rc;

    response_reset(ret);
    if (cancel_check(cancel, e) < 0)
        return -1;
    call.t = http_transfer_take(c, req, false, e);
    if (!call.t)
        return -1;
    call_start(&call);
    if (call_wait(&call, &none) == WAKE_DONE) {
        rc = call_result(&call, req, ret, e);
    } else {
        call_abort(&call);
        rc = stopped(&call, ret, e);
    }
    call_end(&call);
    return rc;
}

/* Hands pieces on until the stream ends: 1 when the answer is complete, 0 when on_data ended it, -1
 * when it was stopped. */
static int pump(struct call *call, int64_t idle_ms, http_data_fn *on_data, void *ctx,
                struct http_response *ret, struct err *e)
{
    AUTO(buf_done) struct buf data = {0};

    for (;;) {
        call->idle_until = idle_ms > 0 ? clock_after(idle_ms) : CLOCK_NEVER;
        switch (call_wait(call, &data)) {
        case WAKE_DONE:
            return 1;
        case WAKE_DATA:
            if (on_data(ctx, buf_view(&data))) {
                call_abort(call);
                return 0;
            }
            buf_clear(&data);
            break;
        case WAKE_STOP:
            call_abort(call);
            return stopped(call, ret, e);
        case WAKE_IDLE:
            call_abort(call);
            ret->was_sent = true;
            return err_set(e, ERR_TIMEOUT, "the server sent nothing for %lld s",
                           (long long)(idle_ms / 1000));
        }
    }
}

int http_stream(struct http_client *c, const struct http_request *req, int64_t idle_ms,
                struct cancel *cancel, http_data_fn *on_data, void *ctx, struct http_response *ret,
                struct err *e)
{
    struct call call = {.cancel = cancel};
    int rc;

    response_reset(ret);
    if (cancel_check(cancel, e) < 0)
        return -1;
    call.t = http_transfer_take(c, req, true, e);
    if (!call.t)
        return -1;
    call_start(&call);
    rc = pump(&call, idle_ms, on_data, ctx, ret, e);
    if (rc > 0) {
        rc = call_result(&call, req, ret, e);
    } else if (rc == 0) {
        ret->status = call.t->status;
        ret->was_sent = true;
    }
    call_end(&call);
    return rc;
}
