/* Paths and URLs (template spec 14.11). */
#include "base/ascii.h"
#include "base/escape.h"
#include "expr/gotmpl/fn_priv.h"

/* ---- paths */

static void clean(str path, struct buf *out)
{
    bool is_rooted = path.len && path.p[0] == '/';
    AUTO(str_vec_done) struct str_vec kept = {0};

    for (str part, rest = path; rest.p;) {
        part = str_cut(rest, '/', &rest);
        if (!part.len || str_eq(part, STR(".")))
            continue;
        if (!str_eq(part, STR("..")))
            vec_push(&kept, part);
        else if (kept.len && !str_eq(vec_last(&kept), STR("..")))
            kept.len--;
        else if (!is_rooted)
            vec_push(&kept, part);
    }
    buf_add_cstr(out, is_rooted ? "/" : "");
    for (size_t i = 0; i < kept.len; i++) {
        buf_add_cstr(out, i ? "/" : "");
        buf_add_str(out, kept.v[i]);
    }
    if (!is_rooted && !kept.len)
        buf_add_char(out, '.');
}

static int f_base(struct tmpl_call *c, struct tmpl_value *ret)
{
    str s = arg_text(c, 0), path = str_trim_right(s, "/");

    if (!s.len)
        return ret_view(ret, STR("."));
    if (!path.len)
        return ret_view(ret, STR("/"));
    return ret_view(ret, str_from(path, (size_t)(str_rfind_char(path, '/') + 1)));
}

static int f_dir(struct tmpl_call *c, struct tmpl_value *ret)
{
    str path = arg_text(c, 0);
    struct buf *b = trun_borrow(c->run);

    clean(str_sub(path, 0, (size_t)(str_rfind_char(path, '/') + 1)), b);
    return ret_text(c, b, ret);
}

static int f_clean(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);

    clean(arg_text(c, 0), b);
    return ret_text(c, b, ret);
}

static int f_ext(struct tmpl_call *c, struct tmpl_value *ret)
{
    str path = arg_text(c, 0), name = str_from(path, (size_t)(str_rfind_char(path, '/') + 1));
    ssize_t dot = str_rfind_char(name, '.');

    return ret_view(ret, dot < 0 ? STR("") : str_from(name, (size_t)dot));
}

static int f_is_abs(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_bool(ret, str_starts(arg_text(c, 0), STR("/")));
}

/* ---- URLs */

/* False where a '%' is not followed by two digits; *ret_bad is then that piece. */
static bool unescape(str s, struct buf *out, str *ret_bad)
{
    for (size_t i = 0; i < s.len; i++) {
        int high, low;

        if (s.p[i] != '%') {
            buf_add_char(out, s.p[i]);
            continue;
        }
        high = i + 2 < s.len ? ascii_hex_value(s.p[i + 1]) : -1;
        low = i + 2 < s.len ? ascii_hex_value(s.p[i + 2]) : -1;
        if (high < 0 || low < 0) {
            *ret_bad = str_sub(s, i, 3);
            return false;
        }
        buf_add_char(out, (char)(high * 16 + low));
        i += 2;
    }
    return true;
}

struct url {
    str scheme, opaque, userinfo, host, path, query, fragment;
    bool has_user, has_authority;
};

static int url_fail(struct tmpl_call *c, str url, const char *why, str what)
{
    AUTO(buf_done) struct buf quoted = {0}, shown = {0};

    text_quote(url, false, &quoted);
    if (what.p)
        text_quote(what, false, &shown);
    return call_fail(c, "unable to parse url: parse %s: %s%s", buf_cstr(&quoted), why,
                     buf_cstr(&shown));
}

/* The letters before the first ':', when they can be a scheme. 0, or -1 for a bad beginning. */
static int cut_scheme(str *rest, str *ret)
{
    *ret = STR_NONE;
    for (size_t i = 0; i < rest->len; i++) {
        char ch = rest->p[i];
        bool is_letter = (ch | 0x20) >= 'a' && (ch | 0x20) <= 'z';

        if (ch == ':') {
            if (i == 0)
                return -1;
            *ret = str_sub(*rest, 0, i);
            *rest = str_from(*rest, i + 1);
            return 0;
        }
        if (!is_letter && (i == 0 || !((ch >= '0' && ch <= '9') || strchr("+-.", ch))))
            return 0;
    }
    return 0;
}

/* What stands behind the host where a port should, ":x"; empty when nothing is wrong. */
static str bad_port(str host)
{
    ssize_t colon = str_rfind_char(host, ':');

    if (colon < 0 || (host.len && host.p[host.len - 1] == ']'))
        return STR_NONE;
    for (size_t i = (size_t)colon + 1; i < host.len; i++)
        if (host.p[i] < '0' || host.p[i] > '9')
            return str_from(host, (size_t)colon);
    return STR_NONE;
}

static bool is_of_host(char c)
{
    return (unsigned char)c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || (c && strchr("-_.~!$&'()*+,;=:[]<>\"%", c));
}

static int check_host(struct tmpl_call *c, str text, str host)
{
    AUTO(buf_done) struct buf why = {0};
    str port = bad_port(host);

    if (port.len) {
        buf_add_cstr(&why, "invalid port ");
        text_quote(port, false, &why);
        buf_add_cstr(&why, " after host");
        return url_fail(c, text, buf_cstr(&why), STR_NONE);
    }
    for (size_t i = 0; i < host.len; i++) {
        if (is_of_host(host.p[i]))
            continue;
        buf_add_cstr(&why, "invalid character ");
        text_quote(str_sub(host, i, 1), false, &why);
        buf_add_cstr(&why, " in host name");
        return url_fail(c, text, buf_cstr(&why), STR_NONE);
    }
    return 0;
}

static int parse_url(struct tmpl_call *c, str text, struct url *u)
{
    str rest = text, query;
    ssize_t at;

    *u = (struct url){0};
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.p[i] < 0x20 || text.p[i] == 0x7f)
            return url_fail(c, text, "net/url: invalid control character in URL", STR_NONE);
    rest = str_cut(rest, '#', &u->fragment);
    if (cut_scheme(&rest, &u->scheme) < 0)
        return url_fail(c, text, "missing protocol scheme", STR_NONE);
    rest = str_cut(rest, '?', &query);
    u->query = query;
    if (u->scheme.len && !str_starts(rest, STR("/"))) {
        u->opaque = rest;
        return 0;
    }
    if (str_drop_prefix(&rest, STR("//"))) {
        at = str_find_char(rest, '/');
        u->host = at < 0 ? rest : str_sub(rest, 0, (size_t)at);
        rest = at < 0 ? STR_NONE : str_from(rest, (size_t)at);
        u->has_authority = true;
        at = str_rfind_char(u->host, '@');
        if (at >= 0) {
            u->has_user = true;
            u->userinfo = str_sub(u->host, 0, (size_t)at);
            u->host = str_from(u->host, (size_t)at + 1);
        }
        if (check_host(c, text, u->host) < 0)
            return -1;
    }
    u->path = rest;
    return 0;
}

static void set_text(struct tmpl_call *c, struct tmpl_map *map, const char *key, str value)
{
    tmpl_map_set(map, str_of(key), tmpl_string(arena_dup(&c->run->arena, value)));
}

static int set_unescaped(struct tmpl_call *c, str url, struct tmpl_map *map, const char *key,
                         str value)
{
    AUTO(buf_done) struct buf plain = {0};
    str bad;

    if (!unescape(value, &plain, &bad))
        return url_fail(c, url, "invalid URL escape ", bad);
    set_text(c, map, key, buf_view(&plain));
    return 0;
}

static void add_userinfo(str userinfo, struct buf *out)
{
    AUTO(buf_done) struct buf plain = {0};
    str password, name = str_cut(userinfo, ':', &password), bad;

    unescape(name, &plain, &bad);
    escape_percent(buf_view(&plain), "$&+,;=", out);
    if (!password.p)
        return;
    buf_add_char(out, ':');
    buf_clear(&plain);
    unescape(password, &plain, &bad);
    escape_percent(buf_view(&plain), "$&+,;=", out);
}

static str host_name(str host)
{
    ssize_t close = str_find_char(host, ']');

    if (str_starts(host, STR("[")) && close > 0)
        return str_sub(host, 1, (size_t)close - 1);
    return str_cut(host, ':', NULL);
}

static int f_url_parse(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf user = {0}, scheme = {0};
    struct tmpl_map *map = tmpl_map_new(&c->run->arena, TMPL_ANY);
    str text = arg_text(c, 0);
    struct url u;

    if (parse_url(c, text, &u) < 0 || set_unescaped(c, text, map, "path", u.path) < 0 ||
        set_unescaped(c, text, map, "fragment", u.fragment) < 0)
        return -1;
    for (size_t i = 0; i < u.scheme.len; i++)
        buf_add_char(&scheme, (char)text_lower((unsigned char)u.scheme.p[i]));
    add_userinfo(u.userinfo, &user);
    set_text(c, map, "scheme", buf_view(&scheme));
    set_text(c, map, "host", u.host);
    set_text(c, map, "hostname", host_name(u.host));
    set_text(c, map, "query", u.query);
    set_text(c, map, "opaque", u.opaque);
    set_text(c, map, "userinfo", buf_view(&user));
    *ret = tmpl_map_value(map);
    return 0;
}

static int get_text(struct tmpl_call *c, const char *key, str *ret)
{
    struct tmpl_value v;

    *ret = STR_NONE;
    if (!value_get(c->run, c->args[0], str_of(key), &v))
        return 0;
    if (v.type != TMPL_STRING)
        return call_fail(c, "unable to parse %s key, must be of type string, but %s found", key,
                         value_kind(v));
    *ret = tmpl_text(v);
    return 0;
}

static void print_url(const struct url *u, struct buf *b)
{
    if (u->scheme.len)
        buf_addf(b, "%.*s:", STR_ARG(u->scheme));
    if (u->opaque.len) {
        buf_add_str(b, u->opaque);
    } else {
        if ((u->scheme.len || u->host.len || u->userinfo.len) &&
            (u->host.len || u->path.len || u->userinfo.len))
            buf_add_cstr(b, "//");
        if (u->userinfo.len) {
            add_userinfo(u->userinfo, b);
            buf_add_char(b, '@');
        }
        buf_add_str(b, u->host);
        if (u->path.len && u->path.p[0] != '/' && u->host.len)
            buf_add_char(b, '/');
        escape_percent(u->path, "$&+,/:;=@", b);
    }
    if (u->query.len)
        buf_addf(b, "?%.*s", STR_ARG(u->query));
    if (u->fragment.len) {
        buf_add_char(b, '#');
        escape_percent(u->fragment, "$&+,/:;=?@!()*'", b);
    }
}

static int f_url_join(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct url u = {0};
    struct buf *b;

    if (get_text(c, "scheme", &u.scheme) < 0 || get_text(c, "host", &u.host) < 0 ||
        get_text(c, "path", &u.path) < 0 || get_text(c, "query", &u.query) < 0 ||
        get_text(c, "opaque", &u.opaque) < 0 || get_text(c, "fragment", &u.fragment) < 0 ||
        get_text(c, "userinfo", &u.userinfo) < 0)
        return -1;
    b = trun_borrow(c->run);
    print_url(&u, b);
    return ret_text(c, b, ret);
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "base", "S", f_base, FUNC_NO_OPERATOR, "The last part of a path",
             "{{ base \"a/b.c\" }}", "b.c");
    func_add(to, "dir", "S", f_dir, FUNC_NO_OPERATOR, "A path without its last part",
             "{{ dir \"a/b.c\" }}", "a");
    func_add(to, "clean", "S", f_clean, FUNC_NO_OPERATOR, "The shortest form of a path",
             "{{ clean \"a//b/../c\" }}", "a/c");
    func_add(to, "ext", "S", f_ext, FUNC_NO_OPERATOR, "The ending of a path", "{{ ext \"a/b.c\" }}",
             ".c");
    func_add(to, "isAbs", "S", f_is_abs, FUNC_NO_OPERATOR, "True for a path from the root",
             "{{ isAbs \"/a\" }}", "true");
    func_add(to, "osBase", "S", f_base, 0, "The same as base", "{{ osBase \"a/b.c\" }}", "b.c");
    func_add(to, "osDir", "S", f_dir, 0, "The same as dir", "{{ osDir \"a/b.c\" }}", "a");
    func_add(to, "osClean", "S", f_clean, 0, "The same as clean", "{{ osClean \"a/./b\" }}", "a/b");
    func_add(to, "osExt", "S", f_ext, 0, "The same as ext", "{{ osExt \"a/b.c\" }}", ".c");
    func_add(to, "osIsAbs", "S", f_is_abs, 0, "The same as isAbs", "{{ osIsAbs \"a\" }}", "false");
    func_add(to, "urlParse", "S", f_url_parse, 0, "The parts of a URL as a map",
             "{{ (urlParse \"http://h:80/p\").hostname }}", "h");
    func_add(to, "urlJoin", "D", f_url_join, 0, "A URL of its parts",
             "{{ urlJoin (dict \"scheme\" \"http\" \"host\" \"h\" \"path\" \"/p\") }}",
             "http://h/p");
}
FUNC_GROUP(func_paths, "Paths and URLs", add_rows, IN_SPRIG);
