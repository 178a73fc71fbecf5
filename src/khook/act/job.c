/* job: a one-off Job named after the step (khook spec 16). */
#include "base/log.h"
#include "khook/act/action.h"
#include "khook/act/deliver.h"
#include "kube/status.h"
#include "kube/watch.h"
#include "kube/why.h"

enum { WHY_LINES = 20, WHY_EVENTS = 3, WHY_MS = 3000 };

#define MANAGED_BY STR("app.kubernetes.io/managed-by")
#define INPUT_HASH STR("khook.io/input-hash")

static int job_ref(const struct khook_context *ctx, const struct khook_step *step,
                   struct cancel *cancel, struct kube_ref *ret, struct err *e)
{
    *ret =
        (struct kube_ref){.type = kube_type_of(ctx->kube, STR("batch/v1"), STR("Job"), cancel, e),
                          .ns = step->job->ns.len ? step->job->ns : STR("default"),
                          .name = step->name};
    return ret->type ? 0 : -1;
}

static bool is_own(const struct doc_node *job)
{
    const struct doc_node *labels = doc_at(job, "metadata/labels");

    return str_eq(doc_text(doc_get(labels, MANAGED_BY), STR_NONE), STR(KHOOK_MANAGER));
}

static int foreign(const struct kube_ref *ref, struct err *e)
{
    return err_set(e, ERR_EXISTS,
                   "job/%.*s@%.*s exists but is not managed by khook; it is left alone: delete it "
                   "or rename the step",
                   STR_ARG(ref->name), STR_ARG(ref->ns));
}

/* ---- the Job's manifest */

static int compare_keys(const void *a, const void *b)
{
    const struct doc_node *const *x = a, *const *y = b;

    return str_cmp(doc_key(*x), doc_key(*y));
}

static void add_env(struct doc_set *set, struct doc_node *container, const struct doc_node *env)
{
    struct doc_iter it = doc_children(env);
    VEC(const struct doc_node *) sorted = {0};
    struct doc_node *list;

    if (!doc_len(env))
        return;
    list = doc_ensure_list(set, container, STR("env"));
    while (doc_next(&it))
        vec_push(&sorted, it.value);
    vec_sort(&sorted, compare_keys);
    for (size_t i = 0; i < sorted.len; i++) {
        struct doc_node *entry = doc_append(list, doc_new_map(set));

        doc_set_string(set, entry, STR("name"), doc_key(sorted.v[i]));
        doc_set_string(set, entry, STR("value"), doc_text(sorted.v[i], STR_NONE));
    }
    vec_done(&sorted);
}

static void add_texts(struct doc_set *set, struct doc_node *container, str key,
                      const struct khook_texts *texts)
{
    if (!texts->len)
        return;
    for (size_t i = 0; i < texts->len; i++)
        doc_append(doc_ensure_list(set, container, key), doc_new_string(set, texts->v[i]));
}

static void add_label(struct doc_set *set, struct doc_node *metadata)
{
    doc_set_string(set, doc_ensure_map(set, metadata, STR("labels")), MANAGED_BY,
                   STR(KHOOK_MANAGER));
}

static void add_pod(struct doc_set *set, struct doc_node *template, const struct khook_step *step)
{
    const struct khook_job *job = step->job;
    struct doc_node *spec, *container;

    add_label(set, doc_ensure_map(set, template, STR("metadata")));
    spec = doc_ensure_map(set, template, STR("spec"));
    doc_set_string(set, spec, STR("restartPolicy"), STR("Never"));
    if (job->service_account.len)
        doc_set_string(set, spec, STR("serviceAccountName"), job->service_account);
    container = doc_append(doc_ensure_list(set, spec, STR("containers")), doc_new_map(set));
    doc_set_string(set, container, STR("name"), step->name);
    doc_set_string(set, container, STR("image"), job->image);
    add_texts(set, container, STR("command"), &job->command);
    add_texts(set, container, STR("args"), &job->args);
    add_env(set, container, job->env);
}

static struct doc_node *manifest(struct doc_set *set, const struct khook_attempt *a,
                                 const struct kube_ref *ref)
{
    struct doc_node *job = doc_new_map(set), *metadata, *spec;
    int64_t left_s = clock_left(cancel_deadline(a->cancel)) / 1000;

    doc_set_string(set, job, STR("apiVersion"), STR("batch/v1"));
    doc_set_string(set, job, STR("kind"), STR("Job"));
    metadata = doc_ensure_map(set, job, STR("metadata"));
    doc_set_string(set, metadata, STR("name"), ref->name);
    doc_set_string(set, metadata, STR("namespace"), ref->ns);
    add_label(set, metadata);
    if (a->input_hash.len)
        doc_set_string(set, doc_ensure_map(set, metadata, STR("annotations")), INPUT_HASH,
                       a->input_hash);
    spec = doc_ensure_map(set, job, STR("spec"));
    doc_set_int(set, spec, STR("backoffLimit"), 0);
    doc_set_int(set, spec, STR("activeDeadlineSeconds"), MAX(left_s, (int64_t)1));
    add_pod(set, doc_ensure_map(set, spec, STR("template")), a->step);
    return job;
}

/* ---- running */

struct finishing {
    const struct kube_ref *ref;
    struct buf *outstanding;
    struct kube_object failed; /* a copy, when it failed */
    bool is_complete, was_there, is_gone;
};

static int on_event(void *ctx, const struct kube_event *event)
{
    struct finishing *f = ctx;

    if (event->type == KUBE_SYNCED)
        return 0;
    if (event->type == KUBE_DELETED) {
        f->is_gone = true;
        return 1;
    }
    f->was_there = true;
    f->is_complete = kube_condition_is(event->object, "Complete", "True");
    if (kube_condition_is(event->object, "Failed", "True")) {
        f->failed.set = doc_set_new();
        f->failed.root = doc_copy(f->failed.set, event->object);
        return 1;
    }
    if (f->outstanding) {
        buf_clear(f->outstanding);
        buf_addf(f->outstanding, "job/%.*s@%.*s has not finished", STR_ARG(f->ref->name),
                 STR_ARG(f->ref->ns));
    }
    return f->is_complete;
}

static int failure(const struct khook_context *ctx, const struct finishing *f, struct err *e)
{
    const struct doc_node *condition = kube_condition(f->failed.root, "Failed");
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, clock_after(WHY_MS));
    AUTO(buf_done) struct buf why = {0};
    str reason = doc_text(doc_get_lit(condition, "message"),
                          doc_text(doc_get_lit(condition, "reason"), STR("failed")));

    kube_why(ctx->kube, f->ref->type, f->failed.root, WHY_LINES, WHY_EVENTS, cancel, &why);
    return err_set(e, ERR_IO, "job/%.*s@%.*s failed: %.*s%s", STR_ARG(f->ref->name),
                   STR_ARG(f->ref->ns), STR_ARG(reason), buf_cstr(&why));
}

static int finish(const struct khook_context *ctx, const struct khook_attempt *a,
                  const struct kube_ref *ref, struct err *e)
{
    struct finishing f = {.ref = ref, .outstanding = a->outstanding};
    int rc;

    rc = kube_watch_object(ctx->kube, ref, a->cancel, on_event, &f, e);
    if (rc == 0 && f.failed.root)
        rc = failure(ctx, &f, e);
    else if (rc == 0 && f.is_gone && !f.is_complete)
        rc = err_set(e, ERR_NOT_FOUND, "job/%.*s@%.*s was deleted while it ran", STR_ARG(ref->name),
                     STR_ARG(ref->ns));
    kube_object_done(&f.failed);
    return rc;
}

static int create(const struct khook_context *ctx, const struct khook_attempt *a,
                  const struct kube_ref *ref, struct err *e)
{
    struct kube_write_options write = {.field_manager = STR(KHOOK_MANAGER)};
    AUTO(kube_object_done) struct kube_object answer = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    if (kube_create(ctx->kube, ref, manifest(set, a, ref), &write, a->cancel, &answer, e) < 0)
        return err_wrap(e, "creating job/%.*s@%.*s", STR_ARG(ref->name), STR_ARG(ref->ns));
    log_info("created", LOG_STR("job", ref->name), LOG_STR("namespace", ref->ns));
    return 0;
}

/* A Job of a run that was killed, which this one takes over (16.5). */
static bool is_adoptable(const struct khook_attempt *a, const struct doc_node *job)
{
    str hash = doc_text(doc_get(doc_at(job, "metadata/annotations"), INPUT_HASH), STR_NONE);

    return a->may_adopt && a->input_hash.len && str_eq(hash, a->input_hash) &&
           !doc_at(job, "metadata/deletionTimestamp");
}

/* What is to be done about the Job that is there: 0 run a new one, 1 wait for this one, 2 nothing.
 */
enum { RUN_NEW, TAKE_OVER, LEAVE };

static int judge_live(const struct khook_context *ctx, const struct khook_attempt *a,
                      const struct kube_ref *ref, struct err *e)
{
    AUTO(kube_object_done) struct kube_object live = {0};
    bool found;

    if (kube_get(ctx->kube, ref, a->cancel, &live, e) < 0) {
        if (e->kind != ERR_NOT_FOUND)
            return err_wrap(e, "looking up job/%.*s@%.*s", STR_ARG(ref->name), STR_ARG(ref->ns));
        err_done(e);
        return RUN_NEW;
    }
    if (!is_own(live.root))
        return foreign(ref, e);
    if (a->step->job->skip_if.len && kube_condition_is(live.root, "Complete", "True")) {
        buf_add_cstr(a->note, "skipIf: succeeded");
        return LEAVE;
    }
    if (is_adoptable(a, live.root)) {
        buf_add_cstr(a->note, "adopted the Job of an interrupted run");
        return TAKE_OVER;
    }
    if (khook_delete_object(ctx->kube, ref, true, a->cancel, a->outstanding, &found, e) < 0)
        return -1;
    return RUN_NEW;
}

/* A Job that exists though it did not a moment ago: the answer to its creation was lost and the
 * client asked again. */
static bool is_just_created(const struct khook_context *ctx, const struct khook_attempt *a,
                            const struct kube_ref *ref)
{
    AUTO(kube_object_done) struct kube_object live = {0};
    AUTO(err_done) struct err e = {0};
    str hash;

    if (kube_get(ctx->kube, ref, a->cancel, &live, &e) < 0 || !is_own(live.root))
        return false;
    hash = doc_text(doc_get(doc_at(live.root, "metadata/annotations"), INPUT_HASH), STR_NONE);
    return str_eq(hash, a->input_hash) && !doc_at(live.root, "metadata/deletionTimestamp");
}

static int create_once(const struct khook_context *ctx, const struct khook_attempt *a,
                       const struct kube_ref *ref, struct err *e)
{
    if (create(ctx, a, ref, e) == 0)
        return 0;
    if (e->kind != ERR_EXISTS || !is_just_created(ctx, a, ref))
        return -1;
    err_done(e);
    return 0;
}

static int run(const struct khook_context *ctx, const struct khook_attempt *a, struct err *e)
{
    const struct khook_job *job = a->step->job;
    struct kube_ref ref;
    int what;

    if (job_ref(ctx, a->step, a->cancel, &ref, e) < 0)
        return -1;
    if (job->create_ns && khook_ensure_namespace(ctx->kube, ref.ns, a->cancel, e) < 0)
        return -1;
    what = judge_live(ctx, a, &ref, e);
    if (what < 0 || what == LEAVE)
        return what < 0 ? -1 : 0;
    if (what == RUN_NEW && create_once(ctx, a, &ref, e) < 0)
        return -1;
    return finish(ctx, a, &ref, e);
}

static int teardown(const struct khook_context *ctx, const struct khook_attempt *a, struct err *e)
{
    AUTO(kube_object_done) struct kube_object live = {0};
    struct kube_ref ref;
    bool found;

    if (job_ref(ctx, a->step, a->cancel, &ref, e) < 0)
        return -1;
    if (kube_get(ctx->kube, &ref, a->cancel, &live, e) < 0) {
        if (e->kind != ERR_NOT_FOUND)
            return -1;
        err_done(e);
        return 0;
    }
    if (!is_own(live.root))
        return foreign(&ref, e);
    return khook_delete_object(ctx->kube, &ref, true, a->cancel, a->outstanding, &found, e);
}

/* ---- plan */

static void predict_live(const struct khook_job *job, const struct doc_node *live,
                         struct khook_prediction *ret)
{
    ret->action = KHOOK_PLAN_RUN;
    if (live && !is_own(live)) {
        ret->action = KHOOK_PLAN_UNKNOWN;
        buf_add_cstr(&ret->detail, "a Job of this name exists that is not managed by khook");
    } else if (live && job->skip_if.len && kube_condition_is(live, "Complete", "True")) {
        ret->action = KHOOK_PLAN_SKIP;
        buf_add_cstr(&ret->detail, "skipIf: succeeded");
    } else {
        buf_addf(&ret->detail, "runs %.*s%s", STR_ARG(job->image),
                 live ? "; replaces the Job of an earlier run" : "");
    }
}

static int predict(const struct khook_context *ctx, const struct khook_step *step,
                   struct cancel *cancel, struct khook_prediction *ret, struct err *e)
{
    AUTO(kube_object_done) struct kube_object live = {0};
    struct kube_ref ref;

    if (job_ref(ctx, step, cancel, &ref, e) < 0)
        return -1;
    if (kube_get(ctx->kube, &ref, cancel, &live, e) < 0 && e->kind != ERR_NOT_FOUND)
        return -1;
    err_done(e);
    predict_live(step->job, live.root, ret);
    if (!live.root)
        khook_predict_namespace(ctx, ref.ns, step->job->create_ns, cancel, &ret->detail);
    return 0;
}

static void summary(const struct khook_step *step, struct buf *out)
{
    buf_addf(out, "%.*s in %.*s", STR_ARG(step->job->image),
             STR_ARG(step->job->ns.len ? step->job->ns : STR("default")));
}

const struct khook_executor khook_act_job = {
    .run = run,
    .teardown = teardown,
    .predict = predict,
    .summary = summary,
};
