/* Addresses and node ports of Services: given, kept, refused, freed. */
#include "unit/sandbox/api.h"

#define SERVICES "/api/v1/namespaces/default/services"

static str first_port(const struct doc_node *n, const char *field)
{
    return doc_text(doc_get(doc_first(doc_at(n, "spec/ports")), str_of(field)), STR_NONE);
}

static int create(struct api *a, const char *name, const char *spec, struct doc_node **ret)
{
    AUTO(buf_done) struct buf body = {0};

    buf_addf(&body, "{\"metadata\":{\"name\":\"%s\"},\"spec\":{%s}}", name, spec);
    return api_post(a, SERVICES, buf_cstr(&body), ret);
}

TEST(an_address_in_use_is_refused)
{
    static const struct {
        const char *spec, *message;
    } rows[] = {
        {"\"clusterIP\":\"10.0.0.77\",\"ports\":[{\"port\":80}]",
         "Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"10.0.0.77\"]: failed to "
         "allocate IP 10.0.0.77: provided IP is already allocated"},
        {"\"type\":\"NodePort\",\"ports\":[{\"name\":\"x\",\"port\":80},{\"name\":\"y\",\"port\":"
         "81,\"nodePort\":30080}]",
         "Service \"b\" is invalid: spec.ports[1].nodePort: Invalid value: 30080: provided port is "
         "already allocated"},
        {"\"type\":\"NodePort\",\"clusterIP\":\"10.0.0.77\",\"ports\":[{\"port\":80,\"nodePort\":"
         "30080}]",
         "Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"10.0.0.77\"]: failed to "
         "allocate IP 10.0.0.77: provided IP is already allocated"},
    };
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(create(&a, "a",
                     "\"type\":\"NodePort\",\"clusterIP\":\"10.0.0.77\",\"ports\":[{\"port\":80,"
                     "\"nodePort\":30080}]",
                     NULL),
              201, "the first");
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        CHECK_INT(create(&a, "b", rows[i].spec, &n), 422, rows[i].spec);
        CHECK_STR(api_text(n, "message"), str_of(rows[i].message), rows[i].spec);
    }
    CHECK_INT(create(&a, "b", "\"ports\":[{\"port\":80}]", NULL), 201, "one of its own");
    CHECK_INT(api_merge(&a, SERVICES "/b",
                        "{\"spec\":{\"type\":\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":"
                        "30080}]}}",
                        &n),
              422, "an update asks for it, too");
    CHECK_INT(api_merge(&a, SERVICES "/a", "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}", NULL), 200,
              "who has it may be changed");
    CHECK_INT(api_delete(&a, SERVICES "/a", NULL), 200, "delete");
    CHECK_INT(create(&a, "c",
                     "\"type\":\"NodePort\",\"clusterIP\":\"10.0.0.77\",\"ports\":[{\"port\":80,"
                     "\"nodePort\":30080}]",
                     NULL),
              201, "free again");
}

TEST(what_a_service_moves_off_is_free)
{
    static const char spec[] = "\"type\":\"NodePort\",\"clusterIP\":\"10.0.0.77\",\"ports\":[{"
                               "\"port\":80,\"nodePort\":30080}]";
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(create(&a, "a", spec, NULL), 201, "create");
    CHECK_INT(api_merge(&a, SERVICES "/a",
                        "{\"spec\":{\"type\":\"ExternalName\",\"externalName\":\"x.y\"}}", &n),
              200, "move out");
    CHECK(!doc_at(n, "spec/clusterIP") && !doc_at(n, "spec/clusterIPs"));
    CHECK(!first_port(n, "nodePort").len);
    CHECK_INT(create(&a, "b", spec, NULL), 201, "another takes both");
    CHECK_INT(api_merge(&a, SERVICES "/b",
                        "{\"spec\":{\"ports\":[{\"port\":80,\"nodePort\":30081}]}}", NULL),
              200, "another port");
    CHECK_INT(
        create(&a, "c", "\"type\":\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":30080}]", NULL),
        201, "the old one is free");
}

TEST(a_replaced_service_keeps_what_it_was_given)
{
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    CHECK_INT(create(&a, "a",
                     "\"type\":\"NodePort\",\"clusterIP\":\"10.0.0.77\",\"ports\":[{\"port\":80,"
                     "\"nodePort\":30080}]",
                     NULL),
              201, "create");
    CHECK_INT(api_put(&a, SERVICES "/a",
                      "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"type\":\"NodePort\",\"ports\":[{"
                      "\"port\":81}]}}",
                      &n),
              200, "replace");
    CHECK_STR(first_port(n, "nodePort"), STR("30080"), "node port");
    CHECK_STR(api_text(n, "spec/clusterIP"), STR("10.0.0.77"), "address");
    CHECK_INT(api_put(&a, SERVICES "/a",
                      "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"clusterIP\":\"\",\"ports\":[{"
                      "\"port\":81}]}}",
                      &n),
              200, "another type");
    CHECK_STR(first_port(n, "nodePort"), STR_NONE, "no node port");
    CHECK_STR(api_text(n, "spec/clusterIP"), STR("10.0.0.77"), "the empty address is the old one");
}

TEST(what_is_out_of_range_is_refused)
{
    static const struct {
        const char *spec, *message;
    } rows[] = {
        {"\"clusterIP\":\"1.2.3.4\",\"ports\":[{\"port\":80}]",
         "Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"1.2.3.4\"]: failed to "
         "allocate IP 1.2.3.4: the provided network does not match the current range"},
        {"\"clusterIP\":\"x\",\"ports\":[{\"port\":80}]",
         "Service \"b\" is invalid: spec.clusterIPs[0]: Invalid value: \"x\": must be a valid IP "
         "address, (e.g. 10.9.8.7 or 2001:db8::ffff)"},
        {"\"type\":\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":80}]",
         "Service \"b\" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is "
         "not "
         "in the valid range. The range of valid ports is 30000-32767"},
    };
    AUTO(api_stop) struct api a = {0};
    struct doc_node *n;

    api_start(&a, NULL);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        CHECK_INT(create(&a, "b", rows[i].spec, &n), 422, rows[i].spec);
        CHECK_STR(api_text(n, "message"), str_of(rows[i].message), rows[i].spec);
    }
    CHECK_INT(create(&a, "b", "\"clusterIP\":\"None\",\"ports\":[{\"port\":80}]", NULL), 201,
              "headless");
}
