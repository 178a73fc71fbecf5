#include "http/proxy.h"

#include "http/client.h"
#include "support/test.h"
#include "support/tiny_server.h"
#include "sys/env.h"

static struct http_url parse(const char *text)
{
    AUTO(err_done) struct err e = {0};
    struct http_url url;

    CHECK_INT(http_url_parse(str_of(text), &url, &e), 0, text);
    return url;
}

TEST(no_proxy_names_hosts_domains_addresses_and_ranges)
{
    static const struct {
        const char *list, *url;
        bool want;
    } rows[] = {
        {"", "https://a.org", false},
        {"*", "https://a.org", true},
        {"a.org", "https://a.org", true},
        {"A.org", "https://x.a.ORG:6443", true},
        {".a.org", "https://x.a.org", true},
        {"*.a.org", "https://x.a.org", true},
        {"a.org", "https://ba.org", false},
        {"x.a.org", "https://a.org", false},
        {"b.org, a.org", "https://a.org", true},
        {"a.org:6443", "https://a.org:6443", true},
        {"a.org:443", "https://a.org", true},
        {"a.org:80", "http://a.org", true},
        {"a.org:6443", "https://a.org", false},
        {"10.1.2.3", "https://10.1.2.3:6443", true},
        {"10.1.2.3:80", "https://10.1.2.3:6443", false},
        {"10.0.0.0/8", "https://10.9.9.9", true},
        {"10.0.0.0/9", "https://10.129.9.9", false},
        {"10.0.0.0/9", "https://10.127.9.9", true},
        {"0.0.0.0/0", "https://8.8.8.8", true},
        {"10.0.0.0/33", "https://10.0.0.0", false},
        {"10.0.0.0/", "https://10.0.0.0", false},
        {"10.0.0.0/8", "https://ten.org", false},
        {".3", "https://10.1.2.3", false},
        {"fd00::/8", "https://[fd12::1]", true},
        {"fd12::1", "https://[fd12:0::1]:6443", true},
        {"[fd12::1]:6443", "https://[fd12::1]:6443", true},
        {"[fd12::1]:6443", "https://[fd12::1]", false},
        {"[fd12::1", "https://[fd12::1]", false},
        {"fd00::/8", "https://10.0.0.1", false},
        {",,.,*.,:,[]", "https://a.org", false},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct http_url url = parse(rows[i].url);

        CHECK_INT(http_proxy_is_excepted(str_of(rows[i].list), &url), rows[i].want, rows[i].list);
    }
}

TEST(the_environment_names_a_proxy_for_each_scheme)
{
    static char secure[] = "https_proxy=secure:1", plain[] = "HTTP_PROXY=http://plain:2",
                empty[] = "HTTPS_PROXY=", none[] = "NO_PROXY=near.org",
                all[] = "ALL_PROXY=socks5://all:3";
    static char *const vars[] = {secure, plain, empty, none, NULL}, *const other[] = {all, NULL};
    static const struct {
        const char *url, *want, *source;
    } rows[] = {
        {"https://far.org", "secure:1", "https_proxy"},
        {"http://far.org", "http://plain:2", "HTTP_PROXY"},
        {"https://near.org", "", NULL},
        {"https://127.0.0.1:6443", "", NULL},
        {"http://localhost", "", NULL},
    };
    struct http_url far = parse("https://far.org");

    env_replace(vars);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct http_url url = parse(rows[i].url);
        struct http_proxy proxy = http_proxy_of_env(&url);

        CHECK_STR(proxy.url, str_of(rows[i].want), rows[i].url);
        CHECK_STR(str_of(proxy.source), str_of(rows[i].source), rows[i].url);
    }
    env_replace(other);
    CHECK_STR(http_proxy_of_env(&far).url, STR("socks5://all:3"), "both schemes");
    env_replace(NULL);
}

TEST(what_no_proxy_can_be_is_refused_without_its_password)
{
    static const struct {
        const char *url, *want; /* NULL: fine */
    } rows[] = {
        {"http://proxy:3128", NULL},
        {"proxy:3128", NULL},
        {"u:hush@proxy:3128", NULL},
        {"SOCKS5h://proxy", NULL},
        {"ftp://u:hush@proxy", "proxy (X): \"ftp\" is no kind of proxy"},
        {"http://", "has no host"},
        {"::::", "has no host"},
        {"u:hush@proxy:99999", "has a bad port"},
        {"http://u:hush@pro xy", "blank or control"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        struct http_proxy proxy = {str_of(rows[i].url), "X"};

        CHECK_INT(http_proxy_check(&proxy, &e), rows[i].want ? -1 : 0, rows[i].url);
        if (rows[i].want && !str_contains(str_of(err_text(&e)), str_of(rows[i].want)))
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), "should contain");
        CHECK(!str_contains(str_of(err_text(&e)), STR("hush")));
    }
}

/* ---- proxies that do not do their work */
static bool play_proxy(void *ctx, const struct tiny_request *req, int fd)
{
    const char *answer = ctx;

    (void)req;
    if (*answer)
        tiny_write(fd, str_of(answer));
    else
        tiny_reset(fd);
    return false;
}

static int get(const char *proxy, const char *url, struct http_response *ret, struct err *e)
{
    struct http_client_options options = {.proxy_url = str_of(proxy),
                                          .proxy_source = STR("the test")};
    AUTO(http_client_free) struct http_client *c = http_client_new(&options, e);
    struct http_request req = {.method = "GET", .url = str_of(url)};

    return c ? http_call(c, &req, NULL, ret, e) : -1;
}

TEST(a_failure_of_the_proxy_is_told_as_its_own)
{
    static const struct {
        const char *answer, *url, *want;
        enum err_kind kind;
    } rows[] = {
        {"HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", "https://far.invalid",
         " (the test) answered 403: it does not let us through", ERR_DENIED},
        {"HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n", "https://far.invalid",
         " (the test) answered 407: it asks for a user and password", ERR_DENIED},
        {"HTTP/1.1 502 Bad\r\nContent-Length: 0\r\n\r\n", "https://far.invalid",
         " (the test) answered 502: it does not reach the server", ERR_UNAVAILABLE},
        {"", "https://far.invalid", " (the test): the connection broke", ERR_UNAVAILABLE},
        {"", "http://far.invalid", " (the test): the connection broke", ERR_UNAVAILABLE},
        {"+PONG\r\n", "http://far.invalid", " (the test): what listens there does not speak HTTP",
         ERR_IO},
        {"HTTP/1.1 200 Open\r\n\r\n", "https://far.invalid",
         "https://far.invalid: the connection broke", ERR_UNAVAILABLE}, /* in the open tunnel */
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(tiny_stop) struct tiny_server *s = tiny_start(play_proxy, (void *)rows[i].answer);
        AUTO(http_response_done) struct http_response r = {0};
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf proxy = {0};

        buf_addf(&proxy, "http://ann:hush@127.0.0.1:%d", tiny_port(s));
        CHECK_INT(get(buf_cstr(&proxy), rows[i].url, &r, &e), -1, rows[i].want);
        if (!str_contains(str_of(err_text(&e)), str_of(rows[i].want)))
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), "should contain");
        CHECK_INT(e.kind, rows[i].kind, err_text(&e));
        CHECK_INT(r.failure == HTTP_PROXY, strncmp(rows[i].want, " (", 2) == 0, rows[i].want);
        CHECK(!str_contains(str_of(err_text(&e)), STR("hush")));
    }
}

TEST(a_proxy_that_is_not_there_is_named_with_its_source)
{
    static const struct {
        const char *proxy, *want;
    } rows[] = {
        {"http://ann:hush@127.0.0.1:1", "far.invalid: proxy http://127.0.0.1:1 (the test): "
                                        "connection refused"},
        {"socks5://127.0.0.1:1", "proxy socks5://127.0.0.1:1 (the test): connection refused"},
        {"gone.invalid:3128", "proxy http://gone.invalid:3128 (the test): DNS does not know"},
        {"ftp://ann:hush@127.0.0.1:1", "proxy (the test): \"ftp\" is no kind of proxy"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(http_response_done) struct http_response r = {0};
        AUTO(err_done) struct err e = {0};

        CHECK_INT(get(rows[i].proxy, "https://far.invalid", &r, &e), -1, rows[i].proxy);
        if (!str_contains(str_of(err_text(&e)), str_of(rows[i].want)))
            CHECK_STR(str_of(err_text(&e)), str_of(rows[i].want), "should contain");
        CHECK(!str_contains(str_of(err_text(&e)), STR("hush")));
    }
}
