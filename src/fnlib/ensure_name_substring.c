#include <string.h>

#include "fnlib/rename.h"

FNLIB_TEXTS(
    ensure_name_substring, "ensure-name-substring", "makes names contain a text",
    "Puts the text before or behind every name that does not contain it; references among the\n"
    "items and depends-on annotations follow. CustomResourceDefinitions, Namespaces and "
    "APIServices\n"
    "keep their names.\n"
    "\n"
    "functionConfig: a v1 ConfigMap with data.prepend or data.append, or EnsureNameSubstring with\n"
    "substring, editMode (prepend or append) and additionalNameFields: a list of {group, version,\n"
    "kind, path, create} of further names to change.");

struct ensure {
    const char *text;
    bool appends;
};

static const char *new_name(void *user, gfn_ctx *ctx, const char *name)
{
    const struct ensure *s = user;

    if (!*name || strstr(name, s->text))
        return name;
    return s->appends ? gfn_printf(ctx, "%s%s", name, s->text)
                      : gfn_printf(ctx, "%s%s", s->text, name);
}

static int change_field(void *user, gfn_node field)
{
    return gfn_is_scalar(field) ? gfn_set_str(field, "", new_name(user, field.ctx, gfn_text(field)))
                                : 0;
}

static int change_fields(gfn_ctx *ctx, gfn_node list, struct ensure *s)
{
    const gfn_field_spec *specs = NULL;
    gfn_iter it = gfn_items(ctx);
    size_t count = 0;
    gfn_fields *fields;

    if (gfn_field_specs_read(list, &specs, &count) < 0)
        return -1;
    fields = gfn_fields_new(ctx, specs, count);
    while (count && gfn_next(&it))
        if (gfn_fields_each(fields, it.node, GFN_NONE, change_field, s) < 0)
            return -1;
    return 0;
}

static int read_map(gfn_ctx *ctx, struct ensure *s)
{
    const char *prepend = gfn_config_map(ctx, "prepend"), *append = gfn_config_map(ctx, "append");

    if ((prepend && *prepend) == (append && *append))
        return gfn_fail(ctx, "functionConfig: exactly one of prepend and append is required");
    s->appends = append && *append;
    s->text = s->appends ? append : prepend;
    return 0;
}

static int read_own(gfn_ctx *ctx, struct ensure *s)
{
    static const gfn_field fields[] = {
        {"substring", GFN_STRING, true},
        {"editMode", GFN_STRING, false},
        {"additionalNameFields", GFN_LIST, false},
    };
    gfn_node config = gfn_config(ctx);
    const char *mode = gfn_get_str(config, "editMode", "prepend");

    if (gfn_config_strict(ctx, fields, FNLIB_LEN(fields)) < 0)
        return -1;
    s->text = gfn_get_str(config, "substring", "");
    s->appends = strcmp(mode, "append") == 0;
    if (!s->appends && strcmp(mode, "prepend") != 0)
        return gfn_fail(ctx, "functionConfig: editMode must be prepend or append, found \"%s\"",
                        mode);
    return 0;
}

static int run(gfn_ctx *ctx)
{
    bool is_map = gfn_config_is(ctx, "ConfigMap");
    struct ensure s = {0};

    if ((is_map ? read_map : read_own)(ctx, &s) < 0 || fnlib_rename(ctx, new_name, &s) < 0)
        return -1;
    return is_map ? 0 : change_fields(ctx, gfn_child(gfn_config(ctx), "additionalNameFields"), &s);
}

static const gfn_kind_of kinds[] = {{"v1", "ConfigMap"}, {FNLIB_V1, "EnsureNameSubstring"}};
const gfn_desc fnlib_ensure_name_substring = {FNLIB_DESC(ensure_name_substring), .run = run,
                                              .kinds = kinds, .kind_count = FNLIB_LEN(kinds)};
