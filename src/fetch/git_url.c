#include "fetch/git_url.h"

#include "base/ascii.h"
#include "base/duration.h"
#include "fetch/path.h"
#include "http/url.h"

void fetch_git_url_done(struct fetch_git_url *url)
{
    buf_done(&url->repository);
    buf_done(&url->path);
    buf_done(&url->ref);
}

/* The parts of a URL before they are judged: views into the text. */
struct parts {
    str scheme; /* "https", or empty */
    str user;   /* with its '@' */
    str host;   /* with its port and the ':' or '/' after it; empty for file:// */
    str rest;
};

static bool drop_prefix_nocase(str *s, str prefix)
{
    if (s->len < prefix.len || !str_eq_nocase(str_sub(*s, 0, prefix.len), prefix))
        return false;
    *s = str_from(*s, prefix.len);
    return true;
}

static str take_scheme(str *rest)
{
    static const struct {
        char text[9], name[6];
    } rows[] = {{"https://", "https"}, {"http://", "http"}, {"ssh://", "ssh"}, {"file://", "file"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (drop_prefix_nocase(rest, str_of(rows[i].text)))
            return str_of(rows[i].name);
    return STR_NONE;
}

static bool is_user(str s)
{
    if (!s.len || !ascii_is_letter(s.p[0]))
        return false;
    for (size_t i = 1; i < s.len; i++)
        if (!ascii_is_alnum(s.p[i]) && s.p[i] != '-')
            return false;
    return true;
}

/* A user that is not of letters, digits and dashes stays a part of the host, as upstream has it. */
static str take_user(str *rest)
{
    str all = *rest;
    ssize_t at = str_find_char(all, '@');

    if (at < 0 || !is_user(str_sub(all, 0, (size_t)at)))
        return STR_NONE;
    *rest = str_from(all, (size_t)at + 1);
    return str_sub(all, 0, (size_t)at + 1);
}

static str without_port(str host)
{
    ssize_t colon;

    host = str_trim_right(host, "/");
    colon = str_find_char(host, ':');
    return colon < 0 ? host : str_sub(host, 0, (size_t)colon);
}

static bool is_github(str host) { return str_eq_nocase(without_port(host), STR("github.com")); }

/* With a scheme the host ends at the first slash; "user@host:path" ends at the colon too. */
static bool take_host(struct parts *p)
{
    size_t end = 0;

    if (str_eq(p->scheme, STR("file")))
        return true;
    while (end < p->rest.len && p->rest.p[end] != '/' && (p->scheme.len || p->rest.p[end] != ':'))
        end++;
    if (end == p->rest.len || (end == 0 && !p->scheme.len))
        return false;
    p->host = str_sub(p->rest, 0, end + 1);
    p->rest = str_from(p->rest, end + 1);
    return p->scheme.len || p->user.len || is_github(p->host);
}

/* Where the repository ends in what follows the host; -1 when nothing tells. */
static ssize_t end_of_repository(const struct parts *p)
{
    ssize_t at = str_find(p->rest, STR("_git/"));
    ssize_t slash;

    if (at >= 0) {
        slash = str_find_char(str_from(p->rest, (size_t)at + 5), '/');
        return slash < 0 ? (ssize_t)p->rest.len : at + 5 + slash;
    }
    at = str_find(p->rest, STR("//"));
    if (at >= 0)
        return at;
    at = str_find(p->rest, STR(".git"));
    if (at >= 0)
        return at + 4;
    if (str_eq(p->scheme, STR("file")))
        return (ssize_t)p->rest.len;
    slash = str_find_char(p->rest, '/');
    if (slash < 0)
        return -1;
    at = str_find_char(str_from(p->rest, (size_t)slash + 1), '/');
    return at < 0 ? (ssize_t)p->rest.len : slash + 1 + at;
}

static void write_repository(const struct parts *p, str repository, struct buf *out)
{
    bool is_plain = str_eq(p->scheme, STR("file")) || !is_github(p->host);

    if (is_plain && p->scheme.len)
        buf_addf(out, "%.*s://", STR_ARG(p->scheme));
    if (is_plain)
        buf_addf(out, "%.*s%.*s", STR_ARG(p->user), STR_ARG(p->host));
    else if (p->user.len || str_eq(p->scheme, STR("ssh")))
        buf_addf(out, "%.*sgithub.com:", STR_ARG(p->user));
    else
        buf_add_cstr(out, "https://github.com/");
    buf_add_str(out, repository);
}

/* False when it leads out of the repository. */
static bool write_path(str path, struct buf *out)
{
    while (str_drop_prefix(&path, STR("/"))) {
    }
    fetch_clean_path(path, out);
    return !str_eq(buf_view(out), STR("..")) && !str_starts(buf_view(out), STR("../"));
}

/* One value of the query as Go decodes it; false when the pair is malformed, which drops it. */
static bool decode(str text, struct buf *out)
{
    AUTO(buf_done) struct buf blanks = {0};

    buf_add_str(&blanks, text);
    for (size_t i = 0; i < blanks.len; i++)
        if (blanks.p[i] == '+')
            blanks.p[i] = ' ';
    buf_clear(out);
    return http_url_decode(buf_view(&blanks), out);
}

/* The first value of key; false when there is none. */
static bool query_value(str query, str key, struct buf *out)
{
    while (query.len) {
        str value, name, pair = str_cut(query, '&', &query);

        if (str_find_char(pair, ';') >= 0)
            continue;
        name = str_cut(pair, '=', &value);
        if (!decode(name, out) || !str_eq(buf_view(out), key))
            continue;
        if (decode(value, out))
            return true;
    }
    return false;
}

static int64_t read_timeout(str text)
{
    int64_t value;

    if (str_starts(text, STR("+")))
        text = str_from(text, 1);
    if (str_to_int64(text, &value))
        return value > 0 && value < INT64_MAX / 1000 ? value * 1000 : FETCH_GIT_TIMEOUT_MS;
    return duration_parse_ms(text, &value) && value > 0 ? value : FETCH_GIT_TIMEOUT_MS;
}

static bool is_false(str text)
{
    static const char words[][6] = {"0", "f", "F", "false", "FALSE", "False"};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(text, str_of(words[i])))
            return true;
    return false;
}

static void read_query(str query, struct fetch_git_url *ret)
{
    AUTO(buf_done) struct buf value = {0};

    if ((query_value(query, STR("ref"), &value) && value.len) ||
        (query_value(query, STR("version"), &value) && value.len))
        buf_add_str(&ret->ref, buf_view(&value));
    else
        buf_add_cstr(&ret->ref, "HEAD");
    ret->timeout_ms = query_value(query, STR("timeout"), &value) ? read_timeout(buf_view(&value))
                                                                 : FETCH_GIT_TIMEOUT_MS;
    ret->has_submodules =
        !query_value(query, STR("submodules"), &value) || !is_false(buf_view(&value));
}

static bool has_control(str text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.p[i] < 0x20 || text.p[i] == 0x7f)
            return true;
    return false;
}

static int deny(const char *what, str url, struct err *e)
{
    AUTO(buf_done) struct buf shown = {0};

    http_url_redact(url, &shown);
    return err_set(e, ERR_DENIED, "git URL '%s' is refused: %s", buf_cstr(&shown), what);
}

/* git and ssh would take these for options. */
static int judge(const struct parts *p, const struct fetch_git_url *url, str text, struct err *e)
{
    ssize_t at = str_rfind_char(p->host, '@');

    if (has_control(text) || has_control(buf_view(&url->ref)))
        return deny("it holds control characters", text, e);
    if (str_starts(str_from(p->host, (size_t)(at + 1)), STR("-")) || str_starts(p->host, STR("-")))
        return deny("its host starts with a dash", text, e);
    if (str_starts(buf_view(&url->ref), STR("-")))
        return deny("its ref starts with a dash", text, e);
    if (str_contains(buf_view(&url->ref), STR(":")))
        return deny("its ref holds a colon", text, e);
    return 1;
}

int fetch_git_url_parse(str text, struct fetch_git_url *ret, struct err *e)
{
    struct parts p = {0};
    ssize_t end;
    str query;

    p.rest = str_cut(text, '?', &query);
    ret->is_forced = drop_prefix_nocase(&p.rest, STR("git::"));
    if (str_starts(p.rest, STR("/")))
        return 0;
    p.scheme = take_scheme(&p.rest);
    p.user = take_user(&p.rest);
    if (!take_host(&p))
        return 0;
    end = end_of_repository(&p);
    if (end <= 0 || !write_path(str_from(p.rest, (size_t)end), &ret->path))
        return 0;
    write_repository(&p, str_sub(p.rest, 0, (size_t)end), &ret->repository);
    read_query(query, ret);
    ret->is_local = str_eq(p.scheme, STR("file"));
    return judge(&p, ret, text, e);
}

bool fetch_is_git_url(str text)
{
    AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
    AUTO(err_done) struct err ignored = {0};

    return fetch_git_url_parse(text, &url, &ignored) > 0;
}
