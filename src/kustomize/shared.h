/* What the levels of one build share: options, document sets, warnings, the schema, finished bases.
 * For the files of this folder. Locked where levels run side by side; see each field. */
#pragma once
#include <pthread.h>

#include "kustomize/build.h"
#include "kustomize/transform.h"

struct kustomize_shared {
    const struct kustomize_options *options;
    pthread_mutex_t lock;
    VEC(struct doc_set *) sets; /* under lock; freed with the build */
    struct diag_list *warnings; /* under lock */
    struct arena arena;         /* under lock: small things that live as long as the build */

    struct kustomize_config defaults; /* constant once the build has begun */

    unsigned build_metadata; /* of the root, enum kustomize_build_metadata */
    bool wants_origin;       /* any of it: origins are kept */

    /* Set once, by the root or the first level that has `openapi`; under lock. */
    bool has_schema;
    const struct doc_schema *schema;
};

struct doc_set *kustomize_shared_set(struct kustomize_shared *s); /* a new set of the build */

/* One level while it is accumulated: what transformers see, and what only the core needs. */
struct kustomize_level {
    struct kustomize_build b;
    struct kustomize_level *parent; /* NULL for the root */
    const struct doc_node *entry;   /* of parent's kustomization that led here, or NULL */
    struct fetch_root *root;
    unsigned depth;
    /* Path from the root kustomization's folder, and the clone, for origin annotations. */
    struct kustomize_origin origin;
    str ns; /* the nearest namespace set here or above, for charts */
};
#define KUSTOMIZE_LEVEL(build) CONTAINER_OF(build, struct kustomize_level, b)

/* What has been accumulated (upstream's ResAccumulator). */
struct kustomize_accumulator {
    struct kustomize_resmap resources;
    const struct kustomize_config *config; /* shared, never changed in place */
    struct kustomize_vars vars;
};
void kustomize_accumulator_done(struct kustomize_accumulator *a);
AUTO_VALUE(struct kustomize_accumulator, kustomize_accumulator_done)

/* ---- level.c: opening levels */

/* Finds and reads the kustomization file of level->root. */
int kustomize_level_load(struct kustomize_level *level, struct err *e) MUST_CHECK;
void kustomize_level_done(struct kustomize_level *level);
/* The folder at path, seen from level, as a level below it; entry names the place. */
int kustomize_level_enter(struct kustomize_level *level, str path, const struct doc_node *entry,
                          struct kustomize_level *ret, struct err *e) MUST_CHECK;

/* ---- accumulate.c */

int kustomize_accumulate(struct kustomize_level *level, struct kustomize_accumulator *acc,
                         struct err *e) MUST_CHECK;
/* resources, and what the paths of generators, transformers, validators name. */
int kustomize_accumulate_paths(struct kustomize_level *level, struct kustomize_accumulator *acc,
                               const struct kustomize_text_list *paths, struct err *e) MUST_CHECK;

/* ---- documents.c: reading resources (spec 5) */

/* The resources of a text; new ones are appended to ret. origin names the file in messages. */
int kustomize_read_resources(struct kustomize_build *b, str text, const char *origin,
                             struct kustomize_resmap *ret, struct err *e) MUST_CHECK;

/* ---- plugin.c: external generators, transformers, validators (spec 17) */

int kustomize_run_generators(struct kustomize_level *level, struct kustomize_accumulator *acc,
                             struct err *e) MUST_CHECK;
int kustomize_run_transformers(struct kustomize_level *level, struct kustomize_accumulator *acc,
                               struct err *e) MUST_CHECK;
int kustomize_run_validators(struct kustomize_level *level, struct kustomize_accumulator *acc,
                             struct err *e) MUST_CHECK;
