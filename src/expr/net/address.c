#include "expr/net/address.h"

#include "base/ascii.h"
#include "expr/gotmpl/text_priv.h"

static bool fail(struct buf *why, const char *text)
{
    buf_add_cstr(why, text);
    return false;
}

static bool fail_at(struct buf *why, const char *text, str at)
{
    buf_addf(why, "%s (at ", text);
    text_quote(at, false, why);
    buf_add_char(why, ')');
    return false;
}

/* ---- reading */

static bool read_v4(str s, uint8_t *bytes, struct buf *why)
{
    unsigned value = 0, digits = 0, fields = 0;

    for (size_t i = 0; i <= s.len; i++) {
        char c = i < s.len ? s.p[i] : '.';

        if (c >= '0' && c <= '9') {
            if (digits == 1 && value == 0)
                return fail(why, "IPv4 field has octet with leading zero");
            value = value * 10 + (unsigned)(c - '0');
            digits++;
            if (value > 255)
                return fail(why, "IPv4 field has value >255");
        } else if (c != '.') {
            return fail_at(why, "unexpected character", str_from(s, i));
        } else if (!digits || i + 1 == s.len) {
            return fail_at(why, "IPv4 field must have at least one digit", str_from(s, i));
        } else if (fields == 4) {
            return fail(why, "IPv4 address too long");
        } else {
            bytes[fields++] = (uint8_t)value;
            value = digits = 0;
        }
    }
    return fields == 4 || fail(why, "IPv4 address too short");
}

/* Reads groups into bytes; *len of them were there, *gap of them before "::" (-1: none). */
struct groups {
    uint8_t bytes[16];
    size_t len;
    ssize_t gap;
};

static bool take_group(str *s, struct groups *g, struct buf *why)
{
    unsigned value = 0;
    size_t digits = 0;

    while (digits < s->len && ascii_hex_value(s->p[digits]) >= 0 && digits <= 4)
        value = value * 16 + (unsigned)ascii_hex_value(s->p[digits++]);
    if (digits > 4)
        return fail_at(why, "each group must have 4 or less digits", *s);
    if (!digits)
        return fail_at(why, "each colon-separated field must have at least one digit", *s);
    if (digits < s->len && s->p[digits] == '.') {
        if (g->len > 12 || (g->gap < 0 && g->len != 12))
            return fail_at(
                why, "embedded IPv4 address must replace the final 2 fields of the address", *s);
        g->len += 4;
        if (!read_v4(*s, g->bytes + g->len - 4, why))
            return false;
        *s = STR("");
        return true;
    }
    g->bytes[g->len++] = (uint8_t)(value >> 8);
    g->bytes[g->len++] = (uint8_t)value;
    *s = str_from(*s, digits);
    return true;
}

/* What stands between two groups. */
static bool take_colon(str *s, struct groups *g, struct buf *why)
{
    if (s->p[0] != ':')
        return fail_at(why, "unexpected character, want colon", *s);
    if (s->len == 1)
        return fail_at(why, "colon must be followed by more characters", *s);
    *s = str_from(*s, 1);
    if (s->p[0] != ':')
        return true;
    if (g->gap >= 0)
        return fail_at(why, "multiple :: in address", *s);
    g->gap = (ssize_t)g->len;
    *s = str_from(*s, 1);
    return true;
}

static bool read_groups(str s, struct groups *g, struct buf *why)
{
    if (str_drop_prefix(&s, STR("::")))
        g->gap = 0;
    while (s.len && g->len < 16) {
        if (!take_group(&s, g, why) || (s.len && !take_colon(&s, g, why)))
            return false;
    }
    if (s.len)
        return fail_at(why, "trailing garbage after address", s);
    if (g->gap < 0)
        return g->len == 16 || fail(why, "address string too short");
    return g->len < 16 || fail(why, "the :: must expand to at least one field of zeros");
}

static bool read_v6(str s, struct net_address *a, struct buf *why)
{
    struct groups g = {.gap = -1};
    size_t tail;

    if (!read_groups(s, &g, why))
        return false;
    tail = g.gap < 0 ? 0 : g.len - (size_t)g.gap;
    memcpy(a->bytes, g.bytes, g.len - tail);
    memcpy(a->bytes + 16 - tail, g.bytes + g.len - tail, tail);
    a->is_v6 = true;
    return true;
}

static bool read_any(str s, struct net_address *a, struct buf *why)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] == '.')
            return read_v4(s, a->bytes, why);
        if (s.p[i] == ':') {
            str zone, address = str_cut(s, '%', &zone);

            a->has_zone = zone.p != NULL;
            if (a->has_zone && !zone.len)
                return fail(why, "zone must be a non-empty string");
            return read_v6(address, a, why);
        }
        if (s.p[i] == '%')
            return fail(why, "missing IPv6 address");
    }
    return fail(why, "unable to parse IP");
}

bool net_address_parse(str text, struct net_address *ret, struct buf *why)
{
    size_t before = why->len;

    *ret = (struct net_address){0};
    buf_add_cstr(why, "ParseAddr(");
    text_quote(text, false, why);
    buf_add_cstr(why, "): ");
    if (!read_any(text, ret, why))
        return false;
    buf_trunc(why, before);
    return true;
}

bool net_address_is_mapped(const struct net_address *a)
{
    static const uint8_t prefix[12] = {[10] = 0xff, [11] = 0xff};

    return a->is_v6 && memcmp(a->bytes, prefix, sizeof(prefix)) == 0;
}

/* ---- printing */

static unsigned group(const struct net_address *a, size_t i)
{
    return (unsigned)a->bytes[2 * i] << 8 | a->bytes[2 * i + 1];
}

/* The first of the longest runs of zero groups; one alone is none. */
static size_t longest_zeros(const struct net_address *a, size_t *ret_len)
{
    size_t best = 8;

    *ret_len = 0;
    for (size_t i = 0, end; i < 8; i = MAX(end, i + 1)) {
        for (end = i; end < 8 && group(a, end) == 0; end++)
            ;
        if (end - i >= 2 && end - i > *ret_len) {
            best = i;
            *ret_len = end - i;
        }
    }
    return best;
}

void net_address_print(const struct net_address *a, struct buf *out)
{
    size_t zeros, from;

    if (!a->is_v6) {
        buf_addf(out, "%u.%u.%u.%u", a->bytes[0], a->bytes[1], a->bytes[2], a->bytes[3]);
        return;
    }
    from = longest_zeros(a, &zeros);
    for (size_t i = 0; i < 8; i++) {
        if (i == from) {
            buf_add_cstr(out, "::");
            i += zeros - 1;
            continue;
        }
        if (i && i != from + zeros)
            buf_add_char(out, ':');
        buf_addf(out, "%x", group(a, i));
    }
}
