/* IP addresses as text (cel spec 11; the texts of failures are those of Go's net/netip). Pure. */
#pragma once
#include "base/buf.h"

struct cel_address {
    uint8_t bytes[16]; /* IPv4: the first four */
    bool is_v6;
    bool has_zone;
};
/* False with Go's reason in why. */
bool cel_address_parse(str text, struct cel_address *ret, struct buf *why);
void cel_address_print(const struct cel_address *a, struct buf *out);
bool cel_address_is_mapped(const struct cel_address *a); /* IPv4 inside IPv6 */
