#include "sdk/sdk_priv.h"

/* functionConfig: which kinds are understood, what may stand in them. */

gfn_node gfn_config(gfn_ctx *ctx) { return sdk_handle(ctx, ctx->config); }

static bool is_config_map(gfn_node n)
{
    return gfn_text_is(gfn_child(n, "kind"), "ConfigMap") &&
           gfn_text_is(gfn_child(n, "apiVersion"), "v1");
}

gfn_node gfn_config_fields(gfn_ctx *ctx)
{
    gfn_node config = gfn_config(ctx);

    return is_config_map(config) ? gfn_child(config, "data") : config;
}

bool gfn_config_is(gfn_ctx *ctx, const char *kind)
{
    return gfn_text_is(gfn_child(gfn_config(ctx), "kind"), kind);
}

const char *gfn_config_map(gfn_ctx *ctx, const char *key)
{
    gfn_node config = gfn_config(ctx), value;

    if (!is_config_map(config))
        return NULL;
    value = gfn_child(gfn_child(config, "data"), key);
    return gfn_is_scalar(value) ? gfn_text(value) : NULL;
}

static bool fits(gfn_node value, enum gfn_type type)
{
    return type == GFN_NONE || gfn_type(value) == type ||
           (type == GFN_STRING && gfn_is_scalar(value));
}

static const gfn_field *find_field(const char *name, const gfn_field *table, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

static bool is_common(gfn_ctx *ctx, const char *key)
{
    return !is_config_map(gfn_config(ctx)) &&
           (strcmp(key, "apiVersion") == 0 || strcmp(key, "kind") == 0 ||
            strcmp(key, "metadata") == 0);
}

static int check_known(gfn_ctx *ctx, const gfn_field *table, size_t count)
{
    static const char types[][8] = {
        [GFN_NONE] = "value",    [GFN_NULL] = "null",     [GFN_BOOL] = "boolean",
        [GFN_NUMBER] = "number", [GFN_STRING] = "string", [GFN_LIST] = "list",
        [GFN_MAP] = "mapping",
    };
    gfn_iter it = gfn_children(gfn_config_fields(ctx));
    int rc = 0;

    while (gfn_next(&it)) {
        const char *key = gfn_key(it.node);
        const gfn_field *field = find_field(key, table, count);

        if (is_common(ctx, key))
            continue;
        if (!field)
            rc = gfn_result(ctx, GFN_ERROR, gfn_config(ctx), key,
                            "functionConfig: unknown field \"%s\"", key);
        else if (!fits(it.node, field->type))
            rc = gfn_result(ctx, GFN_ERROR, gfn_config(ctx), key,
                            "functionConfig: field \"%s\" must be a %s", key, types[field->type]);
    }
    return rc;
}

int gfn_config_strict(gfn_ctx *ctx, const gfn_field *table, size_t count)
{
    gfn_node fields = gfn_config_fields(ctx);
    int rc = check_known(ctx, table, count);

    for (size_t i = 0; i < count; i++) {
        gfn_node value = gfn_child(fields, table[i].name);

        if (!table[i].is_required || gfn_len(value) ||
            (gfn_is_scalar(value) && gfn_type(value) != GFN_NULL && *gfn_text(value)))
            continue;
        rc = gfn_result(ctx, GFN_ERROR, gfn_config(ctx), table[i].name,
                        "functionConfig: field \"%s\" is required", table[i].name);
    }
    return rc;
}

/* ---- running */

static bool is_kind(gfn_node config, const gfn_kind_of *kind)
{
    return gfn_text_is(gfn_child(config, "apiVersion"), kind->api_version) &&
           gfn_text_is(gfn_child(config, "kind"), kind->kind);
}

static int check_kind(gfn_ctx *ctx, const gfn_desc *d)
{
    AUTO(buf_done) struct buf kinds = {0};
    gfn_node config = gfn_config(ctx);

    if (!d->kinds || (d->is_config_optional && !config.at))
        return 0;
    for (size_t i = 0; i < d->kind_count; i++) {
        if (is_kind(config, &d->kinds[i]))
            return 0;
        buf_addf(&kinds, "%s%s %s", i ? " or " : "", d->kinds[i].api_version, d->kinds[i].kind);
    }
    if (!config.at)
        return gfn_fail(ctx, "functionConfig is missing, expected %s", buf_cstr(&kinds));
    return gfn_result(ctx, GFN_ERROR, config, NULL, "functionConfig must be %s, found %s %s",
                      buf_cstr(&kinds), gfn_api_version(config), gfn_kind(config));
}

int gfn_run(gfn_ctx *ctx, const gfn_desc *d)
{
    int rc = ctx->errors ? -1 : check_kind(ctx, d);

    if (rc == 0)
        rc = d->run(ctx);
    sdk_ctx_settle(ctx);
    if (rc != 0 && ctx->errors == 0)
        gfn_fail(ctx, "%s failed", d->name);
    return ctx->errors ? -1 : 0;
}
