/* The bases of a level: folders that are accumulated by themselves and then join it (kustomize spec
 * 4). More than a few of them are built side by side, each thread with a set of its own; they join
 * in the order of the list, so that nothing shows which was ready first. For the files of this
 * folder. */
#pragma once
#include "kustomize/shared.h"

struct kustomize_base {
    const struct kustomize_text *path; /* the entry that names it */
    struct kustomize_level level;
    struct kustomize_accumulator acc;
    struct diag_list own_warnings; /* of a base that is built beside others */
    struct err e;
    int rc;
};
void kustomize_base_done(struct kustomize_base *base);
AUTO_VALUE(struct kustomize_base, kustomize_base_done)

/* Opens the folder; set and warnings are those of whoever builds it. */
int kustomize_base_enter(struct kustomize_base *base, struct kustomize_level *parent,
                         struct doc_set *set, struct diag_list *warnings, struct err *e) MUST_CHECK;
/* Accumulates an entered base; what goes wrong is kept in it. */
void kustomize_base_build(struct kustomize_base *base);
/* Its resources, configuration and vars join those of the level; or its failure is told. */
int kustomize_base_join(struct kustomize_base *base, struct kustomize_level *parent,
                        struct kustomize_accumulator *acc, struct err *e) MUST_CHECK;

struct kustomize_bases {
    struct kustomize_base *v; /* in order of their entries, some of which may be missing */
    size_t len;
};
void kustomize_bases_done(struct kustomize_bases *bases);
AUTO_VALUE(struct kustomize_bases, kustomize_bases_done)
/* By its name: a look at each file would cost more than it saves. */
bool kustomize_is_likely_folder(str path);
/* Builds those of paths that are folders, if it is worth more than one thread; else ret stays
 * empty. */
void kustomize_bases_build(struct kustomize_bases *ret, struct kustomize_level *level,
                           const struct kustomize_text_list *paths);
