#include <string.h>

#include "fnlib/fnlib.h"

FNLIB_TEXTS(
    set_image, "set-image", "sets the image of containers",
    "Gives images of one name another name, tag or digest: in containers, initContainers and\n"
    "ephemeralContainers of Pods and of the pod templates of workloads. The name must be the "
    "whole\n"
    "name, without tag: nginx is not library/nginx.\n"
    "\n"
    "functionConfig: a v1 ConfigMap with data.name and one or two of data.newName, and data.newTag "
    "or\n"
    "data.digest; or SetImage with image {name, newName, newTag, digest} and\n"
    "additionalImageFields: a list of {group, version, kind, path, create}.");

#define ROWS(kind, spec)                                       \
    {"", "", kind, spec "/containers/image", false},           \
        {"", "", kind, spec "/initContainers/image", false},   \
    {                                                          \
        "", "", kind, spec "/ephemeralContainers/image", false \
    }

static const fnlib_field image_fields[] = {
    ROWS("Pod", "spec"),
    ROWS("PodTemplate", "template/spec"),
    ROWS("Deployment", "spec/template/spec"),
    ROWS("ReplicaSet", "spec/template/spec"),
    ROWS("DaemonSet", "spec/template/spec"),
    ROWS("StatefulSet", "spec/template/spec"),
    ROWS("ReplicationController", "spec/template/spec"),
    ROWS("Job", "spec/template/spec"),
    ROWS("CronJob", "spec/jobTemplate/spec/template/spec"),
};

struct setter {
    gfn_image *rule;
    size_t count;
};

static int set_image(void *user, gfn_node field)
{
    struct setter *s = user;
    const char *image = gfn_is_scalar(field) ? gfn_image_apply(s->rule, gfn_text(field)) : NULL;

    if (!image || gfn_text_is(field, image))
        return 0;
    s->count++;
    return gfn_set_str(field, "", image);
}

static int check_image(gfn_ctx *ctx, gfn_node image)
{
    gfn_iter it = gfn_children(image);
    bool has_change = false;

    while (gfn_next(&it)) {
        const char *key = gfn_key(it.node);
        bool is_change =
            strcmp(key, "newName") == 0 || strcmp(key, "newTag") == 0 || strcmp(key, "digest") == 0;

        if (!is_change && strcmp(key, "name") != 0)
            return gfn_fail(ctx, "functionConfig: unknown field \"%s\" of the image", key);
        has_change |= is_change && *gfn_text(it.node);
    }
    if (!*gfn_get_str(image, "name", ""))
        return gfn_fail(ctx,
                        "functionConfig: field \"name\" with the name of the image is required");
    if (!has_change)
        return gfn_fail(ctx, "functionConfig: one of newName, newTag and digest is required");
    if (*gfn_get_str(image, "newTag", "") && *gfn_get_str(image, "digest", ""))
        return gfn_fail(ctx, "functionConfig: newTag and digest exclude each other");
    return 0;
}

static int run(gfn_ctx *ctx)
{
    bool is_map = gfn_config_is(ctx, "ConfigMap");
    gfn_node all = gfn_config_fields(ctx), image = is_map ? all : gfn_child(all, "image");
    gfn_field_spec own[FNLIB_LEN(image_fields)];
    const gfn_field_spec *specs = own;
    size_t count = FNLIB_LEN(image_fields);
    gfn_iter it = gfn_items(ctx);
    struct setter s = {0};
    gfn_fields *where;

    fnlib_specs(image_fields, FNLIB_LEN(image_fields), own);
    if (check_image(ctx, image) < 0 ||
        (!is_map &&
         gfn_field_specs_read(gfn_child(all, "additionalImageFields"), &specs, &count) < 0))
        return -1;
    s.rule = gfn_image_new(ctx, gfn_get_str(image, "name", ""), gfn_get_str(image, "newName", ""),
                           gfn_get_str(image, "newTag", ""), gfn_get_str(image, "digest", ""));
    where = gfn_fields_new(ctx, specs, count);
    while (gfn_next(&it))
        if (gfn_fields_each(where, it.node, GFN_NONE, set_image, &s) < 0)
            return -1;
    gfn_result(ctx, GFN_INFO, gfn_nothing(ctx), NULL, "%zu image(s) set", s.count);
    return 0;
}

static const gfn_kind_of kinds[] = {{"v1", "ConfigMap"}, {FNLIB_V1, "SetImage"}};
const gfn_desc fnlib_set_image = {FNLIB_DESC(set_image), .run = run, .kinds = kinds,
                                  .kind_count = FNLIB_LEN(kinds)};
