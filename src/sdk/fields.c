#include "re/re.h"
#include "res/defaults.h"
#include "res/image.h"
#include "sdk/sdk_priv.h"

/* What transformers of kustomize know, for functions: fields by kind, images. */

struct gfn_fields {
    gfn_ctx *ctx;
    struct res_field_plan *plan;
};

static void free_plan(void *p) { res_field_plan_free(p); }

gfn_fields *gfn_fields_new(gfn_ctx *ctx, const gfn_field_spec *specs, size_t count)
{
    struct res_field_spec *rows = ARENA_ARRAY(&ctx->arena, struct res_field_spec, count);
    gfn_fields *fields = ARENA_NEW(&ctx->arena, gfn_fields);

    for (size_t i = 0; i < count; i++)
        rows[i] = (struct res_field_spec){
            .gvk = {str_of(specs[i].group), str_of(specs[i].version), str_of(specs[i].kind)},
            .path = str_of(specs[i].path),
            .create = specs[i].create,
        };
    *fields = (gfn_fields){ctx, res_field_plan_new(rows, count)};
    sdk_own(ctx, fields->plan, free_plan);
    return fields;
}

struct visit {
    gfn_ctx *ctx;
    gfn_field_fn *fn;
    void *user;
};

static int visit_field(void *ctx, struct doc_set *set UNUSED, struct doc_node *field, struct err *e)
{
    const struct visit *v = ctx;

    /* The visitor has reported why. */
    return v->fn(v->user, sdk_handle(v->ctx, field)) < 0 ? err_set(e, ERR_CANCELED, "ended") : 0;
}

int gfn_fields_each(gfn_fields *fields, gfn_node object, enum gfn_type made, gfn_field_fn *visit,
                    void *user)
{
    AUTO(err_done) struct err e = {0};
    struct visit v = {object.ctx, visit, user};
    struct doc_node *at = sdk_node(object);
    struct res_id id = res_id_of(at);
    enum doc_type type = made == GFN_LIST                       ? DOC_LIST
                         : made == GFN_MAP                      ? DOC_MAP
                         : made == GFN_NONE || made == GFN_NULL ? DOC_NULL
                                                                : DOC_STRING;

    if (!at || res_field_plan_visit(fields->plan, object.ctx->set, at, &id, type, visit_field, &v,
                                    &e) == 0)
        return 0;
    if (e.kind != ERR_CANCELED)
        gfn_result(object.ctx, GFN_ERROR, object, NULL, "%s", err_text(&e));
    return -1;
}

int gfn_field_specs_read(gfn_node list, const gfn_field_spec **specs, size_t *count)
{
    gfn_iter it = gfn_children(list);
    size_t len = *count;
    gfn_field_spec *all = ARENA_ARRAY(&list.ctx->arena, gfn_field_spec, len + gfn_len(list) + 1);

    if (len)
        memcpy(all, *specs, len * sizeof(*all));
    while (gfn_next(&it)) {
        all[len] = (gfn_field_spec){
            .group = gfn_get_str(it.node, "group", ""),
            .version = gfn_get_str(it.node, "version", ""),
            .kind = gfn_get_str(it.node, "kind", ""),
            .path = gfn_get_str(it.node, "path", ""),
            .create = gfn_get_bool(it.node, "create", false),
        };
        if (!*all[len++].path)
            return gfn_fail(list.ctx, "functionConfig: a field spec has no path");
    }
    *specs = all;
    *count = len;
    return 0;
}

const gfn_field_spec *gfn_annotation_fields(gfn_ctx *ctx, size_t *ret_count)
{
    const struct res_field_row *rows = res_default_fields(RES_ANNOTATION_FIELDS, ret_count);
    gfn_field_spec *specs = ARENA_ARRAY(&ctx->arena, gfn_field_spec, *ret_count);

    for (size_t i = 0; i < *ret_count; i++)
        specs[i] = (gfn_field_spec){rows[i].group, rows[i].version, rows[i].kind, rows[i].path,
                                    rows[i].create};
    return specs;
}

/* ---- images */

struct gfn_image {
    gfn_ctx *ctx;
    struct re *pattern; /* NULL: matches nothing */
    struct res_image_change change;
};

static void free_regex(void *p) { re_free(p); }

gfn_image *gfn_image_new(gfn_ctx *ctx, const char *name, const char *new_name, const char *new_tag,
                         const char *digest)
{
    gfn_image *rule = ARENA_NEW(&ctx->arena, gfn_image);

    *rule = (gfn_image){
        .ctx = ctx,
        .pattern = res_image_pattern(str_of(name)),
        .change = {str_of(new_name), str_of(new_tag), str_of(digest), STR_NONE},
    };
    sdk_own(ctx, rule->pattern, free_regex);
    return rule;
}

const char *gfn_image_apply(gfn_image *rule, const char *image)
{
    AUTO(buf_done) struct buf out = {0};

    if (!rule->pattern || !re_match(rule->pattern, str_of(image)))
        return NULL;
    res_image_apply(&rule->change, str_of(image), &out);
    return sdk_text(rule->ctx, buf_view(&out));
}
