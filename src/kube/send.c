/* Sending one request: credentials, Retry-After, and trying again what may be tried again. */
#include "base/duration.h"
#include "kube/client_priv.h"
#include "kube/warnings_priv.h"
#include "sys/random.h"

enum {
    MAX_BODY = 256 << 20,
    FAILURE_TRIES = 5, /* connection failures: 0.1, 0.2, 0.4, 0.8 s between */
    FIRST_BACKOFF_MS = 100,
    CONFLICT_TRIES = 5,
    BUSY_TRIES = 10, /* answers with Retry-After */
    LONGEST_RETRY_AFTER_S = 300,
    MAX_HEADERS = 24,
};

struct headers {
    struct http_header v[MAX_HEADERS];
    size_t len;
};

static void add(struct headers *h, str name, str value)
{
    if (value.len && h->len < MAX_HEADERS)
        h->v[h->len++] = (struct http_header){name, value};
}

static void add_impersonation(struct headers *h, const struct kube_config *c)
{
    add(h, STR("Impersonate-User"), c->as_user);
    add(h, STR("Impersonate-Uid"), c->as_uid);
    for (size_t i = 0; i < c->as_group_count; i++)
        add(h, STR("Impersonate-Group"), c->as_groups[i]);
    for (size_t i = 0; i < c->as_extra_count; i++)
        add(h, c->as_extra[i].key, c->as_extra[i].value);
}

static void fill_headers(struct headers *h, const struct kube *k, const struct kube_call *call,
                         str authorization)
{
    static const str json = STR_INIT("application/json");

    add(h, STR("Accept"), call->accept.len ? call->accept : json);
    if (call->body.p)
        add(h, STR("Content-Type"), call->content_type.len ? call->content_type : json);
    add(h, STR("Authorization"), authorization);
    add_impersonation(h, k->config);
}

/* One try; the credentials it used are left in grant. */
static int send_once(struct kube *k, const struct kube_call *call, struct cancel *cancel,
                     struct kube_grant *grant, struct http_response *ret, struct err *e)
{
    AUTO(buf_done) struct buf url = {0};
    struct headers headers = {0};
    struct http_request req = {.method = call->method,
                               .body = call->body,
                               .headers = headers.v,
                               .max_body = MAX_BODY,
                               .gzip = call->gzip};

    ret->was_sent = false;
    kube_grant_done(grant);
    if (kube_auth_get(k->auth, cancel, grant, e) < 0)
        return -1;
    fill_headers(&headers, k, call, buf_view(&grant->authorization));
    req.header_count = headers.len;
    buf_add_str(&url, k->config->server);
    buf_add_str(&url, call->path);
    req.url = buf_view(&url);
    return http_call(grant->http, &req, cancel, ret, e);
}

/* Sending it twice is as good as once: what became of the first is not known. */
static bool may_repeat(const struct kube_call *call)
{
    return call->is_repeatable || strcmp(call->method, "GET") == 0 ||
           strcmp(call->method, "HEAD") == 0;
}

static int64_t retry_after_ms(const struct http_response *r)
{
    int64_t seconds;

    if (!str_to_int64(http_response_header(r, "retry-after"), &seconds) || seconds < 0)
        return -1;
    return MIN(seconds, (int64_t)LONGEST_RETRY_AFTER_S) * 1000;
}

/* 100, 200, 400 ms …, each with up to a half more, so that clients do not come in step. */
static int64_t backoff_ms(int failures)
{
    int64_t ms = (int64_t)FIRST_BACKOFF_MS << MIN(failures, 6);

    return ms + (int64_t)random_below((uint64_t)ms / 2 + 1);
}

struct tries {
    int failures, busy, conflicts;
    bool was_refused; /* a 401 was answered with new credentials once */
};

/* How long to wait before the next try; -1: this answer stands. */
static int64_t wait_after_answer(const struct kube_call *call, const struct http_response *r,
                                 struct tries *tries)
{
    int64_t wait = -1;

    if (r->status == 429 || r->status >= 500)
        wait = retry_after_ms(r);
    if (wait >= 0 && ++tries->busy < BUSY_TRIES)
        return MAX(wait, (int64_t)FIRST_BACKOFF_MS);
    if (r->status >= 500 && r->status <= 504 && r->status != 501 && may_repeat(call) &&
        ++tries->failures < FAILURE_TRIES)
        return backoff_ms(tries->failures - 1);
    if (r->status == 409 && call->bears_change && ++tries->conflicts < CONFLICT_TRIES)
        return backoff_ms(tries->conflicts - 1);
    return -1;
}

static int64_t wait_after_failure(const struct kube_call *call, const struct http_response *r,
                                  const struct err *e, struct tries *tries)
{
    if (e->kind != ERR_UNAVAILABLE || (r->was_sent && !may_repeat(call)))
        return -1;
    return ++tries->failures < FAILURE_TRIES ? backoff_ms(tries->failures - 1) : -1;
}

/* Waits before another try. Where the deadline comes first, the wait is not begun: the answer or
 * error that is there says more than "timeout". */
static bool may_try_again(struct cancel *cancel, int64_t wait_ms)
{
    AUTO(err_done) struct err e = {0};

    if (wait_ms < 0 || clock_left(cancel_deadline(cancel)) <= wait_ms)
        return false;
    return cancel_sleep(cancel, wait_ms, &e) == 0;
}

static int send_within(struct kube *k, const struct kube_call *call, struct cancel *cancel,
                       struct http_response *ret, struct err *e)
{
    AUTO(kube_grant_done) struct kube_grant grant = {0};
    struct tries tries = {0};

    for (;;) {
        int64_t wait;

        if (send_once(k, call, cancel, &grant, ret, e) < 0) {
            wait = wait_after_failure(call, ret, e, &tries);
            if (!may_try_again(cancel, wait))
                return -1;
            err_done(e);
            continue;
        }
        if (ret->status == 401 && !tries.was_refused && kube_auth_refused(k->auth, &grant)) {
            tries.was_refused = true;
            continue;
        }
        wait = wait_after_answer(call, ret, &tries);
        if (may_try_again(cancel, wait))
            continue;
        if (ret->status == 404 && tries.failures && strcmp(call->method, "DELETE") == 0)
            ret->status = 200; /* a try before this one had deleted it */
        kube_warnings_show(k->warnings, ret);
        return 0;
    }
}

/* The time of --request-timeout alone has passed: "timed out" would not say whose. */
static int name_timeout(int64_t timeout, struct cancel *cancel, struct err *e)
{
    AUTO(buf_done) struct buf time = {0};

    if (e->kind != ERR_TIMEOUT || cancel_is_set(cancel))
        return -1;
    duration_format_ms(timeout, &time);
    return err_set(e, ERR_TIMEOUT, "no answer within %s (--request-timeout)", buf_cstr(&time));
}

int kube_send(struct kube *k, const struct kube_call *call, struct cancel *cancel,
              struct http_response *ret, struct err *e)
{
    int64_t timeout = k->config->request_timeout_ms;
    AUTO(cancel_free) struct cancel *own = NULL;

    if (timeout <= 0)
        return send_within(k, call, cancel, ret, e);
    own = cancel_new(cancel, clock_after(timeout));
    return send_within(k, call, own, ret, e) < 0 ? name_timeout(timeout, cancel, e) : 0;
}

int kube_send_ok(struct kube *k, const struct kube_call *call, struct cancel *cancel,
                 struct http_response *ret, struct err *e)
{
    if (kube_send(k, call, cancel, ret, e) < 0)
        return -1;
    if (ret->status < 300)
        return 0;
    kube_status_error(ret->status, buf_view(&ret->body), e);
    e->retry_after_ms = MAX(retry_after_ms(ret), (int64_t)0);
    return -1;
}

int kube_send_stream(struct kube *k, str path, int64_t idle_ms, struct cancel *cancel,
                     http_data_fn *on_data, void *ctx, struct http_response *ret, struct err *e)
{
    AUTO(kube_grant_done) struct kube_grant grant = {0};
    AUTO(buf_done) struct buf url = {0};
    struct kube_call call = {.method = "GET"};
    struct headers headers = {0};
    struct http_request req = {.method = "GET", .headers = headers.v, .max_body = 1 << 20};

    if (kube_auth_get(k->auth, cancel, &grant, e) < 0)
        return -1;
    fill_headers(&headers, k, &call, buf_view(&grant.authorization));
    req.header_count = headers.len;
    buf_add_str(&url, k->config->server);
    buf_add_str(&url, path);
    req.url = buf_view(&url);
    if (http_stream(grant.http, &req, idle_ms, cancel, on_data, ctx, ret, e) < 0)
        return -1;
    if (ret->status == 401)
        kube_auth_refused(k->auth, &grant); /* the next try takes new ones */
    return 0;
}
