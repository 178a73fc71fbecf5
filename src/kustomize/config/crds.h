/* What CustomResourceDefinitions say about their kinds (kustomize spec 20, KD-7): whether objects
 * have a namespace, and which lists merge by keys. Known are those among the resources of a level,
 * and in the `crds` files of it and its bases. Upstream knows nothing of it. Noted by the level's
 * thread, then constant. */
#pragma once
#include "kustomize/transform.h"

/* Before the transformers of a level run: looks for definitions in m, if the build has any. With
 * is_fixed the objects of cluster-scoped kinds are marked as such. */
struct kustomize_level;
void kustomize_crds_note(struct kustomize_level *level, struct kustomize_resmap *m);
/* Is the kind cluster-scoped by a definition? */
bool kustomize_crds_is_cluster(const struct kustomize_build *b, const struct res_gvk *gvk);
/* The schema of the kind by its definition, or NULL: lists of type "map" merge. */
const struct doc_schema *kustomize_crds_schema(const struct kustomize_build *b,
                                               const struct res_gvk *gvk);

struct kustomize_crds;
void kustomize_crds_free(struct kustomize_crds *crds); /* NULL is fine */
