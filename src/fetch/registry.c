#include "fetch/registry.h"

#include "base/mem.h"
#include "fetch/registry_login.h"
#include "fetch/registry_priv.h"
#include "http/url.h"
#include "sys/thread.h"

enum { MOST_REDIRECTS = 10, FIRST_WAIT_MS = 250 };

struct registry *registry_new(const struct registry_options *options, struct err *e)
{
    AUTO(buf_done) struct buf docker = {0};
    struct http_client_options http = {.tls = options->tls, .use_env_proxy = true};
    struct registry *r = NEW(struct registry);

    r->username = arena_dup(&r->arena, options->username);
    r->password = arena_dup(&r->arena, options->password);
    r->config = options->config ? arena_cstr(&r->arena, str_of(options->config)) : NULL;
    registry_login_docker_config(&docker);
    r->docker_config = docker.len ? arena_cstr(&r->arena, buf_view(&docker)) : NULL;
    r->is_plain_http = options->is_plain_http;
    r->has_tls = options->tls.insecure || options->tls.ca_pem.len || options->tls.cert_pem.len;
    r->first_wait_ms = options->first_wait_ms > 0 ? options->first_wait_ms : FIRST_WAIT_MS;
    r->cancel = options->cancel;
    pthread_mutex_init(&r->lock, NULL);
    r->client = http_client_new(&http, e);
    if (r->client)
        return r;
    registry_free(r);
    return NULL;
}

void registry_free(struct registry *r)
{
    if (!r)
        return;
    http_client_free(r->client);
    map_done(&r->grants);
    map_done(&r->plain_hosts);
    pthread_mutex_destroy(&r->lock);
    arena_done(&r->arena);
    mem_free(r);
}

/* ---- plain HTTP or not */

static bool is_local(str host)
{
    if (str_drop_prefix(&host, STR("[")))
        return http_url_is_loopback(str_cut(host, ']', NULL));
    return http_url_is_loopback(str_cut(host, ':', NULL));
}

static bool is_plain(struct registry *r, str host)
{
    LOCK_SCOPE(&r->lock);
    return r->is_plain_http || map_has(&r->plain_hosts, host);
}

/* A registry of this machine that answers TLS with something else is spoken to in plain HTTP,
 * unless TLS was asked for. */
static bool may_turn_plain(struct registry *r, str host, const struct http_response *response)
{
    if (r->has_tls || !is_local(host) || is_plain(r, host) || response->failure != HTTP_TLS)
        return false;
    LOCK_SCOPE(&r->lock);
    map_put(&r->plain_hosts, arena_dup(&r->arena, host), r);
    return true;
}

/* The name of Docker's registry is not that of its machine. */
static void add_origin(struct registry *r, str host, struct buf *out)
{
    str machine = str_eq(host, STR("docker.io")) ? REGISTRY_HUB : host;

    buf_addf(out, "%s://%.*s", is_plain(r, host) ? "http" : "https", STR_ARG(machine));
}

static void url_of(struct registry *r, const struct registry_call *call, struct buf *out)
{
    if (call->target.p[0] == '/')
        add_origin(r, call->host, out);
    buf_add_str(out, call->target);
}

/* ---- what answers say */

static enum err_kind kind_of(int status)
{
    if (status == 404)
        return ERR_NOT_FOUND;
    if (status == 401 || status == 403)
        return ERR_DENIED;
    return status == 408 || status == 429 || status >= 500 ? ERR_UNAVAILABLE : ERR_IO;
}

int registry_expect(const struct registry *r, const struct registry_call *call,
                    const struct http_response *response, int status, int other, struct err *e)
{
    AUTO(buf_done) struct buf words = {0}, url = {0};

    if (response->status == status || response->status == other)
        return 0;
    registry_describe(response, &words);
    url_of((struct registry *)r, call, &url);
    err_set(e, kind_of(response->status), "%s \"%.*s\": %s", call->method,
            STR_ARG(str_cut(buf_view(&url), '?', NULL)), buf_cstr(&words));
    e->code = response->status;
    return -1;
}

/* ---- sending */

static bool is_redirect(int status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/* Storage is asked without any credentials, and never in plain HTTP by a registry with TLS. What it
 * answers is final: its challenges are not met. */
static int follow(struct registry *r, str url, const struct http_request *request,
                  struct http_response *ret, struct err *e)
{
    AUTO(buf_done) struct buf there = {0};
    struct http_request next = *request;
    struct http_header accept = {0};
    struct http_url from;

    if (http_url_parse(url, &from, e) < 0)
        return -1;
    http_url_resolve(&from, http_response_header(ret, "location"), &there);
    if (str_eq_nocase(from.scheme, STR("https")) && !str_starts(buf_view(&there), STR("https://")))
        return err_set(e, ERR_DENIED, "%.*s redirects to plain HTTP", STR_ARG(from.host));
    for (size_t i = 0; i < request->header_count; i++)
        if (str_eq(request->headers[i].name, STR("Accept")))
            accept = request->headers[i];
    next.url = buf_view(&there);
    next.headers = &accept;
    next.header_count = accept.name.len ? 1 : 0;
    next.max_redirects = MOST_REDIRECTS;
    return http_call(r->client, &next, r->cancel, ret, e);
}

/* Once, with this authorization. *ret_is_final: it was answered by where a redirect led. */
static int send_once(struct registry *r, const struct registry_call *call, str url,
                     str authorization, struct http_response *ret, bool *ret_is_final,
                     struct err *e)
{
    struct http_header headers[3];
    struct http_request request = {.method = call->method,
                                   .url = url,
                                   .headers = headers,
                                   .body = call->body,
                                   .max_body = MAX(call->max_body, (size_t)REGISTRY_SMALL_BODY)};

    if (call->accept)
        headers[request.header_count++] = (struct http_header){STR("Accept"), str_of(call->accept)};
    if (call->content_type.len)
        headers[request.header_count++] =
            (struct http_header){STR("Content-Type"), call->content_type};
    if (authorization.len)
        headers[request.header_count++] = (struct http_header){STR("Authorization"), authorization};
    *ret_is_final = false;
    if (http_call(r->client, &request, r->cancel, ret, e) < 0)
        return -1;
    if (call->body.p || !is_redirect(ret->status))
        return 0;
    *ret_is_final = true;
    return follow(r, url, &request, ret, e);
}

/* Credentials go to the registry alone: an upload may lie elsewhere. */
static bool is_at_registry(struct registry *r, str host, str url)
{
    AUTO(buf_done) struct buf origin = {0};

    add_origin(r, host, &origin);
    buf_add_char(&origin, '/');
    return str_starts(url, buf_view(&origin));
}

/* Until the registry has what it wants to know of us: what it refuses is replaced once. */
static int send_authorized(struct registry *r, const struct registry_call *call,
                           struct http_response *ret, struct err *e)
{
    AUTO(buf_done) struct buf url = {0}, authorization = {0};
    struct registry_need need = {call->host, STR_NONE, call->repository, call->method,
                                 call->actions};
    bool is_final, was_answered = false;
    int rc;

    for (;;) {
        buf_clear(&url);
        buf_clear(&authorization);
        url_of(r, call, &url);
        need.url = buf_view(&url);
        if (is_at_registry(r, call->host, need.url))
            registry_auth_known(r, &need, &authorization);
        rc = send_once(r, call, need.url, buf_view(&authorization), ret, &is_final, e);
        if (rc < 0 && may_turn_plain(r, call->host, ret)) {
            err_done(e);
            continue;
        }
        if (rc < 0 || ret->status != 401 || is_final || was_answered ||
            !is_at_registry(r, call->host, need.url))
            return rc;
        rc = registry_auth_answer(r, &need, ret, e);
        if (rc <= 0)
            return rc;
        was_answered = true;
    }
}

int registry_send(struct registry *r, const struct registry_call *call, struct http_response *ret,
                  struct err *e)
{
    for (int attempt = 0;; attempt++) {
        int rc = send_authorized(r, call, ret, e);

        if (!registry_is_passing(rc < 0 ? NULL : ret, e) || call->is_once ||
            attempt + 1 == REGISTRY_ATTEMPTS)
            return rc;
        err_done(e);
        if (cancel_sleep(r->cancel, registry_wait_ms(r, ret, attempt), e) < 0)
            return -1;
    }
}
