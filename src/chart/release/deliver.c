/* Sending objects: server-side apply, client-side create and patch, replacement, deletion (helm
 * spec 12). */
#include <stdatomic.h>

#include "base/mem.h"
#include "chart/release/release_priv.h"

enum { QUOTA_RETRIES = 5, QUOTA_PAUSE_MS = 100, MIGRATION_RETRIES = 5 };

struct delivery {
    const struct chart_run *run;
    struct chart_objects *objects;
    const struct chart_objects *baseline;
    size_t first; /* of the batch */
    bool migrates, is_install;
    atomic_bool stops;  /* what was to be created could not be: helm's updates end there */
    struct err *errors; /* by index of the object */
};

static void note_state(struct chart_object *o, const struct kube_object *answer)
{
    AUTO(buf_done) struct buf ignored = {0};
    str name = doc_text(doc_at(answer->root, "metadata/name"), STR(""));

    o->state = kube_status(answer->root, &ignored);
    if (o->is_generated) /* what it is called from now on, for waits; see keep_name */
        o->ref.name = o->name = (str){mem_strndup(name.p, name.len), name.len};
}

/* On one thread: hands the name that the server made to the arena. */
static void keep_name(struct chart_objects *objects, struct chart_object *o)
{
    if (o->is_generated && o->name.len)
        arena_adopt(&objects->set->arena, (void *)o->name.p);
}

static int fail_apply(const struct chart_object *o, bool is_conflict, struct err *e)
{
    const struct kube_type *t = o->ref.type;

    return err_wrap(e, "%s %.*s/%.*s %.*s/%.*s, Kind=%.*s",
                    is_conflict ? "conflict occurred while applying object"
                                : "server-side apply failed for object",
                    STR_ARG(o->ref.ns), STR_ARG(o->name), STR_ARG(t->group), STR_ARG(t->version),
                    STR_ARG(t->kind));
}

/* Two objects counted by one quota at once. */
static bool is_quota_race(const struct err *e)
{
    return e->kind == ERR_CONFLICT &&
           str_contains(str_of(err_text(e)),
                        STR("Operation cannot be fulfilled on resourcequotas"));
}

static int send_apply(const struct chart_run *run, struct chart_object *o,
                      const struct kube_write_options *write, struct kube_object *ret,
                      struct err *e)
{
    for (int attempt = 0;; attempt++) {
        if (o->is_generated
                ? kube_create(run->kube, &o->ref, o->node, write, run->cancel, ret, e) == 0
                : kube_patch(run->kube, &o->ref, KUBE_PATCH_APPLY, o->node, write, run->cancel, ret,
                             e) == 0)
            return 0;
        if (!is_quota_race(e) || attempt == QUOTA_RETRIES)
            return fail_apply(o, e->kind == ERR_CONFLICT, e);
        err_done(e);
        if (cancel_sleep(run->cancel, (int64_t)QUOTA_PAUSE_MS << attempt, e) < 0)
            return -1;
    }
}

static int apply(const struct chart_run *run, struct chart_object *o, struct err *e)
{
    AUTO(kube_object_done) struct kube_object answer = {0};
    struct kube_write_options write = {.field_manager = CHART_MANAGER,
                                       .force = run->op->force_conflicts,
                                       .field_validation =
                                           run->op->no_validation ? STR("Ignore") : STR("Strict")};

    if (send_apply(run, o, &write, &answer, e) < 0)
        return -1;
    note_state(o, &answer);
    return 0;
}

static int create(const struct chart_run *run, struct chart_object *o, struct err *e)
{
    AUTO(kube_object_done) struct kube_object answer = {0};
    struct kube_write_options write = {.field_manager = CHART_MANAGER};

    for (int attempt = 0;; attempt++) {
        if (kube_create(run->kube, &o->ref, o->node, &write, run->cancel, &answer, e) == 0)
            break;
        if (!is_quota_race(e) || attempt == QUOTA_RETRIES)
            return -1;
        err_done(e);
        if (cancel_sleep(run->cancel, (int64_t)QUOTA_PAUSE_MS << attempt, e) < 0)
            return -1;
    }
    note_state(o, &answer);
    return 0;
}

int chart_create_object(const struct chart_run *run, struct chart_object *o, struct err *e)
{
    return run->server_side ? apply(run, o, e) : create(run, o, e);
}

/* ---- updates */

static int replace(const struct chart_run *run, struct chart_object *o, struct doc_set *set,
                   const struct doc_node *live, struct kube_object *answer, struct err *e)
{
    struct kube_write_options write = {.field_manager = CHART_MANAGER};
    struct doc_node *node = doc_copy(set, o->node);

    doc_set_string(set, doc_get_lit(node, "metadata"), STR("resourceVersion"),
                   doc_text(doc_at(live, "metadata/resourceVersion"), STR("")));
    if (kube_update(run->kube, &o->ref, node, &write, run->cancel, answer, e) < 0)
        return err_wrap(e, "failed to replace object");
    return 0;
}

static int patch(const struct chart_run *run, struct chart_object *o, struct doc_set *set,
                 const struct doc_node *baseline, struct kube_object *live,
                 struct kube_object *answer, struct err *e)
{
    struct kube_write_options write = {.field_manager = CHART_MANAGER};
    enum kube_patch kind;
    struct doc_node *node =
        chart_patch_make(set, o, baseline, live->root, run->op->takes_ownership, &kind, e);

    if (!node)
        return err_wrap(e, "failed to create patch");
    if (!doc_len(node)) { /* as it should be */
        *answer = *live;
        *live = (struct kube_object){0};
        return 0;
    }
    if (kube_patch(run->kube, &o->ref, kind, node, &write, run->cancel, answer, e) < 0)
        return err_wrap(e, "cannot patch \"%.*s\" with kind %.*s", STR_ARG(o->name),
                        STR_ARG(o->kind));
    return 0;
}

static int fail_creation(struct err *e) { return err_wrap(e, "failed to create resource"); }

static int update_from_client(const struct delivery *d, struct chart_object *o,
                              const struct chart_object *before, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kube_object_done) struct kube_object live = {0}, answer = {0};
    int rc;

    if (kube_get(d->run->kube, &o->ref, d->run->cancel, &live, e) < 0) {
        if (e->kind != ERR_NOT_FOUND)
            return err_wrap(e, "could not get information about the resource");
        err_done(e);
        return create(d->run, o, e) < 0 ? fail_creation(e) : 0;
    }
    rc = d->run->op->force_replace
             ? replace(d->run, o, set, live.root, &answer, e)
             : patch(d->run, o, set, before ? before->node : NULL, &live, &answer, e);
    if (rc == 0)
        note_state(o, &answer);
    return rc;
}

/* Turns what helm's client owned into what its applies own, or removed fields would stay. */
static int migrate(const struct delivery *d, struct chart_object *o, struct err *e)
{
    for (int attempt = 0;; attempt++) {
        AUTO(kube_object_done) struct kube_object live = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        struct kube_write_options write = {.field_manager = CHART_MANAGER};
        struct doc_node *node;

        if (kube_get(d->run->kube, &o->ref, d->run->cancel, &live, e) < 0) {
            if (e->kind != ERR_NOT_FOUND)
                return err_wrap(e, "could not get information about the resource");
            err_done(e);
            return 0;
        }
        node = chart_migration_make(set, live.root);
        if (!node || kube_patch(d->run->kube, &o->ref, KUBE_PATCH_JSON, node, &write,
                                d->run->cancel, NULL, e) == 0)
            return 0;
        if (e->kind != ERR_CONFLICT || attempt == MIGRATION_RETRIES)
            return err_wrap(e, "failed to upgrade managed fields of object %.*s/%.*s",
                            STR_ARG(o->ref.ns), STR_ARG(o->name));
        err_done(e);
    }
}

static int send(const struct delivery *d, struct chart_object *o, struct err *e)
{
    const struct chart_object *before = chart_objects_find(d->baseline, o);

    o->is_new = !before && !o->exists;
    if (!d->run->server_side)
        return o->is_new ? create(d->run, o, e) : update_from_client(d, o, before, e);
    if (before && d->migrates && migrate(d, o, e) < 0)
        return -1;
    return apply(d->run, o, e);
}

/* The server judged this one object, others may fare better. A field that is in no schema is 500.
 */
static bool is_verdict(const struct err *e)
{
    enum { BAD_REQUEST = 400, UNAUTHORIZED = 401, TOO_MANY = 429, INTERNAL = 500 };

    return e->code >= BAD_REQUEST && e->code <= INTERNAL && e->code != UNAUTHORIZED &&
           e->code != TOO_MANY;
}

/* What the baseline holds and somebody deleted is made anew. */
static bool is_gone(const struct delivery *d, const struct chart_object *o)
{
    AUTO(kube_object_done) struct kube_object live = {0};
    AUTO(err_done) struct err bad = {0};

    return d->run->server_side && !o->is_new &&
           kube_get(d->run->kube, &o->ref, d->run->cancel, &live, &bad) < 0 &&
           bad.kind == ERR_NOT_FOUND;
}

static int deliver_one(void *ctx, size_t i, struct err *e)
{
    struct delivery *d = ctx;
    struct chart_object *o = &d->objects->v[d->first + i];
    bool creates;

    if (send(d, o, e) == 0)
        return 0;
    creates = !d->is_install && (o->is_new || is_gone(d, o));
    if (creates || !is_verdict(e))
        atomic_store(&d->stops, true);
    if (creates)
        fail_creation(e);
    err_move(&d->errors[d->first + i], e);
    return 0;
}

/* Nothing is there that will only be updated. */
static bool is_install(const struct chart_objects *objects, const struct chart_objects *baseline)
{
    for (size_t i = 0; i < objects->len; i++)
        if (objects->v[i].exists)
            return false;
    return !baseline->len;
}

/* As helm tells them: of an install on a line each, of an update in a chain. */
static int join_errors(struct delivery *d, struct err *e)
{
    for (size_t i = 0; i < d->objects->len; i++)
        chart_join_by(e, &d->errors[i], d->is_install ? "\n" : " && ");
    mem_free(d->errors);
    return e->kind == ERR_NONE ? 0 : -1;
}

int chart_deliver(const struct chart_run *run, struct chart_objects *objects,
                  const struct chart_objects *baseline, bool migrates, struct err *e)
{
    struct delivery d = {.run = run,
                         .objects = objects,
                         .baseline = baseline,
                         .migrates = migrates,
                         .is_install = is_install(objects, baseline)};
    AUTO(err_done) struct err canceled = {0};

    if (run->server_side && run->op->force_replace)
        return err_set(e, ERR_INVALID,
                       "invalid operation: cannot use server-side apply and force "
                       "replace together");
    d.errors = mem_zalloc((objects->len + 1) * sizeof(*d.errors));
    for (size_t end; d.first < objects->len && !atomic_load(&d.stops); d.first = end) {
        end = chart_batch_end(objects, d.first);
        if (chart_each(end - d.first, deliver_one, &d, run->cancel, &canceled) < 0)
            atomic_store(&d.stops, true);
        for (size_t i = d.first; i < end; i++)
            keep_name(objects, &objects->v[i]);
    }
    if (join_errors(&d, e) == 0 && canceled.kind != ERR_NONE)
        err_move(e, &canceled);
    return e->kind == ERR_NONE ? 0 : -1;
}

/* ---- deletion */

struct deletion {
    const struct chart_run *run;
    const struct chart_objects *objects;
    enum kube_propagation cascade;
    size_t first;
    bool asks; /* the live object may say that it is kept */
};

static int delete_one(void *ctx, size_t i, struct err *e)
{
    const struct deletion *d = ctx;
    struct chart_object *o = &d->objects->v[d->first + i];
    struct kube_delete_options options = {.propagation = d->cascade};
    AUTO(kube_object_done) struct kube_object live = {0};
    AUTO(err_done) struct err unread = {0};

    if (d->asks) {
        if (kube_get(d->run->kube, &o->ref, d->run->cancel, &live, &unread) < 0 &&
            unread.kind == ERR_NOT_FOUND)
            return 0;
        if (chart_is_kept(live.root)) {
            o->state = KUBE_CURRENT;
            return 0;
        }
    }
    o->state = KUBE_TERMINATING;
    if (kube_delete(d->run->kube, &o->ref, &options, d->run->cancel, e) == 0)
        return 0;
    if (e->kind == ERR_NOT_FOUND) {
        err_done(e);
        return 0;
    }
    return err_wrap(e, "failed to delete resource %.*s/%.*s", STR_ARG(o->kind), STR_ARG(o->name));
}

static int delete_all(struct deletion *d, struct err *e)
{
    AUTO(err_done) struct err all = {0};

    for (size_t end; d->first < d->objects->len; d->first = end) {
        AUTO(err_done) struct err some = {0};

        end = chart_batch_end(d->objects, d->first);
        if (chart_each(end - d->first, delete_one, d, d->run->cancel, &some) < 0)
            chart_join(&all, &some);
    }
    if (all.kind == ERR_NONE)
        return 0;
    err_move(e, &all);
    return -1;
}

int chart_delete_objects(const struct chart_run *run, const struct chart_objects *objects,
                         enum kube_propagation cascade, struct err *e)
{
    struct deletion d = {.run = run, .objects = objects, .cascade = cascade};

    return delete_all(&d, e);
}

int chart_delete_rest(const struct chart_run *run, const struct chart_objects *baseline,
                      const struct chart_objects *objects, struct chart_objects *ret, struct err *e)
{
    struct deletion d = {.run = run, .objects = ret, .asks = true};
    size_t kept = 0;

    ret->set = doc_set_new();
    for (size_t i = 0; i < baseline->len; i++)
        if (!baseline->v[i].is_generated && !chart_objects_find(objects, &baseline->v[i]))
            vec_push(ret, baseline->v[i]);
    for (size_t i = 0; i < ret->len; i++)
        ret->v[i].state = KUBE_CURRENT;
    if (delete_all(&d, e) < 0)
        return -1;
    for (size_t i = 0; i < ret->len; i++)
        if (ret->v[i].state == KUBE_TERMINATING)
            ret->v[kept++] = ret->v[i];
    ret->len = kept;
    return 0;
}
