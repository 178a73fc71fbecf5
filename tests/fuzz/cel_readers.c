/* What CEL's functions read from texts: a quantity, an address and a time print as one that is
 * equal; a URL is taken apart by both its readers alike. */
#include "expr/cel/cel_priv.h"
#include "expr/net/address.h"
#include "expr/net/url.h"
#include "res/quantity.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_quantity(str text)
{
    struct res_quantity q, negative, zero;

    if (res_quantity_parse(text, &q) != RES_QUANTITY_FINE)
        return;
    negative = res_quantity_negate(q);
    assert(res_quantity_compare(&q, &q) == 0);
    assert(res_quantity_parse(STR("0"), &zero) == RES_QUANTITY_FINE);
    assert(res_quantity_compare(&q, &zero) == -res_quantity_compare(&negative, &zero));
    (void)res_quantity_add(q, negative);
    (void)res_quantity_to_double(&q);
}

static void read_address(str text)
{
    AUTO(buf_done) struct buf why = {0}, out = {0};
    struct net_address a, back;

    if (!net_address_parse(text, &a, &why)) {
        assert(why.len); /* every failure says why */
        return;
    }
    if (a.has_zone)
        return;
    net_address_print(&a, &out);
    assert(net_address_parse(buf_view(&out), &back, &why));
    assert(a.is_v6 == back.is_v6 && memcmp(a.bytes, back.bytes, a.is_v6 ? 16 : 4) == 0);
}

static void read_url(str text)
{
    AUTO(buf_done) struct buf why = {0}, decoded = {0};
    AUTO(arena_done) struct arena arena = {0};
    struct net_url url = {0};

    if (!net_url_check_request(text, &why)) {
        assert(why.len);
        return;
    }
    if (net_url_parse(&arena, text, NET_URL_COLONS_STRICT, &url, &why))
        (void)net_url_unescape_query(url.query, &decoded);
    else
        assert(why.len);
}

static void read_time(str text)
{
    AUTO(buf_done) struct buf out = {0};
    struct cel_time t, back;
    int64_t ns;

    (void)cel_duration_parse(text, &ns);
    if (!cel_time_parse(text, &t) || !cel_time_in_range(&t))
        return;
    cel_time_print(&t, &out);
    assert(cel_time_parse(buf_view(&out), &back));
    assert(t.seconds == back.seconds && t.nanos == back.nanos);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str text = {(const char *)data, size};

    read_quantity(text);
    read_address(text);
    read_url(text);
    read_time(text);
    return 0;
}
