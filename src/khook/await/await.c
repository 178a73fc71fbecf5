#include "khook/await/await.h"

#include "khook/await/hopeless.h"
#include "khook/await/tracker.h"
#include "kube/held.h"
#include "kube/watch.h"
#include "kube/why.h"

enum {
    TYPE_RETRY_MS = 250,
    TYPE_RETRY_MAX_MS = 2000,
    WHY_LINES = 20,
    WHY_EVENTS = 3,
    WHY_MS = 3000
};

struct waiting {
    struct kube *k;
    const struct khook_await *wait;
    const struct kube_type *type;
    struct khook_tracker tracker;
    struct cancel *cancel; /* of this wait: also triggered by the Pods below a workload */
    struct buf *outstanding;
    struct hopeless_pods *pods; /* fail_fast: watches over the Pods below the workloads */
    struct buf failure;         /* why it can no longer come true */
    struct kube_object failed;  /* a copy of the object that failed */
    bool is_synced;
};

static void outstanding_set(struct waiting *w)
{
    if (!w->outstanding)
        return;
    buf_clear(w->outstanding);
    khook_tracker_outstanding(&w->tracker, w->type ? w->type->singular : w->wait->type,
                              w->outstanding);
}

static bool waits_for_deletion(const struct khook_await *wait)
{
    for (size_t i = 0; i < wait->count; i++)
        if (wait->conditions[i].kind == WAIT_DELETE)
            return true;
    return false;
}

/* Remembers an object whose state rules the condition out; true when there is one. */
static bool note_failure(struct waiting *w, const struct doc_node *object)
{
    if (!hopeless_object(w->wait, w->type, object, &w->failure))
        return false;
    kube_object_done(&w->failed);
    w->failed.set = doc_set_new();
    w->failed.root = doc_copy(w->failed.set, object);
    return true;
}

/* For the message of a wait for deletion that takes too long. */
static void note_held(struct waiting *w, const struct doc_node *object)
{
    AUTO(buf_done) struct buf why = {0}, remedy = {0};

    if (!w->outstanding || !waits_for_deletion(w->wait))
        return;
    if (kube_held_why(w->type, object, &why))
        kube_held_remedy(w->type, object, &remedy);
    khook_tracker_note_held(&w->tracker, object, buf_view(&why), buf_view(&remedy));
}

static int on_event(void *ctx, const struct kube_event *event)
{
    struct waiting *w = ctx;

    if (event->type == KUBE_SYNCED) {
        w->is_synced = true;
    } else {
        khook_tracker_update(&w->tracker, event->object, event->type == KUBE_DELETED);
        if (event->type != KUBE_DELETED) {
            note_held(w, event->object);
            if (w->pods)
                hopeless_pods_add(w->pods, w->type, event->object);
            if (note_failure(w, event->object))
                return 1;
        }
    }
    if (!w->is_synced)
        return 0;
    outstanding_set(w);
    return khook_tracker_holds(&w->tracker);
}

static int failed_text(struct waiting *w, struct err *e)
{
    AUTO(buf_done) struct buf why = {0};
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, clock_after(WHY_MS));
    str name = doc_text(doc_at(w->failed.root, "metadata/name"), STR_NONE);
    str ns = doc_text(doc_at(w->failed.root, "metadata/namespace"), STR_NONE);

    kube_why(w->k, w->type, w->failed.root, WHY_LINES, WHY_EVENTS, cancel, &why);
    return err_set(e, ERR_IO, "%.*s/%.*s%s%.*s: %s%s", STR_ARG(w->type->singular), STR_ARG(name),
                   ns.len ? "@" : "", STR_ARG(ns), buf_cstr(&w->failure), buf_cstr(&why));
}

static bool has_delete_only(const struct khook_await *wait)
{
    for (size_t i = 0; i < wait->count; i++)
        if (wait->conditions[i].kind == WAIT_DELETE && (wait->any || wait->count == 1))
            return true;
    return false;
}

/* The type, waited for while the cluster does not serve it. 1: it is not served and that is what is
 * wanted. */
static int type_wait(struct waiting *w, str type_name, struct err *e)
{
    int64_t pause = TYPE_RETRY_MS;

    for (;;) {
        w->type = kube_type_named(w->k, type_name, w->cancel, e);
        if (w->type)
            return 0;
        if (e->kind != ERR_NOT_FOUND)
            return -1;
        err_done(e);
        if (has_delete_only(w->wait))
            return 1;
        if (w->outstanding) {
            buf_clear(w->outstanding);
            buf_addf(w->outstanding, "the cluster does not serve \"%.*s\" yet", STR_ARG(type_name));
        }
        if (cancel_sleep(w->cancel, pause, e) < 0)
            return -1;
        pause = MIN(pause * 2, (int64_t)TYPE_RETRY_MAX_MS);
        kube_discovery_reset(w->k);
    }
}

static void fields_text(const struct khook_await *wait, struct buf *out)
{
    if (wait->name.len)
        buf_addf(out, "metadata.name=%.*s", STR_ARG(wait->name));
    else
        buf_add_str(out, wait->field_selector);
}

/* One watch to its end: 0 the conditions hold, 1 the type went away, -1 e is set. */
static int watch_once(struct waiting *w, str field_selector, struct err *e)
{
    struct kube_ref ref = {.type = w->type, .ns = w->type->namespaced ? w->wait->ns : STR_NONE};
    struct kube_list_options options = {.label_selector = w->wait->label_selector,
                                        .field_selector = field_selector};
    int rc;

    w->is_synced = false;
    rc = kube_watch(w->k, &ref, &options, w->cancel, on_event, w, e);
    if (w->failure.len) {
        err_done(e);
        return failed_text(w, e);
    }
    if (rc < 0 && w->pods && hopeless_pods_reason(w->pods, e))
        return -1;
    if (rc < 0 && e->kind == ERR_NOT_FOUND) {
        err_done(e);
        kube_discovery_reset(w->k);
        return 1;
    }
    return rc;
}

static void waiting_done(struct waiting *w)
{
    hopeless_pods_free(w->pods);
    khook_tracker_done(&w->tracker);
    kube_object_done(&w->failed);
    buf_done(&w->failure);
}
AUTO_VALUE(struct waiting, waiting_done)

int khook_await(struct kube *k, const struct khook_await *wait, struct cancel *cancel,
                struct buf *outstanding, struct err *e)
{
    AUTO(buf_done) struct buf field_selector = {0};
    AUTO(cancel_free) struct cancel *own = cancel_new(cancel, CLOCK_NEVER);
    AUTO(waiting_done)
    struct waiting w = {.k = k, .wait = wait, .cancel = own, .outstanding = outstanding};
    int rc;

    fields_text(wait, &field_selector);
    khook_tracker_init(&w.tracker, wait->conditions, wait->texts, wait->count, wait->any);
    if (wait->fail_fast)
        w.pods = hopeless_pods_new(k, own);
    do {
        rc = type_wait(&w, wait->type, e);
        if (rc != 0)
            return rc < 0 ? -1 : 0;
        rc = watch_once(&w, buf_view(&field_selector), e);
    } while (rc == 1);
    return rc;
}

static int on_listed(void *ctx, struct doc_set *set UNUSED, struct doc_node *object)
{
    khook_tracker_update(ctx, object, false);
    return 0;
}

int khook_await_look(struct kube *k, const struct khook_await *wait, struct cancel *cancel,
                     struct khook_await_state *ret, struct err *e)
{
    AUTO(buf_done) struct buf field_selector = {0};
    AUTO(khook_tracker_done) struct khook_tracker tracker = {0};
    const struct kube_type *type = kube_type_named(k, wait->type, cancel, e);
    struct kube_ref ref = {.type = type, .ns = wait->ns};
    struct kube_list_options options = {.label_selector = wait->label_selector};

    *ret = (struct khook_await_state){.is_served = type != NULL};
    if (!type && e->kind != ERR_NOT_FOUND)
        return -1;
    if (!type) {
        err_done(e);
        ret->holds = has_delete_only(wait);
        return 0;
    }
    fields_text(wait, &field_selector);
    khook_tracker_init(&tracker, wait->conditions, wait->texts, wait->count, wait->any);
    options.field_selector = buf_view(&field_selector);
    if (!type->namespaced)
        ref.ns = STR_NONE;
    if (kube_list(k, &ref, &options, cancel, on_listed, &tracker, NULL, e) < 0)
        return -1;
    ret->objects = tracker.total;
    ret->met = khook_tracker_met(&tracker);
    ret->holds = khook_tracker_holds(&tracker);
    return 0;
}

/* ---- exactly the objects of a step */

static bool same_place(const struct khook_await_object *a, const struct khook_await_object *b)
{
    return str_eq(a->api_version, b->api_version) && str_eq(a->kind, b->kind) &&
           str_eq(a->ns, b->ns);
}

static bool was_grouped(const struct khook_await_object *objects, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (same_place(&objects[i], &objects[at]))
            return true;
    return false;
}

/* Waits for the objects of one type and namespace, objects[first] and those like it behind, with
 * one watch. */
static int group_wait(struct kube *k, const struct khook_await_object *objects, size_t first,
                      size_t count, const struct wait_for *condition, str text,
                      struct cancel *cancel, struct buf *outstanding, struct err *e)
{
    const struct khook_await_object *head = &objects[first];
    struct khook_await wait = {
        .type = head->kind, .ns = head->ns, .conditions = condition, .texts = &text, .count = 1};
    AUTO(buf_done) struct buf field_selector = {0};
    AUTO(cancel_free) struct cancel *own = cancel_new(cancel, CLOCK_NEVER);
    AUTO(waiting_done)
    struct waiting w = {.k = k, .wait = &wait, .cancel = own, .outstanding = outstanding};
    size_t members = 0;

    khook_tracker_init(&w.tracker, condition, &text, 1, false);
    w.type = kube_type_of(k, head->api_version, head->kind, cancel, e);
    if (!w.type)
        return -1;
    for (size_t i = first; i < count; i++) {
        if (!same_place(head, &objects[i]))
            continue;
        khook_tracker_expect(&w.tracker, w.type->namespaced ? objects[i].ns : STR_NONE,
                             objects[i].name);
        members++;
    }
    if (members == 1)
        buf_addf(&field_selector, "metadata.name=%.*s", STR_ARG(head->name));
    return watch_once(&w, buf_view(&field_selector), e) == 0 ? 0 : -1;
}

int khook_await_objects(struct kube *k, const struct khook_await_object *objects, size_t count,
                        const struct wait_for *condition, str text, struct cancel *cancel,
                        struct buf *outstanding, struct err *e)
{
    for (size_t i = 0; i < count; i++)
        if (!was_grouped(objects, i) &&
            group_wait(k, objects, i, count, condition, text, cancel, outstanding, e) < 0)
            return -1;
    return 0;
}
