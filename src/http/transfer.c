/* Transfers: a request as options of a curl handle. Every request gets a handle of its own: libcurl
 * 7.88 keeps a pointer to the last header of a handle's answer before, and reads it when the next
 * answer begins with a folded line. Connections are kept by the client, not by handles. */
#include "http/client_priv.h"
#include "http/url.h"

/* An option's own type decides what libcurl reads from the variable arguments. */
#define OPT(t, option, value) (t)->client->curl->curl_easy_setopt((t)->easy, option, value)

static void set_blob(struct transfer *t, CURLoption option, const struct buf *pem)
{
    struct curl_blob blob = {.data = pem->p, .len = pem->len, .flags = CURL_BLOB_NOCOPY};

    if (pem->len)
        OPT(t, option, &blob);
}

static void set_tls(struct transfer *t)
{
    const struct http_client *c = t->client;

    if (c->ca_pem.len) { /* then nobody else is trusted, the system's folder neither */
        set_blob(t, CURLOPT_CAINFO_BLOB, &c->ca_pem);
        OPT(t, CURLOPT_CAPATH, NULL);
    }
    set_blob(t, CURLOPT_SSLCERT_BLOB, &c->cert_pem);
    set_blob(t, CURLOPT_SSLKEY_BLOB, &c->key_pem);
    OPT(t, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    if (c->insecure) {
        OPT(t, CURLOPT_SSL_VERIFYPEER, 0L);
        OPT(t, CURLOPT_SSL_VERIFYHOST, 0L);
    }
}

static void set_constants(struct transfer *t)
{
    const struct http_client *c = t->client;

    OPT(t, CURLOPT_PRIVATE, t);
    OPT(t, CURLOPT_ERRORBUFFER, t->error);
    OPT(t, CURLOPT_NOSIGNAL, 1L);
    OPT(t, CURLOPT_NOPROGRESS, 1L);
    OPT(t, CURLOPT_WRITEFUNCTION, http_loop_on_body);
    OPT(t, CURLOPT_WRITEDATA, t);
    OPT(t, CURLOPT_HEADERFUNCTION, http_loop_on_header);
    OPT(t, CURLOPT_HEADERDATA, t);
    OPT(t, CURLOPT_PROTOCOLS_STR, "http,https");
    OPT(t, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    OPT(t, CURLOPT_PATH_AS_IS, 1L);
    OPT(t, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    OPT(t, CURLOPT_QUICK_EXIT, 1L); /* a cancelled look-up in DNS is not waited for */
    OPT(t, CURLOPT_TCP_KEEPALIVE, 1L);
    OPT(t, CURLOPT_TCP_KEEPIDLE, 30L);
    OPT(t, CURLOPT_TCP_KEEPINTVL, 15L);
    OPT(t, CURLOPT_CONNECTTIMEOUT_MS, (long)c->connect_timeout_ms);
    OPT(t, CURLOPT_USERAGENT, c->user_agent);
    set_tls(t);
}

static struct transfer *transfer_new(struct http_client *c)
{
    struct transfer *t = NEW(struct transfer);

    t->client = c;
    pthread_mutex_init(&t->lock, NULL);
    thread_cond_init(&t->changed);
    return t;
}

static bool has_line_end(str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] == '\r' || s.p[i] == '\n' || s.p[i] == '\0')
            return true;
    return false;
}

static void add_header(struct transfer *t, const char *line)
{
    t->headers_out = t->client->curl->curl_slist_append(t->headers_out, line);
}

static int set_headers(struct transfer *t, const struct http_request *req, struct err *e)
{
    AUTO(buf_done) struct buf line = {0};
    bool has_type = false;

    for (size_t i = 0; i < req->header_count; i++) {
        const struct http_header *h = &req->headers[i];

        if (has_line_end(h->name) || has_line_end(h->value) || h->name.len == 0)
            return err_set(e, ERR_INVALID, "header \"%.*s\" has a line end or NUL in it",
                           STR_ARG(str_sub(h->name, 0, 64)));
        has_type |= str_eq_nocase(h->name, STR("Content-Type"));
        buf_clear(&line);
        buf_add_str(&line, h->name);
        buf_add_cstr(&line, h->value.len ? ": " : ";"); /* libcurl's way to send an empty one */
        buf_add_str(&line, h->value);
        add_header(t, buf_cstr(&line));
    }
    if (req->body.p) {
        add_header(t, "Expect:"); /* no round trip before a body */
        if (!has_type)
            add_header(t, "Content-Type:");
    }
    OPT(t, CURLOPT_HTTPHEADER, t->headers_out);
    return 0;
}

static void set_method(struct transfer *t, const struct http_request *req)
{
    bool is_head = strcmp(req->method, "HEAD") == 0;
    bool is_natural = strcmp(req->method, req->body.p ? "POST" : "GET") == 0;

    OPT(t, CURLOPT_HTTPGET, 1L);
    OPT(t, CURLOPT_NOBODY, (long)is_head);
    if (req->body.p) {
        OPT(t, CURLOPT_POST, 1L);
        OPT(t, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)req->body.len);
        OPT(t, CURLOPT_POSTFIELDS, req->body.p); /* borrowed for the call */
    }
    OPT(t, CURLOPT_CUSTOMREQUEST, is_head || is_natural ? NULL : req->method);
}

static void add_host(struct buf *out, str host)
{
    bool is_v6 = str_find_char(host, ':') >= 0;

    buf_addf(out, is_v6 ? "[%.*s]" : "%.*s", STR_ARG(host));
}

/* tls-server-name: curl asks for that host, so that SNI and verification use it, and is told to
 * connect to the real one. The Host header stays the real one's. */
static void set_other_name(struct transfer *t, const struct http_url *url, struct buf *text)
{
    AUTO(buf_done) struct buf to = {0};
    AUTO(buf_done) struct buf header = {0};
    str port = url->port.len ? url->port : STR("443");

    buf_addf(&to, "%s:%.*s:", t->client->server_name, STR_ARG(port));
    add_host(&to, url->host);
    buf_addf(&to, ":%.*s", STR_ARG(port));
    t->connect_to = t->client->curl->curl_slist_append(NULL, buf_cstr(&to));
    buf_add_cstr(&header, "Host: ");
    add_host(&header, url->host);
    if (url->port.len)
        buf_addf(&header, ":%.*s", STR_ARG(url->port));
    add_header(t, buf_cstr(&header));
    buf_addf(text, "https://%s:%.*s%.*s", t->client->server_name, STR_ARG(port),
             STR_ARG(url->path));
    if (url->query.p)
        buf_addf(text, "?%.*s", STR_ARG(url->query));
}

/* One that was asked for is not undone by NO_PROXY. Where the environment has none for this host,
 * libcurl is left to ask it again for those that redirects lead to. */
static int set_proxy(struct transfer *t, const struct http_url *url, struct err *e)
{
    const struct http_client *c = t->client;
    AUTO(buf_done) struct buf text = {0};

    t->proxy = (struct http_proxy){0};
    if (c->proxy)
        t->proxy =
            (struct http_proxy){str_of(c->proxy), c->proxy_source ? c->proxy_source : "proxy-url"};
    else if (c->use_env_proxy)
        t->proxy = http_proxy_of_env(url);
    if (!t->proxy.url.len) {
        bool asks_again = c->use_env_proxy && !http_url_is_loopback(url->host);

        OPT(t, CURLOPT_PROXY, asks_again ? NULL : "");
        return 0;
    }
    if (http_proxy_check(&t->proxy, e) < 0)
        return -1;
    buf_add_str(&text, t->proxy.url);
    OPT(t, CURLOPT_PROXY, buf_cstr(&text));
    OPT(t, CURLOPT_NOPROXY, c->proxy ? "" : NULL);
    return 0;
}

static int set_url(struct transfer *t, const struct http_request *req, struct err *e)
{
    const struct http_client *c = t->client;
    AUTO(buf_done) struct buf text = {0};
    struct http_url url;
    bool is_tls;

    if (http_url_parse(req->url, &url, e) < 0)
        return -1;
    is_tls = str_eq_nocase(url.scheme, STR("https"));
    if (!is_tls && !str_eq_nocase(url.scheme, STR("http")))
        return err_set(e, ERR_INVALID, "scheme \"%.*s\" is not supported here: http or https",
                       STR_ARG(str_sub(url.scheme, 0, 32)));
    /* Share the first connection when it turns out to be HTTP/2. Never without TLS: libcurl 7.88
     * keeps a connection whose first send has failed, and the next request would wait for it. */
    OPT(t, CURLOPT_PIPEWAIT, (long)is_tls);
    if (c->server_name && is_tls)
        set_other_name(t, &url, &text);
    else
        buf_add_str(&text, req->url);
    OPT(t, CURLOPT_URL, buf_cstr(&text));
    OPT(t, CURLOPT_CONNECT_TO, t->connect_to);
    return set_proxy(t, &url, e);
}

static int prepare(struct transfer *t, const struct http_request *req, bool is_stream,
                   struct err *e)
{
    t->is_stream = is_stream;
    t->max_body = req->max_body ? req->max_body : (size_t)64 << 20;
    t->is_done = t->is_paused = t->is_cancelled = false;
    t->limit = LIMIT_NONE;
    t->status = 0;
    t->error[0] = '\0';
    t->easy = t->client->curl->curl_easy_init();
    if (!t->easy)
        return err_set(e, ERR_IO, "libcurl gives no handle");
    set_constants(t);
    if (set_url(t, req, e) < 0 || set_headers(t, req, e) < 0)
        return -1;
    set_method(t, req);
    OPT(t, CURLOPT_FOLLOWLOCATION, (long)(req->max_redirects > 0));
    OPT(t, CURLOPT_MAXREDIRS, (long)req->max_redirects);
    OPT(t, CURLOPT_ACCEPT_ENCODING, req->gzip ? "gzip" : NULL);
    OPT(t, CURLOPT_BUFFERSIZE, is_stream ? 128L << 10 : 16L << 10);
    return 0;
}

struct transfer *http_transfer_take(struct http_client *c, const struct http_request *req,
                                    bool is_stream, struct err *e)
{
    struct transfer *t;

    pthread_mutex_lock(&c->lock);
    t = c->pool;
    if (t)
        c->pool = t->next;
    c->calls++;
    pthread_mutex_unlock(&c->lock);
    if (!t)
        t = transfer_new(c);
    if (prepare(t, req, is_stream, e) == 0)
        return t;
    http_transfer_give(t);
    return NULL;
}

void http_transfer_give(struct transfer *t)
{
    struct http_client *c = t->client;

    http_loop_forget(t);
    c->curl->curl_easy_cleanup(t->easy); /* NULL is fine */
    t->easy = NULL;
    c->curl->curl_slist_free_all(t->headers_out);
    c->curl->curl_slist_free_all(t->connect_to);
    t->headers_out = t->connect_to = NULL;
    if (t->is_stream)
        buf_done(&t->data); /* may have grown */
    buf_clear(&t->headers);
    buf_clear(&t->body);
    pthread_mutex_lock(&c->lock);
    t->next = c->pool;
    c->pool = t;
    if (--c->calls == 0)
        pthread_cond_broadcast(&c->idle);
    pthread_mutex_unlock(&c->lock);
}

void http_transfer_free(struct transfer *t)
{
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->changed);
    buf_done(&t->headers);
    buf_done(&t->body);
    buf_done(&t->data);
    mem_free(t);
}
