#include "sdk/ctx.h"

#include "sdk/sdk_priv.h"

gfn_ctx *sdk_ctx_wrap(struct doc_set *set, struct doc_list *items, struct doc_node *config)
{
    gfn_ctx *ctx = NEW(gfn_ctx);

    ctx->set = set;
    ctx->items = items ? items : &ctx->own;
    ctx->config = config;
    return ctx;
}

void gfn_free(gfn_ctx *ctx)
{
    if (!ctx)
        return;
    for (struct sdk_owned *o = ctx->owned; o; o = o->next)
        o->free(o->p);
    map_done(&ctx->index);
    doc_list_done(&ctx->own);
    if (ctx->owns_set)
        doc_set_free(ctx->set);
    arena_done(&ctx->arena);
    mem_free(ctx);
}

void sdk_own(gfn_ctx *ctx, void *p, void (*free)(void *p))
{
    struct sdk_owned *o = ARENA_NEW(&ctx->arena, struct sdk_owned);

    *o = (struct sdk_owned){p, free, ctx->owned};
    ctx->owned = o;
}

const char *sdk_text(gfn_ctx *ctx, str text) { return arena_cstr(&ctx->arena, text); }

const char *gfn_printf(gfn_ctx *ctx, const char *fmt, ...)
{
    va_list args;
    str text;

    va_start(args, fmt);
    text = arena_vprintf(&ctx->arena, fmt, args);
    va_end(args);
    return text.p;
}

/* ---- items */

gfn_iter gfn_items(gfn_ctx *ctx)
{
    return (gfn_iter){.of = {ctx, NULL}, .index = SIZE_MAX, .left = SIZE_MAX};
}

static bool next_item(gfn_iter *it)
{
    gfn_ctx *ctx = it->of.ctx;

    while (++it->index < ctx->items->len) {
        if (!ctx->items->v[it->index])
            continue;
        ctx->hint = it->index;
        it->node = sdk_handle(ctx, ctx->items->v[it->index]);
        return true;
    }
    it->node = gfn_nothing(ctx);
    it->left = 0;
    return false;
}

bool gfn_next(gfn_iter *it)
{
    struct doc_node *n = it->next;

    if (it->left == SIZE_MAX)
        return next_item(it);
    if (it->left == 0)
        return false;
    it->left--;
    it->index++;
    it->next = n->next;
    it->node = sdk_handle(it->of.ctx, n);
    return true;
}

size_t gfn_item_count(gfn_ctx *ctx) { return ctx->items->len - ctx->removed; }

gfn_node gfn_item(gfn_ctx *ctx, size_t index)
{
    if (ctx->removed == 0)
        return sdk_handle(ctx, index < ctx->items->len ? ctx->items->v[index] : NULL);
    for (size_t i = 0; i < ctx->items->len; i++)
        if (ctx->items->v[i] && index-- == 0)
            return sdk_handle(ctx, ctx->items->v[i]);
    return gfn_nothing(ctx);
}

static ssize_t find_item(gfn_ctx *ctx, gfn_node item)
{
    if (item.at && ctx->hint < ctx->items->len && ctx->items->v[ctx->hint] == item.at)
        return (ssize_t)ctx->hint;
    for (size_t i = 0; item.at && i < ctx->items->len; i++)
        if (ctx->items->v[i] == item.at)
            return (ssize_t)i;
    return gfn_fail(ctx, "the object is no item of the list");
}

/* A node without a place in another tree: new ones are, children and items are not. */
struct doc_node *sdk_free_node(gfn_ctx *ctx, gfn_node n)
{
    struct doc_node *at = sdk_node(n);

    return !at || (!at->next && !at->source && n.ctx == ctx) ? at : doc_copy(ctx->set, at);
}

gfn_node gfn_add_item(gfn_ctx *ctx, gfn_node object)
{
    struct doc_node *n = sdk_free_node(ctx, object);

    if (!n) {
        gfn_fail(ctx, "cannot add nothing to the items");
        return gfn_nothing(ctx);
    }
    n->next = n; /* has a place now */
    vec_push(ctx->items, n);
    return sdk_handle(ctx, n);
}

int gfn_remove_item(gfn_ctx *ctx, gfn_node item)
{
    ssize_t at = find_item(ctx, item);

    if (at < 0)
        return -1;
    ctx->items->v[at] = NULL;
    ctx->removed++;
    return 0;
}

int gfn_replace_item(gfn_ctx *ctx, gfn_node item, gfn_node with)
{
    ssize_t at = find_item(ctx, item);
    struct doc_node *n = sdk_free_node(ctx, with);

    if (at < 0)
        return -1;
    if (!n)
        return gfn_fail(ctx, "cannot replace an item by nothing");
    if (!doc_equal(ctx->items->v[at], n))
        doc_replace(ctx->items->v[at], n);
    return 0;
}

void sdk_ctx_settle(gfn_ctx *ctx)
{
    size_t kept = 0;

    for (size_t i = 0; i < ctx->items->len; i++)
        if (ctx->items->v[i])
            ctx->items->v[kept++] = ctx->items->v[i];
    ctx->items->len = kept;
    ctx->removed = 0;
}
