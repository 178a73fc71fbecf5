#include <stdlib.h>
#include <string.h>

#include "fnlib/fnlib.h"

FNLIB_TEXTS(
    set_annotations, "set-annotations", "sets annotations on resources and pod templates",
    "Sets every pair on metadata.annotations and on the templates of workloads, local-config\n"
    "resources included.\n"
    "\n"
    "functionConfig: a v1 ConfigMap whose data are the annotations, or SetAnnotations with\n"
    "annotations and additionalAnnotationFields: a list of {group, version, kind, path, create}.");

struct setter {
    gfn_node item;
    fnlib_pair *annotations;
    size_t count;
};

/* A value is replaced with all that is at it, as upstream does; the orchestrator puts the comment
 * back. */
static int set_annotations(void *user, gfn_node map)
{
    const struct setter *s = user;

    if (!gfn_is_map(map))
        return gfn_result(map.ctx, GFN_ERROR, s->item, NULL,
                          "the annotations must be a mapping, found \"%s\"", gfn_text(map));
    for (size_t i = 0; i < s->count; i++)
        if (!gfn_exists(gfn_set_child(map, s->annotations[i].key,
                                      gfn_new_str(map.ctx, s->annotations[i].value))))
            return -1;
    return 0;
}

static int set_items(gfn_ctx *ctx, gfn_node fields, struct setter *s)
{
    size_t count;
    const gfn_field_spec *specs = gfn_annotation_fields(ctx, &count);
    gfn_iter it = gfn_items(ctx);
    gfn_fields *all;

    if (!gfn_config_is(ctx, "ConfigMap") &&
        (gfn_field_specs_read(gfn_child(fields, "additionalAnnotationFields"), &specs, &count) <
             0 ||
         gfn_field_specs_read(gfn_child(fields, "fieldSpecs"), &specs, &count) < 0))
        return -1;
    all = gfn_fields_new(ctx, specs, count);
    while (gfn_next(&it)) {
        s->item = it.node;
        if (gfn_fields_each(all, it.node, GFN_MAP, set_annotations, s) < 0)
            return -1;
    }
    return 0;
}

static int run(gfn_ctx *ctx)
{
    gfn_node fields = gfn_config_fields(ctx);
    struct setter s = {.count = 0};
    int rc =
        fnlib_pairs(gfn_config_is(ctx, "ConfigMap") ? fields : gfn_child(fields, "annotations"),
                    &s.annotations, &s.count);

    if (rc == 0 && s.count == 0)
        rc = gfn_fail(ctx, "functionConfig: there are no annotations to set");
    if (rc == 0)
        rc = set_items(ctx, fields, &s);
    free(s.annotations);
    return rc;
}

static const gfn_kind_of kinds[] = {
    {"v1", "ConfigMap"}, {FNLIB_V1, "SetAnnotations"}, {FNLIB_V1, "SetAnnotationConfig"}};
const gfn_desc fnlib_set_annotations = {FNLIB_DESC(set_annotations), .run = run, .kinds = kinds,
                                        .kind_count = FNLIB_LEN(kinds)};
