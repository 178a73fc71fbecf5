#include "fetch/git_url.h"

#include "support/test.h"

/* Wanted: "repository path", nothing for what is no git URL. */
TEST(git_urls_are_split_into_repository_and_folder)
{
    static const struct {
        const char *in, *want;
    } rows[] = {
        {"github.com/acme/shop", "https://github.com/acme/shop ."},
        {"github.com/acme/shop/deploy/prod", "https://github.com/acme/shop deploy/prod"},
        {"github.com/acme/shop//deploy", "https://github.com/acme/shop deploy"},
        {"github.com/acme/shop.git/deploy", "https://github.com/acme/shop.git deploy"},
        {"GitHub.com:acme/shop", "https://github.com/acme/shop ."},
        {"https://github.com:443/acme/shop", "https://github.com/acme/shop ."},
        {"http://github.com/acme/shop/x", "https://github.com/acme/shop x"},
        {"HTTPS://GitHub.com/acme/shop", "https://github.com/acme/shop ."},
        {"https://www.github.com/acme/shop", "https://www.github.com/acme/shop ."},
        {"github.com:443/acme/shop", "https://github.com/443/acme shop"},
        {"github.com//acme/shop", "https://github.com//acme shop"},
        {"https://me@github.com/acme/shop/x", "me@github.com:acme/shop x"},
        {"https://me:pw@github.com/acme/shop", "https://me:pw@github.com/acme/shop ."},
        {"https://@github.com/acme/shop", "https://@github.com/acme/shop ."},
        {"ssh://git@github.com:22/acme/shop/x", "git@github.com:acme/shop x"},
        {"ssh://github.com/acme/shop", "github.com:acme/shop ."},
        {"git@github.com:acme/shop.git", "git@github.com:acme/shop.git ."},
        {"git@github.com/acme/shop/x", "git@github.com:acme/shop x"},
        {"git@www.github.com:acme/shop/x", "git@www.github.com:acme/shop x"},
        {"a@b@github.com:acme/shop", "a@b@github.com:acme/shop ."},
        {"git::github.com/acme/shop", "https://github.com/acme/shop ."},
        {"Git::https://host/acme/shop/x", "https://host/acme/shop x"},
        {"git::git@host:acme/shop/x", "git@host:acme/shop x"},
        {"git::git::https://host/a/b", ""},
        {"https://host/acme/shop/a/b", "https://host/acme/shop a/b"},
        {"https://host:8443/acme/group/shop//a", "https://host:8443/acme/group/shop a"},
        {"https://host/acme/group/shop.git/a", "https://host/acme/group/shop.git a"},
        {"https://host/shop.git", "https://host/shop.git ."},
        {"https://host/acme/shop.github/x", "https://host/acme/shop.git hub/x"},
        {"https://host/x.git.git/z", "https://host/x.git .git/z"},
        {"https://host/acme/shop.git//a//b", "https://host/acme/shop.git a/b"},
        {"https://host/acme//shop", "https://host/acme shop"},
        {"https://host//acme/shop", "https://host//acme shop"},
        {"https://host/acme/shop//", "https://host/acme/shop ."},
        {"https://host/acme/", "https://host/acme/ ."},
        {"https://host/acme", ""},
        {"https://host/", ""},
        {"https://host", ""},
        {"https://host//", "https://host// ."},
        {"https://host/a/b/../x", ""},
        {"https://host/a/b//x/../../y", ""},
        {"https://host/a/b//x/../y", "https://host/a/b y"},
        {"https://host/a/b/x/..", "https://host/a/b ."},
        {"https://host/a/b/..x", "https://host/a/b ..x"},
        {"https://host/a/../b/c", "https://host/a/.. b/c"},
        {"https://[::1]:8080/acme/shop", "https://[::1]:8080/acme/shop ."},
        {"https://host/acme/shop#x", "https://host/acme/shop#x ."},
        {"https://me:pw@host/acme/shop/x", "https://me:pw@host/acme/shop x"},
        {"https:///a/b/c", "https:///a/b c"},
        {"http://host/a/b/c", "http://host/a/b c"},
        {"https://az/org/proj/_git/repo", "https://az/org/proj/_git/repo ."},
        {"https://az/org/_git/repo/x//y", "https://az/org/_git/repo x/y"},
        {"https://az/org//_git/repo/x", "https://az/org//_git/repo x"},
        {"https://az/org/_git/", "https://az/org/_git/ ."},
        {"https://az/org/x_git/b/c", "https://az/org/x_git/b c"},
        {"git@host:acme/group/shop.git//x", "git@host:acme/group/shop.git x"},
        {"git@host:acme/group/shop/x", "git@host:acme/group shop/x"},
        {"git@host/acme/shop/x", "git@host/acme/shop x"},
        {"me@host:/srv/shop.git/x", "me@host:/srv/shop.git x"},
        {"me@host:~/shop.git/x", "me@host:~/shop.git x"},
        {"me@host:shop.git", "me@host:shop.git ."},
        {"me@host:shop", ""},
        {"me@host:", ""},
        {"me@host://a", ""},
        {"me@:a/b", ""},
        {"@host:a/b", ""},
        {"a.b@host:x/y", ""},
        {"1@host:x/y", ""},
        {"a-@host:x/y", "a-@host:x/y ."},
        {"me:pw@host:x/y", ""},
        {"host:acme/shop", ""},
        {"host/acme/shop.git", ""},
        {"./github.com/acme/shop", ""},
        {"../github.com/acme/shop", ""},
        {"/github.com/acme/shop", ""},
        {"github.com", ""},
        {"github.com/acme", ""},
        {"ssh://git@host/acme/shop//x", "ssh://git@host/acme/shop x"},
        {"ssh://me@host:2222/acme/shop/x", "ssh://me@host:2222/acme/shop x"},
        {"ssh://git@github.com:acme/shop", ""},
        {"file:///srv/shop", "file:///srv/shop ."},
        {"FILE:///srv/shop.git/x", "file:///srv/shop.git x"},
        {"file:///srv/a/b/c//x", "file:///srv/a/b/c x"},
        {"file:///a.git/b.git//c", "file:///a.git/b.git c"},
        {"file://github.com/acme/shop", "file://github.com/acme/shop ."},
        {"file://me@host/a", "file://me@host/a ."},
        {"file://", ""},
        {"file:////", ""},
        {"git::/srv/repo", ""},
        {"git::", ""},
        {"ftp://host/acme/shop", ""},
        {"s3::https://host/a/b", ""},
        {"ext::sh -c x", ""},
        {"-oProxyCommand=x@host:a/b", ""},
        {" https://host/a/b", ""},
        {"?ref=x", ""},
        {"", ""},
        {"deployment.yaml", ""},
        {"../base", ""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf got = {0};
        int rc = fetch_git_url_parse(str_of(rows[i].in), &url, &e);

        CHECK_OK(&e);
        CHECK_INT(rc, rows[i].want[0] != '\0', rows[i].in);
        if (rc > 0)
            buf_addf(&got, "%s %s", buf_cstr(&url.repository), buf_cstr(&url.path));
        CHECK_STR(buf_view(&got), str_of(rows[i].want), rows[i].in);
    }
}

TEST(git_urls_tell_ref_timeout_and_submodules_in_the_query)
{
    static const struct {
        const char *query, *ref;
        int64_t timeout_ms;
        bool has_submodules;
    } rows[] = {
        {"", "HEAD", 27000, true},
        {"?", "HEAD", 27000, true},
        {"?ref=v1", "v1", 27000, true},
        {"?version=v2", "v2", 27000, true},
        {"?version=v2&ref=v1", "v1", 27000, true},
        {"?ref=&version=v2", "v2", 27000, true},
        {"?ref", "HEAD", 27000, true},
        {"?REF=v1", "HEAD", 27000, true},
        {"?ref=a%2Fb", "a/b", 27000, true},
        {"?ref=a+b", "a b", 27000, true},
        {"?ref=a//b", "a//b", 27000, true},
        {"?ref=a?b", "a?b", 27000, true},
        {"?ref=v1&ref=v2", "v1", 27000, true},
        {"?ref=%zz&ref=v2", "v2", 27000, true},
        {"?ref=v1;timeout=3", "HEAD", 27000, true},
        {"?timeout=90", "HEAD", 90000, true},
        {"?timeout=1m30s", "HEAD", 90000, true},
        {"?timeout=+5", "HEAD", 27000, true},
        {"?timeout=%2B5", "HEAD", 5000, true},
        {"?timeout=-5", "HEAD", 27000, true},
        {"?timeout=0", "HEAD", 27000, true},
        {"?timeout=soon", "HEAD", 27000, true},
        {"?timeout=9223372036854775807", "HEAD", 27000, true},
        {"?submodules=false", "HEAD", 27000, false},
        {"?submodules=F", "HEAD", 27000, false},
        {"?submodules=0&ref=z&timeout=3s", "z", 3000, false},
        {"?submodules=no", "HEAD", 27000, true},
        {"?submodules=1", "HEAD", 27000, true},
        {"?x=//y", "HEAD", 27000, true},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
        AUTO(err_done) struct err e = {0};
        AUTO(buf_done) struct buf in = {0};

        buf_addf(&in, "https://host/acme/shop.git%s", rows[i].query);
        CHECK_INT(fetch_git_url_parse(buf_view(&in), &url, &e), 1, rows[i].query);
        CHECK_STR(buf_view(&url.repository), STR("https://host/acme/shop.git"), rows[i].query);
        CHECK_STR(buf_view(&url.ref), str_of(rows[i].ref), rows[i].query);
        CHECK_INT(url.timeout_ms, rows[i].timeout_ms, rows[i].query);
        CHECK_INT(url.has_submodules, rows[i].has_submodules, rows[i].query);
    }
}

TEST(git_urls_that_git_would_take_for_options_are_refused)
{
    static const char *const rows[] = {
        "ssh://-oProxyCommand=touch/a/b", "git@-oProxyCommand=touch:a/b",
        "https://me:secret@-x/a/b",       "https://host/a/b?ref=--upload-pack=touch",
        "https://host/a/b?ref=-x",        "https://host/a/b?ref=a:b",
        "https://host/a/b?ref=a%0Ab",     "https://host/a\nb/c",
        "ssh://user:secret@-x/a/b",
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
        AUTO(err_done) struct err e = {0};

        CHECK_INT(fetch_git_url_parse(str_of(rows[i]), &url, &e), -1, rows[i]);
        CHECK_INT(e.kind, ERR_DENIED, rows[i]);
        CHECK(!str_contains(str_of(err_text(&e)), STR("secret")));
    }
}
