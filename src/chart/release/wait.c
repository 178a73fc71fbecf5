/* Waiting by watches (helm spec 13): one watch for each type and namespace, on a thread of its own;
 * nothing is asked while nothing changes. */
#include <pthread.h>

#include "base/mem.h"
#include "chart/release/release_priv.h"
#include "doc/at.h"
#include "kube/held.h"
#include "kube/watch.h"
#include "sys/thread.h"

enum { THREADS = 32 };

struct item {
    const struct chart_object *o;
    str state; /* kstatus' word, static */
    struct buf why;
    struct buf held; /* deleted and still there: what keeps it, and the remedy */
    bool is_settled; /* as wanted, or failed */
    bool is_good;
};

struct wait {
    const struct chart_run *run;
    enum chart_wait_for what;
    struct cancel *cancel;
    pthread_mutex_t lock;
    struct item *items;
    size_t count;
    size_t *groups; /* the first item of each type and namespace */
    size_t group_count, next_group;
};

struct group {
    struct wait *w;
    const struct chart_object *head;
    bool is_synced;
};

/* ---- judging */

static void settle(struct item *item, const char *state, bool is_settled, bool is_good)
{
    item->state = str_of(state);
    item->is_settled = is_settled;
    item->is_good = is_good;
}

/* Hooks: what a Job or Pod came to; with waits_for_jobs also of Jobs of the release. */
static bool judge_ending(struct item *item, const struct doc_node *object, bool is_pod)
{
    str phase = doc_string(doc_at(object, "status/phase"), STR(""));
    bool good =
        is_pod ? str_eq(phase, STR("Succeeded")) : kube_condition_is(object, "Complete", "True");
    bool bad = is_pod ? str_eq(phase, STR("Failed")) : kube_condition_is(object, "Failed", "True");

    if (bad && is_pod)
        buf_addf(&item->why, "pod %.*s failed", STR_ARG(item->o->name));
    else if (bad)
        buf_addf(&item->why, "Job Failed. failed: %lld/%lld",
                 (long long)doc_int_at(object, "status/failed", 0),
                 (long long)doc_int_at(object, "spec/completions", 1));
    else if (!good)
        buf_add_cstr(&item->why, is_pod ? "Pod in progress" : "Job in progress");
    settle(item, good ? "Current" : bad ? "Failed" : "InProgress", good || bad, good);
    return true;
}

static void judge(const struct wait *w, struct item *item, const struct doc_node *object)
{
    const struct kube_type *type = item->o->ref.type;
    bool is_job = str_eq(type->kind, STR("Job")) && str_eq(type->group, STR("batch"));
    bool is_pod = str_eq(type->kind, STR("Pod")) && !type->group.len;
    enum kube_state state;

    buf_clear(&item->why);
    if ((is_pod && w->what == CHART_UNTIL_RAN) ||
        (is_job && (w->what == CHART_UNTIL_RAN || w->what == CHART_UNTIL_DONE))) {
        judge_ending(item, object, is_pod);
        return;
    }
    if (w->what == CHART_UNTIL_RAN) {
        settle(item, "Current", true, true);
        return;
    }
    state = kube_status(object, &item->why);
    if (w->what == CHART_UNTIL_GONE)
        settle(item, kube_state_name(state), false, false);
    else
        settle(item, kube_state_name(state), state == KUBE_CURRENT || state == KUBE_FAILED,
               state == KUBE_CURRENT);
}

static void judge_missing(const struct wait *w, struct item *item)
{
    bool is_good = w->what == CHART_UNTIL_GONE;

    buf_clear(&item->why);
    if (!is_good)
        buf_add_cstr(&item->why, "Resource not found");
    settle(item, "NotFound", is_good, is_good);
}

static void note_held(const struct wait *w, struct item *item, const struct doc_node *object)
{
    AUTO(buf_done) struct buf remedy = {0};

    buf_clear(&item->held);
    if (w->what != CHART_UNTIL_GONE || !kube_held_why(item->o->ref.type, object, &item->held))
        return;
    kube_held_remedy(item->o->ref.type, object, &remedy);
    if (remedy.len)
        buf_addf(&item->held, "; %s", buf_cstr(&remedy));
}

/* ---- one group */

static bool is_of(const struct item *item, const struct chart_object *head)
{
    return item->o->ref.type == head->ref.type && str_eq(item->o->ref.ns, head->ref.ns);
}

static bool is_over(const struct group *g)
{
    for (size_t i = 0; i < g->w->count; i++)
        if (is_of(&g->w->items[i], g->head) && !g->w->items[i].is_settled)
            return false;
    return true;
}

/* "Deployment/shop/web (Available: 0/1), ConfigMap/shop/a, +2 more". Under the lock. */
static void tell_missing(const struct wait *w)
{
    enum { NAMED = 3 };
    AUTO(buf_done) struct buf text = {0};
    size_t count = 0;

    if (!w->run->op->tell)
        return;
    for (size_t i = 0; i < w->count; i++) {
        const struct item *item = &w->items[i];

        if (item->is_good || count++ >= NAMED)
            continue;
        buf_addf(&text, "%s%.*s/%.*s/%.*s", text.len ? ", " : "", STR_ARG(item->o->kind),
                 STR_ARG(item->o->ref.ns), STR_ARG(item->o->name));
        if (item->why.len)
            buf_addf(&text, " (%s)", buf_cstr(&item->why));
    }
    if (count > NAMED)
        buf_addf(&text, ", +%zu more", count - NAMED);
    w->run->op->tell(w->run->op->ctx, CHART_TALE_MISSING, buf_view(&text));
}

static int on_event(void *ctx, const struct kube_event *event)
{
    struct group *g = ctx;
    str name = doc_text(doc_at(event->object, "metadata/name"), STR(""));
    LOCK_SCOPE(&g->w->lock);

    if (event->type == KUBE_SYNCED) {
        g->is_synced = true;
        for (size_t i = 0; i < g->w->count; i++)
            if (is_of(&g->w->items[i], g->head) && !g->w->items[i].state.len)
                judge_missing(g->w, &g->w->items[i]);
    }
    for (size_t i = 0; event->type != KUBE_SYNCED && i < g->w->count; i++) {
        struct item *item = &g->w->items[i];

        if (!is_of(item, g->head) || !str_eq(item->o->name, name))
            continue;
        if (event->type == KUBE_DELETED)
            judge_missing(g->w, item);
        else
            judge(g->w, item, event->object);
        note_held(g->w, item, event->object);
    }
    if (g->is_synced)
        tell_missing(g->w);
    return g->is_synced && is_over(g);
}

static size_t group_size(const struct wait *w, const struct chart_object *head)
{
    size_t size = 0;

    for (size_t i = 0; i < w->count; i++)
        size += is_of(&w->items[i], head);
    return size;
}

static void fail_group(struct group *g, const struct err *e)
{
    LOCK_SCOPE(&g->w->lock);

    for (size_t i = 0; i < g->w->count; i++) {
        struct item *item = &g->w->items[i];

        if (!is_of(item, g->head) || item->is_settled)
            continue;
        if (e->kind == ERR_NOT_FOUND) { /* the type itself went away */
            judge_missing(g->w, item);
            continue;
        }
        buf_clear(&item->why);
        buf_add_cstr(&item->why, err_text(e));
        item->state = STR("Unknown");
    }
}

static void watch_group(struct wait *w, const struct chart_object *head)
{
    struct group g = {.w = w, .head = head};
    struct kube_ref all = {.type = head->ref.type, .ns = head->ref.ns};
    AUTO(err_done) struct err e = {0};
    int rc = group_size(w, head) == 1
                 ? kube_watch_object(w->run->kube, &head->ref, w->cancel, on_event, &g, &e)
                 : kube_watch(w->run->kube, &all, NULL, w->cancel, on_event, &g, &e);

    if (rc < 0 && e.kind != ERR_TIMEOUT && e.kind != ERR_CANCELED)
        fail_group(&g, &e);
}

static bool take_group(struct wait *w, const struct chart_object **ret)
{
    LOCK_SCOPE(&w->lock);

    if (w->next_group == w->group_count)
        return false;
    *ret = w->items[w->groups[w->next_group++]].o;
    return true;
}

static void work(void *ctx)
{
    const struct chart_object *head;

    while (take_group(ctx, &head))
        watch_group(ctx, head);
}

/* ---- all */

static void find_groups(struct wait *w)
{
    for (size_t i = 0; i < w->count; i++) {
        size_t first = 0;

        while (!is_of(&w->items[first], w->items[i].o))
            first++;
        if (first == i)
            w->groups[w->group_count++] = i;
    }
}

static void watch_all(struct wait *w)
{
    struct thread *threads[THREADS - 1] = {0};
    size_t helpers = MIN(w->group_count, (size_t)THREADS);

    for (size_t i = 0; i + 1 < helpers; i++) {
        AUTO(err_done) struct err ignored = {0};

        threads[i] = thread_start("wait", work, w, &ignored);
    }
    work(w);
    for (size_t i = 0; i + 1 < helpers; i++)
        thread_join(threads[i]);
}

static int report(const struct wait *w, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err why = {0};
    bool is_late = cancel_check(w->cancel, &why) < 0;

    for (size_t i = 0; i < w->count; i++) {
        const struct item *item = &w->items[i];

        if (item->is_good)
            continue;
        buf_addf(&out, "%sresource %.*s/%.*s/%.*s %s. status: %.*s, message: %s",
                 out.len ? "\n" : "", STR_ARG(item->o->kind), STR_ARG(item->o->ref.ns),
                 STR_ARG(item->o->name), w->what == CHART_UNTIL_GONE ? "still exists" : "not ready",
                 STR_ARG(item->state.len ? item->state : STR("Unknown")), buf_cstr(&item->why));
        if (w->what != CHART_UNTIL_GONE)
            chart_reason_add(w->run, item->o);
        else if (item->held.len)
            chart_reason_note(w->run, item->o, buf_view(&item->held));
    }
    if (!out.len)
        return 0;
    if (is_late)
        buf_add_cstr(&out, why.kind == ERR_TIMEOUT ? "\ncontext deadline exceeded"
                                                   : "\ncontext canceled");
    return err_set(e, is_late ? why.kind : ERR_IO, "%s", buf_cstr(&out));
}

/* Paused Deployments count as ready; what is current when it is sent need not be watched. */
static bool is_watched(const struct chart_object *o, enum chart_wait_for what)
{
    bool is_job = str_eq(o->kind, STR("Job"));

    if (what == CHART_UNTIL_RAN || what == CHART_UNTIL_GONE)
        return true;
    if (str_eq(o->kind, STR("Deployment")) && doc_bool(doc_at(o->node, "spec/paused"), false))
        return false;
    return o->state != KUBE_CURRENT || (is_job && what == CHART_UNTIL_DONE);
}

int chart_wait_watching(const struct chart_run *run, struct chart_objects *objects,
                        enum chart_wait_for what, struct err *e)
{
    AUTO(cancel_free)
    struct cancel *cancel = cancel_new(run->cancel, clock_after(chart_run_timeout(run)));
    struct wait w = {.run = run, .what = what, .cancel = cancel};
    int rc;

    w.items = mem_zalloc((objects->len + 1) * sizeof(*w.items));
    w.groups = mem_zalloc((objects->len + 1) * sizeof(*w.groups));
    pthread_mutex_init(&w.lock, NULL);
    for (size_t i = 0; i < objects->len; i++)
        if (is_watched(&objects->v[i], what))
            w.items[w.count++].o = &objects->v[i];
    find_groups(&w);
    watch_all(&w);
    rc = report(&w, e);
    for (size_t i = 0; i < w.count; i++) {
        buf_done(&w.items[i].why);
        buf_done(&w.items[i].held);
    }
    pthread_mutex_destroy(&w.lock);
    mem_free(w.items);
    mem_free(w.groups);
    return rc;
}

int chart_wait_ready(const struct chart_run *run, struct chart_objects *objects, struct err *e)
{
    switch (run->op->wait) {
    case CHART_WAIT_HOOKS:
        return 0;
    case CHART_WAIT_WATCHER:
        return chart_wait_watching(
            run, objects, run->op->waits_for_jobs ? CHART_UNTIL_DONE : CHART_UNTIL_READY, e);
    case CHART_WAIT_LEGACY:
        break;
    }
    return chart_wait_polling(run, objects, run->op->waits_for_jobs, e);
}

int chart_wait_gone(const struct chart_run *run, struct chart_objects *objects, struct err *e)
{
    if (run->op->wait == CHART_WAIT_HOOKS)
        return 0;
    return chart_wait_watching(run, objects, CHART_UNTIL_GONE, e);
}
