/* "$(NAME)" in texts, as Kubernetes and kustomize expand it: "$$" is a dollar, names nobody knows
 * and unfinished references stay (kustomize spec 12). Pure but for what the callback does. */
#pragma once
#include "base/buf.h"

/* The text a name stands for; false when nobody knows it. Called once for each use. */
typedef bool kustomize_expand_fn(void *ctx, str name, str *ret);

/* Appends the expanded text. */
void kustomize_expand(str text, kustomize_expand_fn *lookup, void *ctx, struct buf *out);
/* Is the text one reference and nothing else? Then its name: such a field takes on the value's
 * type. */
bool kustomize_expand_is_name(str text, str *ret_name);
