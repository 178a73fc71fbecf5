/* Compositions (spec composition.md): one flat list of transformer configurations out of several
 * files, and running it. A composition lives in the set of the level it was read by; one thread. */
#pragma once
#include "kustomize/shared.h"

#define KUSTOMIZE_COMPOSITION_FILE "composition.yaml"
#define KUSTOMIZE_COMPOSITION_API "kustomize.config.k8s.io/v1alpha1"
#define KUSTOMIZE_API "kustomize.config.k8s.io/v1beta1"

/* One transformer. Texts are views into config. */
struct kustomize_step {
    str api_version, kind, name;
    struct doc_node *config;       /* in the set of level, defaults filled in */
    struct kustomize_level *level; /* of the file that declares it: relative paths start there */
    size_t index;                  /* its place among the transformers of that file */
    struct kustomize_step_overrides {
        struct kustomize_level **v; /* of the files that changed it, in order */
        size_t len, cap;
    } overrides;
    bool is_imported, is_ordered; /* while it is consolidated */
};

struct kustomize_composition {
    VEC(struct kustomize_step) steps;
    VEC(struct kustomize_level *) levels; /* imported ones; in the set's arena */
};
void kustomize_composition_done(struct kustomize_composition *c); /* leaves {0} */
AUTO_VALUE(struct kustomize_composition, kustomize_composition_done)

/* The consolidated list of the composition in the level's folder (sections 2 to 5). */
int kustomize_consolidate(struct kustomize_level *level, struct kustomize_composition *ret,
                          struct err *e) MUST_CHECK;

/* ---- run.c */

/* The folder of a composition file, "dir/composition.yaml" or "composition.yaml". */
bool kustomize_is_composition_file(str path, str *ret_folder);
/* Consolidates the level's Composition and runs it on the stream. */
int kustomize_compose(struct kustomize_level *level, struct kustomize_accumulator *stream,
                      struct err *e) MUST_CHECK;

/* ---- read.c */

/* The composition file of a level, checked as far as it stands alone. */
int kustomize_composition_read(struct kustomize_level *level, struct doc_node **ret_root,
                               struct err *e) MUST_CHECK;
/* Fills a step from a config: names are defaulted, the runtime is checked. */
int kustomize_step_read(struct kustomize_level *level, struct doc_node *config,
                        struct kustomize_step *ret, struct err *e) MUST_CHECK;
void kustomize_kebab(str kind, struct buf *out); /* "JavaApplication": "java-application" */
/* A map with no other fields than these; names ends with NULL. */
int kustomize_check_fields(struct kustomize_level *level, const struct doc_node *map,
                           const char *where, const char *const *names, struct err *e) MUST_CHECK;
/* "unknown field …" at the key of a value; returns -1. */
int kustomize_refuse_field(struct kustomize_level *level, const struct doc_node *value,
                           const char *where, struct err *e);
/* ERR_INVALID at a node of the level's set; returns -1. */
int kustomize_refuse(struct kustomize_level *level, const struct doc_node *node, struct err *e,
                     const char *fmt, ...) PRINTF(4, 5);

/* ---- paths.c: fields that hold paths */

/* Rewrites the relative paths of a config that are counted from the folder of `from` so that they
 * are counted from the folder `to`, an absolute path, each in its shortest form. URLs, absolute
 * paths and programs that are looked for along PATH stay. */
void kustomize_rebase_paths(const struct kustomize_level *from, struct doc_node *config, str kind,
                            str to);
