#include <string.h>

#include "fnlib/fnlib.h"

FNLIB_TEXTS(set_enforcement_action, "set-enforcement-action",
            "sets what Gatekeeper does about violations",
            "Sets spec.enforcementAction of objects of constraints.gatekeeper.sh/v1beta1.\n"
            "\n"
            "functionConfig: a v1 ConfigMap with data.enforcementAction: deny, warn or dryrun.");

static int run(gfn_ctx *ctx)
{
    const char *action = gfn_config_map(ctx, "enforcementAction");
    gfn_iter it = gfn_items(ctx);

    if (!action || (strcmp(action, "deny") != 0 && strcmp(action, "warn") != 0 &&
                    strcmp(action, "dryrun") != 0))
        return gfn_fail(ctx,
                        "functionConfig: field \"enforcementAction\" must be deny, warn or dryrun");
    while (gfn_next(&it))
        if (gfn_text_is(gfn_child(it.node, "apiVersion"), "constraints.gatekeeper.sh/v1beta1") &&
            gfn_set_str(it.node, "spec.enforcementAction", action) < 0)
            return -1;
    return 0;
}

static const gfn_kind_of kinds[] = {{"v1", "ConfigMap"}};
const gfn_desc fnlib_set_enforcement_action = {FNLIB_DESC(set_enforcement_action), .run = run,
                                               .kinds = kinds, .kind_count = FNLIB_LEN(kinds)};
