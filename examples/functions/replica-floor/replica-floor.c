/* A KRM function: no Deployment of the package may have fewer replicas than data.least says. */
#include <grapnel/fn.h>

static int raise(gfn_ctx *ctx, gfn_node item, int64_t least)
{
    int64_t replicas = gfn_get_int(item, "spec.replicas", 1);

    if (replicas >= least)
        return 0;
    gfn_result(ctx, GFN_INFO, item, "spec.replicas", "raised from %lld to %lld",
               (long long)replicas, (long long)least);
    return gfn_set_int(item, "spec.replicas", least);
}

static int run(gfn_ctx *ctx)
{
    static const gfn_field fields[] = {{"least", GFN_NUMBER, true}};
    int64_t least = gfn_get_int(gfn_config_fields(ctx), "least", 0);
    gfn_iter it = gfn_items(ctx);

    if (gfn_config_strict(ctx, fields, 1) < 0)
        return -1;
    if (least < 1)
        return gfn_fail(ctx, "functionConfig: least must be 1 or more");
    while (gfn_next(&it))
        if (gfn_is(it.node, "apps", "Deployment") && !gfn_is_local_config(it.node) &&
            raise(ctx, it.node, least) < 0)
            return -1;
    return 0;
}

int main(int argc, char **argv)
{
    static const gfn_kind_of kinds[] = {{"example.com/v1", "ReplicaFloor"}};
    static const gfn_desc desc = {
        .name = "replica-floor",
        .summary = "raises replicas that are too few",
        .doc = "functionConfig: ReplicaFloor of example.com/v1 with least, a number.",
        .run = run,
        .kinds = kinds,
        .kind_count = 1,
    };

    return gfn_main(argc, argv, &desc);
}
