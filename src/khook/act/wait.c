/* wait: until objects meet conditions (khook spec 14). */
#include "khook/act/action.h"
#include "khook/await/await.h"
#include "khook/await/tracker.h"

static struct khook_await await_of(const struct khook_wait *w)
{
    bool one = w->mode == KHOOK_WAIT_ONE;

    return (struct khook_await){
        .type = w->type,
        .name = w->name,
        .ns = w->all_ns   ? STR_NONE
              : w->ns.len ? w->ns
                          : STR("default"),
        .label_selector = w->selector,
        .field_selector = w->field_selector,
        .conditions = w->conditions,
        .texts = one                         ? &w->for_text
                 : w->mode == KHOOK_WAIT_ANY ? w->any_of.v
                                             : w->all_of.v,
        .count = w->condition_count,
        .any = w->mode == KHOOK_WAIT_ANY,
        .fail_fast = w->fail_fast,
    };
}

static int run(const struct khook_context *ctx, const struct khook_attempt *a, struct err *e)
{
    struct khook_await await = await_of(a->step->wait);

    return khook_await(ctx->kube, &await, a->cancel, a->outstanding, e);
}

static bool is_delete(const struct khook_await *await)
{
    return await->count == 1 && await->conditions[0].kind == WAIT_DELETE;
}

static int predict(const struct khook_context *ctx, const struct khook_step *step,
                   struct cancel *cancel, struct khook_prediction *ret, struct err *e)
{
    struct khook_await await = await_of(step->wait);
    struct khook_await_state state;

    if (khook_await_look(ctx->kube, &await, cancel, &state, e) < 0)
        return -1;
    ret->action = state.holds ? KHOOK_PLAN_NO_OP : KHOOK_PLAN_WAIT;
    if (state.holds) {
        buf_add_cstr(&ret->detail, is_delete(&await) ? "already absent" : "already holds");
    } else if (!state.is_served) {
        buf_addf(&ret->detail, "the cluster does not serve \"%.*s\" yet; no matches",
                 STR_ARG(await.type));
    } else if (is_delete(&await)) {
        buf_addf(&ret->detail, "%zu object(s) still present", state.objects);
    } else if (state.objects == 0) {
        buf_addf(&ret->detail, "no matches for %.*s", STR_ARG(step->wait->on));
    } else {
        buf_addf(&ret->detail, "%zu/%zu object(s) meet ", state.met, state.objects);
        khook_conditions_text(await.texts, await.count, await.any, &ret->detail);
    }
    return 0;
}

static void summary(const struct khook_step *step, struct buf *out)
{
    struct khook_await await = await_of(step->wait);

    buf_add_cstr(out, "for ");
    khook_conditions_text(await.texts, await.count, await.any, out);
    buf_addf(out, " on %.*s", STR_ARG(step->wait->on));
}

const struct khook_executor khook_act_wait = {
    .run = run,
    .keeps = "nothing to tear down for a wait step",
    .predict = predict,
    .summary = summary,
};
