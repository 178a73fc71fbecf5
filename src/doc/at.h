/* Values at the end of a path as doc_at takes it: what objects of Kubernetes are asked for. */
#pragma once
#include "doc/node.h"

static inline int64_t doc_int_at(const struct doc_node *n, const char *path, int64_t fallback)
{
    return doc_int(doc_at(n, path), fallback);
}
/* Of a string alone; the empty text for anything else. */
static inline str doc_string_at(const struct doc_node *n, const char *path)
{
    return doc_string(doc_at(n, path), STR(""));
}
/* Of any scalar, as it was written. */
static inline str doc_text_at(const struct doc_node *n, const char *path)
{
    return doc_text(doc_at(n, path), STR(""));
}
