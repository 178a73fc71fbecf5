/* What the server serves: reading the answers of discovery into types, and finding types.
 *
 * Types live in the arena of the discovery for the client's life and are never changed: a refresh
 * makes a new index over types, the old ones where nothing changed. */
#pragma once
#include "base/map.h"
#include "base/vec.h"
#include "kube/client_priv.h"

/* An index of one state of the server. */
struct kube_index {
    struct arena keys;
    VEC(const struct kube_type *)
    types;              /* server's order: core, groups by priority, preferred
                           version first */
    struct map by_kind; /* "apps/v1/Deployment" */
    struct map by_name; /* what people write, letter case folded */
};

/* discovery_parse.c: appends the types of one answer. type_new makes (or finds) the lasting type.
 */
typedef const struct kube_type *kube_type_fn(void *ctx, const struct kube_type *like,
                                             const struct doc_node *short_names);
/* An APIGroupDiscoveryList (v2, v2beta1). */
void kube_discovery_parse_groups(const struct doc_node *root, kube_type_fn *type_new, void *ctx);
/* An APIResourceList of one group and version (the classic way). */
void kube_discovery_parse_resources(const struct doc_node *root, str group, str version,
                                    kube_type_fn *type_new, void *ctx);

/* discovery_fetch.c: asks the server. Aggregated: two requests; the classic way, where the server
 * does not know that: one for each group and version. */
int kube_discovery_fetch(struct kube *k, struct cancel *cancel, kube_type_fn *type_new, void *ctx,
                         struct err *e);
