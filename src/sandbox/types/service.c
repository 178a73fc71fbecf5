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
static void default_node_port(struct sandbox *sb, struct doc_set *set, struct doc_node *spec,
                              struct doc_node *port, const struct doc_node *before)
{
    const struct doc_node *had =
        doc_get_lit(find_port(before, doc_text(doc_get_lit(port, "name"), STR_NONE)), "nodePort");

    if (had && !names_node_port(spec, had))
        doc_set_field(set, port, STR("nodePort"), doc_copy(set, had));
    else
        doc_set_int(set, port, STR("nodePort"), sb_address_port(sb));
}

static void default_ports(struct sandbox *sb, struct doc_set *set, struct doc_node *spec,
                          const struct doc_node *before)
{
    struct doc_iter it = doc_children(doc_get_lit(spec, "ports"));
    bool needs = has_node_ports(spec), needed = has_node_ports(before);

    while (doc_next(&it)) {
        const struct doc_node *port = doc_get_lit(it.value, "port");
        const struct doc_node *number = doc_get_lit(it.value, "nodePort");

        if (port && !doc_get_lit(it.value, "targetPort"))
            doc_set_field(set, it.value, STR("targetPort"), doc_copy(set, port));
        if (needs && !number)
            default_node_port(sb, set, spec, it.value, needed ? before : NULL);
        else if (!needs && needed && number && names_node_port(before, number))
            doc_remove(it.value, STR("nodePort"));
    }
}

static void default_address(struct sandbox *sb, struct doc_set *set, struct doc_node *spec,
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

void sb_service_default(struct sandbox *sb, struct doc_set *set, struct doc_node *object,
                        const struct doc_node *old)
{
    struct doc_node *spec = doc_get_lit(object, "spec");
    const struct doc_node *before = doc_get_lit(old, "spec");

    if (!doc_is_map(spec))
        return;
    default_ports(sb, set, spec, before);
    default_address(sb, set, spec, before);
}
