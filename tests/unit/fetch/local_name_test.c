#include "fetch/local_name.h"

#include "support/test.h"

TEST(localized_files_lie_by_host_and_path)
{
    static const struct {
        const char *url, *want; /* NULL: refused */
    } rows[] = {
        {"https://host/a.yaml", "localized-files/host/a.yaml"},
        {"https://me:pw@host:8443/x/a.yaml?y=z#f", "localized-files/host/x/a.yaml"},
        {"http://host//x//a.yaml", "localized-files/host/x/a.yaml"},
        {"https://host/x/../a.yaml", NULL},
        {"https://host/../../a.yaml", NULL},
        {"https://../a.yaml", NULL},
        {"https://host/", NULL},
        {"https://host", NULL},
        {"https://host/x/", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};
        AUTO(err_done) struct err e = {0};
        int rc = fetch_local_file_name(str_of(rows[i].url), &out, &e);

        CHECK_INT(rc, rows[i].want ? 0 : -1, rows[i].url);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].url);
        CHECK_INT(e.kind, rows[i].want ? ERR_NONE : ERR_INVALID, rows[i].url);
    }
}

TEST(localized_repositories_lie_by_host_path_and_ref)
{
    static const struct {
        const char *url, *want; /* NULL: refused */
    } rows[] = {
        {"github.com/acme/shop//deploy?ref=v1", "localized-files/github.com/acme/shop/v1"},
        {"git@github.com:acme/shop.git?ref=v1", "localized-files/github.com/acme/shop/v1"},
        {"https://me:pw@host:8443/acme/shop/x?ref=a/b", "localized-files/host/acme/shop/a/b"},
        {"ssh://git@host:22/acme/shop.git/x?ref=v1", "localized-files/host/acme/shop/v1"},
        {"me@host:~/shop.git?ref=v1", "localized-files/host/~/shop/v1"},
        {"me@host/acme/shop?ref=v1", "localized-files/host/acme/shop/v1"},
        {"file:///srv/shop//x?ref=v1", "localized-files/file-schemed/srv/shop/v1"},
        {"file:///srv/shop//x", NULL},
        {"github.com/acme/shop?ref=../../x", NULL},
        {"https://../../shop/y?ref=v1", NULL},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
        AUTO(buf_done) struct buf out = {0};
        AUTO(err_done) struct err e = {0};

        CHECK_INT(fetch_git_url_parse(str_of(rows[i].url), &url, &e), 1, rows[i].url);
        CHECK_INT(fetch_local_repository_name(&url, &out, &e), rows[i].want ? 0 : -1, rows[i].url);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].url);
    }
}
