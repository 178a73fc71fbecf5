/* Paths and URLs (template spec 14.11). */
#include "base/ascii.h"
#include "base/escape.h"
#include "expr/gotmpl/fn_priv.h"
#include "expr/net/url.h"

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

/* Of a text that was read as a URL: its escapes are fine. */
static void unescape(str s, struct buf *out)
{
    for (size_t i = 0; i < s.len; i++) {
        bool is_escape = s.p[i] == '%' && i + 2 < s.len;
        int high = is_escape ? ascii_hex_value(s.p[i + 1]) : -1,
            low = is_escape ? ascii_hex_value(s.p[i + 2]) : -1;

        if (high < 0 || low < 0) {
            buf_add_char(out, s.p[i]);
            continue;
        }
        buf_add_char(out, (char)(high * 16 + low));
        i += 2;
    }
}

struct url {
    str scheme, opaque, userinfo, host, path, query, fragment;
};

static void set_text(struct tmpl_call *c, struct tmpl_map *map, const char *key, str value)
{
    tmpl_map_set(map, str_of(key), tmpl_string(arena_dup(&c->run->arena, value)));
}

static void add_userinfo(str userinfo, struct buf *out)
{
    AUTO(buf_done) struct buf plain = {0};
    str password, name = str_cut(userinfo, ':', &password);

    unescape(name, &plain);
    escape_percent(buf_view(&plain), "$&+,;=", out);
    if (!password.p)
        return;
    buf_add_char(out, ':');
    buf_clear(&plain);
    unescape(password, &plain);
    escape_percent(buf_view(&plain), "$&+,;=", out);
}

static int f_url_parse(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf user = {0}, why = {0};
    struct tmpl_map *map = tmpl_map_new(&c->run->arena, TMPL_ANY);
    struct net_url u;
    str port;

    if (!net_url_parse(&c->run->arena, arg_text(c, 0), NET_URL_COLONS_STRICT, &u, &why))
        return call_fail(c, "unable to parse url: %s", buf_cstr(&why));
    add_userinfo(u.user, &user);
    set_text(c, map, "scheme", u.scheme);
    set_text(c, map, "host", u.host);
    set_text(c, map, "hostname", net_url_split_host(u.host, &port));
    set_text(c, map, "path", u.path);
    set_text(c, map, "query", u.query);
    set_text(c, map, "opaque", u.opaque);
    set_text(c, map, "fragment", u.fragment);
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

/* A user is what would be one in a URL. */
static int read_userinfo(struct tmpl_call *c, str *userinfo)
{
    AUTO(buf_done) struct buf url = {0}, why = {0};
    struct net_url u;

    if (!userinfo->len)
        return 0;
    buf_addf(&url, "proto://%.*s@host", STR_ARG(*userinfo));
    if (!net_url_parse(&c->run->arena, arena_dup(&c->run->arena, buf_view(&url)),
                       NET_URL_COLONS_STRICT, &u, &why))
        return call_fail(c, "unable to parse userinfo in dict: %s", buf_cstr(&why));
    *userinfo = u.user;
    return 0;
}

static int f_url_join(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct url u = {0};
    struct buf *b;

    if (get_text(c, "scheme", &u.scheme) < 0 || get_text(c, "host", &u.host) < 0 ||
        get_text(c, "path", &u.path) < 0 || get_text(c, "query", &u.query) < 0 ||
        get_text(c, "opaque", &u.opaque) < 0 || get_text(c, "fragment", &u.fragment) < 0 ||
        get_text(c, "userinfo", &u.userinfo) < 0 || read_userinfo(c, &u.userinfo) < 0)
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
