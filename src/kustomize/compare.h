/* Two builds beside one another (kustomize spec 22, --diff). */
#pragma once
#include "kustomize/build.h"

/* Appends a unified diff of what two builds print, by resource: those of the same id side by side.
 * Values of Secrets are masked. *ret_same: nothing differs. Pure apart from the trees of Secrets,
 * which are changed. */
int kustomize_compare(struct kustomize_result *from, struct kustomize_result *to, struct buf *out,
                      bool *ret_same, struct err *e) MUST_CHECK;
