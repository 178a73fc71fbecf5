/* The loop: a queue of objects that need a turn, and a heap of timers. */
#include "sandbox/controllers/controllers.h"

#include <sched.h>

struct sb_task {
    str key;
    enum sb_ctl ctl;
    struct sb_res *res;
    str ns, name; /* views into key */
};

/* ---- timers: a binary heap by time, then order of arrival */

static bool is_before(const struct sb_timer *a, const struct sb_timer *b)
{
    return a->due != b->due ? a->due < b->due : a->order < b->order;
}

static void swap(struct sb_timer *a, struct sb_timer *b)
{
    struct sb_timer t = *a;

    *a = *b;
    *b = t;
}

void sb_timer(struct sandbox *sb, clock_ms due, sb_timer_fn *fn, sb_timer_fn *drop, void *arg)
{
    size_t at = sb->timers.len;

    if (due == CLOCK_NEVER)
        return;
    vec_push(&sb->timers,
             {.due = due, .order = ++sb->timer_order, .fn = fn, .drop = drop, .arg = arg});
    while (at > 0 && is_before(&sb->timers.v[at], &sb->timers.v[(at - 1) / 2])) {
        swap(&sb->timers.v[at], &sb->timers.v[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    pthread_cond_signal(&sb->loop_cond);
}

static struct sb_timer timer_pop(struct sandbox *sb)
{
    struct sb_timer first = sb->timers.v[0];
    size_t at = 0;

    sb->timers.v[0] = vec_last(&sb->timers);
    sb->timers.len--;
    for (;;) {
        size_t least = at, left = at * 2 + 1;

        for (size_t k = left; k < left + 2 && k < sb->timers.len; k++)
            if (is_before(&sb->timers.v[k], &sb->timers.v[least]))
                least = k;
        if (least == at)
            return first;
        swap(&sb->timers.v[at], &sb->timers.v[least]);
        at = least;
    }
}

/* ---- the queue */

static void sb_ctl_enqueue(struct sandbox *sb, enum sb_ctl ctl, struct sb_res *res, str ns,
                           str name)
{
    AUTO(buf_done) struct buf key = {0};
    struct sb_task *t;
    size_t head;

    if (ctl == CTL_NONE || sb->is_loading)
        return;
    buf_addf(&key, "%d %.*s %.*s ", ctl, STR_ARG(res->group), STR_ARG(res->plural));
    head = key.len;
    buf_addf(&key, "%.*s %.*s", STR_ARG(ns), STR_ARG(name));
    if (map_has(&sb->queued, buf_view(&key)))
        return;
    t = NEW(struct sb_task);
    t->ctl = ctl;
    t->res = res;
    t->key.len = key.len;
    t->key.p = buf_take(&key);
    t->ns = str_sub(t->key, head, ns.len);
    t->name = str_from(t->key, head + ns.len + 1);
    map_put(&sb->queued, t->key, t);
    vec_push(&sb->tasks, t);
    pthread_cond_signal(&sb->loop_cond);
}

static void task_free(struct sb_task *t)
{
    mem_free((char *)t->key.p);
    mem_free(t);
}

static struct sb_task *task_pop(struct sandbox *sb)
{
    struct sb_task *t = sb->tasks.v[sb->task_at++];

    if (sb->task_at == sb->tasks.len)
        sb->task_at = sb->tasks.len = 0;
    map_remove(&sb->queued, t->key);
    return t;
}

static void on_due(struct sandbox *sb, void *arg)
{
    struct sb_task *t = arg;

    sb_ctl_enqueue(sb, t->ctl, t->res, t->ns, t->name);
    task_free(t);
}

static void drop_due(struct sandbox *sb UNUSED, void *arg) { task_free(arg); }

void sb_ctl_enqueue_at(struct sandbox *sb, enum sb_ctl ctl, const struct sb_slot *slot,
                       clock_ms due)
{
    struct sb_task *t = NEW(struct sb_task);
    AUTO(buf_done) struct buf key = {0};

    buf_addf(&key, "%.*s %.*s", STR_ARG(slot->ns), STR_ARG(slot->name));
    t->ctl = ctl;
    t->res = slot->res;
    t->key.len = key.len;
    t->key.p = buf_take(&key);
    t->ns = str_sub(t->key, 0, slot->ns.len);
    t->name = str_from(t->key, slot->ns.len + 1);
    sb_timer(sb, due, on_due, drop_due, t);
}

/* ---- who needs a turn after a write */

static void enqueue_slot(struct sandbox *sb, enum sb_ctl ctl, const struct sb_slot *slot)
{
    sb_ctl_enqueue(sb, ctl, slot->res, slot->ns, slot->name);
}

static void notify_collector(struct sandbox *sb, struct sb_slot *slot, bool is_gone)
{
    struct sb_deps *d = sb_deps_of(sb, slot->uid);
    bool ends = is_gone || (slot->brief.is_deleting &&
                            (slot->brief.is_foreground || slot->brief.is_orphaning));

    for (size_t i = 0; ends && d && i < d->v.len; i++)
        enqueue_slot(sb, CTL_COLLECT, d->v.v[i]);
    if (ends && !is_gone)
        enqueue_slot(sb, CTL_COLLECT, slot);
    for (uint32_t i = 0; i < slot->owner_count; i++) {
        const struct sb_slot *owner = sb_by_uid(sb, slot->owners[i].uid);

        if (!owner || (owner->brief.is_deleting && owner->brief.is_foreground)) {
            if (!is_gone)
                enqueue_slot(sb, CTL_COLLECT, slot);
            if (owner)
                enqueue_slot(sb, CTL_COLLECT, owner);
        }
    }
}

static bool is_core(const struct sb_slot *slot, const char *plural)
{
    return !slot->res->group.len && str_eq(slot->res->plural, str_of(plural));
}

/* Volumes and claims wait for the end of what uses them. */
static void notify_volumes(struct sandbox *sb, const struct sb_slot *slot, bool is_gone)
{
    struct sb_res *claims;

    if (slot->brief.is_deleting && slot->brief.has_finalizers && !is_gone &&
        (is_core(slot, "persistentvolumes") || is_core(slot, "persistentvolumeclaims")))
        enqueue_slot(sb, CTL_COLLECT, slot);
    if (slot->res->ctl != CTL_POD || !(is_gone || slot->brief.phase >= SB_SUCCEEDED))
        return;
    claims = sb_res_of(sb, STR_NONE, STR("persistentvolumeclaims"));
    for (size_t at = sb_lower_bound(claims, slot->ns, STR_NONE);
         at < claims->slots.len && str_eq(claims->slots.v[at]->ns, slot->ns); at++)
        if (claims->slots.v[at]->brief.is_deleting)
            enqueue_slot(sb, CTL_COLLECT, claims->slots.v[at]);
}

static void notify_container(struct sandbox *sb, const struct sb_slot *slot)
{
    struct sb_res *res = sb_res_of(sb, STR_NONE, STR("namespaces"));
    const struct sb_slot *ns = slot->ns.len ? sb_find(res, STR_NONE, slot->ns) : NULL;
    char crd[300];
    int n;

    if (ns && ns->brief.is_deleting)
        enqueue_slot(sb, CTL_NAMESPACE, ns);
    if (!slot->res->kinds.v[0]->crd)
        return;
    res = sb_res_of(sb, STR("apiextensions.k8s.io"), STR("customresourcedefinitions"));
    n = snprintf(crd, sizeof(crd), "%.*s.%.*s", STR_ARG(slot->res->plural),
                 STR_ARG(slot->res->group));
    ns = sb_find(res, STR_NONE, (str){crd, MIN((size_t)n, sizeof(crd) - 1)});
    if (ns && ns->brief.is_deleting)
        enqueue_slot(sb, CTL_DEFINITION, ns);
}

void sb_ctl_notify(struct sandbox *sb, struct sb_slot *slot, bool is_gone)
{
    enum sb_ctl own = slot->res->ctl;

    if (sb->o.is_bare || sb->is_loading)
        return;
    notify_collector(sb, slot, is_gone);
    notify_volumes(sb, slot, is_gone);
    if (is_gone)
        notify_container(sb, slot);
    if (!is_gone && (own < CTL_POD || !sb->o.no_controllers))
        enqueue_slot(sb, own, slot);
    if (sb->o.no_controllers)
        return;
    for (uint32_t i = 0; i < slot->owner_count; i++) {
        const struct sb_slot *owner =
            slot->owners[i].is_controller ? sb_by_uid(sb, slot->owners[i].uid) : NULL;

        if (owner)
            enqueue_slot(sb, owner->res->ctl, owner);
    }
}

/* ---- turns */

static void take_turn(struct sandbox *sb, struct sb_slot *slot, enum sb_ctl ctl)
{
    static void (*const turns[CTL_COUNT])(struct ctl * c) = {
        [CTL_POD] = ctl_pod,
        [CTL_REPLICASET] = ctl_replicaset,
        [CTL_DEPLOYMENT] = ctl_deployment,
        [CTL_STATEFULSET] = ctl_statefulset,
        [CTL_DAEMONSET] = ctl_daemonset,
        [CTL_JOB] = ctl_job,
    };
    struct ctl c = {.sb = sb, .slot = slot, .set = doc_set_new()};

    c.doc = sb_load(c.set, slot->res->kinds.v[0], slot->obj);
    c.meta = doc_get_lit(c.doc, "metadata");
    c.spec = doc_get_lit(c.doc, "spec");
    c.status = doc_ensure_map(c.set, c.doc, STR("status"));
    if (c.status)
        turns[ctl](&c);
    doc_set_free(c.set);
}

static void run_task(struct sandbox *sb, const struct sb_task *t)
{
    struct sb_slot *slot = sb_find(t->res, t->ns, t->name);

    if (!slot)
        return;
    if (t->ctl == CTL_COLLECT)
        sb_collect(sb, slot);
    else if (t->ctl == CTL_NAMESPACE)
        ctl_namespace(sb, slot);
    else if (t->ctl == CTL_DEFINITION)
        sb_end_definition(sb, slot);
    else
        take_turn(sb, slot, t->ctl);
}

/* While the data file cannot be written nothing is to be done to objects; it is tried again now and
 * then. */
static bool may_work(struct sandbox *sb)
{
    AUTO(err_done) struct err told = {0};
    clock_ms again = sb_disk_stuck(sb);

    return !again || (again <= clock_now() && sb_disk_flush(sb, &told) == 0);
}

bool sb_loop_step(struct sandbox *sb)
{
    AUTO(err_done) struct err told = {0};

    if (sb->timers.len && sb->timers.v[0].due <= clock_now()) {
        struct sb_timer t = timer_pop(sb);

        t.fn(sb, t.arg);
        return true;
    }
    if (may_work(sb) && sb->tasks.len) {
        struct sb_task *t = task_pop(sb);

        run_task(sb, t);
        task_free(t);
        sb_disk_flush(sb, &told); /* the sandbox has told it */
        return true;
    }
    return false;
}

static clock_ms next_due(struct sandbox *sb)
{
    clock_ms timer = sb->timers.len ? sb->timers.v[0].due : CLOCK_NEVER;
    clock_ms again = sb_disk_stuck(sb);

    return again ? MIN(timer, again) : timer;
}

static void loop_main(void *arg)
{
    struct sandbox *sb = arg;

    pthread_mutex_lock(&sb->lock);
    while (!sb->is_stopping) {
        if (!sb_loop_step(sb)) {
            thread_cond_wait(&sb->loop_cond, &sb->lock, next_due(sb));
        } else if (atomic_load(&sb->waiting)) { /* requests go first */
            pthread_mutex_unlock(&sb->lock);
            sched_yield();
            pthread_mutex_lock(&sb->lock);
        }
    }
    pthread_mutex_unlock(&sb->lock);
}

void sb_timers_drop(struct sandbox *sb)
{
    while (sb->timers.len) {
        struct sb_timer t = timer_pop(sb);

        if (t.drop)
            t.drop(sb, t.arg);
    }
    vec_done(&sb->timers);
}

int sb_loop_start(struct sandbox *sb, struct err *e)
{
    sb->loop = thread_start("sandbox", loop_main, sb, e);
    return sb->loop ? 0 : -1;
}

void sb_loop_stop(struct sandbox *sb)
{
    pthread_mutex_lock(&sb->lock);
    sb->is_stopping = true;
    pthread_cond_signal(&sb->loop_cond);
    pthread_mutex_unlock(&sb->lock);
    thread_join(sb->loop);
    sb->loop = NULL;
    for (size_t i = sb->task_at; i < sb->tasks.len; i++)
        task_free(sb->tasks.v[i]);
    vec_done(&sb->tasks);
    map_done(&sb->queued);
    sb_timers_drop(sb);
}
