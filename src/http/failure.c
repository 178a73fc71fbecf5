/* What went wrong with a transfer, in words that say what to do. */
#include <errno.h>

#include "http/client_priv.h"
#include "http/url.h"

/* X.509 verification results that OpenSSL documents for X509_V_ERR_*; curl hands them on. */
enum {
    X509_BAD_SIGNATURE = 7,
    X509_NOT_YET_VALID = 9,
    X509_EXPIRED = 10,
    X509_HOST_MISMATCH = 62,
    X509_IP_MISMATCH = 64
};

static const struct cause {
    enum http_failure failure;
    enum err_kind kind;
    int code; /* errno-like */
    char text[151];
} causes[] = {
    {HTTP_REFUSED, ERR_UNAVAILABLE, ECONNREFUSED,
     "connection refused: nothing listens there (is the server running, is the address right?)"},
    {HTTP_UNKNOWN, ERR_UNAVAILABLE, EHOSTUNREACH,
     "DNS does not know this host (is the name right, is the network up?)"},
    {HTTP_UNREACHED, ERR_UNAVAILABLE, ETIMEDOUT,
     "the server cannot be reached (a firewall, VPN or proxy in between?)"},
    {HTTP_BROKEN, ERR_UNAVAILABLE, ECONNRESET,
     "the connection broke before the answer was complete"},
    {HTTP_UNTRUSTED, ERR_DENIED, 0,
     "TLS: the server's certificate is not signed by an authority that is trusted here (has it "
     "changed? a kubeconfig names it in certificate-authority-data)"},
    {HTTP_EXPIRED, ERR_DENIED, 0,
     "TLS: the server's certificate has expired or is not valid yet (is the clock right?)"},
    {HTTP_WRONG_HOST, ERR_DENIED, 0, "TLS: the server's certificate is for another host"},
    {HTTP_CLIENT_CERT, ERR_DENIED, 0, "TLS: the client certificate or its key cannot be used"},
    {HTTP_NOT_HTTP, ERR_IO, 0, "what listens there does not speak HTTP (is this the right port?)"},
    {HTTP_TLS, ERR_DENIED, 0, "TLS: no secure connection (does the server speak https?)"},
};

static bool says(const struct transfer *t, const char *part)
{
    return str_contains_nocase(str_of(t->error), str_of(part));
}

static enum http_failure verify_failure(const struct transfer *t)
{
    long result = 0;

    t->client->curl->curl_easy_getinfo(t->easy, CURLINFO_SSL_VERIFYRESULT, &result);
    if (result == X509_EXPIRED || result == X509_NOT_YET_VALID)
        return HTTP_EXPIRED;
    if (result == X509_HOST_MISMATCH || result == X509_IP_MISMATCH || says(t, "subject name") ||
        says(t, "certificate name"))
        return HTTP_WRONG_HOST;
    return HTTP_UNTRUSTED;
}

/* An authority made anew under the same name, as a cluster's is: its signatures do not fit the one
 * that is trusted. OpenSSL stops at the arithmetic then and does not blame the certificate. */
static bool is_signature_wrong(const struct transfer *t)
{
    long result = 0;

    t->client->curl->curl_easy_getinfo(t->easy, CURLINFO_SSL_VERIFYRESULT, &result);
    return result == X509_BAD_SIGNATURE || says(t, "::EVP lib") || says(t, "signature failure");
}

/* A server that refuses our certificate says so by an alert, with TLS 1.3 only on the first read.
 */
static enum http_failure broken_or_alert(const struct transfer *t)
{
    if (!says(t, "alert"))
        return HTTP_BROKEN;
    return says(t, "cert") || says(t, "unknown ca") ? HTTP_CLIENT_CERT : HTTP_TLS;
}

static enum http_failure connect_failure(const struct transfer *t)
{
    long number = 0;

    t->client->curl->curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &number);
    return number == ECONNREFUSED ? HTTP_REFUSED : HTTP_UNREACHED;
}

static enum http_failure failure_of(const struct transfer *t)
{
    switch (t->code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
        return HTTP_UNKNOWN;
    case CURLE_COULDNT_CONNECT:
        return connect_failure(t);
    case CURLE_OPERATION_TIMEDOUT: /* of connecting: no other time-out is set */
        return HTTP_UNREACHED;
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
        return broken_or_alert(t);
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
        return HTTP_BROKEN;
    case CURLE_UNSUPPORTED_PROTOCOL: /* no status line at all: libcurl takes it for HTTP/0.9 */
    case CURLE_WEIRD_SERVER_REPLY:
        return HTTP_NOT_HTTP;
    case CURLE_PEER_FAILED_VERIFICATION:
        return verify_failure(t);
    case CURLE_SSL_CERTPROBLEM:
        return HTTP_CLIENT_CERT;
    case CURLE_SSL_CONNECT_ERROR:
        if (says(t, "SSL_ERROR_SYSCALL") || says(t, "reset by peer") || says(t, "Broken pipe"))
            return HTTP_BROKEN;
        if (is_signature_wrong(t))
            return HTTP_UNTRUSTED;
        return broken_or_alert(t) == HTTP_CLIENT_CERT ? HTTP_CLIENT_CERT : HTTP_TLS;
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
        return HTTP_TLS;
    default:
        return HTTP_OTHER;
    }
}

static int set_limit(const struct transfer *t, const char *server, struct err *e)
{
    if (t->limit == LIMIT_HEADERS)
        return err_set(e, ERR_LIMIT, "%s: the headers of the answer are too large", server);
    return err_set(e, ERR_LIMIT, "%s: the answer is larger than %zu bytes", server, t->max_body);
}

/* libcurl's own words, where they add something. */
static const char *detail(const struct transfer *t)
{
    return t->error[0] ? t->error : t->client->curl->curl_easy_strerror(t->code);
}

static const struct cause *cause_of(enum http_failure failure)
{
    for (size_t i = 0; i < ARRAY_LEN(causes); i++)
        if (causes[i].failure == failure)
            return &causes[i];
    return NULL;
}

/* Sets e to "place: cause: detail". */
static int set_cause(struct transfer *t, enum http_failure failure, str place, struct err *e)
{
    AUTO(buf_done) struct buf words = {0};
    const struct cause *cause = cause_of(failure);

    http_url_redact(str_of(detail(t)), &words);
    if (!cause)
        return err_set(e, ERR_IO, "%.*s: %s", STR_ARG(place), buf_cstr(&words));
    if (failure == HTTP_NOT_HTTP) /* libcurl speaks of HTTP/0.9 then */
        buf_clear(&words);
    err_set(e, cause->kind, "%.*s: %s%s%s", STR_ARG(place), cause->text, words.len ? ": " : "",
            buf_cstr(&words));
    e->code = cause->code;
    return -1;
}

/* ---- proxies */
static int connect_status(const struct transfer *t)
{
    long status = 0;

    t->client->curl->curl_easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &status);
    return (int)status;
}

/* Whether the failure is the proxy's own: it was not reached, or it did not open the tunnel that
 * TLS needs. What comes out of an open tunnel is the server's. */
static bool is_proxys(const struct transfer *t, str url)
{
    bool is_tls = str_eq_nocase(str_sub(url, 0, 6), STR("https:"));
    int status = connect_status(t);
    long made = 0; /* connections; 0: one was used again, its tunnel is open */

    t->client->curl->curl_easy_getinfo(t->easy, CURLINFO_NUM_CONNECTS, &made);
    if (!t->proxy.url.len)
        return false;
    if (t->code == CURLE_COULDNT_RESOLVE_PROXY || t->code == CURLE_COULDNT_CONNECT ||
        t->code == CURLE_PROXY)
        return true;
    if (str_starts(t->proxy.url, STR("socks")) || made == 0)
        return false;
    return !is_tls || status < 200 || status >= 300;
}

static const char *tunnel_remedy(int status)
{
    if (status == 407)
        return "it asks for a user and password: put them into its URL";
    if (status >= 500)
        return "it does not reach the server";
    return "it does not let us through to this server (is it a proxy, does NO_PROXY lack the "
           "server?)";
}

static int set_proxy_failure(struct transfer *t, str server, struct err *e)
{
    AUTO(buf_done) struct buf place = {0};
    int status = connect_status(t);

    buf_addf(&place, "%.*s: proxy ", STR_ARG(server));
    http_proxy_show(t->proxy.url, &place);
    buf_addf(&place, " (%s)", t->proxy.source);
    if (status < 300)
        return set_cause(t, failure_of(t), buf_view(&place), e);
    err_set(e, status >= 500 ? ERR_UNAVAILABLE : ERR_DENIED, "%s answered %d: %s", buf_cstr(&place),
            status, tunnel_remedy(status));
    e->code = status;
    return -1;
}

int http_failure_set(struct transfer *t, str url, struct http_response *ret, struct err *e)
{
    AUTO(buf_done) struct buf server = {0};
    curl_off_t before_transfer = 0;

    t->client->curl->curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &before_transfer);
    ret->was_sent = before_transfer > 0;
    ret->failure = failure_of(t);
    http_url_show(url, &server);
    if (t->limit != LIMIT_NONE)
        return set_limit(t, buf_cstr(&server), e);
    if (t->code == CURLE_TOO_MANY_REDIRECTS)
        return err_set(e, ERR_LIMIT, "%s: too many redirects", buf_cstr(&server));
    if (is_proxys(t, url)) {
        ret->failure = HTTP_PROXY;
        ret->was_sent = false;
        return set_proxy_failure(t, buf_view(&server), e);
    }
    return set_cause(t, ret->failure, buf_view(&server), e);
}
