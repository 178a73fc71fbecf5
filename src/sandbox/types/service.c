#include "sandbox/types/service.h"

#include "sandbox/addresses.h"

bool sb_service_is_inside(const struct doc_node *spec)
{
    return !str_eq(doc_text(doc_get_lit(spec, "type"), STR_NONE), STR("ExternalName"));
}

static bool has_node_ports(const struct doc_node *spec)
{
    str type = doc_text(doc_get_lit(spec, "type"), STR_NONE);

    return str_eq(type, STR("NodePort")) || str_eq(type, STR("LoadBalancer"));
}

/* The port of that name, or NULL. */
static const struct doc_node *find_port(const struct doc_node *spec, str name)
{
    struct doc_iter it = doc_children(doc_get_lit(spec, "ports"));

    while (doc_next(&it))
        if (str_eq(doc_text(doc_get_lit(it.value, "name"), STR_NONE), name))
            return it.value;
    return NULL;
}

static bool names_node_port(const struct doc_node *spec, const struct doc_node *number)
{
    struct doc_iter it = doc_children(doc_get_lit(spec, "ports"));

    while (doc_next(&it))
        if (doc_equal(doc_get_lit(it.value, "nodePort"), number))
            return true;
    return false;
}

/* A port keeps the number it had, unless another one has it now. */
static void prepare_node_port(struct sandbox *sb, struct doc_set *set, struct doc_node *spec,
                              struct doc_node *port, const struct doc_node *before)
{
    const struct doc_node *had =
        doc_get_lit(find_port(before, doc_text(doc_get_lit(port, "name"), STR_NONE)), "nodePort");

    if (had && !names_node_port(spec, had))
        doc_set_field(set, port, STR("nodePort"), doc_copy(set, had));
    else
        doc_set_int(set, port, STR("nodePort"), sb_address_port(sb));
}

static void prepare_ports(struct sandbox *sb, struct doc_set *set, struct doc_node *spec,
                          const struct doc_node *before)
{
    struct doc_iter it = doc_children(doc_get_lit(spec, "ports"));
    bool needs = has_node_ports(spec), needed = has_node_ports(before);

    if (doc_bool(doc_get_lit(spec, "allocateLoadBalancerNodePorts"), true) == false)
        return;
    while (doc_next(&it)) {
        const struct doc_node *number = doc_get_lit(it.value, "nodePort");

        if (needs && !number)
            prepare_node_port(sb, set, spec, it.value, needed ? before : NULL);
        else if (!needs && needed && number && names_node_port(before, number))
            doc_remove(it.value, STR("nodePort"));
    }
}

/* One family everywhere; a headless Service that selects nothing speaks whatever its Endpoints do.
 */
static void prepare_families(struct doc_set *set, struct doc_node *spec)
{
    bool is_open = str_eq(doc_text(doc_get_lit(spec, "clusterIP"), STR_NONE), STR("None")) &&
                   doc_len(doc_get_lit(spec, "selector")) == 0;
    struct doc_node *list;

    if (!doc_get_lit(spec, "ipFamilyPolicy"))
        doc_set_string(set, spec, STR("ipFamilyPolicy"),
                       is_open ? STR("RequireDualStack") : STR("SingleStack"));
    if (doc_len(doc_get_lit(spec, "ipFamilies")))
        return;
    list = doc_ensure_list(set, spec, STR("ipFamilies"));
    doc_append(list, doc_new_string(set, STR("IPv4")));
    if (is_open)
        doc_append(list, doc_new_string(set, STR("IPv6")));
}

static void prepare_address(struct sandbox *sb, struct doc_set *set, struct doc_node *spec,
                            const struct doc_node *before)
{
    str had = doc_text(doc_get_lit(before, "clusterIP"), STR_NONE);
    str ip = doc_text(doc_get_lit(spec, "clusterIP"), STR_NONE);
    char text[SB_ADDRESS_SIZE];

    if (!ip.len)
        ip = had;
    if (!sb_service_is_inside(spec)) {
        if (str_eq(ip, had)) {
            doc_remove(spec, STR("clusterIP"));
            doc_remove(spec, STR("clusterIPs"));
        }
        return;
    }
    if (!ip.len) {
        sb_address_of_service(sb, text);
        ip = str_of(text);
    }
    doc_set_string(set, spec, STR("clusterIP"), ip);
    if (!doc_get_lit(spec, "clusterIPs"))
        doc_append(doc_ensure_list(set, spec, STR("clusterIPs")), doc_new_string(set, ip));
}

/* A target of none is the port itself. */
static void default_targets(struct doc_set *set, const struct doc_node *ports)
{
    struct doc_iter it = doc_children(ports);

    while (doc_next(&it)) {
        const struct doc_node *port = doc_get_lit(it.value, "port");
        str target = doc_text(doc_get_lit(it.value, "targetPort"), STR_NONE);

        if (port && (!target.len || str_eq(target, STR("0"))))
            doc_set_field(set, it.value, STR("targetPort"), doc_copy(set, port));
    }
}

void sb_service_default(struct doc_set *set, struct doc_node *object)
{
    struct doc_node *spec = doc_get_lit(object, "spec");
    str type = doc_text(doc_get_lit(spec, "type"), STR_NONE);

    if (!doc_is_map(spec))
        return;
    default_targets(set, doc_get_lit(spec, "ports"));
    if (str_eq(doc_text(doc_get_lit(spec, "sessionAffinity"), STR_NONE), STR("ClientIP"))) {
        struct doc_node *client = doc_ensure_map(
            set, doc_ensure_map(set, spec, STR("sessionAffinityConfig")), STR("clientIP"));

        if (client && !doc_get_lit(client, "timeoutSeconds"))
            doc_set_int(set, client, STR("timeoutSeconds"), 10800);
    }
    if (sb_service_is_inside(spec) && !doc_get_lit(spec, "internalTrafficPolicy"))
        doc_set_string(set, spec, STR("internalTrafficPolicy"), STR("Cluster"));
    if (has_node_ports(spec) && !doc_get_lit(spec, "externalTrafficPolicy"))
        doc_set_string(set, spec, STR("externalTrafficPolicy"), STR("Cluster"));
    if (str_eq(type, STR("LoadBalancer")) && !doc_get_lit(spec, "allocateLoadBalancerNodePorts"))
        doc_set_bool(set, spec, STR("allocateLoadBalancerNodePorts"), true);
}

/* What only another type has goes with it. */
static void drop_of_type(struct doc_node *spec, const struct doc_node *before)
{
    static const char fields[][30] = {"externalTrafficPolicy", "internalTrafficPolicy",
                                      "allocateLoadBalancerNodePorts", "ipFamilies",
                                      "ipFamilyPolicy"};
    bool has[] = {has_node_ports(spec) || doc_len(doc_get_lit(spec, "externalIPs")) > 0,
                  sb_service_is_inside(spec),
                  str_eq(doc_text(doc_get_lit(spec, "type"), STR_NONE), STR("LoadBalancer")),
                  sb_service_is_inside(spec), sb_service_is_inside(spec)};

    for (size_t i = 0; before && i < ARRAY_LEN(fields); i++)
        if (!has[i] &&
            doc_equal(doc_get(spec, str_of(fields[i])), doc_get(before, str_of(fields[i]))))
            doc_remove(spec, str_of(fields[i]));
}

void sb_service_prepare(struct sandbox *sb, struct doc_set *set, struct doc_node *object,
                        const struct doc_node *old)
{
    struct doc_node *spec = doc_get_lit(object, "spec");
    const struct doc_node *before = doc_get_lit(old, "spec");

    if (!doc_is_map(spec))
        return;
    drop_of_type(spec, before);
    prepare_ports(sb, set, spec, before);
    prepare_address(sb, set, spec, before);
    if (sb_service_is_inside(spec))
        prepare_families(set, spec);
}
