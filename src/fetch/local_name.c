#include "fetch/local_name.h"

#include "fetch/path.h"
#include "http/url.h"

#define FOLDER "localized-files"

/* Names come from outside: they must stay below the folder. */
static int put_clean(str path, str shown, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf clean = {0};

    fetch_clean_path(path, &clean);
    if (!str_starts(buf_view(&clean), STR(FOLDER "/")) || str_contains(path, STR("..")))
        return err_set(e, ERR_INVALID, "'%.*s' has no place below " FOLDER, STR_ARG(shown));
    buf_add_str(out, buf_view(&clean));
    return 0;
}

int fetch_local_file_name(str url, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, shown = {0};
    struct http_url u;

    http_url_redact(url, &shown);
    if (http_url_parse(url, &u, e) < 0)
        return -1;
    if (u.path.len <= 1 || str_ends(u.path, STR("/")))
        return err_set(e, ERR_INVALID, "'%s' names no file", buf_cstr(&shown));
    buf_addf(&path, FOLDER "/%.*s%.*s", STR_ARG(u.host), STR_ARG(u.path));
    return put_clean(buf_view(&path), buf_view(&shown), out, e);
}

/* "host:22/org/repo", "host:org/repo", "host/org/repo": host and path. */
static void split(str rest, bool has_scheme, str *ret_host, str *ret_path)
{
    ssize_t slash = str_find_char(rest, '/'), colon;
    str before = slash < 0 ? rest : str_sub(rest, 0, (size_t)slash);
    ssize_t at = str_rfind_char(before, '@');

    rest = str_from(rest, (size_t)(at + 1));
    slash = str_find_char(rest, '/');
    colon = str_find_char(rest, ':');
    if (colon >= 0 && (slash < 0 || colon < slash)) {
        *ret_host = str_sub(rest, 0, (size_t)colon);
        *ret_path = has_scheme && slash >= 0 ? str_from(rest, (size_t)slash)
                                             : str_from(rest, (size_t)colon + 1);
    } else {
        *ret_host = slash < 0 ? rest : str_sub(rest, 0, (size_t)slash);
        *ret_path = slash < 0 ? STR_NONE : str_from(rest, (size_t)slash);
    }
}

int fetch_local_repository_name(const struct fetch_git_url *url, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf path = {0}, shown = {0};
    str rest = buf_view(&url->repository), host, repository;
    ssize_t scheme = str_find(rest, STR("://"));

    http_url_redact(rest, &shown);
    if (str_eq(buf_view(&url->ref), STR("HEAD")))
        return err_set(e, ERR_INVALID, "'%s' needs a ref: '?ref=v1' in its URL", buf_cstr(&shown));
    if (scheme >= 0)
        rest = str_from(rest, (size_t)scheme + 3);
    if (url->is_local) {
        host = STR("file-schemed");
        repository = rest;
    } else {
        split(rest, scheme >= 0, &host, &repository);
    }
    if (str_ends(repository, STR(".git")))
        repository = str_sub(repository, 0, repository.len - 4);
    buf_addf(&path, FOLDER "/%.*s/%.*s/%s", STR_ARG(host), STR_ARG(repository),
             buf_cstr(&url->ref));
    return put_clean(buf_view(&path), buf_view(&shown), out, e);
}
