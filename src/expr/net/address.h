/* IP addresses as text (cel spec 11; failures are worded as by Go's net/netip). Pure. */
#pragma once
#include "base/buf.h"

struct net_address {
    uint8_t bytes[16]; /* IPv4: the first four */
    bool is_v6;
    bool has_zone;
};
/* False with Go's reason in why. */
bool net_address_parse(str text, struct net_address *ret, struct buf *why);
void net_address_print(const struct net_address *a, struct buf *out);
bool net_address_is_mapped(const struct net_address *a); /* IPv4 inside IPv6 */
