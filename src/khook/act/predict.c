/* What predictions of several types say. */
#include "khook/act/action.h"

void khook_detail_divide(struct buf *detail)
{
    if (detail->len)
        buf_add_cstr(detail, "; ");
}

void khook_predict_namespace(const struct khook_context *ctx, str ns, bool creates,
                             struct cancel *cancel, struct buf *detail)
{
    AUTO(err_done) struct err e = {0};
    AUTO(kube_object_done) struct kube_object live = {0};
    struct kube_ref ref = {.type = kube_type_of(ctx->kube, STR("v1"), STR("Namespace"), cancel, &e),
                           .name = ns};

    if (!ref.type || kube_get(ctx->kube, &ref, cancel, &live, &e) == 0 || e.kind != ERR_NOT_FOUND)
        return;
    khook_detail_divide(detail);
    if (creates)
        buf_addf(detail, "creates namespace \"%.*s\"", STR_ARG(ns));
    else
        buf_addf(detail, "namespace \"%.*s\" does not exist", STR_ARG(ns));
}
