/* Running an exec credential plugin (client.authentication.k8s.io v1, v1beta1). Any thread; callers
 * see to it that one runs at a time. */
#pragma once
#include "base/buf.h"
#include "kube/config_priv.h"
#include "sys/cancel.h"

struct kube_exec_result {
    struct buf token, cert_pem, key_pem;
    int64_t expires_wall_ms; /* INT64_MAX: not said */
};
void kube_exec_result_done(struct kube_exec_result *r);
AUTO_VALUE(struct kube_exec_result, kube_exec_result_done)

/* ERR_DENIED when policy forbids it (T10), when it fails or its answer is unusable; the text has
 * the plugin's own last words and the kubeconfig's install hint. ret must be {0}. */
int kube_exec_run(const struct kube_config *c, struct cancel *cancel, struct kube_exec_result *ret,
                  struct err *e);
