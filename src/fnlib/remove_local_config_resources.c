#include <strings.h>

#include "fnlib/fnlib.h"

FNLIB_TEXTS(remove_local_config_resources, "remove-local-config-resources",
            "drops resources that are configuration of tools",
            "Drops the items whose annotation config.kubernetes.io/local-config is true, in any\n"
            "letter case.\n"
            "\n"
            "functionConfig: none.");

static int run(gfn_ctx *ctx)
{
    gfn_iter it = gfn_items(ctx);

    while (gfn_next(&it)) {
        const char *value = gfn_annotation(it.node, "config.kubernetes.io/local-config");

        if (!value || strcasecmp(value, "true") != 0)
            continue;
        gfn_result(ctx, GFN_INFO, it.node, NULL, "removed: it is local configuration");
        if (gfn_remove_item(ctx, it.node) < 0)
            return -1;
    }
    return 0;
}

const gfn_desc fnlib_remove_local_config_resources = {FNLIB_DESC(remove_local_config_resources),
                                                      .run = run};
