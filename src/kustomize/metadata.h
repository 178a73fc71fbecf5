/* Origins and transformations while a build runs, and the annotations they become (kustomize spec
 * 14). For the files of this folder; the texts live in the sets of the levels. The level's thread.
 */
#pragma once
#include "kustomize/shared.h"

/* The origin of a level that has that of its parent becomes that of the folder (or repository) at
 * path. */
void kustomize_origin_descend(struct kustomize_level *level, str path);
struct kustomize_origin kustomize_origin_of_file(struct kustomize_level *level, str path);
/* Of a field of the level's kustomization, named by the kind that stands for it. */
struct kustomize_origin kustomize_origin_of_step(struct kustomize_level *level, const char *kind);
/* Of an object that configures a generator or transformer. */
struct kustomize_origin kustomize_origin_of_config(struct kustomize_level *level,
                                                   const struct kustomize_resource *config);
/* Those without an origin get it. */
void kustomize_origin_generated(struct kustomize_resmap *m, const struct kustomize_origin *by);
/* The same; the others get a line in their list of transformations. */
void kustomize_origin_transformed(struct kustomize_level *level, struct kustomize_resmap *m,
                                  const struct kustomize_origin *by);
/* Takes over an origin that a function has written as an annotation. */
void kustomize_origin_read(struct kustomize_resource *r);
/* At the end: writes the annotations and the label that `what` (enum kustomize_build_metadata) asks
 * for, and removes the others and annotations that are empty. is_fixed: the label names us (KD-12).
 */
void kustomize_metadata_finish(struct kustomize_resource *r, unsigned what, bool is_fixed);
