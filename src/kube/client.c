#include "kube/client_priv.h"
#include "kube/warnings_priv.h"

struct kube *kube_new(const struct kube_config *config, struct err *e)
{
    struct kube *k = NEW(struct kube);

    (void)e;
    k->config = kube_config_ref(config);
    k->auth = kube_auth_new(k->config);
    k->discovery = kube_discovery_new(k);
    k->warnings = kube_warnings_new();
    return k;
}

void kube_free(struct kube *k)
{
    if (!k)
        return;
    kube_auth_free(k->auth); /* waits for running calls */
    kube_discovery_free(k->discovery);
    kube_warnings_free(k->warnings);
    kube_config_free(k->config);
    mem_free(k);
}
