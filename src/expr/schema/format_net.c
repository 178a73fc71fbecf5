#include "base/ascii.h"
#include "base/escape.h"
#include "expr/net/address.h"
#include "expr/net/url.h"
#include "expr/schema/format.h"

bool format_ipv4(str s, struct buf *why)
{
    size_t dots = 0;

    for (size_t i = 0; i < s.len; i++)
        dots += s.p[i] == '.';
    if (dots != 3)
        return format_fail(why, "expected four decimals");
    while (s.p) {
        str decimal = str_cut(s, '.', &s);
        int64_t n;

        if (decimal.len > 1 && decimal.p[0] == '0')
            return format_fail(why, "leading zeros");
        if (!format_read_int(decimal, &n, why))
            return false;
        if (n < 0 || n > 255)
            return format_fail(why, "decimal must be between 0 and 255");
    }
    return true;
}

bool format_ipv6(str s, struct buf *why)
{
    struct net_address a;

    if (str_find_char(s, ':') < 0)
        return format_fail(why, "missing colon");
    return net_address_parse(s, &a, why) &&
           (!a.has_zone || format_fail(why, "zone id is not a part of ipv6 address"));
}

static bool is_label(str s, struct buf *why)
{
    if (!s.len || s.len > 63)
        return format_fail(why, "label must be 1 to 63 characters long");
    if (s.p[0] == '-')
        return format_fail(why, "label starts with hyphen");
    if (s.p[s.len - 1] == '-')
        return format_fail(why, "label ends with hyphen");
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alnum(s.p[i]) && s.p[i] != '-')
            return format_fail_char(why, "invalid character ", s, i, "");
    return true;
}

bool format_hostname(str s, struct buf *why)
{
    if (str_ends(s, STR(".")))
        s = str_sub(s, 0, s.len - 1);
    if (s.len > 253)
        return format_fail(why, "more than 253 characters long");
    do {
        if (!is_label(str_cut(s, '.', &s), why))
            return false;
    } while (s.p);
    return true;
}

/* ---- mail */

static bool is_local_part(str s, struct buf *why)
{
    if (s.len > 64)
        return format_fail(why, "local part more than 64 characters long");
    if (s.len > 1 && s.p[0] == '"' && s.p[s.len - 1] == '"') {
        str inside = str_sub(s, 1, s.len - 2);

        return (str_find_char(inside, '\\') < 0 && str_find_char(inside, '"') < 0) ||
               format_fail(why, "backslash and quote are not allowed within quoted local part");
    }
    if (str_starts(s, STR(".")))
        return format_fail(why, "starts with dot");
    if (str_ends(s, STR(".")))
        return format_fail(why, "ends with dot");
    if (str_find(s, STR("..")) >= 0)
        return format_fail(why, "consecutive dots");
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alnum(s.p[i]) && !(s.p[i] && strchr(".!#$%&'*+-/=?^_`{|}~", s.p[i])))
            return format_fail_char(why, "invalid character ", s, i, "");
    return true;
}

static bool is_domain(str s, struct buf *why)
{
    AUTO(buf_done) struct buf reason = {0};

    if (!str_starts(s, STR("[")) || !str_ends(s, STR("]")))
        return format_within(why, "invalid domain", format_hostname(s, &reason), &reason);
    s = str_sub(s, 1, s.len - 2);
    if (str_drop_prefix(&s, STR("IPv6:")))
        return format_within(why, "invalid ipv6 address", format_ipv6(s, &reason), &reason);
    return format_within(why, "invalid ipv4 address", format_ipv4(s, &reason), &reason);
}

bool format_email(str s, struct buf *why)
{
    ssize_t at = str_rfind_char(s, '@');

    if (s.len > 254) /* which the message calls 255 */
        return format_fail(why, "more than 255 characters long");
    if (at < 0)
        return format_fail(why, "missing @");
    return is_local_part(str_sub(s, 0, (size_t)at), why) &&
           is_domain(str_from(s, (size_t)at + 1), why);
}

/* ---- URIs */

/* An address without brackets is taken for a name with a port by the reader of URLs. */
static bool read_uri(struct arena *arena, str s, struct net_url *u, struct buf *why)
{
    AUTO(buf_done) struct buf reason = {0};
    str port, name;

    if (!net_url_parse(arena, s, NET_URL_COLONS_STRICT, u, why))
        return false;
    name = net_url_split_host(u->host, &port);
    if (str_find_char(name, ':') < 0)
        return true;
    if (!str_starts(u->host, STR("[")))
        return format_fail(why, "ipv6 address not enclosed in brackets");
    return format_within(why, "invalid ipv6 address", format_ipv6(name, &reason), &reason);
}

bool format_uri(str s, struct buf *why)
{
    AUTO(arena_done) struct arena arena = {0};
    struct net_url u;

    return read_uri(&arena, s, &u, why) && (u.scheme.len || format_fail(why, "relative url"));
}

bool format_uri_reference(str s, struct buf *why)
{
    AUTO(arena_done) struct arena arena = {0};
    struct net_url u;

    if (str_find_char(s, '\\') >= 0)
        return format_fail(why, "contains \\");
    return read_uri(&arena, s, &u, why);
}

static bool are_braces_paired(str s, struct buf *why)
{
    bool is_open = false;

    for (size_t i = 0; i < s.len; i++) {
        bool is_opening = s.p[i] == '{';

        if (!is_opening && s.p[i] != '}')
            continue;
        if (is_opening == is_open)
            return format_fail(why, "nested curly braces");
        is_open = is_opening;
    }
    return !is_open || format_fail(why, "no matching closing brace");
}

/* Escapes that were read as such. */
static void decode(str s, struct buf *out)
{
    buf_clear(out);
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];

        if (c == '%') {
            c = (char)(ascii_hex_value(s.p[i + 1]) * 16 + ascii_hex_value(s.p[i + 2]));
            i += 2;
        }
        buf_add_char(out, c);
    }
}

/* Only the path is looked at, and only where it holds what a URL would escape. */
bool format_uri_template(str s, struct buf *why)
{
    AUTO(arena_done) struct arena arena = {0};
    AUTO(buf_done) struct buf plain = {0};
    struct net_url u;
    str rest;

    if (!read_uri(&arena, s, &u, why))
        return false;
    escape_percent(u.path, "$&+,/:;=@", &plain);
    rest = str_eq(u.raw_path, buf_view(&plain)) ? STR_NONE : u.raw_path;
    while (rest.p) {
        decode(str_cut(rest, '/', &rest), &plain);
        if (!are_braces_paired(buf_view(&plain), why))
            return false;
    }
    return true;
}
