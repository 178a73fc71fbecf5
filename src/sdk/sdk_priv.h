/* What the files of the kit share. */
#pragma once
#include "sdk/ctx.h"

/* A thing outside the arena that dies with the context. */
struct sdk_owned {
    void *p;
    void (*free)(void *p);
    struct sdk_owned *next;
};
void sdk_own(gfn_ctx *ctx, void *p, void (*free)(void *p));

struct gfn_labels {
    struct res_selector selector;
};
struct gfn_regex {
    struct re *re;
    gfn_ctx *ctx;
};

/* The node itself when it stands nowhere, else a copy. NULL for nothing. */
struct doc_node *sdk_free_node(gfn_ctx *ctx, gfn_node n);

/* ---- paths: see gfn_get */

struct sdk_step {
    enum { STEP_KEY, STEP_INDEX, STEP_MATCH } kind;
    str key, value; /* value: of STEP_MATCH */
    size_t index;
};
/* The next step of a path; false at the end. *ret_bad becomes true when the path makes no sense. */
bool sdk_next_step(gfn_ctx *ctx, str *rest, struct sdk_step *ret, bool *ret_bad);
/* What a step leads to, or NULL. */
struct doc_node *sdk_step_to(const struct doc_node *n, const struct sdk_step *step);
/* Appends a step as gfn_get reads it. */
void sdk_add_key(struct buf *path, str key);
void sdk_add_index(struct buf *path, size_t index);
