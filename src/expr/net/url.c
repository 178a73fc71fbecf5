#include "expr/net/url.h"

#include <ctype.h>

#include "base/ascii.h"
#include "base/escape.h"
#include "expr/gotmpl/text_priv.h"
#include "expr/net/address.h"

static bool is_unreserved(char c) { return isalnum((unsigned char)c) || (c && strchr("-_.~", c)); }
static bool is_path_char(char c) { return is_unreserved(c) || (c && strchr("$&+,/:;=@", c)); }
/* What a host may hold unescaped. */
static bool is_host_char(char c)
{
    return is_unreserved(c) || (c & 0x80) || (c && strchr("!$&'()*+,;=:[]<>\"", c));
}

static bool fail(struct buf *why, const char *text)
{
    buf_add_cstr(why, text);
    return false;
}

static bool bad_escape(str s, size_t at, struct buf *why)
{
    buf_add_cstr(why, "invalid URL escape ");
    text_quote(str_sub(s, at, 3), false, why);
    return false;
}

enum mode { PATH, QUERY, HOST, ZONE, USER };

/* The two digits behind '%' at s[at]; -1: not an escape. Hosts cannot hide ASCII. */
static int escaped_at(str s, size_t at, enum mode mode)
{
    int high = at + 2 < s.len ? ascii_hex_value(s.p[at + 1]) : -1,
        low = at + 2 < s.len ? ascii_hex_value(s.p[at + 2]) : -1;

    if (high < 0 || low < 0)
        return -1;
    if (mode == HOST && high < 8 && !str_eq(str_sub(s, at, 3), STR("%25")))
        return -1;
    if (mode == ZONE && !str_eq(str_sub(s, at, 3), STR("%25")) && high * 16 + low != ' ' &&
        !is_host_char((char)(high * 16 + low)))
        return -1;
    return high * 16 + low;
}

static bool unescape(str s, enum mode mode, struct buf *out, struct buf *why)
{
    for (size_t i = 0; i < s.len; i++) {
        int c = (unsigned char)s.p[i];

        if (c == '%') {
            c = escaped_at(s, i, mode);
            if (c < 0)
                return bad_escape(s, i, why);
            i += 2;
        } else if (c == '+' && mode == QUERY) {
            c = ' ';
        } else if ((mode == HOST || mode == ZONE) && !is_host_char((char)c)) {
            buf_add_cstr(why, "invalid character ");
            text_quote(str_sub(s, i, 1), false, why);
            buf_add_cstr(why, " in host name");
            return false;
        }
        buf_add_char(out, (char)c);
    }
    return true;
}

bool net_url_unescape_query(str text, struct buf *out)
{
    AUTO(buf_done) struct buf why = {0};

    return unescape(text, QUERY, out, &why);
}

/* ---- authority */

static bool is_port(str s) /* "" or ":" and digits */
{
    if (s.len && s.p[0] != ':')
        return false;
    for (size_t i = 1; i < s.len; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    }
    return true;
}

static bool bad_port(str port, struct buf *why)
{
    buf_add_cstr(why, "invalid port ");
    text_quote(port, false, why);
    buf_add_cstr(why, " after host");
    return false;
}

/* "%25" begins a zone. */
static bool unescape_bracketed(str s, struct buf *out, struct buf *why)
{
    ssize_t zone = str_find(s, STR("%25"));

    if (zone < 0)
        return unescape(s, HOST, out, why);
    return unescape(str_sub(s, 0, (size_t)zone), HOST, out, why) &&
           unescape(str_from(s, (size_t)zone), ZONE, out, why);
}

/* Only an IPv6 address may stand in brackets. */
static bool read_bracketed(str s, struct buf *host, struct buf *why)
{
    AUTO(buf_done) struct buf name = {0}, reason = {0};
    ssize_t end = str_rfind_char(s, ']');
    struct net_address address;
    str port;

    if (end < 0)
        return fail(why, "missing ']' in host");
    port = str_from(s, (size_t)end + 1);
    if (!is_port(port))
        return bad_port(port, why);
    if (!unescape_bracketed(str_sub(s, 1, (size_t)end - 1), &name, why))
        return false;
    if (!net_address_parse(buf_view(&name), &address, &reason)) {
        buf_addf(why, "invalid host: %s", buf_cstr(&reason));
        return false;
    }
    if (!address.is_v6)
        return fail(why, "invalid IP-literal");
    buf_addf(host, "[%s]%.*s", buf_cstr(&name), STR_ARG(port));
    return true;
}

static bool read_host(str s, bool is_strict, struct buf *host, struct buf *why)
{
    ssize_t colon = is_strict ? str_find_char(s, ':') : str_rfind_char(s, ':');

    if (str_rfind_char(s, '[') > 0)
        return fail(why, "invalid IP-literal");
    if (s.len && s.p[0] == '[')
        return read_bracketed(s, host, why);
    if (colon >= 0 && !is_port(str_from(s, (size_t)colon)))
        return bad_port(str_from(s, (size_t)colon), why);
    return unescape(s, HOST, host, why);
}

static bool is_user(str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (!is_unreserved(s.p[i]) && !(s.p[i] && strchr("!$&'()*+,;=:%@", s.p[i])))
            return false;
    }
    return true;
}

struct parts {
    struct buf host, path, plain_path;
    str scheme, opaque, user, raw_path, query;
    enum net_url_colons colons;
};
static void parts_done(struct parts *p)
{
    buf_done(&p->host);
    buf_done(&p->path);
    buf_done(&p->plain_path);
}
AUTO_VALUE(struct parts, parts_done)

static bool is_web(str scheme)
{
    return str_eq_nocase(scheme, STR("http")) || str_eq_nocase(scheme, STR("https"));
}

static bool read_authority(str s, struct parts *p, struct buf *why)
{
    AUTO(buf_done) struct buf user = {0};
    bool is_strict = p->colons == NET_URL_COLONS_STRICT && is_web(p->scheme);
    ssize_t at = str_rfind_char(s, '@');

    if (!read_host(str_from(s, (size_t)(at + 1)), is_strict, &p->host, why))
        return false;
    if (at < 0)
        return true;
    p->user = str_sub(s, 0, (size_t)at);
    return is_user(p->user) ? unescape(p->user, USER, &user, why)
                            : fail(why, "net/url: invalid userinfo");
}

/* ---- the whole */

/* False: a ':' without a name before it. No scheme is fine. */
static bool take_scheme(str *s, str *ret)
{
    *ret = STR("");
    for (size_t i = 0; i < s->len; i++) {
        char c = s->p[i];

        if (c == ':') {
            *ret = str_sub(*s, 0, i);
            *s = str_from(*s, i + 1);
            return i > 0;
        }
        if (!isalpha((unsigned char)c) &&
            (i == 0 || !(isdigit((unsigned char)c) || c == '+' || c == '-' || c == '.')))
            return true;
    }
    return true;
}

static bool has_control(str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if ((unsigned char)s.p[i] < ' ' || s.p[i] == 0x7f)
            return true;
    }
    return false;
}

/* The path as it is written, unless it holds what must be escaped. */
static bool read_path(str s, struct parts *p, struct buf *why)
{
    bool is_fit = true;

    p->raw_path = s;
    if (!unescape(s, PATH, &p->plain_path, why))
        return false;
    for (size_t i = 0; i < s.len; i++)
        is_fit = is_fit && (is_path_char(s.p[i]) || (s.p[i] && strchr("!'()*[]%", s.p[i])));
    if (is_fit)
        buf_add_str(&p->path, s);
    else
        escape_percent(buf_view(&p->plain_path), "$&+,/:;=@", &p->path);
    return true;
}

/* What stands before a query: whether a text without '/' in front is fine depends on where it
 * comes from. */
static bool read_hierarchy(str s, bool is_request, struct parts *p, struct buf *why)
{
    if (!str_starts(s, STR("/"))) {
        if (p->scheme.len) {
            p->opaque = s;
            return true;
        }
        if (is_request)
            return fail(why, "invalid URI for request");
        if (str_find_char(str_cut(s, '/', NULL), ':') >= 0)
            return fail(why, "first path segment in URL cannot contain colon");
    }
    if ((p->scheme.len || (!is_request && !str_starts(s, STR("///")))) &&
        str_starts(s, STR("//"))) {
        str rest = str_from(s, 2), authority = str_cut(rest, '/', NULL);

        if (!read_authority(authority, p, why))
            return false;
        s = str_from(rest, authority.len);
    }
    return read_path(s, p, why);
}

static bool parse(str s, bool is_request, struct parts *p, struct buf *why)
{
    if (has_control(s))
        return fail(why, "net/url: invalid control character in URL");
    if (!s.len && is_request)
        return fail(why, "empty url");
    if (str_eq(s, STR("*"))) {
        buf_add_char(&p->path, '*');
        buf_add_char(&p->plain_path, '*');
        return true;
    }
    if (!take_scheme(&s, &p->scheme))
        return fail(why, "missing protocol scheme");
    return read_hierarchy(str_cut(s, '?', &p->query), is_request, p, why);
}

static bool refuse(str text, const struct buf *reason, struct buf *why)
{
    buf_add_cstr(why, "parse ");
    text_quote(text, false, why);
    buf_addf(why, ": %s", buf_cstr(reason));
    return false;
}

bool net_url_check_request(str text, struct buf *why)
{
    AUTO(parts_done) struct parts p = {0};
    AUTO(buf_done) struct buf reason = {0};

    return parse(text, true, &p, &reason) || refuse(text, &reason, why);
}

static str lower(struct arena *arena, str text)
{
    str copy = arena_dup(arena, text);
    char *p = (char *)copy.p;

    for (size_t i = 0; i < copy.len; i++)
        p[i] = (char)tolower((unsigned char)p[i]);
    return copy;
}

/* What is wrong is told of the text without its fragment, unless that is it. */
bool net_url_parse(struct arena *arena, str text, enum net_url_colons colons, struct net_url *ret,
                   struct buf *why)
{
    AUTO(parts_done) struct parts p = {.colons = colons};
    AUTO(buf_done) struct buf plain = {0}, reason = {0};
    str fragment, rest = str_cut(text, '#', &fragment);

    if (!parse(rest, false, &p, &reason))
        return refuse(rest, &reason, why);
    if (!unescape(fragment, PATH, &plain, &reason))
        return refuse(text, &reason, why);
    *ret = (struct net_url){lower(arena, p.scheme),
                            p.opaque,
                            p.user,
                            arena_dup(arena, buf_view(&p.host)),
                            arena_dup(arena, buf_view(&p.plain_path)),
                            p.raw_path,
                            arena_dup(arena, buf_view(&p.path)),
                            p.query,
                            arena_dup(arena, buf_view(&plain))};
    return true;
}

str net_url_split_host(str host, str *ret_port)
{
    ssize_t colon = str_rfind_char(host, ':');

    *ret_port = STR("");
    if (colon >= 0 && is_port(str_from(host, (size_t)colon))) {
        *ret_port = str_from(host, (size_t)colon + 1);
        host = str_sub(host, 0, (size_t)colon);
    }
    if (str_starts(host, STR("[")) && str_ends(host, STR("]")))
        host = str_sub(host, 1, host.len - 2);
    return host;
}
