/* What a build was made of, noted while it runs: its levels, the entries of each that led to
 * resources (leaves), the files that were read for each. A session (incremental.h) keeps the notes
 * and lets the next build make only the leaves that changed.
 *
 * The functions of this header are what the engine calls. Without notes (shared->plan is NULL) they
 * do nothing. A level is noted by the thread that builds it; what levels share is atomic. */
#pragma once
#include "kustomize/shared.h"

struct kustomize_leaf;
struct kustomize_plan_level;

/* The level's kustomization was read, from this text: it gets notes, or those of the build before
 * when only parts of it are to be made. Fails when the text is another than noted. */
int kustomize_plan_open(struct kustomize_level *level, str text, struct err *e) MUST_CHECK;
/* A file of the level is going to be read, maybe in vain. */
void kustomize_plan_read(struct kustomize_build *b, str path);
/* The leaf of an entry of the level's resources or components; NULL for other entries. */
struct kustomize_leaf *kustomize_plan_leaf(const struct kustomize_level *level,
                                           const struct kustomize_text *entry);
/* Such an entry leads to the level below. */
void kustomize_plan_enter(struct kustomize_level *level, const struct kustomize_text *entry,
                          struct kustomize_level *below);
struct kustomize_leaf *kustomize_plan_generator(const struct kustomize_level *level,
                                                const struct kustomize_generator *g);
/* Is what the leaf makes as it was? Then it is not made. */
bool kustomize_plan_skips(const struct kustomize_level *level, const struct kustomize_leaf *leaf);
/* Those of the list from `first` on come from the leaf. */
void kustomize_plan_made(struct kustomize_leaf *leaf, struct kustomize_resmap *m, size_t first);
/* A transformer that must find something has looked. True when it finds nothing here because what
 * it means is as it was, and not made this time. */
bool kustomize_plan_is_elsewhere(struct kustomize_build *b, struct kustomize_resource *const *found,
                                 size_t count);
/* Is all that the patch was for as it was? Then it need not be read. To be asked of each entry of
 * patches in order, and at the end with NULL. */
bool kustomize_plan_skips_patch(struct kustomize_level *level, const struct kustomize_patch *patch);
/* Something counts that is not noted: the notes are of no use. */
void kustomize_plan_give_up(struct kustomize_build *b);
/* The final names: the referrer asked for one. */
void kustomize_plan_asked(struct kustomize_build *b, struct kustomize_resource *referrer, str name);
/* All resources have their final names; those that are not printed are still there. */
int kustomize_plan_keep(struct kustomize_level *root, struct kustomize_resmap *m,
                        struct err *e) MUST_CHECK;
/* The end of a build by parts, whose list holds what was dirty: finishes it, and puts it into what
 * is kept in place of the old ones. */
int kustomize_plan_finish_part(struct kustomize_level *root, struct kustomize_resmap *m,
                               struct err *e) MUST_CHECK;
