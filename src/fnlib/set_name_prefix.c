#include <string.h>

#include "fnlib/rename.h"

FNLIB_TEXTS(set_name_prefix, "set-name-prefix", "puts a prefix before names",
            "Puts the prefix before every name that does not begin with it, in place of an old "
            "prefix where\n"
            "there is one; references among the items and depends-on annotations follow.\n"
            "CustomResourceDefinitions, Namespaces and APIServices keep their names.\n"
            "\n"
            "functionConfig: a v1 ConfigMap with data.prefix and, optional, data.oldPrefix.");

struct prefix {
    const char *text, *old;
};

static const char *new_name(void *user, gfn_ctx *ctx, const char *name)
{
    const struct prefix *p = user;

    if (!*name || strncmp(name, p->text, strlen(p->text)) == 0)
        return name;
    if (strncmp(name, p->old, strlen(p->old)) == 0)
        name += strlen(p->old);
    return gfn_printf(ctx, "%s%s", p->text, name);
}

static int run(gfn_ctx *ctx)
{
    static const gfn_field fields[] = {{"prefix", GFN_STRING, true},
                                       {"oldPrefix", GFN_STRING, false}};
    struct prefix p;

    if (gfn_config_strict(ctx, fields, FNLIB_LEN(fields)) < 0)
        return -1;
    p.text = gfn_config_map(ctx, "prefix");
    p.old = gfn_get_str(gfn_config_fields(ctx), "oldPrefix", "");
    return fnlib_rename(ctx, new_name, &p);
}

static const gfn_kind_of kinds[] = {{"v1", "ConfigMap"}};
const gfn_desc fnlib_set_name_prefix = {FNLIB_DESC(set_name_prefix), .run = run, .kinds = kinds,
                                        .kind_count = FNLIB_LEN(kinds)};
