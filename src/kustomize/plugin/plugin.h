/* The built-in kinds of generators and transformers, and functions (kustomize spec 17). For the
 * files of this folder. Functions run on the level's thread, which blocks. */
#pragma once
#include "kustomize/shared.h"

/* The fields generators, transformers, validators of the level. */
int kustomize_plugin_generators(struct kustomize_level *level, struct kustomize_accumulator *acc,
                                struct err *e) MUST_CHECK;
int kustomize_plugin_transformers(struct kustomize_level *level, struct kustomize_accumulator *acc,
                                  struct err *e) MUST_CHECK;
int kustomize_run_validators(struct kustomize_level *level, struct kustomize_accumulator *acc,
                             struct err *e) MUST_CHECK;

struct kustomize_builtin {
    const char *kind;
    bool is_generator; /* then m is empty, and what is made is appended */
    /* config is the object of that kind; its fields are the arguments. */
    int (*run)(struct kustomize_level *level, struct kustomize_resmap *m,
               struct kustomize_resource *config, struct err *e);
    bool is_composed; /* of Compositions only: `transformers` do not know it upstream */
};
const struct kustomize_builtin *kustomize_builtin_find(str kind); /* NULL: there is none */

/* The KRM function that the object names (or the one given, whose gates have been looked at and
 * whose mounts get absolute sources), over all resources: those that come back take the place of
 * what went in (by identity), the rest goes, new ones are appended. */
int kustomize_run_function(struct kustomize_level *level, struct kustomize_resmap *m,
                           struct kustomize_resource *config, struct fn_spec *given,
                           struct err *e) MUST_CHECK;
/* Whether an entry of generators, transformers or validators is YAML and no path. */
bool kustomize_is_inline(str entry);
/* Resources that a generator's object made get their origin. */
void kustomize_note_generated(struct kustomize_level *level, struct kustomize_resmap *made,
                              const struct kustomize_resource *config);
