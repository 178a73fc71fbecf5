/* Content hashes of names: "web-cfg" becomes "web-cfg-4h2mbtbbt6" (kustomize spec 6). Pure. */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

enum { KUSTOMIZE_HASH_LEN = 10 };

/* Appends the ten characters for an object. The dump of other kinds than ConfigMap and Secret
 * (fixed false) needs the set for places; with fixed set their sorted JSON is hashed (KD-10). */
void kustomize_hash_of(const struct doc_set *set, const struct doc_node *object, bool fixed,
                       struct buf *out);
/* The text that is hashed. */
void kustomize_hash_text(const struct doc_set *set, const struct doc_node *object, bool fixed,
                         struct buf *out);
