/* Charts among the generators (kustomize spec 16): the seam to the chart engine. */
#include "kustomize/shared.h"

int kustomize_chart(struct kustomize_build *b, struct kustomize_resmap *m UNUSED,
                    const struct kustomize_chart *chart, struct err *e)
{
    if (!b->shared->options->helm)
        return err_set(e, ERR_DENIED, "must specify --enable-helm");
    return err_set(e, ERR_UNSUPPORTED, "chart \"%.*s\": charts are not built in yet",
                   STR_ARG(chart->name));
}
