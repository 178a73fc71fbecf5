/* ConfigMaps and Secrets made from entries (kustomize spec 6). Pure apart from the set. */
#pragma once
#include "base/buf.h"
#include "doc/node.h"
#include "kustomize/generate/sources.h"

/* Sets data (and binaryData) of a ConfigMap: texts that are UTF-8 as they are, others as base64.
 * No entries: no field. Pairs must be sorted, without a key that is there twice. */
void kustomize_fill_config_map(struct doc_set *set, struct doc_node *object,
                               const struct kustomize_entries *entries);
/* Sets data of a Secret: everything as base64; {} without entries. */
void kustomize_fill_secret(struct doc_set *set, struct doc_node *object,
                           const struct kustomize_entries *entries);
/* Base64 as upstream prints it: what is longer than 70 characters in lines of 70, each ended. */
void kustomize_base64(str bytes, struct buf *out);
/* An entry of data, in the style that upstream gives it: a block for several lines, quotes for what
 * YAML 1.1 would not read as a text. A number that a patch puts there is a text, too, then. */
void kustomize_set_data(struct doc_set *set, struct doc_node *map, str key, str text);
