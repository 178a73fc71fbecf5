/* rollout: restart a workload, or wait until its rollout is complete (khook spec 15). */
#include "kube/rollout.h"
#include "khook/act/action.h"
#include "khook/act/deliver.h"
#include "kube/watch.h"
#include "kube/why.h"

enum { WHY_LINES = 20, WHY_EVENTS = 3, WHY_MS = 3000 };

static const struct {
    char word[12], kind[12];
} kinds[] = {
    {"deployment", "Deployment"}, {"daemonset", "DaemonSet"}, {"statefulset", "StatefulSet"}};

static str target_of(const struct khook_rollout *r)
{
    return r->is_restart ? r->restart : r->status;
}

static int target_ref(const struct khook_context *ctx, const struct khook_rollout *r,
                      struct cancel *cancel, struct kube_ref *ret, struct err *e)
{
    *ret = (struct kube_ref){.ns = r->ns, .name = r->name};
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (str_eq(str_of(kinds[i].word), r->kind))
            ret->type = kube_type_of(ctx->kube, STR("apps/v1"), str_of(kinds[i].kind), cancel, e);
    return ret->type ? 0 : -1;
}

static int restart(const struct khook_context *ctx, const struct khook_attempt *a,
                   const struct kube_ref *ref, struct err *e)
{
    struct kube_write_options write = {.field_manager = STR(KHOOK_MANAGER)};
    AUTO(kube_object_done) struct kube_object answer = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf now = {0};
    struct doc_node *patch = doc_new_map(set), *at = patch;
    static const char path[][12] = {"spec", "template", "metadata", "annotations"};

    for (size_t i = 0; i < ARRAY_LEN(path); i++)
        at = doc_ensure_map(set, at, str_of(path[i]));
    clock_rfc3339(clock_wall_ms(), 0, &now);
    doc_set_string(set, at, STR("kubectl.kubernetes.io/restartedAt"), buf_view(&now));
    if (kube_patch(ctx->kube, ref, KUBE_PATCH_STRATEGIC, patch, &write, a->cancel, &answer, e) < 0)
        return err_wrap(e, "restarting %.*s@%.*s", STR_ARG(target_of(a->step->rollout)),
                        STR_ARG(ref->ns));
    return 0;
}

struct watching {
    const struct kube_ref *ref;
    struct buf *outstanding;
    struct buf text;           /* what the rollout waits for, or why it failed */
    struct kube_object failed; /* a copy, when it failed */
    bool is_synced, is_there, is_complete;
};

static void say(struct watching *w)
{
    if (!w->outstanding)
        return;
    buf_clear(w->outstanding);
    buf_addf(w->outstanding, "%.*s/%.*s@%.*s: %s", STR_ARG(w->ref->type->singular),
             STR_ARG(w->ref->name), STR_ARG(w->ref->ns),
             w->is_there ? buf_cstr(&w->text) : "not found yet");
}

static int on_event(void *ctx, const struct kube_event *event)
{
    struct watching *w = ctx;

    if (event->type == KUBE_SYNCED) {
        w->is_synced = true;
    } else {
        enum kube_rollout state;

        buf_clear(&w->text);
        w->is_there = event->type != KUBE_DELETED;
        state = w->is_there ? kube_rollout_judge(w->ref->type->kind, event->object, &w->text)
                            : KUBE_ROLLOUT_WAITING;
        w->is_complete = state == KUBE_ROLLOUT_COMPLETE;
        if (state == KUBE_ROLLOUT_FAILED) {
            w->failed.set = doc_set_new();
            w->failed.root = doc_copy(w->failed.set, event->object);
            return 1;
        }
    }
    say(w);
    return w->is_synced && w->is_complete;
}

static int failure(const struct khook_context *ctx, struct watching *w, struct err *e)
{
    AUTO(buf_done) struct buf why = {0};
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, clock_after(WHY_MS));

    kube_why(ctx->kube, w->ref->type, w->failed.root, WHY_LINES, WHY_EVENTS, cancel, &why);
    return err_set(e, ERR_IO, "rollout of %.*s/%.*s@%.*s: %s%s", STR_ARG(w->ref->type->singular),
                   STR_ARG(w->ref->name), STR_ARG(w->ref->ns), buf_cstr(&w->text), buf_cstr(&why));
}

static int status(const struct khook_context *ctx, const struct khook_attempt *a,
                  const struct kube_ref *ref, struct err *e)
{
    struct watching w = {.ref = ref, .outstanding = a->outstanding};
    int rc;

    rc = kube_watch_object(ctx->kube, ref, a->cancel, on_event, &w, e);
    if (rc == 0 && w.failed.root)
        rc = failure(ctx, &w, e);
    buf_done(&w.text);
    kube_object_done(&w.failed);
    return rc;
}

static int run(const struct khook_context *ctx, const struct khook_attempt *a, struct err *e)
{
    const struct khook_rollout *r = a->step->rollout;
    struct kube_ref ref;

    if (target_ref(ctx, r, a->cancel, &ref, e) < 0)
        return -1;
    return r->is_restart ? restart(ctx, a, &ref, e) : status(ctx, a, &ref, e);
}

static int predict(const struct khook_context *ctx, const struct khook_step *step,
                   struct cancel *cancel, struct khook_prediction *ret, struct err *e)
{
    const struct khook_rollout *r = step->rollout;
    AUTO(kube_object_done) struct kube_object live = {0};
    AUTO(buf_done) struct buf text = {0};
    struct kube_ref ref;
    bool exists;

    if (target_ref(ctx, r, cancel, &ref, e) < 0)
        return -1;
    exists = kube_get(ctx->kube, &ref, cancel, &live, e) == 0;
    if (!exists && e->kind != ERR_NOT_FOUND)
        return -1;
    err_done(e);
    if (!exists) {
        ret->action = r->is_restart ? KHOOK_PLAN_UNKNOWN : KHOOK_PLAN_WAIT;
        buf_addf(&ret->detail, "%.*s not found", STR_ARG(target_of(r)));
    } else if (r->is_restart) {
        ret->action = KHOOK_PLAN_RESTART;
        buf_addf(&ret->detail, "restarts %.*s", STR_ARG(target_of(r)));
    } else if (kube_rollout_judge(ref.type->kind, live.root, &text) == KUBE_ROLLOUT_COMPLETE) {
        ret->action = KHOOK_PLAN_NO_OP;
        buf_add_cstr(&ret->detail, "already complete");
    } else {
        ret->action = KHOOK_PLAN_WAIT;
        buf_addf(&ret->detail, "rollout in progress: %s", buf_cstr(&text));
    }
    return 0;
}

static void summary(const struct khook_step *step, struct buf *out)
{
    const struct khook_rollout *r = step->rollout;

    buf_addf(out, "%s %.*s", r->is_restart ? "restart" : "status", STR_ARG(target_of(r)));
}

const struct khook_executor khook_act_rollout = {
    .run = run,
    .keeps = "nothing to tear down for a rollout step",
    .predict = predict,
    .summary = summary,
};
