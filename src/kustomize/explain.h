/* `grapnel build --explain KIND/NAME[:PATH]`: which file, generator, patch or transformer each
 * field of a resource comes from. One explanation a build; one thread (a build that tells its steps
 * runs them one after another). */
#pragma once
#include "kustomize/build.h"

struct kustomize_explain;
/* what: "deployment/web", "Deployment.apps/web:spec.replicas"; the name is one the resource has or
 * had. ERR_USAGE. */
struct kustomize_explain *kustomize_explain_new(str what, struct err *e) MUST_CHECK;
void kustomize_explain_free(struct kustomize_explain *x); /* NULL is fine */
AUTO_PTR(struct kustomize_explain, kustomize_explain_free)
/* For kustomize_options.on_step, with the explanation as its ctx. */
kustomize_step_fn kustomize_explain_step;
/* Appends what is known once the build has succeeded. ERR_NOT_FOUND names resources that come near.
 * Values of Secrets are masked. */
int kustomize_explain_print(const struct kustomize_explain *x,
                            const struct kustomize_result *result, struct buf *out,
                            struct err *e) MUST_CHECK;
