#include "fnlib/table.h"

#include "fnlib/fnlib.h"
#include "fnlib/kustomize_build.h"
#include "fnlib/render_helm_chart.h"
#include "sdk/ctx.h"

/* The first error is what a process would have told on standard error. */
static int fail(gfn_ctx *ctx, const gfn_desc *d, struct err *e)
{
    gfn_iter it = gfn_children(gfn_results(ctx));
    const char *why = "failed";

    while (gfn_next(&it)) {
        if (!gfn_text_is(gfn_child(it.node, "severity"), "error"))
            continue;
        why = gfn_text(gfn_child(it.node, "message"));
        break;
    }
    return err_set(e, ERR_INVALID, "%s: %s", d->name, why);
}

/* The kit's view of a list: the same items, nothing copied. */
static int run(const gfn_desc *d, struct fn_list *io, struct err *e)
{
    gfn_ctx *ctx = sdk_ctx_wrap(io->set, &io->items, io->function_config);
    int rc;

    ctx->results = io->results;
    rc = gfn_run(ctx, d);
    io->results = ctx->results;
    if (rc < 0)
        fail(ctx, d, e);
    gfn_free(ctx);
    return rc;
}

#define DEFINE(id, kinds_)                                                                     \
    static int run_##id(struct fn_list *io, struct err *e) { return run(&fnlib_##id, io, e); } \
    static const struct fn_native native_##id = {                                              \
        .name = fnlib_##id##_name,                                                             \
        .kinds = kinds_,                                                                       \
        .short_doc = fnlib_##id##_summary,                                                     \
        .doc = fnlib_##id##_doc,                                                               \
        .run = run_##id,                                                                       \
    };
FNLIB_FUNCTIONS(DEFINE)

#define ROW(id, kinds_) &native_##id,
const struct fn_native *const fnlib_all[] = {FNLIB_FUNCTIONS(ROW) & fnlib_kustomize_build,
                                             &fnlib_render_helm_chart, NULL};
