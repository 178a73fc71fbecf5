/* What applying and making strategic merge patches share. */
#pragma once
#include "doc/kyaml/merge_priv.h"
#include "doc/patch/strategic.h"

#define ORDER_PREFIX "$setElementOrder/"
#define DELETE_PREFIX "$deleteFromPrimitiveList/"
#define RETAIN_KEYS "$retainKeys"
#define PATCH "$patch"

/* The context is kyaml's: set, schema, depth, error. */
static inline doc_shape strategic_field(const struct kyaml *k, doc_shape map, str key)
{
    return map ? k->schema->field(k->schema, map, key) : 0;
}
static inline doc_shape strategic_item(const struct kyaml *k, doc_shape list)
{
    return list ? k->schema->item(k->schema, list) : 0;
}
static inline struct doc_shape_info strategic_info(const struct kyaml *k, doc_shape shape)
{
    struct doc_shape_info info = {.kind = DOC_SHAPE_UNKNOWN};

    if (shape)
        k->schema->info(k->schema, shape, &info);
    return info;
}
