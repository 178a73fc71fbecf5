#include "sandbox/addresses.h"

#include <arpa/inet.h>

enum {
    SERVICE_NET = 10 << 24, /* 10.0.0.0/16 */
    POD_NET = 10 << 24 | 64 << 16,
    POD_COUNT = 64 << 16,
    FIRST_PORT = 30000,
};

/* The next number from *last on that is not taken; when all are, the next. */
static uint32_t next_free(const uint64_t *taken, uint32_t count, uint32_t *last)
{
    for (uint32_t i = 0; i < count; i++) {
        *last = (*last + 1) % count;
        if (*last && !(taken[*last / 64] >> *last % 64 & 1))
            break;
    }
    return *last;
}

static void mark(uint64_t *taken, uint32_t count, int64_t at, bool is_there)
{
    if (at < 0 || at >= count)
        return;
    if (is_there)
        taken[at / 64] |= UINT64_C(1) << at % 64;
    else
        taken[at / 64] &= ~(UINT64_C(1) << at % 64);
}

static void print(uint32_t address, char text[SB_ADDRESS_SIZE])
{
    struct in_addr in = {.s_addr = htonl(address)};

    inet_ntop(AF_INET, &in, text, SB_ADDRESS_SIZE);
}

/* Its distance from the first address of a net, or -1. */
static int64_t place(const struct doc_node *address, uint32_t net, uint32_t count)
{
    char text[SB_ADDRESS_SIZE];
    str s = doc_text(address, STR_NONE);
    struct in_addr in;

    if (!s.len || s.len >= sizeof(text))
        return -1;
    memcpy(text, s.p, s.len);
    text[s.len] = '\0';
    if (inet_pton(AF_INET, text, &in) != 1 || ntohl(in.s_addr) - net >= count)
        return -1;
    return ntohl(in.s_addr) - net;
}

void sb_address_of_service(struct sandbox *sb, char text[SB_ADDRESS_SIZE])
{
    struct sb_addresses *a = &sb->addresses;

    print(SERVICE_NET + next_free(a->services, SB_SERVICE_ADDRESSES, &a->last_service), text);
}

void sb_address_of_pod(struct sandbox *sb, char text[SB_ADDRESS_SIZE])
{
    print(POD_NET + ++sb->addresses.last_pod % POD_COUNT, text);
}

int sb_address_port(struct sandbox *sb)
{
    struct sb_addresses *a = &sb->addresses;

    return FIRST_PORT + (int)next_free(a->ports, SB_NODE_PORTS, &a->last_port);
}

static void note_service(struct sb_addresses *a, const struct doc_node *spec, bool is_there)
{
    struct doc_iter it = doc_children(doc_get_lit(spec, "ports"));

    mark(a->services, SB_SERVICE_ADDRESSES,
         place(doc_get_lit(spec, "clusterIP"), SERVICE_NET, SB_SERVICE_ADDRESSES), is_there);
    while (doc_next(&it))
        mark(a->ports, SB_NODE_PORTS, doc_int(doc_get_lit(it.value, "nodePort"), 0) - FIRST_PORT,
             is_there);
}

static bool is_service(const struct sb_res *res)
{
    return !res->group.len && str_eq(res->plural, STR("services"));
}

void sb_addresses_free(struct sandbox *sb, const struct sb_res *res, const struct sb_obj *object)
{
    AUTO(doc_set_free) struct doc_set *set = NULL;

    if (!is_service(res))
        return;
    set = doc_set_new();
    note_service(&sb->addresses, doc_get_lit(sb_load(set, res->kinds.v[0], object), "spec"), false);
}

void sb_addresses_take(struct sandbox *sb, const struct sb_res *res, const struct doc_node *object)
{
    struct sb_addresses *a = &sb->addresses;

    if (is_service(res))
        note_service(a, doc_get_lit(object, "spec"), true);
    else if (sb->is_loading && res->ctl == CTL_POD) /* only controllers give Pods theirs */
        a->last_pod = (uint32_t)MAX((int64_t)a->last_pod,
                                    place(doc_at(object, "status/podIP"), POD_NET, POD_COUNT));
}

/* ---- what a Service asks for */

static bool is_taken(const uint64_t *taken, uint32_t count, int64_t at)
{
    return at >= 0 && at < count && (taken[at / 64] >> at % 64 & 1);
}

static bool is_address(str s)
{
    char text[64], parsed[16];

    if (s.len >= sizeof(text))
        return false;
    memcpy(text, s.p, s.len);
    text[s.len] = '\0';
    return inet_pton(AF_INET, text, parsed) == 1 || inet_pton(AF_INET6, text, parsed) == 1;
}

static void check_address(const struct sb_addresses *a, const struct doc_node *spec,
                          const struct doc_node *before, struct sb_causes *c)
{
    const struct doc_node *ip = doc_get_lit(spec, "clusterIP");
    str text = doc_text(ip, STR_NONE);

    if (!text.len || str_eq(text, STR("None")) ||
        str_eq(text, doc_text(doc_get_lit(before, "clusterIP"), STR_NONE)))
        return;
    if (!is_address(text)) {
        sb_cause(c, "FieldValueInvalid", STR("spec.clusterIPs[0]"),
                 "Invalid value: \"%.*s\": must be a valid IP address, (e.g. 10.9.8.7 or "
                 "2001:db8::ffff)",
                 STR_ARG(text));
        return;
    }
    if (place(ip, SERVICE_NET, SB_SERVICE_ADDRESSES) < 0) {
        sb_cause(c, "FieldValueInvalid", STR("spec.clusterIPs"),
                 "Invalid value: [\"%.*s\"]: failed to allocate IP %.*s: the provided network does "
                 "not match the current range",
                 STR_ARG(text), STR_ARG(text));
        return;
    }
    if (!is_taken(a->services, SB_SERVICE_ADDRESSES, place(ip, SERVICE_NET, SB_SERVICE_ADDRESSES)))
        return;
    sb_cause(c, "FieldValueInvalid", STR("spec.clusterIPs"),
             "Invalid value: [\"%.*s\"]: failed to allocate IP %.*s: provided IP is already "
             "allocated",
             STR_ARG(text), STR_ARG(text));
}

static bool has_port(const struct doc_node *spec, int64_t number)
{
    struct doc_iter it = doc_children(doc_get_lit(spec, "ports"));

    while (doc_next(&it))
        if (doc_int(doc_get_lit(it.value, "nodePort"), 0) == number)
            return true;
    return false;
}

static void check_ports(const struct sb_addresses *a, const struct doc_node *spec,
                        const struct doc_node *before, struct sb_causes *c)
{
    struct doc_iter it = doc_children(doc_get_lit(spec, "ports"));

    for (size_t i = 0; doc_next(&it) && !c->len; i++) {
        int64_t number = doc_int(doc_get_lit(it.value, "nodePort"), 0);
        char field[48];

        snprintf(field, sizeof(field), "spec.ports[%zu].nodePort", i);
        if (!number || has_port(before, number))
            continue;
        if (number < FIRST_PORT || number >= FIRST_PORT + SB_NODE_PORTS)
            sb_cause(c, "FieldValueInvalid", str_of(field),
                     "Invalid value: %lld: provided port is not in the valid range. The range of "
                     "valid ports is %d-%d",
                     (long long)number, FIRST_PORT, FIRST_PORT + SB_NODE_PORTS - 1);
        else if (is_taken(a->ports, SB_NODE_PORTS, number - FIRST_PORT))
            sb_cause(c, "FieldValueInvalid", str_of(field),
                     "Invalid value: %lld: provided port is already allocated", (long long)number);
    }
}

void sb_addresses_check(struct sandbox *sb, const struct sb_res *res, const struct doc_node *now,
                        const struct doc_node *old, struct sb_causes *c)
{
    const struct doc_node *spec = doc_get_lit(now, "spec"), *before = doc_get_lit(old, "spec");

    if (!is_service(res))
        return;
    check_address(&sb->addresses, spec, before, c);
    check_ports(&sb->addresses, spec, before, c);
}
