/* What the resources were before a validator ran, to tell whether it changed any (kustomize spec
 * 4).
 *
 * Upstream compares its nodes: a value that a built-in sets anew is another one, even when it is
 * the same text, unless one has set it before. Of functions, which print and read everything, only
 * what they mean counts here. The one thing a validator may leave is the label validated-by;
 * upstream then writes the other labels anew. The level's thread. */
#pragma once
#include "kustomize/shared.h"

struct kustomize_witness;

/* Lives as long as the build. is_exact: the validator is a built-in. */
struct kustomize_witness *kustomize_witness_new(struct kustomize_build *b,
                                                const struct kustomize_resmap *m, bool is_exact);
/* Is m what it was? */
bool kustomize_witness_agrees(const struct kustomize_witness *w, const struct kustomize_resmap *m);
