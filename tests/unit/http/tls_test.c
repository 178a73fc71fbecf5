#include "http/cert.h"
#include "http/client.h"
#include "http/server.h"
#include "support/test.h"

static void answer(void *ctx, const struct http_server_request *req)
{
    struct http_reply reply = {.status = 200, .content_type = "text/plain"};

    (void)ctx;
    buf_addf(&reply.body, "%.*s %.*s", STR_ARG(req->peer_name),
             STR_ARG(http_call_header(req->call, "Host")));
    http_call_reply(req->call, &reply);
}

struct fixture {
    struct cert_pair ca, other_ca, server_cert, client_cert;
    struct http_server *server;
    struct http_response response;
    struct err e;
};

static void make(struct fixture *f, const struct cert_pair *ca, const char *name, bool is_server,
                 struct cert_pair *ret)
{
    struct cert_request request = {.common_name = name, .is_server = is_server, .days = 1};

    CHECK_INT(cert_make_signed(ca, &request, ret, &f->e), 0, err_text(&f->e));
}

static void fixture_start(struct fixture *f)
{
    struct http_server_options options = {.handler = answer};

    CHECK_INT(cert_make_authority("ca", 1, &f->ca, &f->e), 0, err_text(&f->e));
    CHECK_INT(cert_make_authority("other", 1, &f->other_ca, &f->e), 0, err_text(&f->e));
    make(f, &f->ca, "server", true, &f->server_cert);
    make(f, &f->ca, "ann", false, &f->client_cert);
    options.cert_pem = buf_view(&f->server_cert.cert_pem);
    options.key_pem = buf_view(&f->server_cert.key_pem);
    options.client_ca_pem = buf_view(&f->ca.cert_pem);
    f->server = http_server_start(&options, &f->e);
    CHECK_OK(&f->e);
}

static void fixture_done(struct fixture *f)
{
    http_server_stop(f->server);
    cert_pair_done(&f->ca);
    cert_pair_done(&f->other_ca);
    cert_pair_done(&f->server_cert);
    cert_pair_done(&f->client_cert);
    http_response_done(&f->response);
    err_done(&f->e);
}
AUTO_VALUE(struct fixture, fixture_done)

static int get(struct fixture *f, const char *host, const struct http_tls *tls)
{
    AUTO(http_client_free)
    struct http_client *c = http_client_new(&(struct http_client_options){.tls = *tls}, &f->e);
    AUTO(buf_done) struct buf url = {0};
    struct http_request req = {.method = "GET"};

    buf_addf(&url, "https://%s:%d/", host, http_server_port(f->server));
    req.url = buf_view(&url);
    return http_call(c, &req, NULL, &f->response, &f->e);
}

TEST(a_server_of_the_given_authority_is_trusted_and_sees_who_we_are)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(buf_done) struct buf want = {0};
    struct http_tls tls;

    fixture_start(&f);
    tls = (struct http_tls){.ca_pem = buf_view(&f.ca.cert_pem),
                            .cert_pem = buf_view(&f.client_cert.cert_pem),
                            .key_pem = buf_view(&f.client_cert.key_pem)};
    CHECK_INT(get(&f, "127.0.0.1", &tls), 0, err_text(&f.e));
    buf_addf(&want, "ann 127.0.0.1:%d", http_server_port(f.server));
    CHECK_STR(buf_view(&f.response.body), buf_view(&want), "name and host");
}

TEST(servers_that_are_not_what_they_should_be_are_refused)
{
    AUTO(fixture_done) struct fixture f = {0};
    struct {
        const char *host;
        struct http_tls tls;
        enum http_failure want;
    } rows[] = {
        {"127.0.0.1", {.ca_pem = STR_NONE}, HTTP_UNTRUSTED}, /* the system's authorities */
        {"127.0.0.1", {.server_name = STR("api.elsewhere")}, HTTP_WRONG_HOST},
        {"127.0.0.1", {.cert_pem = STR("no PEM"), .key_pem = STR("x")}, HTTP_CLIENT_CERT},
        {"127.0.0.1", {.insecure = true}, HTTP_OK},
        {"127.0.0.1", {.server_name = STR("localhost")}, HTTP_OK},
        {"localhost", {.ca_pem = STR_NONE}, HTTP_UNTRUSTED},
        {"127.0.0.1", {.ca_pem = STR("other")}, HTTP_UNTRUSTED},
    };

    fixture_start(&f);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (str_eq(rows[i].tls.ca_pem, STR("other")))
            rows[i].tls.ca_pem = buf_view(&f.other_ca.cert_pem);
        else if (rows[i].want != HTTP_UNTRUSTED && !rows[i].tls.insecure)
            rows[i].tls.ca_pem = buf_view(&f.ca.cert_pem);
        get(&f, rows[i].host, &rows[i].tls);
        CHECK_INT(f.response.failure, rows[i].want, err_text(&f.e));
        if (rows[i].want != HTTP_OK) {
            CHECK_INT(f.e.kind, ERR_DENIED, err_text(&f.e));
            CHECK(!f.response.was_sent);
            CHECK(str_contains(str_of(err_text(&f.e)), STR(": TLS: ")));
        }
        err_done(&f.e);
    }
}

TEST(an_authority_made_anew_under_its_old_name_is_another_one)
{
    AUTO(fixture_done) struct fixture f = {0};
    AUTO(cert_pair_done) struct cert_pair anew = {0};
    struct http_tls tls;

    fixture_start(&f);
    CHECK_INT(cert_make_authority("ca", 1, &anew, &f.e), 0, err_text(&f.e));
    tls = (struct http_tls){.ca_pem = buf_view(&anew.cert_pem)};
    CHECK_INT(get(&f, "127.0.0.1", &tls), -1, "another authority");
    CHECK_INT(f.response.failure, HTTP_UNTRUSTED, err_text(&f.e));
    CHECK(str_contains(str_of(err_text(&f.e)), STR("certificate-authority-data")));
}

TEST(an_expired_certificate_is_refused_as_such)
{
    AUTO(fixture_done) struct fixture f = {0};
    struct cert_request request = {.common_name = "old", .is_server = true, .days = -1};
    AUTO(cert_pair_done) struct cert_pair old = {0};
    struct http_server_options options = {.handler = answer};
    struct http_tls tls;

    fixture_start(&f);
    if (cert_make_signed(&f.ca, &request, &old, &f.e) < 0) {
        test_fail(__FILE__, __LINE__, "no expired certificate: %s", err_text(&f.e));
        return;
    }
    http_server_stop(f.server);
    options.cert_pem = buf_view(&old.cert_pem);
    options.key_pem = buf_view(&old.key_pem);
    f.server = http_server_start(&options, &f.e);
    CHECK_OK(&f.e);
    tls = (struct http_tls){.ca_pem = buf_view(&f.ca.cert_pem)};
    CHECK_INT(get(&f, "127.0.0.1", &tls), -1, "expired");
    CHECK_INT(f.response.failure, HTTP_EXPIRED, err_text(&f.e));
}
