#include <inttypes.h>

#include "sdk/sdk_priv.h"

/* Results: made as nodes of the set, in the order of the specification's fields. */

static const char severities[][8] = {
    [GFN_ERROR] = "error", [GFN_WARNING] = "warning", [GFN_INFO] = "info"};

static void add_reference(gfn_ctx *ctx, struct doc_node *result, gfn_node object)
{
    static const char names[][11] = {"apiVersion", "kind"};
    const struct doc_node *at = sdk_node(object);
    struct res_id id = res_id_of(at);
    struct doc_node *ref;

    if (!doc_is_map(at) || id.gvk.kind.len == 0)
        return;
    ref = doc_ensure_map(ctx->set, result, STR("resourceRef"));
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        doc_set_string(ctx->set, ref, str_of(names[i]),
                       doc_string(doc_get(at, str_of(names[i])), STR_NONE));
    doc_set_string(ctx->set, ref, STR("name"), id.name);
    if (id.ns.len)
        doc_set_string(ctx->set, ref, STR("namespace"), id.ns);
}

static struct doc_node *last_result(gfn_ctx *ctx)
{
    return doc_len(ctx->results) ? ctx->results->last : NULL;
}

static int PRINTF(5, 0) add_result(gfn_ctx *ctx, enum gfn_severity severity, gfn_node object,
                                   const char *path, const char *fmt, va_list args)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_node *result = doc_new_map(ctx->set);

    buf_addv(&text, fmt, args);
    if (!ctx->results)
        ctx->results = doc_new_list(ctx->set);
    doc_append(ctx->results, result);
    doc_set_string(ctx->set, result, STR("message"), buf_view(&text));
    doc_set_string(ctx->set, result, STR("severity"), str_of(severities[severity]));
    add_reference(ctx, result, object);
    if (path && *path && doc_get_lit(result, "resourceRef"))
        doc_set_string(ctx->set, doc_ensure_map(ctx->set, result, STR("field")), STR("path"),
                       str_of(path));
    if (object.at && *gfn_path(object))
        gfn_result_file(ctx, gfn_path(object), gfn_index(object));
    ctx->errors += severity == GFN_ERROR;
    return severity == GFN_ERROR ? -1 : 0;
}

int gfn_result(gfn_ctx *ctx, enum gfn_severity severity, gfn_node object, const char *path,
               const char *fmt, ...)
{
    va_list args;
    int rc;

    va_start(args, fmt);
    rc = add_result(ctx, severity, object, path, fmt, args);
    va_end(args);
    return rc;
}

int gfn_fail(gfn_ctx *ctx, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    add_result(ctx, GFN_ERROR, gfn_nothing(ctx), NULL, fmt, args);
    va_end(args);
    return -1;
}

int sdk_fail_at(gfn_node object, const char *path, const char *fmt, ...)
{
    AUTO(buf_done) struct buf text = {0};
    va_list args;

    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    gfn_result(object.ctx, GFN_ERROR, object, path, "%s%s%s", path ? path : "",
               path && *path ? ": " : "", buf_cstr(&text));
    return -1;
}

void gfn_result_values(gfn_ctx *ctx, gfn_node current, gfn_node proposed)
{
    struct doc_node *result = last_result(ctx), *field;

    if (!result || !(field = doc_get_lit(result, "field")))
        return;
    if (current.at)
        doc_set_field(ctx->set, field, STR("currentValue"), doc_copy(ctx->set, sdk_node(current)));
    if (proposed.at)
        doc_set_field(ctx->set, field, STR("proposedValue"),
                      doc_copy(ctx->set, sdk_node(proposed)));
}

void gfn_result_tag(gfn_ctx *ctx, const char *key, const char *value)
{
    struct doc_node *result = last_result(ctx);

    if (result)
        doc_set_string(ctx->set, doc_ensure_map(ctx->set, result, STR("tags")), str_of(key),
                       str_of(value));
}

void gfn_result_file(gfn_ctx *ctx, const char *path, int64_t index)
{
    struct doc_node *result = last_result(ctx), *file;

    if (!result)
        return;
    file = doc_ensure_map(ctx->set, result, STR("file"));
    doc_set_string(ctx->set, file, STR("path"), str_of(path));
    if (index)
        doc_set_int(ctx->set, file, STR("index"), index);
}

gfn_node gfn_results(gfn_ctx *ctx) { return sdk_handle(ctx, ctx->results); }

bool gfn_has_failed(const gfn_ctx *ctx) { return ctx->errors > 0; }
