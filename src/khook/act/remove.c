/* Deleting and waiting until what was deleted is gone. */
#include "base/log.h"
#include "base/map.h"
#include "khook/act/deliver.h"
#include "kube/held.h"
#include "kube/watch.h"

enum { NAMED = 3 }; /* objects named in a message */

static int wrap_delete(struct err *e, const struct kube_ref *ref)
{
    AUTO(buf_done) struct buf id = {0};

    khook_object_id(ref->type->kind, ref->name, ref->ns, &id);
    return err_wrap(e, "deleting %s", buf_cstr(&id));
}

static str uid_of(const struct doc_node *object)
{
    return doc_text(doc_at(object, "metadata/uid"), STR_NONE);
}

struct gone {
    const struct kube_ref *ref;
    str uid;
    struct buf *outstanding;
    bool is_there, is_synced;
};

/* "configmap/demo@target is being deleted since …, held by the finalizer a; REMEDY" */
static void say_held(const struct gone *g, const struct doc_node *object)
{
    AUTO(buf_done) struct buf why = {0}, remedy = {0};

    if (!g->outstanding)
        return;
    buf_clear(g->outstanding);
    khook_object_id(g->ref->type->kind, g->ref->name, g->ref->ns, g->outstanding);
    if (!kube_held_why(g->ref->type, object, &why))
        return;
    kube_held_remedy(g->ref->type, object, &remedy);
    buf_addf(g->outstanding, ", %s%s%s", buf_cstr(&why), remedy.len ? "; " : "", buf_cstr(&remedy));
}

static int on_event(void *ctx, const struct kube_event *event)
{
    struct gone *g = ctx;

    if (event->type == KUBE_SYNCED) {
        g->is_synced = true;
    } else if (str_eq(uid_of(event->object), g->uid)) {
        g->is_there = event->type != KUBE_DELETED;
        if (g->is_there)
            say_held(g, event->object);
    }
    return g->is_synced && !g->is_there;
}

/* Was a conflict about an object that has gone, goes, or has given its name to another? */
static bool is_on_its_way(struct kube *k, const struct kube_ref *ref, str uid,
                          struct cancel *cancel)
{
    AUTO(kube_object_done) struct kube_object live = {0};
    AUTO(err_done) struct err e = {0};

    if (kube_get(k, ref, cancel, &live, &e) < 0)
        return e.kind == ERR_NOT_FOUND;
    return !str_eq(uid_of(live.root), uid) || doc_at(live.root, "metadata/deletionTimestamp");
}

int khook_delete_object(struct kube *k, const struct kube_ref *ref, bool foreground,
                        struct cancel *cancel, struct buf *outstanding, bool *ret_found,
                        struct err *e)
{
    AUTO(kube_object_done) struct kube_object live = {0};
    struct kube_delete_options options = {.propagation =
                                              foreground ? KUBE_FOREGROUND : KUBE_BACKGROUND};
    struct gone gone = {.ref = ref, .outstanding = outstanding};

    *ret_found = false;
    if (kube_get(k, ref, cancel, &live, e) < 0) {
        if (e->kind != ERR_NOT_FOUND)
            return wrap_delete(e, ref);
        err_done(e);
        return 0;
    }
    *ret_found = true;
    gone.uid = options.uid = uid_of(live.root);
    if (kube_delete(k, ref, &options, cancel, e) < 0) {
        if (e->kind != ERR_NOT_FOUND &&
            !(e->kind == ERR_CONFLICT && is_on_its_way(k, ref, gone.uid, cancel)))
            return wrap_delete(e, ref);
        err_done(e);
    }
    if (kube_watch_object(k, ref, cancel, on_event, &gone, e) < 0) {
        if (e->kind != ERR_NOT_FOUND) /* the type itself went away: so did the object */
            return wrap_delete(e, ref);
        err_done(e);
    }
    if (outstanding)
        buf_clear(outstanding);
    {
        AUTO(buf_done) struct buf id = {0};

        khook_object_id(ref->type->kind, ref->name, ref->ns, &id);
        log_info("deleted", LOG_STR("object", buf_view(&id)));
    }
    return 0;
}

/* ---- all that match */

struct victim {
    str ns, name, uid;
    str why, remedy; /* what keeps it, as of the last event; empty: nothing is known */
};

struct victims {
    const struct kube_type *type;
    struct arena arena;
    struct map by_uid;
    struct buf *outstanding;
    bool is_synced;
};

static int on_victim(void *ctx, struct doc_set *set UNUSED, struct doc_node *object)
{
    struct victims *v = ctx;
    struct victim *victim = ARENA_NEW(&v->arena, struct victim);

    victim->ns = arena_dup(&v->arena, doc_text(doc_at(object, "metadata/namespace"), STR_NONE));
    victim->name = arena_dup(&v->arena, doc_text(doc_at(object, "metadata/name"), STR_NONE));
    victim->uid = arena_dup(&v->arena, uid_of(object));
    map_put(&v->by_uid, victim->uid, victim);
    return 0;
}

static void victims_done(struct victims *v)
{
    map_done(&v->by_uid);
    arena_done(&v->arena);
}
AUTO_VALUE(struct victims, victims_done)

struct remaining {
    struct victims *victims;
    struct map there; /* uids seen since the list began */
    bool is_synced;
};

static void note_held(struct victims *v, struct victim *victim, const struct doc_node *object)
{
    AUTO(buf_done) struct buf why = {0}, remedy = {0};

    if (!v->outstanding || !kube_held_why(v->type, object, &why) ||
        str_eq(victim->why, buf_view(&why)))
        return;
    kube_held_remedy(v->type, object, &remedy);
    victim->why = arena_dup(&v->arena, buf_view(&why));
    victim->remedy = arena_dup(&v->arena, buf_view(&remedy));
}

/* "2 object(s) still present: configmap/a@n (being deleted since …), configmap/b@n; REMEDY" */
static void say_outstanding(const struct remaining *r)
{
    struct buf *out = r->victims->outstanding;
    str remedy = STR_NONE;
    struct map_iter it = {0};

    if (!out)
        return;
    buf_clear(out);
    buf_addf(out, "%zu object(s) still present", r->there.len);
    for (size_t i = 0; i < NAMED && map_next(&r->there, &it); i++) {
        const struct victim *victim = it.value;

        buf_add_cstr(out, i == 0 ? ": " : ", ");
        khook_object_id(r->victims->type->kind, victim->name, victim->ns, out);
        if (victim->why.len)
            buf_addf(out, " (%.*s)", STR_ARG(victim->why));
        if (!remedy.len)
            remedy = victim->remedy;
    }
    if (r->there.len > NAMED)
        buf_addf(out, ", +%zu more", r->there.len - NAMED);
    if (remedy.len)
        buf_addf(out, "; %.*s", STR_ARG(remedy));
}

static int on_remaining(void *ctx, const struct kube_event *event)
{
    struct remaining *r = ctx;

    if (event->type == KUBE_SYNCED) {
        r->is_synced = true;
    } else {
        struct victim *victim = map_get(&r->victims->by_uid, uid_of(event->object));

        if (victim && event->type == KUBE_DELETED)
            map_remove(&r->there, victim->uid);
        else if (victim)
            map_put(&r->there, victim->uid, victim);
        if (victim)
            note_held(r->victims, victim, event->object);
    }
    if (!r->is_synced)
        return 0;
    say_outstanding(r);
    return r->there.len == 0;
}

int khook_delete_matching(struct kube *k, const struct kube_ref *all,
                          const struct kube_list_options *selectors, struct cancel *cancel,
                          struct buf *outstanding, size_t *ret_count, struct err *e)
{
    AUTO(victims_done) struct victims victims = {.type = all->type, .outstanding = outstanding};
    struct remaining remaining = {.victims = &victims};
    struct map_iter it = {0};
    int rc;

    if (kube_list(k, all, selectors, cancel, on_victim, &victims, NULL, e) < 0)
        return err_wrap(e, "listing %.*s", STR_ARG(all->type->plural));
    *ret_count = victims.by_uid.len;
    while (map_next(&victims.by_uid, &it)) {
        const struct victim *victim = it.value;
        struct kube_ref ref = {.type = all->type, .ns = victim->ns, .name = victim->name};
        struct kube_delete_options options = {.propagation = KUBE_BACKGROUND, .uid = victim->uid};

        if (kube_delete(k, &ref, &options, cancel, e) < 0) {
            if (e->kind != ERR_NOT_FOUND && e->kind != ERR_CONFLICT)
                return wrap_delete(e, &ref);
            err_done(e);
        }
    }
    if (victims.by_uid.len == 0)
        return 0;
    rc = kube_watch(k, all, selectors, cancel, on_remaining, &remaining, e);
    map_done(&remaining.there);
    if (rc < 0 && e->kind == ERR_NOT_FOUND) {
        err_done(e);
        return 0;
    }
    return rc < 0 ? err_wrap(e, "waiting until %.*s are gone", STR_ARG(all->type->plural)) : 0;
}
