/* The context behind include/grapnel/fn.h: what a native function sees of trees that others own.
 *
 * A context wraps a document set and a vector of items without copying them; both outlive it. Nodes
 * it hands out are the set's, so changes are noted as doc/node.h says. Texts it hands out live as
 * long as it does. One thread at a time. */
#pragma once
#include "base/map.h"
#include "base/vec.h"
#include "doc/node.h"
#include "grapnel/fn.h"
#include "res/id.h"
#include "res/selector.h"

struct sdk_owned;
struct sdk_renames;

struct gfn_ctx {
    struct doc_set *set;
    struct doc_node *root;    /* the ResourceList it was read from, or NULL */
    struct doc_list *items;   /* NULL entries: removed, until sdk_ctx_settle */
    struct doc_list own;      /* what items is when the context has read them itself */
    struct doc_node *config;  /* or NULL */
    struct doc_node *results; /* a list, in set; NULL while there are none */
    size_t removed, errors;
    size_t hint;  /* where the iteration over items is */
    bool is_wide; /* lists of the text are indented below their keys */
    bool owns_set;
    struct arena arena;
    struct map index; /* of items, by kind and name; see find.c */
    bool has_index;
    struct sdk_owned *owned; /* what is to be freed with the context */
    struct sdk_renames *renames;
    struct map *crds; /* schemas of CRDs among the items, by group/version/kind */
};

/* items: NULL entries are not allowed; functions add to it and take from it. config may be NULL.
 * Free with gfn_free, which leaves set and items. */
gfn_ctx *sdk_ctx_wrap(struct doc_set *set, struct doc_list *items, struct doc_node *config);
/* Closes the gaps that removed items left. */
void sdk_ctx_settle(gfn_ctx *ctx);

static inline gfn_node sdk_handle(gfn_ctx *ctx, const struct doc_node *n)
{
    return (gfn_node){ctx, (void *)n};
}
/* What a handle stands for; aliases are followed. */
static inline struct doc_node *sdk_node(gfn_node n)
{
    struct doc_node *at = n.at;

    return at && at->type == DOC_ALIAS ? at->extra->target : at;
}
const char *sdk_text(gfn_ctx *ctx, str text); /* as a C string of the context */
/* Puts an error result about a field of an object, "path: why"; returns -1. */
int sdk_fail_at(gfn_node object, const char *path, const char *fmt, ...) PRINTF(3, 4);
