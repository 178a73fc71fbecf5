#include "http/url.h"

#include "base/ascii.h"
#include "base/escape.h"
#include "base/mask.h"

static bool is_scheme_char(char c) { return ascii_is_alnum(c) || c == '+' || c == '-' || c == '.'; }

static int bad(str text, const char *why, struct err *e)
{
    AUTO(buf_done) struct buf shown = {0};

    http_url_redact(str_sub(text, 0, 200), &shown);
    return err_set(e, ERR_INVALID, "URL \"%s\" %s", buf_cstr(&shown), why);
}

/* The offset of the first byte of s that is in set, or the length of s. */
static size_t span_until(str s, const char *set)
{
    size_t i = 0;

    while (i < s.len && !memchr(set, s.p[i], strlen(set)))
        i++;
    return i;
}

static bool is_port(str port)
{
    uint64_t number;

    return port.len == 0 || (str_to_uint64(port, &number) && ascii_is_digit(port.p[0]) &&
                             number > 0 && number <= 65535);
}

/* "user:pass@host:port", the host perhaps an address in brackets. */
static const char *parse_authority(str authority, struct http_url *ret)
{
    ssize_t at = str_rfind_char(authority, '@');
    str rest = at >= 0 ? str_from(authority, (size_t)at + 1) : authority;
    size_t end;

    if (at >= 0)
        ret->userinfo = str_sub(authority, 0, (size_t)at);
    if (rest.len && rest.p[0] == '[') {
        ssize_t close = str_find_char(rest, ']');

        if (close < 0)
            return "has an address without its ']'";
        ret->host = str_sub(rest, 1, (size_t)close - 1);
        rest = str_from(rest, (size_t)close + 1);
        if (rest.len && rest.p[0] != ':')
            return "has text between its address and port";
        end = 0;
    } else {
        end = span_until(rest, ":");
        ret->host = str_sub(rest, 0, end);
    }
    if (ret->host.len == 0)
        return "has no host";
    ret->port = str_from(rest, end + 1);
    return is_port(ret->port) ? NULL : "has a bad port";
}

int http_url_parse(str text, struct http_url *ret, struct err *e)
{
    ssize_t sep = str_find(text, STR("://"));
    const char *problem;
    size_t end;
    str rest;

    *ret = (struct http_url){0};
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.p[i] <= ' ' || text.p[i] == 0x7f)
            return bad(text, "has a blank or control character", e);
    if (sep <= 0 || !ascii_is_letter(text.p[0]))
        return bad(text, "needs a scheme, as in https://", e);
    ret->scheme = str_sub(text, 0, (size_t)sep);
    for (size_t i = 0; i < ret->scheme.len; i++)
        if (!is_scheme_char(ret->scheme.p[i]))
            return bad(text, "needs a scheme, as in https://", e);
    rest = str_from(text, (size_t)sep + 3);
    end = span_until(rest, "/?#");
    problem = parse_authority(str_sub(rest, 0, end), ret);
    if (problem)
        return bad(text, problem, e);
    rest = str_from(rest, end);
    ret->path = str_sub(rest, 0, span_until(rest, "?#"));
    rest = str_from(rest, ret->path.len);
    if (rest.len && rest.p[0] == '?') {
        ret->query = str_sub(rest, 1, span_until(rest, "#") - 1);
        rest = str_from(rest, ret->query.len + 1);
    }
    ret->fragment = str_from(rest, 1);
    return 0;
}

void http_url_encode(str text, const char *also_safe, struct buf *out)
{
    escape_percent(text, also_safe, out);
}

bool http_url_decode(str text, struct buf *out)
{
    for (size_t i = 0; i < text.len; i++) {
        int high, low;

        if (text.p[i] != '%') {
            buf_add_char(out, text.p[i]);
            continue;
        }
        if (text.len - i < 3)
            return false;
        high = ascii_hex_value(text.p[i + 1]);
        low = ascii_hex_value(text.p[i + 2]);
        if (high < 0 || low < 0)
            return false;
        buf_add_char(out, (char)(high << 4 | low));
        i += 2;
    }
    return true;
}

void http_url_redact(str text, struct buf *out) { mask_userinfo(text, out); }

/* "127.0.0.1", not "127.0.0.1.example.org" */
static bool is_loopback_v4(str host)
{
    for (size_t i = 0; i < host.len; i++)
        if (!ascii_is_digit(host.p[i]) && host.p[i] != '.')
            return false;
    return str_starts(host, STR("127."));
}

str http_url_port(const struct http_url *url)
{
    if (url->port.len)
        return url->port;
    return str_eq_nocase(url->scheme, STR("https")) ? STR("443") : STR("80");
}

bool http_url_is_loopback(str host)
{
    return str_eq_nocase(host, STR("localhost")) || str_eq(host, STR("::1")) ||
           is_loopback_v4(host);
}

static void add_origin(const struct http_url *url, struct buf *out)
{
    bool is_v6 = str_find_char(url->host, ':') >= 0;

    buf_addf(out, is_v6 ? "%.*s://[%.*s]" : "%.*s://%.*s", STR_ARG(url->scheme),
             STR_ARG(url->host));
    if (url->port.len)
        buf_addf(out, ":%.*s", STR_ARG(url->port));
}

void http_url_show(str text, struct buf *out)
{
    AUTO(err_done) struct err e = {0};
    struct http_url url;

    if (http_url_parse(text, &url, &e) == 0)
        add_origin(&url, out);
}

void http_url_resolve(const struct http_url *base, str location, struct buf *out)
{
    ssize_t slash = str_rfind_char(base->path, '/');

    if (str_starts(location, STR("//"))) {
        buf_addf(out, "%.*s:", STR_ARG(base->scheme));
    } else if (str_starts(location, STR("/"))) {
        add_origin(base, out);
    } else if (str_find(str_cut(location, '?', NULL), STR("://")) < 0) {
        add_origin(base, out);
        buf_add_str(out, slash >= 0 ? str_sub(base->path, 0, (size_t)slash + 1) : STR("/"));
    }
    buf_add_str(out, location);
}
