#include "res/defaults.h"
#include "sdk/sdk_priv.h"

/* Renaming items: who refers to them follows, by the default references of kustomize. */

struct renamed {
    struct res_id old;
    str name; /* the new one */
    struct renamed *next;
};

struct sdk_renames {
    struct map by_name; /* old name: struct renamed, all kinds */
};

static void free_renames(void *p)
{
    struct sdk_renames *r = p;

    map_done(&r->by_name);
}

static struct sdk_renames *renames_of(gfn_ctx *ctx)
{
    if (!ctx->renames) {
        ctx->renames = ARENA_NEW(&ctx->arena, struct sdk_renames);
        sdk_own(ctx, ctx->renames, free_renames);
    }
    return ctx->renames;
}

int gfn_rename(gfn_node item, const char *name)
{
    gfn_ctx *ctx = item.ctx;
    struct res_id id = res_id_of(sdk_node(item));
    struct sdk_renames *all = renames_of(ctx);
    struct renamed *r;

    if (str_eq(id.name, str_of(name)))
        return 0;
    r = ARENA_NEW(&ctx->arena, struct renamed);
    r->old = id;
    r->old.name = arena_dup(&ctx->arena, id.name);
    r->name = arena_dup(&ctx->arena, str_of(name));
    r->next = map_put(&all->by_name, r->old.name, r);
    return gfn_set_name(item, name);
}

/* ---- references */

struct follow {
    gfn_ctx *ctx;
    const struct sdk_renames *all;
    struct res_gvk target;
    const struct doc_node *referrer;
    struct res_id id; /* of the referrer */
};

static bool is_cluster(const struct res_id *id) { return res_is_cluster_scoped(&id->gvk); }

/* ns: the namespace that the reference itself names, or NULL. */
static const struct renamed *find_renamed(const struct follow *f, str name, const str *ns)
{
    const struct renamed *r = map_get(&f->all->by_name, name);

    for (; r; r = r->next) {
        struct res_id home = f->id;

        if (!res_gvk_selected(&r->old.gvk, &f->target))
            continue;
        home.ns = ns ? *ns : f->id.ns;
        if (is_cluster(&r->old) || (is_cluster(&f->id) && !ns))
            return r;
        home.gvk = r->old.gvk; /* a namespaced kind */
        if (str_eq(res_effective_ns(&home), res_effective_ns(&r->old)))
            return r;
    }
    return NULL;
}

static int follow_scalar(const struct follow *f, struct doc_node *n, const str *ns)
{
    const struct renamed *r = find_renamed(f, doc_text(n, STR_NONE), ns);

    return r ? gfn_set_str(sdk_handle(f->ctx, n), "", sdk_text(f->ctx, r->name)) : 0;
}

static int follow_node(const struct follow *f, struct doc_node *n)
{
    struct doc_iter it = doc_children(n);
    const struct doc_node *kind = doc_get_lit(n, "kind"), *ns_node = doc_get_lit(n, "namespace");
    str ns = doc_text(ns_node, STR_NONE);

    if (doc_is_scalar(n))
        return follow_scalar(f, n, NULL);
    if (doc_is_map(n)) {
        struct doc_node *name = doc_get_lit(n, "name");

        if (!doc_is_scalar(name) || (kind && !str_eq(doc_text(kind, STR_NONE), f->target.kind)))
            return 0;
        return follow_scalar(f, name, ns_node ? &ns : NULL);
    }
    while (doc_next(&it)) /* names, or maps with names */
        if (!doc_is_list(it.value) && follow_node(f, it.value) < 0)
            return -1;
    return 0;
}

static int follow_field(void *user, gfn_node field) { return follow_node(user, sdk_node(field)); }

/* Fields that hold a name beside the kind it is of. */
static bool is_of_kind(const struct follow *f)
{
    static const char paths[][25] = {"roleRef/kind", "spec/scaleTargetRef/kind"};

    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        const struct doc_node *kind = doc_at(f->referrer, paths[i]);

        if (kind && (str_eq(f->target.kind, STR("ServiceAccount")) ||
                     str_eq(f->target.kind, doc_text(kind, STR_NONE))))
            return true;
        if (kind)
            return false;
    }
    return true;
}

static bool is_renamed_kind(const struct sdk_renames *all, const struct res_gvk *target)
{
    struct map_iter it = {0};

    while (map_next(&all->by_name, &it))
        for (const struct renamed *r = it.value; r; r = r->next)
            if (res_gvk_selected(&r->old.gvk, target))
                return true;
    return false;
}

/* The fields that hold names of the target. */
static gfn_fields *fields_of(gfn_ctx *ctx, const struct res_gvk *target)
{
    VEC(gfn_field_spec) specs = {0};
    struct res_reference_iter it = res_references();
    gfn_fields *fields;

    while (res_next_reference(&it))
        if (it.target == target)
            *vec_add(&specs) = (gfn_field_spec){it.field.gvk.group.p, it.field.gvk.version.p,
                                                it.field.gvk.kind.p, it.field.path.p, false};
    fields = gfn_fields_new(ctx, specs.v, specs.len);
    vec_done(&specs);
    return fields;
}

static int follow_kind(gfn_ctx *ctx, const struct res_gvk *target)
{
    struct follow f = {.ctx = ctx, .all = ctx->renames, .target = *target};
    gfn_iter it = gfn_items(ctx);
    gfn_fields *fields;

    /* kustomize's row has the version in the group, and so means nothing. */
    if (str_eq(f.target.group, STR("networking.k8s.io/v1")))
        f.target.group = STR("networking.k8s.io");
    if (!is_renamed_kind(ctx->renames, &f.target))
        return 0;
    fields = fields_of(ctx, target);
    while (gfn_next(&it)) {
        f.referrer = sdk_node(it.node);
        f.id = res_id_of(f.referrer);
        if (is_of_kind(&f) && gfn_fields_each(fields, it.node, GFN_NONE, follow_field, &f) < 0)
            return -1;
    }
    return 0;
}

int gfn_rename_done(gfn_ctx *ctx)
{
    size_t count;
    const struct res_gvk *targets = res_reference_targets(&count);

    if (!ctx->renames)
        return 0;
    for (size_t i = 0; i < count; i++)
        if (follow_kind(ctx, &targets[i]) < 0)
            return -1;
    map_done(&ctx->renames->by_name);
    return 0;
}
