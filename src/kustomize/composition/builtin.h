/* Built-in transformers inside a Composition: their fields and default field specs (composition
 * spec 6, CD-16). Pure apart from the level's set. */
#pragma once
#include "kustomize/composition/composition.h"

/* A known kind, and no field it does not have? */
int kustomize_check_builtin(const struct kustomize_step *step, struct err *e) MUST_CHECK;
/* A copy of the config with `fieldSpecs` filled in, as the built-in kinds of a Kustomization take
 * it. */
struct doc_node *kustomize_builtin_arguments(const struct kustomize_step *step,
                                             struct err *e) MUST_CHECK;
