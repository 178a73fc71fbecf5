#include <string.h>

#include "fnlib/fnlib.h"

FNLIB_TEXTS(
    upsert_resource, "upsert-resource", "adds a resource, or replaces the one of its name",
    "The functionConfig, or each resource of it when it is a v1 List, replaces the item of the "
    "same\n"
    "group, kind, namespace and name; when there is none it is added. With the annotation\n"
    "config.kubernetes.io/target-path the item must stand in that file, and is added there.\n"
    "\n"
    "functionConfig: any resource, or a v1 List of resources.");

static const char target_path[] = "config.kubernetes.io/target-path";
static const char place_keys[][36] = {
    "internal.config.kubernetes.io/path",
    "internal.config.kubernetes.io/index",
    "config.kubernetes.io/path",
    "config.kubernetes.io/index",
};

/* What says where the configuration stood and how it was run is no part of the resource. */
static int take_off_annotations(gfn_node object)
{
    static const char *const keys[] = {
        target_path,
        "config.kubernetes.io/function",
        "config.k8s.io/function",
        "config.k8s.io/id",
        "internal.config.kubernetes.io/id",
        "internal.config.kubernetes.io/annotations-migration-resource-id",
        "internal.config.kubernetes.io/seqindent",
    };

    for (size_t i = 0; i < FNLIB_LEN(keys); i++)
        if (gfn_set_annotation(object, keys[i], NULL) < 0)
            return -1;
    for (size_t i = 0; i < FNLIB_LEN(place_keys); i++)
        if (gfn_set_annotation(object, place_keys[i], NULL) < 0)
            return -1;
    return 0;
}

static int take_over_place(gfn_node object, gfn_node item)
{
    for (size_t i = 0; i < FNLIB_LEN(place_keys); i++) {
        const char *value = gfn_annotation(item, place_keys[i]);

        if (value && gfn_set_annotation(object, place_keys[i], value) < 0)
            return -1;
    }
    return 0;
}

static gfn_node find(gfn_ctx *ctx, gfn_node object, const char *path)
{
    gfn_iter it = gfn_items(ctx);

    if (!path)
        return gfn_find(ctx, gfn_group(object), gfn_kind(object), gfn_namespace(object),
                        gfn_name(object));
    while (gfn_next(&it))
        if (gfn_is(it.node, gfn_group(object), gfn_kind(object)) &&
            gfn_text_is(gfn_get(it.node, "metadata.name"), gfn_name(object)) &&
            strcmp(gfn_namespace(it.node), gfn_namespace(object)) == 0 &&
            strcmp(gfn_path(it.node), path) == 0)
            return it.node;
    return gfn_nothing(ctx);
}

static int upsert(gfn_ctx *ctx, gfn_node given)
{
    gfn_node object = gfn_copy(ctx, given), item;
    const char *path = gfn_annotation(given, target_path);

    if (!*gfn_kind(given) || !*gfn_api_version(given) || !*gfn_name(given))
        return gfn_fail(ctx, "functionConfig: a resource needs apiVersion, kind and metadata.name");
    item = find(ctx, given, path);
    if (take_off_annotations(object) < 0)
        return -1;
    if (gfn_exists(item)) {
        if (take_over_place(object, item) < 0 || gfn_replace_item(ctx, item, object) < 0)
            return -1;
        return gfn_result(ctx, GFN_INFO, item, NULL, "replaced");
    }
    if (path && (gfn_set_annotation(object, place_keys[0], path) < 0 ||
                 gfn_set_annotation(object, place_keys[2], path) < 0))
        return -1;
    object = gfn_add_item(ctx, object);
    gfn_forget_index(ctx);
    return gfn_result(ctx, GFN_INFO, object, NULL, "added");
}

static int run(gfn_ctx *ctx)
{
    gfn_node config = gfn_config(ctx);
    gfn_iter it = gfn_children(gfn_child(config, "items"));

    if (!gfn_exists(config))
        return gfn_fail(ctx, "functionConfig is missing: it is the resource to put");
    if (!gfn_is(config, "", "List"))
        return upsert(ctx, config);
    while (gfn_next(&it))
        if (upsert(ctx, it.node) < 0)
            return -1;
    return 0;
}

const gfn_desc fnlib_upsert_resource = {FNLIB_DESC(upsert_resource), .run = run};
