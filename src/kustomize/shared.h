/* What the levels of one build share: options, document sets, warnings, the schema, finished bases.
 * For the files of this folder; a subject with a header of its own is not here. Locked where levels
 * run side by side; see each field. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "kustomize/build.h"
#include "kustomize/transform.h"

struct kustomize_shared {
    const struct kustomize_options *options;
    struct fetch_loader *loader;
    pthread_mutex_t lock;
    VEC(struct doc_set *) sets; /* under lock; freed with the build */
    struct str_vec folders;     /* under lock: those of the levels, absolute; texts of their sets */
    struct diag_list *warnings; /* of the root, and of what its thread builds */
    struct arena arena;         /* under lock: small things that live as long as the build */

    struct kustomize_config defaults;       /* constant once the build has begun */
    VEC(struct kustomize_config *) configs; /* under lock; those of levels that add to them */

    unsigned build_metadata; /* of the root, enum kustomize_build_metadata */
    bool wants_origin;       /* any of it: origins are kept */

    /* Set once, by the root or the first level that has `openapi`; under lock. */
    bool has_schema, root_has_schema;
    bool wants_serial; /* a schema was met while bases were built side by side: which one counts is
                          told by their order alone */
    unsigned spare_threads; /* under lock */
    bool has_helpers;       /* there were any */
    bool threads_are_counted;
    atomic_bool has_used_schema; /* a merge did, or a kind was read that the built-in one lacks */
    const struct doc_schema *schema, *own_schema; /* own: of a file, or NULL */
    const struct doc_schema *schema_below;        /* what the own one adds to, or NULL */
    VEC(const struct doc_node *) definitions;     /* under lock; what it was made of */
    atomic_bool has_folded;                       /* a folded text was read */
    atomic_bool has_crds;                         /* a CustomResourceDefinition was read */
    VEC(struct kustomize_crds *) crds;            /* under lock; of levels, freed with the build */
    struct kustomize_plan *plan; /* incremental/plan.h: notes for the next build, or NULL */
};

struct kustomize_shared *kustomize_shared_new(const struct kustomize_options *options,
                                              struct diag_list *warnings);
void kustomize_shared_free(struct kustomize_shared *s);           /* NULL is fine */
struct doc_set *kustomize_shared_set(struct kustomize_shared *s); /* a new set of the build */

/* One level while it is accumulated: what transformers see, and what only the core needs. */
struct kustomize_level {
    struct kustomize_build b;
    struct kustomization *k;
    str file_name;                  /* of the kustomization, without its folder */
    struct kustomize_level *parent; /* NULL for the root */
    const struct doc_node *entry;   /* of parent's kustomization that led here, or NULL */
    struct fetch_root *root;
    unsigned depth;
    /* Path from the root kustomization's folder, and the clone, for origin annotations. */
    struct kustomize_origin origin;
    str ns;                         /* the nearest namespace set here or above, for charts */
    bool is_composition, is_sorted; /* sorted: by a step of its own, the output keeps the order */
    struct kustomize_level *const *also; /* whose folders files may be read from, too */
    size_t also_count;
    /* Notes of the level, of the entry that led here, and of the entry that is at work; or NULL. */
    struct kustomize_plan_level *plan;
    struct kustomize_leaf *leaf, *reading;
    bool is_part; /* only what is dirty in the notes is made */
};
#define KUSTOMIZE_LEVEL(build) CONTAINER_OF(build, struct kustomize_level, b)

/* What has been accumulated (upstream's ResAccumulator). */
struct kustomize_accumulator {
    struct kustomize_resmap resources;
    const struct kustomize_config *config; /* shared, never changed in place; NULL: none yet */
    struct kustomize_vars vars;
};
void kustomize_accumulator_done(struct kustomize_accumulator *a);
AUTO_VALUE(struct kustomize_accumulator, kustomize_accumulator_done)

/* ---- level.c: opening levels */

/* The root of a build, a folder or a git URL: entered and empty. */
int kustomize_level_open(struct kustomize_shared *s, const char *target,
                         struct kustomize_level *ret, struct err *e) MUST_CHECK;
/* Finds and reads the kustomization file of level->root; of a composition, that there is one. */
int kustomize_level_load(struct kustomize_level *level, struct err *e) MUST_CHECK;
void kustomize_level_done(struct kustomize_level *level);
/* The folder at path, seen from level, as a level below it; entry names the place. */
int kustomize_level_enter(struct kustomize_level *level, str path, const struct doc_node *entry,
                          struct kustomize_level *ret, struct err *e) MUST_CHECK;
/* The same with a set of its own: for another thread. */
int kustomize_level_enter_into(struct kustomize_level *level, str path,
                               const struct doc_node *entry, struct doc_set *set,
                               struct kustomize_level *ret, struct err *e) MUST_CHECK;
/* Reads the kustomization of an entered level, which must be a Component or must not. */
int kustomize_level_read(struct kustomize_level *sub, bool is_component, struct err *e) MUST_CHECK;

/* The same for a folder whose Composition is imported, which may lie above. */
int kustomize_level_import(struct kustomize_level *level, str path, const struct doc_node *entry,
                           struct kustomize_level *ret, struct err *e) MUST_CHECK;

/* ---- output.c */

/* At the end of a build, all that is left to do to a resource while its tree is near: annotations
 * and labels about the build; scalars that were set without a type are what they mean from here on;
 * texts that upstream would fold; whether it can be printed. */
void kustomize_finish_resources(const struct kustomize_build *b, const struct kustomize_resmap *m);

/* ---- accumulate.c */

int kustomize_accumulate(struct kustomize_level *level, struct kustomize_accumulator *acc,
                         struct err *e) MUST_CHECK;
/* What came up from a base joins *to; NULL: there is nothing yet. */
int kustomize_merge_config(struct kustomize_shared *s, const struct kustomize_config **to,
                           const struct kustomize_config *from, struct err *e) MUST_CHECK;
/* resources, and what the paths of generators, transformers, validators name. */
int kustomize_accumulate_paths(struct kustomize_level *level, struct kustomize_accumulator *acc,
                               const struct kustomize_text_list *paths, struct err *e) MUST_CHECK;

/* ---- bases.c */

/* Whether bases may be built side by side. */
bool kustomize_has_helpers(struct kustomize_shared *s);

/* ---- load.c, place.c */

/* kustomize_load where the path may be a folder as well: what is not there has no suggestion yet.
 */
int kustomize_try_load(struct kustomize_build *b, str path, str *ret, struct err *e) MUST_CHECK;
/* "did you mean" for a path of the level when e is ERR_NOT_FOUND; before e gets a place. */
void kustomize_suggest_path(struct kustomize_level *level, str path, struct err *e);
/* The name of a file of the level for messages and places, in the set's arena. */
const char *kustomize_file_origin(struct kustomize_build *b, str path);
/* "context: " before the text of e, and before that of its diagnostics. Returns -1. */
int kustomize_wrap(struct err *e, const char *fmt, ...) PRINTF(2, 3);

/* ---- documents.c: reading resources (spec 5) */

/* The resources of a text; new ones are appended to ret. origin names the file in messages; inside:
 * NULL, or the scalar that has the text. */
int kustomize_read_resources(struct kustomize_build *b, str text, const char *origin,
                             const struct doc_node *inside, struct kustomize_resmap *ret,
                             struct err *e) MUST_CHECK;

/* ---- steps.c: the fields of a kustomization that generate and transform (spec 4) */

int kustomize_run_generators(struct kustomize_level *level, struct kustomize_accumulator *acc,
                             struct err *e) MUST_CHECK;
int kustomize_run_transformers(struct kustomize_level *level, struct kustomize_accumulator *acc,
                               struct err *e) MUST_CHECK;
/* Who wants to know is told that a step was run; kind NULL: that resources were read. */
void kustomize_tell(struct kustomize_level *level, struct kustomize_resmap *m, const char *kind,
                    const struct doc_node *node);
