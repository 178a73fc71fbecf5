/* Credentials of requests: static ones from the configuration, token files (read anew each minute),
 * exec plugins (run once, then when what they gave expires or is refused). Locked; any thread. */
#pragma once
#include "base/buf.h"
#include "http/client.h"
#include "kube/config_priv.h"

struct kube_auth;
struct kube_auth *kube_auth_new(struct kube_config *config); /* refers to config */
void kube_auth_free(struct kube_auth *a);                    /* when all grants are done */

/* What one request may use. */
struct kube_grant {
    struct http_client *http; /* with the client certificate of now; borrowed from the grant */
    struct buf authorization; /* the header's value, empty: none */
    struct kube_auth *auth;
    struct kube_link *link;
};
int kube_auth_get(struct kube_auth *a, struct cancel *cancel, struct kube_grant *ret,
                  struct err *e);
void kube_grant_done(struct kube_grant *g); /* leaves {0} */
AUTO_VALUE(struct kube_grant, kube_grant_done)
/* After a 401: true when newer credentials may help; the next kube_auth_get fetches them. */
bool kube_auth_refused(struct kube_auth *a, const struct kube_grant *refused);
