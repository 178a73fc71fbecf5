#include "khook/act/deliver.h"

#include <pthread.h>

#include "base/log.h"
#include "base/mem.h"
#include "sys/thread.h"

enum { IN_FLIGHT = 24, MAX_WAITING = 64, CRD_RETRY_MS = 100, CRD_RETRY_MAX_MS = 1000 };

/* Rows of kinds that others wait for. A barrier is sent alone and answered before the next starts.
 */
static const struct {
    char group[29], kind[31];
} barriers[] = {
    {"", "Namespace"},
    {"apiextensions.k8s.io", "CustomResourceDefinition"},
    {"admissionregistration.k8s.io", "MutatingWebhookConfiguration"},
    {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration"},
    {"apiregistration.k8s.io", "APIService"},
};

static str group_of(const struct khook_object *o)
{
    str rest, head = str_cut(o->api_version, '/', &rest);

    return rest.p ? head : STR_NONE;
}

static bool is_barrier(const struct khook_object *o)
{
    for (size_t i = 0; i < ARRAY_LEN(barriers); i++)
        if (str_eq(str_of(barriers[i].kind), o->kind) &&
            str_eq(str_of(barriers[i].group), group_of(o)))
            return true;
    return false;
}

static bool is_role(const struct khook_object *o)
{
    return str_eq(o->kind, STR("Role")) || str_eq(o->kind, STR("ClusterRole"));
}

static bool is_binding(const struct khook_object *o)
{
    return str_eq(o->kind, STR("RoleBinding")) || str_eq(o->kind, STR("ClusterRoleBinding"));
}

/* ---- where an object lives */

static bool crd_was_sent(const struct khook_objects *objects, size_t sent,
                         const struct khook_object *o)
{
    for (size_t i = 0; i < sent; i++) {
        const struct doc_node *node = objects->list.v[i].node;

        if (str_eq(objects->list.v[i].kind, STR("CustomResourceDefinition")) &&
            str_eq(doc_text(doc_at(node, "spec/names/kind"), STR_NONE), o->kind) &&
            str_eq(doc_text(doc_at(node, "spec/group"), STR_NONE), group_of(o)))
            return true;
    }
    return false;
}

static int unknown_kind(const struct khook_object *o, struct err *e)
{
    AUTO(buf_done) struct buf id = {0};

    khook_object_id(o->kind, o->name, o->ns, &id);
    return err_set(e, ERR_NOT_FOUND,
                   "%s (%.*s): the cluster does not serve kind \"%.*s\" of \"%.*s\"; it may arrive "
                   "in an earlier step: add "
                   "that step to `needs`",
                   buf_cstr(&id), STR_ARG(o->origin), STR_ARG(o->kind), STR_ARG(o->api_version));
}

int khook_object_ref(const struct khook_delivery *d, const struct khook_objects *objects, size_t at,
                     size_t sent, struct kube_ref *ret, struct err *e)
{
    const struct khook_object *o = &objects->list.v[at];
    int64_t pause = CRD_RETRY_MS;
    const struct kube_type *type;

    for (;;) {
        type = kube_type_of(d->kube, o->api_version, o->kind, d->cancel, e);
        if (type)
            break;
        if (e->kind != ERR_NOT_FOUND)
            return err_wrap(e, "looking up kind %.*s", STR_ARG(o->kind));
        if (!crd_was_sent(objects, sent, o))
            return unknown_kind(o, e);
        err_done(e);
        if (cancel_sleep(d->cancel, pause, e) < 0)
            return err_wrap(e, "waiting for kind \"%.*s\" to be served", STR_ARG(o->kind));
        pause = MIN(pause * 2, (int64_t)CRD_RETRY_MAX_MS);
        kube_discovery_reset(d->kube);
    }
    *ret = (struct kube_ref){.type = type, .name = o->name};
    if (type->namespaced)
        ret->ns = o->ns.len ? o->ns : d->ns.len ? d->ns : STR("default");
    return 0;
}

/* ---- one object */

static int wrap_object(struct err *e, const char *verb, const struct kube_ref *ref)
{
    AUTO(buf_done) struct buf id = {0};

    khook_object_id(ref->type->kind, ref->name, ref->ns, &id);
    return err_wrap(e, "%s %s", verb, buf_cstr(&id));
}

static void log_done(const char *verb, const struct kube_ref *ref)
{
    AUTO(buf_done) struct buf id = {0};

    if (!log_is_on(LOG_INFO))
        return;
    khook_object_id(ref->type->kind, ref->name, ref->ns, &id);
    log_record(LOG_INFO, str_of(verb), &LOG_STR("object", buf_view(&id)), 1);
}

static int create_or_merge(const struct khook_delivery *d, const struct kube_ref *ref,
                           const struct doc_node *node, struct err *e)
{
    struct kube_write_options write = {.field_manager = STR(KHOOK_MANAGER)};

    if (kube_create(d->kube, ref, node, &write, d->cancel, NULL, e) == 0) {
        log_done("created", ref);
        return 0;
    }
    if (e->kind != ERR_EXISTS)
        return wrap_object(e, "creating", ref);
    err_done(e);
    if (kube_patch(d->kube, ref, KUBE_PATCH_MERGE, node, &write, d->cancel, NULL, e) < 0)
        return wrap_object(e, "patching", ref);
    log_done("configured", ref);
    return 0;
}

static int apply_one(const struct khook_delivery *d, const struct khook_objects *objects, size_t at,
                     size_t sent, struct err *e)
{
    struct kube_write_options write = {.field_manager = STR(KHOOK_MANAGER), .force = true};
    struct kube_ref ref;

    if (khook_object_ref(d, objects, at, sent, &ref, e) < 0)
        return -1;
    if (!d->server_side)
        return create_or_merge(d, &ref, objects->list.v[at].node, e);
    if (kube_patch(d->kube, &ref, KUBE_PATCH_APPLY, objects->list.v[at].node, &write, d->cancel,
                   NULL, e) < 0)
        return wrap_object(e, "applying", &ref);
    log_done("applied", &ref);
    return 0;
}

/* ---- many */

enum progress { NOT_SENT, SENT, ANSWERED };

/* Objects start in their order, but for bindings whose roles are on the way: those let the objects
 * behind them pass, or every application with a role of its own would cost a round trip alone. */
struct batch {
    const struct khook_delivery *d;
    const struct khook_objects *objects;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint8_t *progress; /* of each object: enum progress */
    size_t next;       /* the first that is not sent */
    size_t role;       /* roles before it are answered */
    size_t in_flight;
    bool barrier;     /* one is in flight */
    struct err error; /* the first */
};

/* May an object start now, when those before it are sent but for waiting bindings? */
static bool may_start(const struct batch *b, size_t at)
{
    const struct khook_object *o = &b->objects->list.v[at];

    if (is_barrier(o))
        return at == b->next && b->in_flight == 0;
    return !is_binding(o) || at < b->role;
}

/* The first object that may start, or the number of objects. Under the lock. */
static size_t find_startable(const struct batch *b)
{
    size_t end = b->objects->list.len, waiting = 0;

    for (size_t at = b->next; at < end && waiting < MAX_WAITING; at++) {
        if (b->progress[at] != NOT_SENT)
            continue;
        if (may_start(b, at))
            return at;
        if (is_barrier(&b->objects->list.v[at]))
            break;
        waiting++;
    }
    return end;
}

/* Takes the next object when it may start; false when there is none left or something failed. */
static bool batch_take(struct batch *b, size_t *ret)
{
    size_t end = b->objects->list.len;
    LOCK_SCOPE(&b->lock);

    while (b->next < end && b->error.kind == ERR_NONE) {
        size_t at = b->barrier ? end : find_startable(b);

        if (at < end) {
            b->barrier = is_barrier(&b->objects->list.v[at]);
            b->progress[at] = SENT;
            while (b->next < end && b->progress[b->next] != NOT_SENT)
                b->next++;
            b->in_flight++;
            *ret = at;
            return true;
        }
        pthread_cond_wait(&b->changed, &b->lock);
    }
    return false;
}

/* Moves on to the first role that is not answered. */
static void pass_roles(struct batch *b)
{
    while (b->role < b->objects->list.len &&
           (b->progress[b->role] == ANSWERED || !is_role(&b->objects->list.v[b->role])))
        b->role++;
}

static void batch_answer(struct batch *b, size_t at, struct err *e)
{
    LOCK_SCOPE(&b->lock);

    b->in_flight--;
    b->progress[at] = ANSWERED;
    pass_roles(b);
    if (is_barrier(&b->objects->list.v[at]))
        b->barrier = false;
    if (e->kind != ERR_NONE && b->error.kind == ERR_NONE)
        err_move(&b->error, e);
    pthread_cond_broadcast(&b->changed);
}

static void batch_work(void *ctx)
{
    struct batch *b = ctx;
    size_t at;

    while (batch_take(b, &at)) {
        AUTO(err_done) struct err e = {0};

        (void)apply_one(b->d, b->objects, at, at, &e);
        batch_answer(b, at, &e);
    }
}

int khook_apply_objects(const struct khook_delivery *d, const struct khook_objects *objects,
                        struct err *e)
{
    struct batch b = {.d = d, .objects = objects};
    struct thread *threads[IN_FLIGHT - 1] = {0};
    size_t helpers = MIN(objects->list.len, (size_t)IN_FLIGHT);
    AUTO(err_done) struct err ignored = {0};

    b.progress = mem_zalloc(objects->list.len + 1);
    pass_roles(&b);
    pthread_mutex_init(&b.lock, NULL);
    pthread_cond_init(&b.changed, NULL);
    for (size_t i = 0; i + 1 < helpers; i++) /* fewer threads only make it slower */
        threads[i] = thread_start("apply", batch_work, &b, &ignored);
    batch_work(&b);
    for (size_t i = 0; i + 1 < helpers; i++)
        thread_join(threads[i]);
    pthread_cond_destroy(&b.changed);
    pthread_mutex_destroy(&b.lock);
    mem_free(b.progress);
    if (b.error.kind == ERR_NONE)
        return 0;
    err_move(e, &b.error);
    return -1;
}

int khook_ensure_namespace(struct kube *k, str ns, struct cancel *cancel, struct err *e)
{
    const struct kube_type *type = kube_type_of(k, STR("v1"), STR("Namespace"), cancel, e);
    struct kube_ref ref = {.type = type, .name = ns};
    struct kube_write_options write = {.field_manager = STR(KHOOK_MANAGER)};
    AUTO(kube_object_done) struct kube_object answer = {0};
    AUTO(doc_set_free) struct doc_set *set = NULL;
    struct doc_node *object;

    if (!type)
        return -1;
    if (kube_get(k, &ref, cancel, &answer, e) == 0)
        return 0;
    if (e->kind != ERR_NOT_FOUND)
        return wrap_object(e, "looking up", &ref);
    err_done(e);
    set = doc_set_new();
    object = doc_new_map(set);
    doc_set_string(set, object, STR("apiVersion"), STR("v1"));
    doc_set_string(set, object, STR("kind"), STR("Namespace"));
    doc_set_string(set, doc_ensure_map(set, object, STR("metadata")), STR("name"), ns);
    if (kube_create(k, &ref, object, &write, cancel, &answer, e) == 0) {
        log_done("created", &ref);
        return 0;
    }
    if (e->kind != ERR_EXISTS) /* somebody was faster: as good */
        return wrap_object(e, "creating", &ref);
    err_done(e);
    return 0;
}
