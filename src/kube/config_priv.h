/* A loaded configuration as the client uses it. Texts live in the arena; immutable after loading,
 * so that threads share it by reference. */
#pragma once
#include <stdatomic.h>

#include "base/arena.h"
#include "kube/config.h"

struct kube_exec_env {
    str name, value;
};

enum kube_interactive {
    KUBE_INTERACTIVE_IF_AVAILABLE,
    KUBE_INTERACTIVE_NEVER,
    KUBE_INTERACTIVE_ALWAYS
};

/* An exec credential plugin (client.authentication.k8s.io v1, v1beta1). */
struct kube_exec {
    str api_version, command, install_hint;
    str folder; /* of the kubeconfig: a command with a '/' is relative to it */
    const str *args;
    size_t arg_count;
    const struct kube_exec_env *env;
    size_t env_count;
    enum kube_interactive interactive;
    bool wants_cluster_info;
    str cluster_config; /* JSON of the cluster's extension client.authentication.k8s.io/exec, or
                           empty */
    bool is_allowed;    /* T10 */
    str origin;         /* the kubeconfig, for messages */
};

struct kube_extra {
    str key, value;
};

struct kube_config {
    atomic_uint refs;
    struct arena arena;
    str server; /* without a '/' at its end */
    str ca_pem, tls_server_name;
    str proxy_url, proxy_source; /* the latter for messages */
    bool insecure;
    str cert_pem, key_pem;
    str token, token_file, username, password;
    str as_user, as_uid;
    const str *as_groups;
    size_t as_group_count;
    const struct kube_extra *as_extra;
    size_t as_extra_count;
    const struct kube_exec *exec; /* NULL: none */
    int64_t request_timeout_ms;
    str context, cluster, user; /* names, for messages; empty in a Pod */
    str ns;                     /* namespace */
};

struct kube_config *kube_config_ref(const struct kube_config *c);
