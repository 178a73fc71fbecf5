/* The IP and CIDR libraries of Kubernetes (cel spec 11). */
#include "expr/cel/fn_priv.h"
#include "expr/gotmpl/text_priv.h"
#include "expr/net/address.h"

static struct net_address address_of(const struct cel_object *o)
{
    struct net_address a = {.is_v6 = o->flags != 0};

    memcpy(a.bytes, o->bytes, sizeof(a.bytes));
    return a;
}

/* CIDRs with their bits, addresses have none. */
static bool is_equal(const struct cel_object *a, const struct cel_object *b)
{
    return a->flags == b->flags && a->bits == b->bits &&
           memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

static const struct cel_object_class ip_class = {"net.IP", is_equal};
static const struct cel_object_class cidr_class = {"net.CIDR", is_equal};

static struct cel_value make(struct cel_run *r, const struct cel_object_class *class,
                             const struct net_address *a, int bits)
{
    struct cel_object *o = cel_new_object(r, class);

    o->flags = a->is_v6;
    o->bits = bits;
    memcpy(o->bytes, a->bytes, sizeof(a->bytes));
    return cel_make_object(o);
}

/* ---- addresses */

/* False with the reason in why. */
static bool parse_ip(str s, struct net_address *ret, struct buf *why)
{
    AUTO(buf_done) struct buf reason = {0}, quoted = {0};

    text_quote(s, false, &quoted);
    if (!net_address_parse(s, ret, &reason))
        buf_addf(why, "IP Address %s parse error during conversion from string: %s",
                 buf_cstr(&quoted), buf_cstr(&reason));
    else if (ret->has_zone)
        buf_addf(why, "IP address %s with zone value is not allowed", buf_cstr(&quoted));
    else if (net_address_is_mapped(ret))
        buf_addf(why, "IPv4-mapped IPv6 address %s is not allowed", buf_cstr(&quoted));
    return !why->len;
}

FN(to_ip)
{
    AUTO(buf_done) struct buf why = {0};
    struct net_address address;

    if (!parse_ip(a[0].s, &address, &why))
        return cel_fail(r->arena, CEL_OTHER, "%s", buf_cstr(&why));
    return make(r, &ip_class, &address, 0);
}

FN(is_ip)
{
    AUTO(buf_done) struct buf why = {0};
    struct net_address address;

    return cel_make_bool(parse_ip(a[0].s, &address, &why));
}

FN(is_canonical)
{
    AUTO(buf_done) struct buf why = {0}, text = {0};
    struct net_address address;

    if (!parse_ip(a[0].s, &address, &why))
        return cel_fail(r->arena, CEL_OTHER, "%s", buf_cstr(&why));
    net_address_print(&address, &text);
    return cel_make_bool(str_eq(buf_view(&text), a[0].s));
}

FN(ip_text)
{
    AUTO(buf_done) struct buf text = {0};
    struct net_address address = address_of(a[0].object);

    net_address_print(&address, &text);
    return cel_keep_string(r, &text);
}

FN(family) { return cel_make_int(a[0].object->flags ? 6 : 4); }

static bool is_all_zero(const struct net_address *a, size_t but_last)
{
    for (size_t i = 0; i < (a->is_v6 ? 16 : 4) - but_last; i++) {
        if (a->bytes[i])
            return false;
    }
    return true;
}

static bool is_loopback(const struct net_address *a)
{
    return a->is_v6 ? is_all_zero(a, 1) && a->bytes[15] == 1 : a->bytes[0] == 127;
}

static bool is_multicast(const struct net_address *a)
{
    return a->is_v6 ? a->bytes[0] == 0xff : (a->bytes[0] & 0xf0) == 0xe0;
}

static bool is_local_multicast(const struct net_address *a)
{
    if (a->is_v6)
        return a->bytes[0] == 0xff && (a->bytes[1] & 0xf) == 2;
    return a->bytes[0] == 224 && a->bytes[1] == 0 && a->bytes[2] == 0;
}

static bool is_local_unicast(const struct net_address *a)
{
    if (a->is_v6)
        return a->bytes[0] == 0xfe && (a->bytes[1] & 0xc0) == 0x80;
    return a->bytes[0] == 169 && a->bytes[1] == 254;
}

static bool is_global_unicast(const struct net_address *a)
{
    bool is_broadcast = !a->is_v6 && memcmp(a->bytes, "\xff\xff\xff\xff", 4) == 0;

    return !is_broadcast && !is_all_zero(a, 0) && !is_loopback(a) && !is_multicast(a) &&
           !is_local_unicast(a);
}

static struct cel_value judge(const struct cel_value *v, bool (*is)(const struct net_address *a))
{
    struct net_address a = address_of(v->object);

    return cel_make_bool(is(&a));
}

static bool is_unspecified(const struct net_address *a) { return is_all_zero(a, 0); }

FN(ip_is_unspecified) { return judge(a, is_unspecified); }
FN(ip_is_loopback) { return judge(a, is_loopback); }
FN(ip_is_local_multicast) { return judge(a, is_local_multicast); }
FN(ip_is_local_unicast) { return judge(a, is_local_unicast); }
FN(ip_is_global_unicast) { return judge(a, is_global_unicast); }

/* ---- networks */

static bool no_prefix(str s, const char *reason, struct buf *why)
{
    buf_add_cstr(why, "network address parse error during conversion from string: "
                      "netip.ParsePrefix(");
    text_quote(s, false, why);
    buf_addf(why, "): %s", reason);
    return false;
}

/* How long the prefix is; what is wrong with it is appended. */
static bool read_bits(str s, int most, int *ret, struct buf *reason)
{
    int64_t bits;

    if (!s.len || s.p[0] < '0' || s.p[0] > '9' || (s.len > 1 && s.p[0] == '0') ||
        !str_to_int64(s, &bits)) {
        buf_add_cstr(reason, "bad bits after slash: ");
        text_quote(s, false, reason);
        return false;
    }
    *ret = (int)MIN(bits, (int64_t)most);
    if (bits > most)
        buf_add_cstr(reason, "prefix length out of range");
    return bits <= most;
}

static bool parse_cidr(str s, struct net_address *ret, int *ret_bits, struct buf *why)
{
    AUTO(buf_done) struct buf reason = {0};
    ssize_t slash = str_rfind_char(s, '/');

    if (slash < 0)
        return no_prefix(s, "no '/'", why);
    if (!net_address_parse(str_sub(s, 0, (size_t)slash), ret, &reason))
        return no_prefix(s, buf_cstr(&reason), why);
    if (ret->has_zone)
        return no_prefix(s, "IPv6 zones cannot be present in a prefix", why);
    if (!read_bits(str_from(s, (size_t)slash + 1), ret->is_v6 ? 128 : 32, ret_bits, &reason))
        return no_prefix(s, buf_cstr(&reason), why);
    if (net_address_is_mapped(ret)) {
        buf_add_cstr(why, "IPv4-mapped IPv6 address ");
        text_quote(s, false, why);
        buf_add_cstr(why, " is not allowed");
        return false;
    }
    return true;
}

FN(to_cidr)
{
    AUTO(buf_done) struct buf why = {0};
    struct net_address address;
    int bits;

    if (!parse_cidr(a[0].s, &address, &bits, &why))
        return cel_fail(r->arena, CEL_OTHER,
                        "network address parse error during conversion from string: %s",
                        buf_cstr(&why));
    return make(r, &cidr_class, &address, bits);
}

FN(is_cidr)
{
    AUTO(buf_done) struct buf why = {0};
    struct net_address address;
    int bits;

    return cel_make_bool(parse_cidr(a[0].s, &address, &bits, &why));
}

FN(cidr_text)
{
    AUTO(buf_done) struct buf text = {0};
    struct net_address address = address_of(a[0].object);

    net_address_print(&address, &text);
    buf_addf(&text, "/%d", a[0].object->bits);
    return cel_keep_string(r, &text);
}

static void mask(struct net_address *a, int bits)
{
    for (int i = 0; i < 16; i++) {
        int kept = bits - i * 8;

        if (kept <= 0)
            a->bytes[i] = 0;
        else if (kept < 8)
            a->bytes[i] &= (uint8_t)(0xff << (8 - kept));
    }
}

static bool holds(const struct cel_object *net, struct net_address a)
{
    struct net_address own = address_of(net);

    mask(&own, net->bits);
    mask(&a, net->bits);
    return own.is_v6 == a.is_v6 && memcmp(own.bytes, a.bytes, sizeof(own.bytes)) == 0;
}

FN(contains_ip) { return cel_make_bool(holds(a[0].object, address_of(a[1].object))); }

FN(contains_ip_text)
{
    AUTO(buf_done) struct buf why = {0};
    struct net_address address;

    if (!parse_ip(a[1].s, &address, &why))
        return cel_no_match(r);
    return cel_make_bool(holds(a[0].object, address));
}

FN(contains_cidr)
{
    const struct cel_object *inner = a[1].object;

    return cel_make_bool(inner->bits >= a[0].object->bits && holds(a[0].object, address_of(inner)));
}

FN(contains_cidr_text)
{
    struct cel_value args[2] = {a[0], to_cidr(r, &a[1], 1)};

    return args[1].kind == CEL_ERROR ? args[1] : contains_cidr(r, args, 2);
}

FN(ip_of_cidr)
{
    struct net_address address = address_of(a[0].object);

    return make(r, &ip_class, &address, 0);
}

FN(masked)
{
    struct net_address address = address_of(a[0].object);

    mask(&address, a[0].object->bits);
    return make(r, &cidr_class, &address, a[0].object->bits);
}

FN(prefix_length) { return cel_make_int(a[0].object->bits); }

void cel_rows_net(const struct cel_rows *to)
{
    cel_add_row(to, "ip", false, "string", "net.IP", to_ip);
    cel_add_row(to, "isIP", false, "string", "bool", is_ip);
    cel_add_row(to, "ip.isCanonical", false, "string", "bool", is_canonical);
    cel_add_row(to, "string", false, "net.IP", "string", ip_text);
    cel_add_row(to, "family", true, "net.IP", "int", family);
    cel_add_row(to, "isUnspecified", true, "net.IP", "bool", ip_is_unspecified);
    cel_add_row(to, "isLoopback", true, "net.IP", "bool", ip_is_loopback);
    cel_add_row(to, "isLinkLocalMulticast", true, "net.IP", "bool", ip_is_local_multicast);
    cel_add_row(to, "isLinkLocalUnicast", true, "net.IP", "bool", ip_is_local_unicast);
    cel_add_row(to, "isGlobalUnicast", true, "net.IP", "bool", ip_is_global_unicast);
    cel_add_row(to, "cidr", false, "string", "net.CIDR", to_cidr);
    cel_add_row(to, "isCIDR", false, "string", "bool", is_cidr);
    cel_add_row(to, "string", false, "net.CIDR", "string", cidr_text);
    cel_add_row(to, "containsIP", true, "net.CIDR,net.IP", "bool", contains_ip);
    cel_add_row(to, "containsIP", true, "net.CIDR,string", "bool", contains_ip_text);
    cel_add_row(to, "containsCIDR", true, "net.CIDR,net.CIDR", "bool", contains_cidr);
    cel_add_row(to, "containsCIDR", true, "net.CIDR,string", "bool", contains_cidr_text);
    cel_add_row(to, "ip", true, "net.CIDR", "net.IP", ip_of_cidr);
    cel_add_row(to, "masked", true, "net.CIDR", "net.CIDR", masked);
    cel_add_row(to, "prefixLength", true, "net.CIDR", "int", prefix_length);
}
