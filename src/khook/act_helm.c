/* helm: its fields are read and judged; installing needs the chart engine, which this build is
 * without. */
#include "khook/action.h"

static int no_engine(struct err *e)
{
    return err_set(e, ERR_UNSUPPORTED,
                   "helm steps need the chart engine, which this build does not have");
}

static int run(const struct khook_context *ctx UNUSED, const struct khook_attempt *a UNUSED,
               struct err *e)
{
    return no_engine(e);
}

static int predict(const struct khook_context *ctx UNUSED, const struct khook_step *step UNUSED,
                   struct cancel *cancel UNUSED, struct khook_prediction *ret UNUSED, struct err *e)
{
    return no_engine(e);
}

static void summary(const struct khook_step *step, struct buf *out)
{
    const struct khook_helm *h = step->helm;

    buf_addf(out, "release \"%.*s\": ", STR_ARG(h->release));
    khook_chart_display(&h->source, out);
    buf_addf(out, " -> namespace %.*s", STR_ARG(h->ns));
}

const struct khook_executor khook_act_helm = {
    .run = run,
    .teardown = run,
    .predict = predict,
    .summary = summary,
};
