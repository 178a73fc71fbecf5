#include "sandbox/seed.h"

static void make(struct sandbox *sb, const char *api_version, const char *kind_name, str json)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};
    struct sb_kind *kind = sb_kind_by_gvk(sb, str_of(api_version), str_of(kind_name));
    struct doc_node *n = doc_parse_json(set, json, "seed", &e);

    assert(kind && n);
    sb_internal_create(sb, kind, set, n);
}

void sb_seed(struct sandbox *sb)
{
    static const char namespaces[][16] = {"default", "kube-node-lease", "kube-public",
                                          "kube-system"};
    AUTO(buf_done) struct buf now = {0};
    AUTO(buf_done) struct buf text = {0};

    for (size_t i = 0; i < ARRAY_LEN(namespaces); i++) {
        AUTO(buf_done) struct buf json = {0};

        buf_addf(&json, "{\"metadata\":{\"name\":\"%s\"}}", namespaces[i]);
        make(sb, "v1", "Namespace", buf_view(&json));
    }
    make(sb, "v1", "Service",
         STR("{\"metadata\":{\"name\":\"kubernetes\",\"namespace\":\"default\",\"labels\":"
             "{\"component\":\"apiserver\",\"provider\":\"kubernetes\"}},\"spec\":{\"ports\":"
             "[{\"name\":\"https\",\"port\":443,\"protocol\":\"TCP\",\"targetPort\":6443}],"
             "\"clusterIP\":\"10.0.0.1\"}}"));
    if (sb->o.no_controllers)
        return;
    sb_now(sb, &now);
    buf_addf(&text,
             "{\"metadata\":{\"name\":\"sandbox-node\",\"labels\":{\"kubernetes.io/hostname\":"
             "\"sandbox-node\",\"kubernetes.io/os\":\"linux\",\"kubernetes.io/arch\":\"amd64\"}},"
             "\"spec\":{},\"status\":{\"capacity\":{\"cpu\":\"1000\",\"memory\":\"1000Gi\","
             "\"pods\":\"100000\"},\"allocatable\":{\"cpu\":\"1000\",\"memory\":\"1000Gi\","
             "\"pods\":\"100000\"},\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\","
             "\"reason\":\"KubeletReady\",\"message\":\"the sandbox is ready\","
             "\"lastHeartbeatTime\":\"%s\",\"lastTransitionTime\":\"%s\"}],\"nodeInfo\":"
             "{\"kubeletVersion\":\"v1.34.3\",\"operatingSystem\":\"linux\",\"architecture\":"
             "\"amd64\"}}}",
             buf_cstr(&now), buf_cstr(&now));
    make(sb, "v1", "Node", buf_view(&text));
}
