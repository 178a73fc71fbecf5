#include "http/proxy.h"

#include <arpa/inet.h>

#include "sys/env.h"

enum { MAX_ADDRESS = 46, LONGEST_ADDRESS = 16 };

static const char *const spoken[] = {"http", "https", "socks4", "socks4a", "socks5", "socks5h"};

/* ---- the environment */
static struct http_proxy first_set(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        str value = str_trim(str_of(env_get(names[i])));

        if (value.len)
            return (struct http_proxy){value, names[i]};
    }
    return (struct http_proxy){0};
}

static str exceptions(void)
{
    static const char *const names[] = {"NO_PROXY", "no_proxy"};

    return first_set(names, ARRAY_LEN(names)).url;
}

struct http_proxy http_proxy_of_env(const struct http_url *to)
{
    static const char *const secure[] = {"HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"};
    static const char *const plain[] = {"HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"};
    bool is_tls = str_eq_nocase(to->scheme, STR("https"));
    struct http_proxy proxy;

    if (http_url_is_loopback(to->host))
        return (struct http_proxy){0};
    proxy = first_set(is_tls ? secure : plain, ARRAY_LEN(secure));
    if (proxy.url.len && !http_proxy_is_excepted(exceptions(), to))
        return proxy;
    return (struct http_proxy){0};
}

/* ---- what goes around the proxy */
struct address {
    unsigned char bytes[LONGEST_ADDRESS];
    size_t len; /* 4 or 16 */
};

static bool parse_address(str text, struct address *ret)
{
    char copy[MAX_ADDRESS];

    if (text.len == 0 || text.len >= sizeof(copy))
        return false;
    memcpy(copy, text.p, text.len);
    copy[text.len] = '\0';
    ret->len = memchr(copy, ':', text.len) ? 16 : 4;
    return inet_pton(ret->len == 16 ? AF_INET6 : AF_INET, copy, ret->bytes) == 1;
}

static bool shares_bits(const struct address *a, const struct address *b, uint64_t bits)
{
    size_t whole = bits / 8;
    unsigned mask = 0xff00u >> (bits % 8) & 0xff;

    if (a->len != b->len || bits > a->len * 8 || memcmp(a->bytes, b->bytes, whole) != 0)
        return false;
    return mask == 0 || ((a->bytes[whole] ^ b->bytes[whole]) & mask) == 0;
}

static bool is_address_named(str entry, const struct address *host)
{
    str bits_text, text = str_cut(entry, '/', &bits_text);
    struct address base;
    uint64_t bits;

    if (!parse_address(text, &base))
        return false;
    if (!bits_text.p)
        return shares_bits(&base, host, (uint64_t)base.len * 8);
    return str_to_uint64(bits_text, &bits) && shares_bits(&base, host, bits);
}

/* "example.org", ".example.org" and "*.example.org" are it and all below it. */
static bool is_name_named(str entry, str host)
{
    size_t head;

    if (str_starts(entry, STR("*.")))
        entry = str_from(entry, 1);
    if (str_starts(entry, STR(".")))
        entry = str_from(entry, 1);
    if (entry.len == 0 || entry.len > host.len)
        return false;
    head = host.len - entry.len;
    return str_eq_nocase(str_from(host, head), entry) && (head == 0 || host.p[head - 1] == '.');
}

/* Takes "]:port" or, where only one colon is there, ":port" off. */
static str take_port(str *entry)
{
    ssize_t first = str_find_char(*entry, ':'), last = str_rfind_char(*entry, ':');
    str port = STR_NONE;

    if (str_starts(*entry, STR("["))) {
        ssize_t close = str_find_char(*entry, ']');

        if (close < 0)
            return STR_NONE;
        port = str_from(*entry, MIN((size_t)close + 2, entry->len));
        *entry = str_sub(*entry, 1, (size_t)close - 1);
    } else if (first >= 0 && first == last) {
        port = str_from(*entry, (size_t)first + 1);
        *entry = str_sub(*entry, 0, (size_t)first);
    }
    return port;
}

static bool is_named(str entry, const struct http_url *to)
{
    struct address host;
    str port;

    if (str_eq(entry, STR("*")))
        return true;
    port = take_port(&entry);
    if (port.len && !str_eq(port, http_url_port(to)))
        return false;
    return parse_address(to->host, &host) ? is_address_named(entry, &host)
                                          : is_name_named(entry, to->host);
}

bool http_proxy_is_excepted(str list, const struct http_url *to)
{
    while (list.p) {
        str entry = str_trim(str_cut(list, ',', &list));

        if (entry.len && is_named(entry, to))
            return true;
    }
    return false;
}

/* ---- what a proxy can be */
static void add_scheme(str url, struct buf *out)
{
    if (!str_contains(url, STR("://")))
        buf_add_cstr(out, "http://");
    buf_add_str(out, url);
}

int http_proxy_check(const struct http_proxy *proxy, struct err *e)
{
    AUTO(buf_done) struct buf whole = {0};
    struct http_url url;

    add_scheme(proxy->url, &whole);
    if (http_url_parse(buf_view(&whole), &url, e) < 0)
        return err_wrap(e, "proxy (%s)", proxy->source);
    for (size_t i = 0; i < ARRAY_LEN(spoken); i++)
        if (str_eq_nocase(url.scheme, str_of(spoken[i])))
            return 0;
    return err_set(e, ERR_INVALID,
                   "proxy (%s): \"%.*s\" is no kind of proxy that is spoken here: http, https, "
                   "socks4, socks4a, socks5, socks5h",
                   proxy->source, STR_ARG(str_sub(url.scheme, 0, 32)));
}

void http_proxy_show(str url, struct buf *out)
{
    AUTO(buf_done) struct buf whole = {0};

    add_scheme(url, &whole);
    http_url_show(buf_view(&whole), out);
}
