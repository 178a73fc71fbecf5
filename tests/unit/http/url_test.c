#include "http/url.h"

#include "support/test.h"

TEST(url_splits_into_parts)
{
    static const struct {
        const char *in, *scheme, *user, *host, *port, *path, *query, *fragment;
    } rows[] = {
        {"https://a.b", "https", "", "a.b", "", "", "", ""},
        {"http://u:p@h:80/x/y?a=b#f", "http", "u:p", "h", "80", "/x/y", "a=b", "f"},
        {"https://[::1]:6443/api", "https", "", "::1", "6443", "/api", "", ""},
        {"https://[::1]", "https", "", "::1", "", "", "", ""},
        {"https://h?q", "https", "", "h", "", "", "q", ""},
        {"https://h#f?x", "https", "", "h", "", "", "", "f?x"},
        {"https://u@v@h/", "https", "u@v", "h", "", "/", "", ""},
        {"git+ssh://h:/p", "git+ssh", "", "h", "", "/p", "", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        struct http_url u;

        CHECK_INT(http_url_parse(str_of(rows[i].in), &u, &e), 0, rows[i].in);
        CHECK_STR(u.scheme, str_of(rows[i].scheme), rows[i].in);
        CHECK_STR(u.userinfo, str_of(rows[i].user), rows[i].in);
        CHECK_STR(u.host, str_of(rows[i].host), rows[i].in);
        CHECK_STR(u.port, str_of(rows[i].port), rows[i].in);
        CHECK_STR(u.path, str_of(rows[i].path), rows[i].in);
        CHECK_STR(u.query, str_of(rows[i].query), rows[i].in);
        CHECK_STR(u.fragment, str_of(rows[i].fragment), rows[i].in);
    }
}

TEST(bad_urls_are_refused_without_their_password)
{
    static const char *const rows[] = {"",           "host",        "://h",        "1http://h",
                                       "http://",    "http://:80",  "http://h:0",  "http://h:70000",
                                       "http://h:x", "http://[::1", "http://h h/", "http://[::1]x",
                                       "ht tp://h"};
    AUTO(err_done) struct err e = {0};
    struct http_url u;

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        CHECK_INT(http_url_parse(str_of(rows[i]), &u, &e), -1, rows[i]);
        CHECK_INT(e.kind, ERR_INVALID, rows[i]);
    }
    CHECK_INT(http_url_parse(STR("http://me:secret@h:99999/"), &u, &e), -1, "port");
    CHECK(!str_contains(str_of(err_text(&e)), STR("secret")));
}

TEST(url_text_is_encoded_and_decoded)
{
    AUTO(buf_done) struct buf out = {0};
    AUTO(buf_done) struct buf back = {0};

    http_url_encode(STR("a/b c=\xc3\xa4~&%"), "/", &out);
    CHECK_STR(buf_view(&out), STR("a/b%20c%3D%C3%A4~%26%25"), "encode");
    CHECK(http_url_decode(buf_view(&out), &back));
    CHECK_STR(buf_view(&back), STR("a/b c=\xc3\xa4~&%"), "decode");
    CHECK(!http_url_decode(STR("%"), &back));
    CHECK(!http_url_decode(STR("%4"), &back));
    CHECK(!http_url_decode(STR("%zz"), &back));
}

TEST(userinfo_is_taken_out_of_any_text)
{
    static const struct {
        const char *in, *want;
    } rows[] = {
        {"plain", "plain"},
        {"https://h/p", "https://h/p"},
        {"see https://u:p@h/p?x=a@b and http://t@[::1]:1",
         "see https://h/p?x=a@b and http://[::1]:1"},
        {"\"ssh://git@host\"", "\"ssh://host\""},
        {"x://a@b://c@d", "x://b://d"},
        {"://", "://"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        http_url_redact(str_of(rows[i].in), &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].in);
    }
}

TEST(url_locations_are_resolved_as_answers_mean_them)
{
    static const struct {
        const char *base, *location, *want;
    } rows[] = {
        {"https://h:8443/a/b?c", "/x?y", "https://h:8443/x?y"},
        {"https://h/a/b", "x", "https://h/a/x"},
        {"https://h", "x", "https://h/x"},
        {"http://[::1]:80/a", "/x", "http://[::1]:80/x"},
        {"https://h/a", "//other/x", "https://other/x"},
        {"https://h/a", "http://other/x", "http://other/x"},
        {"https://h/a/b", "x?u=http://other/", "https://h/a/x?u=http://other/"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf out = {0};
        struct http_url base;

        CHECK(http_url_parse(str_of(rows[i].base), &base, &e) == 0);
        http_url_resolve(&base, str_of(rows[i].location), &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].location);
    }
}

TEST(url_hosts_of_this_machine_are_known)
{
    CHECK(http_url_is_loopback(STR("localhost")));
    CHECK(http_url_is_loopback(STR("127.9.9.9")));
    CHECK(http_url_is_loopback(STR("::1")));
    CHECK(!http_url_is_loopback(STR("localhost.example.org")));
    CHECK(!http_url_is_loopback(STR("127.0.0.1.example.org")));
    CHECK(!http_url_is_loopback(STR("example.org")));
}
