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

void sb_addresses_note(struct sandbox *sb, const struct sb_res *res, const struct doc_node *object,
                       bool is_there)
{
    struct sb_addresses *a = &sb->addresses;

    if (res->group.len)
        return;
    if (str_eq(res->plural, STR("services")))
        note_service(a, doc_get_lit(object, "spec"), is_there);
    else if (sb->is_loading && res->ctl == CTL_POD) /* only controllers give Pods theirs */
        a->last_pod = (uint32_t)MAX((int64_t)a->last_pod,
                                    place(doc_at(object, "status/podIP"), POD_NET, POD_COUNT));
}
