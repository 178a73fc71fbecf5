/* Content hashes of names: "web-cfg" becomes "web-cfg-4h2mbtbbt6" (kustomize spec 6). Pure. */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

enum { KUSTOMIZE_HASH_LEN = 10 };

/* The annotation of resources that want a suffix: "enabled". */
#define KUSTOMIZE_NEEDS_HASH "internal.config.kubernetes.io/needsHashSuffix"

/* Appends the ten characters for an object. The dump of other kinds than ConfigMap and Secret
 * (fixed false) needs the set for places; with fixed set their sorted JSON is hashed (KD-10). */
void kustomize_hash_of(const struct doc_set *set, const struct doc_node *object, bool fixed,
                       struct buf *out);
/* Whether the hash goes over the data alone: ConfigMap, Secret. */
bool kustomize_hash_is_of_data(const struct doc_node *object);
/* The text that is hashed. */
void kustomize_hash_text(const struct doc_set *set, const struct doc_node *object, bool fixed,
                         struct buf *out);
