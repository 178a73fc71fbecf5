#include "fnlib/rename.h"

#include <string.h>

struct rename {
    fnlib_name_fn *name;
    void *user;
};

/* Their names mean something outside the package. */
static bool keeps_name(gfn_node item)
{
    return gfn_is(item, "", "Namespace") ||
           gfn_is(item, "apiextensions.k8s.io", "CustomResourceDefinition") ||
           gfn_is(item, "apiregistration.k8s.io", "APIService");
}

static bool follow(void *user, gfn_node target, fnlib_depend *entry)
{
    const struct rename *r = user;
    const char *name = keeps_name(target) ? entry->name : r->name(r->user, target.ctx, entry->name);
    bool is_new = strcmp(name, entry->name) != 0;

    entry->name = name;
    return is_new;
}

int fnlib_rename(gfn_ctx *ctx, fnlib_name_fn *name, void *user)
{
    struct rename r = {name, user};
    gfn_iter it = gfn_items(ctx);

    while (gfn_next(&it)) /* while the items still have the names that others know */
        if (fnlib_depends_on(it.node, follow, &r) < 0)
            return -1;
    it = gfn_items(ctx);
    while (gfn_next(&it))
        if (!keeps_name(it.node) && gfn_rename(it.node, name(user, ctx, gfn_name(it.node))) < 0)
            return -1;
    return gfn_rename_done(ctx);
}
