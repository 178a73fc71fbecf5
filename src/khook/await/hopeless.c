#include "khook/await/hopeless.h"

#include <pthread.h>

#include "base/mem.h"
#include "base/vec.h"
#include "kube/selector.h"
#include "kube/status.h"
#include "kube/watch.h"
#include "kube/why.h"
#include "sys/thread.h"

enum { MOST_WORKLOADS = 16, WHY_LINES = 20, WHY_EVENTS = 3, WHY_MS = 3000 };

/* ---- the object itself */

static bool is_true(const struct doc_node *condition)
{
    return str_eq(doc_text(doc_get_lit(condition, "status"), STR_NONE), STR("True"));
}

/* The author waits for failure, or for the end of the object: then failing is not the end of hope.
 */
static bool is_wanted(const struct khook_await *wait)
{
    for (size_t i = 0; i < wait->count; i++) {
        if (wait->conditions[i].kind == WAIT_DELETE || str_contains(wait->texts[i], STR("Failed")))
            return true;
    }
    return false;
}

static bool is_met_already(const struct khook_await *wait, const struct doc_node *object)
{
    size_t met = 0;

    for (size_t i = 0; i < wait->count; i++) {
        AUTO(err_done) struct err e = {0};

        met += wait_for_met(&wait->conditions[i], object, &e) == 1;
    }
    return wait->any ? met > 0 : met == wait->count;
}

static void say(const struct doc_node *condition, const char *fallback, struct buf *ret)
{
    str reason = doc_text(doc_get_lit(condition, "reason"), STR_NONE);
    str message = doc_text(doc_get_lit(condition, "message"), STR_NONE);

    buf_clear(ret);
    if (reason.len)
        buf_addf(ret, "%.*s%s%.*s", STR_ARG(reason), message.len ? ": " : "", STR_ARG(message));
    else
        buf_addf(ret, "%s%s%.*s", fallback, message.len ? ": " : "", STR_ARG(message));
}

static bool failed_deployment(const struct doc_node *object, struct buf *ret)
{
    const struct doc_node *c = kube_condition(object, "Progressing");

    if (!str_eq(doc_text(doc_get_lit(c, "reason"), STR_NONE), STR("ProgressDeadlineExceeded")))
        return false;
    say(c, "past its progress deadline", ret);
    return true;
}

static bool failed_pod(const struct doc_node *object, bool fail_fast, struct buf *ret)
{
    if (str_eq(doc_text(doc_at(object, "status/phase"), STR_NONE), STR("Failed"))) {
        say(doc_get_lit(object, "status"), "the Pod failed", ret);
        return true;
    }
    return fail_fast && kube_pod_is_stuck(object, ret);
}

bool hopeless_object(const struct khook_await *wait, const struct kube_type *type,
                     const struct doc_node *object, struct buf *ret)
{
    const struct doc_node *failed = kube_condition(object, "Failed");

    if (is_wanted(wait) || is_met_already(wait, object))
        return false;
    if (str_eq(type->kind, STR("Pod")) && type->group.len == 0)
        return failed_pod(object, wait->fail_fast, ret);
    if (str_eq(type->kind, STR("Deployment")) && str_eq(type->group, STR("apps")))
        return failed_deployment(object, ret);
    if ((wait->fail_fast ||
         (str_eq(type->kind, STR("Job")) && str_eq(type->group, STR("batch")))) &&
        is_true(failed)) {
        say(failed, "failed", ret);
        return true;
    }
    return false;
}

/* ---- the Pods below */

struct pod_watch {
    struct hopeless_pods *owner;
    char *ns, *selector;
    struct thread *thread;
};

struct hopeless_pods {
    struct kube *k;
    struct cancel *wait;   /* of the wait that is to end */
    struct cancel *cancel; /* of the watches */
    const struct kube_type *pods;
    VEC(struct pod_watch *) watches;
    pthread_mutex_t lock;
    char *reason; /* the first stuck Pod; under the lock */
};

struct hopeless_pods *hopeless_pods_new(struct kube *k, struct cancel *cancel)
{
    struct hopeless_pods *p = NEW(struct hopeless_pods);

    p->k = k;
    p->wait = cancel;
    p->cancel = cancel_new(cancel, CLOCK_NEVER);
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

static char *stuck_text(struct hopeless_pods *p, const struct doc_node *pod,
                        const struct buf *reason)
{
    AUTO(buf_done) struct buf why = {0};
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, clock_after(WHY_MS));

    kube_why(p->k, p->pods, pod, WHY_LINES, WHY_EVENTS, cancel, &why);
    return str_printf("pod/%.*s@%.*s: %s%s",
                      STR_ARG(doc_text(doc_at(pod, "metadata/name"), STR_NONE)),
                      STR_ARG(doc_text(doc_at(pod, "metadata/namespace"), STR_NONE)),
                      buf_cstr(reason), buf_cstr(&why));
}

static int on_pod(void *ctx, const struct kube_event *event)
{
    struct pod_watch *w = ctx;
    struct hopeless_pods *p = w->owner;
    AUTO(buf_done) struct buf reason = {0};

    if (event->type == KUBE_SYNCED || event->type == KUBE_DELETED ||
        !failed_pod(event->object, true, &reason))
        return 0;
    {
        AUTO(mem_free_str) char *text = stuck_text(p, event->object, &reason);
        LOCK_SCOPE(&p->lock);

        if (!p->reason)
            p->reason = TAKE(text);
    }
    cancel_trigger(p->wait, ERR_IO, "a Pod is stuck");
    return 1;
}

static void pod_watch_run(void *ctx)
{
    struct pod_watch *w = ctx;
    struct kube_ref ref = {.type = w->owner->pods, .ns = str_of(w->ns)};
    struct kube_list_options options = {.label_selector = str_of(w->selector)};
    AUTO(err_done) struct err e = {0}; /* what cannot be watched does not fail the wait */

    (void)kube_watch(w->owner->k, &ref, &options, w->owner->cancel, on_pod, w, &e);
}

static bool is_watched(const struct hopeless_pods *p, str ns, str selector)
{
    for (size_t i = 0; i < p->watches.len; i++)
        if (str_eq(str_of(p->watches.v[i]->ns), ns) &&
            str_eq(str_of(p->watches.v[i]->selector), selector))
            return true;
    return false;
}

void hopeless_pods_add(struct hopeless_pods *p, const struct kube_type *type,
                       const struct doc_node *workload)
{
    const struct doc_node *selector = doc_at(workload, "spec/selector");
    str ns = doc_text(doc_at(workload, "metadata/namespace"), STR_NONE);
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};
    struct pod_watch *w;

    if (!str_eq(type->group, STR("apps")) && !str_eq(type->group, STR("batch")))
        return;
    kube_selector_text(selector, &text);
    if (!text.len || p->watches.len >= MOST_WORKLOADS || is_watched(p, ns, buf_view(&text)))
        return;
    if (!p->pods)
        p->pods = kube_type_of(p->k, STR("v1"), STR("Pod"), p->cancel, &e);
    if (!p->pods)
        return;
    w = NEW(struct pod_watch);
    *w = (struct pod_watch){
        .owner = p, .ns = mem_strndup(ns.p, ns.len), .selector = buf_take(&text)};
    vec_push(&p->watches, w);
    w->thread = thread_start("pods", pod_watch_run, w, &e);
}

bool hopeless_pods_reason(struct hopeless_pods *p, struct err *e)
{
    LOCK_SCOPE(&p->lock);

    if (!p->reason)
        return false;
    err_set(e, ERR_IO, "%s", p->reason);
    return true;
}

void hopeless_pods_free(struct hopeless_pods *p)
{
    if (!p)
        return;
    cancel_trigger(p->cancel, ERR_CANCELED, "the wait is over");
    for (size_t i = 0; i < p->watches.len; i++) {
        struct pod_watch *w = p->watches.v[i];

        thread_join(w->thread);
        mem_free(w->ns);
        mem_free(w->selector);
        mem_free(w);
    }
    vec_done(&p->watches);
    cancel_free(p->cancel);
    pthread_mutex_destroy(&p->lock);
    mem_free(p->reason);
    mem_free(p);
}
