#include "sdk/sdk_priv.h"

/* Finding items: an index from kind and name to the items that have them, in order. */

struct entry {
    struct doc_node *item;
    struct entry *next, *last; /* last: of the first only */
};

static str index_key(struct arena *a, str kind, str name)
{
    return arena_printf(a, "%.*s\n%.*s", STR_ARG(kind), STR_ARG(name));
}

static void build_index(gfn_ctx *ctx)
{
    for (size_t i = 0; i < ctx->items->len; i++) {
        struct doc_node *item = ctx->items->v[i];
        struct res_id id = res_id_of(item);
        str key = index_key(&ctx->arena, id.gvk.kind, id.name);
        struct entry *entry = ARENA_NEW(&ctx->arena, struct entry), *first;

        if (!item)
            continue;
        entry->item = item;
        entry->last = entry;
        first = map_get(&ctx->index, key);
        if (first) {
            first->last->next = entry;
            first->last = entry;
        } else {
            map_put(&ctx->index, key, entry);
        }
    }
    ctx->has_index = true;
}

void gfn_forget_index(gfn_ctx *ctx)
{
    map_done(&ctx->index);
    ctx->has_index = false;
}

static bool is_it(const struct doc_node *item, const char *group, const char *ns)
{
    struct res_id id = res_id_of(item);

    return (!group || str_eq(id.gvk.group, str_of(group))) && (!ns || str_eq(id.ns, str_of(ns)));
}

gfn_node gfn_find(gfn_ctx *ctx, const char *group, const char *kind, const char *ns,
                  const char *name)
{
    AUTO(arena_done) struct arena arena = {0};
    const struct entry *entry;

    if (!kind || !name) { /* rare: a walk */
        const gfn_selector s = {.kind = kind, .name = name, .ns = ns};
        gfn_iter it = gfn_items(ctx);

        while (gfn_next(&it))
            if (gfn_match(it.node, &s) && (!group || gfn_is(it.node, group, NULL)))
                return it.node;
        return gfn_nothing(ctx);
    }
    if (!ctx->has_index)
        build_index(ctx);
    for (entry = map_get(&ctx->index, index_key(&arena, str_of(kind), str_of(name))); entry;
         entry = entry->next)
        if (is_it(entry->item, group, ns))
            return sdk_handle(ctx, entry->item);
    return gfn_nothing(ctx);
}
