/* Where the cluster is and who we are: kubeconfig files merged as kubectl does, flags over them,
 * the service account of a Pod when there is no kubeconfig (khook spec 18, design 4).
 *
 * A config owns its texts; tokens and passwords are registered as secrets. Exec credential plugins
 * run when a request first needs them, never while loading, and only those that policy allows
 * (T10): the ones of a kubeconfig that the user chose (the default file, KUBECONFIG, --kubeconfig).
 * GRAPNEL_EXEC_PLUGINS=deny refuses all, =allow lets those of other kubeconfigs run too. A program
 * that others than its owner, root and its group may write is refused.
 *
 * Nothing changes once it is loaded: any thread. */
#pragma once
#include "base/err.h"
#include "base/str.h"

struct kube_config; /* opaque, owner */

/* Flags as kubectl has them; empty texts are not given. */
struct kube_config_flags {
    str kubeconfig; /* --kubeconfig: one file, no merging */
    str context, cluster, user;
    str server, token, certificate_authority, tls_server_name;
    str as_user;
    const str *as_groups;
    size_t as_group_count;
    bool insecure_skip_tls_verify;
    int64_t request_timeout_ms; /* 0: none */
    bool is_foreign; /* kubeconfig was not chosen by the user: it came with what is processed */
};

/* ERR_NOT_FOUND when there is no configuration at all, ERR_INVALID with places for a broken one.
 * Logs a warning when the server is not to be verified. */
struct kube_config *kube_config_load(const struct kube_config_flags *flags, struct err *e);
void kube_config_free(struct kube_config *c);
AUTO_PTR(struct kube_config, kube_config_free)
/* Of the context, or of the Pod; empty when neither says one. */
str kube_config_namespace(const struct kube_config *c);
str kube_config_server(const struct kube_config *c); /* URL, for messages */
