/* patch: strategic, merge or JSON patch of one existing object (khook spec 13). */
#include "khook/act/action.h"
#include "khook/act/deliver.h"
#include "khook/act/difference.h"

static int target_ref(const struct khook_context *ctx, const struct khook_patch *p,
                      struct cancel *cancel, struct kube_ref *ret, struct err *e)
{
    *ret = (struct kube_ref){.type = kube_type_named(ctx->kube, p->target_type, cancel, e),
                             .name = p->target_name};
    if (!ret->type)
        return err_wrap(e, "patching %.*s", STR_ARG(p->target));
    if (ret->type->namespaced)
        ret->ns = p->ns.len ? p->ns : STR("default");
    return 0;
}

static enum kube_patch kind_of(const struct khook_patch *p)
{
    return str_eq(p->type, STR("json"))    ? KUBE_PATCH_JSON
           : str_eq(p->type, STR("merge")) ? KUBE_PATCH_MERGE
                                           : KUBE_PATCH_STRATEGIC;
}

static int send(const struct khook_context *ctx, const struct khook_patch *p,
                const struct kube_ref *ref, bool dry_run, struct cancel *cancel,
                struct kube_object *ret, struct err *e)
{
    struct kube_write_options write = {.field_manager = STR(KHOOK_MANAGER), .dry_run = dry_run};
    AUTO(buf_done) struct buf id = {0};

    if (kube_patch(ctx->kube, ref, kind_of(p), p->patch, &write, cancel, ret, e) == 0)
        return 0;
    khook_object_id(ref->type->kind, ref->name, ref->ns, &id);
    err_wrap(e, "patching %s", buf_cstr(&id));
    if (e->kind == ERR_NOT_FOUND)
        return err_set(
            e, ERR_NOT_FOUND,
            "%s; it must exist by the time this step runs: order it with `needs`, or wait with "
            "`retries`",
            err_text(e));
    if (e->kind == ERR_UNSUPPORTED && kind_of(p) == KUBE_PATCH_STRATEGIC)
        return err_set(e, ERR_UNSUPPORTED,
                       "%s; custom resources take no strategic patch: write `type: merge`",
                       err_text(e));
    return -1;
}

static int run(const struct khook_context *ctx, const struct khook_attempt *a, struct err *e)
{
    AUTO(kube_object_done) struct kube_object answer = {0};
    struct kube_ref ref;

    if (target_ref(ctx, a->step->patch, a->cancel, &ref, e) < 0)
        return -1;
    return send(ctx, a->step->patch, &ref, false, a->cancel, &answer, e);
}

static int predict(const struct khook_context *ctx, const struct khook_step *step,
                   struct cancel *cancel, struct khook_prediction *ret, struct err *e)
{
    const struct khook_patch *p = step->patch;
    AUTO(kube_object_done) struct kube_object live = {0};
    struct kube_ref ref;
    bool exists = target_ref(ctx, p, cancel, &ref, e) == 0 &&
                  kube_get(ctx->kube, &ref, cancel, &live, e) == 0;

    if (!exists && e->kind != ERR_NOT_FOUND)
        return -1;
    err_done(e);
    ret->action = exists ? KHOOK_PLAN_CONFIGURE : KHOOK_PLAN_UNKNOWN;
    buf_addf(&ret->detail, "%.*s patch of %.*s", STR_ARG(p->type), STR_ARG(p->target));
    if (!exists)
        buf_add_cstr(&ret->detail, ", which must exist by the time this step runs");
    return 0;
}

static int diff(const struct khook_context *ctx, const struct khook_step *step,
                struct cancel *cancel, struct buf *out, struct err *e)
{
    AUTO(kube_object_done) struct kube_object live = {0};
    AUTO(kube_object_done) struct kube_object planned = {0};
    struct kube_ref ref;

    if (target_ref(ctx, step->patch, cancel, &ref, e) < 0 ||
        kube_get(ctx->kube, &ref, cancel, &live, e) < 0 ||
        send(ctx, step->patch, &ref, true, cancel, &planned, e) < 0)
        return -1;
    khook_difference(&khook_live_and_planned, &ref, &live, &planned, out);
    return 0;
}

static void summary(const struct khook_step *step, struct buf *out)
{
    buf_addf(out, "%.*s (%.*s)", STR_ARG(step->patch->target), STR_ARG(step->patch->type));
}

const struct khook_executor khook_act_patch = {
    .run = run,
    .keeps = "not reversed: khook does not revert patches",
    .predict = predict,
    .diff = diff,
    .summary = summary,
};
