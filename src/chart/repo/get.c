#include "chart/repo/get.h"

#include "base/escape.h"
#include "base/log.h"
#include "http/client.h"
#include "http/url.h"
#include "sys/file.h"

enum { MAX_REDIRECTS = 10, MAX_PEM = 1 << 20 };

/* ---- URLs */

static bool is_same_host(const struct http_url *a, const struct http_url *b)
{
    return str_eq_nocase(a->scheme, b->scheme) && str_eq_nocase(a->host, b->host) &&
           str_eq(http_url_port(a), http_url_port(b));
}

bool chart_url_is_same(str a, str b)
{
    AUTO(err_done) struct err e = {0};
    struct http_url x, y;

    if (http_url_parse(a, &x, &e) < 0 || http_url_parse(b, &y, &e) < 0)
        return str_eq(str_trim_right(a, "/"), str_trim_right(b, "/"));
    return is_same_host(&x, &y) && str_eq(x.query, y.query) &&
           str_eq(str_trim_right(x.path, "/"), str_trim_right(y.path, "/"));
}

/* Appends an absolute path without "." and "..". */
static void add_clean_path(str path, struct buf *out)
{
    size_t start = out->len;

    while (path.p) {
        str part = str_cut(path, '/', &path);

        if (str_eq(part, STR(".."))) {
            ssize_t at = str_rfind_char(str_from(buf_view(out), start), '/');
            buf_trunc(out, start + (size_t)MAX(at, 0));
        } else if (part.len && !str_eq(part, STR("."))) {
            buf_add_char(out, '/');
            buf_add_str(out, part);
        }
    }
}

int chart_url_resolve(str base, str ref, struct buf *out, struct err *e)
{
    AUTO(buf_done) struct buf path = {0};
    struct http_url u;
    str own_path, own_query;

    if (str_contains(str_cut(ref, '?', NULL), STR("://"))) {
        buf_add_str(out, ref);
        return 0;
    }
    if (http_url_parse(base, &u, e) < 0)
        return err_wrap(e, "invalid chart URL format");
    own_path = str_cut(ref, '?', &own_query);
    buf_add_str(out, str_range(base.p, u.host.p + u.host.len));
    if (base.p + base.len > u.host.p + u.host.len && u.host.p[u.host.len] == ']')
        buf_add_char(out, ']');
    if (u.port.len)
        buf_addf(out, ":%.*s", STR_ARG(u.port));
    if (!str_starts(own_path, STR("/")))
        buf_addf(&path, "%.*s/", STR_ARG(u.path));
    buf_add_str(&path, own_path);
    add_clean_path(buf_view(&path), out);
    if (own_query.len || u.query.len)
        buf_addf(out, "?%.*s", STR_ARG(own_query.len ? own_query : u.query));
    return 0;
}

/* ---- fetching */

static int read_pem(str path, struct buf *ret, struct err *e)
{
    AUTO(buf_done) struct buf name = {0};

    if (!path.len)
        return 0;
    buf_add_str(&name, path);
    return file_read(buf_cstr(&name), MAX_PEM, ret, e);
}

struct pems {
    struct buf ca, cert, key;
};
static void pems_done(struct pems *p)
{
    buf_done(&p->ca);
    buf_done(&p->cert);
    buf_done(&p->key);
}
AUTO_VALUE(struct pems, pems_done)

static struct http_client *make_client(const struct chart_access *access, struct err *e)
{
    AUTO(pems_done) struct pems pems = {0};
    struct http_client_options options = {.use_env_proxy = true};

    if (read_pem(access->ca_file, &pems.ca, e) < 0 ||
        read_pem(access->cert_file, &pems.cert, e) < 0 ||
        read_pem(access->key_file, &pems.key, e) < 0) {
        err_wrap(e, "can't create TLS config for client");
        return NULL;
    }
    options.tls = (struct http_tls){.ca_pem = buf_view(&pems.ca),
                                    .cert_pem = buf_view(&pems.cert),
                                    .key_pem = buf_view(&pems.key),
                                    .insecure = access->is_insecure};
    return http_client_new(&options, e);
}

/* "Basic …" when url may see the credentials. */
static void authorize(const struct http_url *url, str owner, const struct chart_access *access,
                      struct buf *ret)
{
    AUTO(err_done) struct err ignored = {0};
    AUTO(buf_done) struct buf pair = {0};
    struct http_url home;

    if (!access->username.len || !access->password.len)
        return;
    if (!access->passes_credentials &&
        (http_url_parse(owner, &home, &ignored) < 0 || !is_same_host(&home, url)))
        return;
    buf_addf(&pair, "%.*s:%.*s", STR_ARG(access->username), STR_ARG(access->password));
    buf_add_cstr(ret, "Basic ");
    escape_base64(buf_view(&pair), true, ret);
    secret_add(str_from(buf_view(ret), 6));
}

static const char *status_text(int status)
{
    static const struct {
        int status;
        char text[22];
    } rows[] = {{400, "Bad Request"},
                {401, "Unauthorized"},
                {403, "Forbidden"},
                {404, "Not Found"},
                {410, "Gone"},
                {429, "Too Many Requests"},
                {500, "Internal Server Error"},
                {502, "Bad Gateway"},
                {503, "Service Unavailable"},
                {504, "Gateway Timeout"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].status == status)
            return rows[i].text;
    return "";
}

static int judge(int status, str url, struct err *e)
{
    enum err_kind kind = ERR_IO;

    if (status == 200)
        return 0;
    if (status == 404 || status == 410)
        kind = ERR_NOT_FOUND;
    else if (status == 401 || status == 403)
        kind = ERR_DENIED;
    else if (status == 429 || status >= 500)
        kind = ERR_UNAVAILABLE;
    err_set(e, kind, "failed to fetch %.*s : %d %s", STR_ARG(url), status, status_text(status));
    e->code = status;
    return -1;
}

int chart_get(str url, str owner, const struct chart_access *access, size_t limit, struct buf *out,
              struct err *e)
{
    AUTO(http_client_free) struct http_client *client = NULL;
    AUTO(http_response_done) struct http_response response = {0};
    AUTO(buf_done) struct buf token = {0}, shown = {0};
    struct http_request request = {
        .method = "GET", .url = url, .max_body = limit, .max_redirects = MAX_REDIRECTS};
    struct http_header header = {STR("Authorization"), STR_NONE};
    struct http_url parsed;

    http_url_redact(url, &shown);
    if (http_url_parse(url, &parsed, e) < 0)
        return err_wrap(e, "invalid chart URL format");
    if (!str_eq_nocase(parsed.scheme, STR("http")) && !str_eq_nocase(parsed.scheme, STR("https")))
        return err_set(e, ERR_INVALID, "could not find protocol handler for: %.*s",
                       STR_ARG(parsed.scheme));
    authorize(&parsed, owner, access, &token);
    if (token.len) {
        header.value = buf_view(&token);
        request.headers = &header;
        request.header_count = 1;
    }
    client = make_client(access, e);
    if (!client)
        return -1;
    if (http_call(client, &request, access->cancel, &response, e) < 0)
        return err_wrap(e, "Get \"%s\"", buf_cstr(&shown));
    if (judge(response.status, buf_view(&shown), e) < 0)
        return -1;
    buf_add_str(out, buf_view(&response.body));
    return 0;
}
