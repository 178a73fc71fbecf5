/* Writing release records, and the lease on the one an operation works on (helm spec 9.1, 9.3). */
#include "base/escape.h"
#include "base/log.h"
#include "chart/release/store_priv.h"
#include "sys/thread.h"

enum { TRIES = 5, TRY_AGAIN_MS = 400, RENEW_LIMIT_MS = 30000, GIVE_UP_LIMIT_MS = 5000 };
#define MANAGER STR("grapnel")
#define HOLDER_PATH "/metadata/annotations/grapnel.dev~1holder"
#define RENEWED_PATH "/metadata/annotations/grapnel.dev~1renewed"

struct change { /* of one object */
    struct doc_set *set;
    struct kube_ref ref;
    str text;    /* the record's, as it stands in data */
    bool leases; /* it is ours afterwards */
};
static void change_done(struct change *c) { doc_set_free(c->set); }
AUTO_VALUE(struct change, change_done)

static int change_of(struct chart_store *s, const struct chart_record *r, struct cancel *cancel,
                     struct change *ret, struct err *e)
{
    AUTO(buf_done) struct buf text = {0}, data = {0};

    ret->set = doc_set_new();
    if (chart_store_ref(s, r->ns, cancel, &ret->ref, e) < 0 || chart_record_encode(r, &text, e) < 0)
        return -1;
    if (s->driver == CHART_SECRETS)
        escape_base64(buf_view(&text), true, &data);
    else
        buf_add_str(&data, buf_view(&text));
    ret->text = arena_dup(&ret->set->arena, buf_view(&data));
    ret->ref.name = chart_store_object_name(ret->set, r->name, r->revision);
    ret->leases = chart_store_is_leased(r->status);
    return 0;
}

static str unix_time(struct doc_set *set)
{
    return arena_printf(&set->arena, "%lld", (long long)(clock_wall_ms() / 1000));
}

/* ---- the lease */

static bool is_held(struct chart_store *s, const struct kube_ref *ref)
{
    LOCK_SCOPE(&s->lock);

    return s->held && str_eq(str_of(s->held), ref->name) && str_eq(str_of(s->held_ns), ref->ns);
}

static void forget(struct chart_store *s)
{
    kube_renewer_stop(TAKE(s->renewer));
    LOCK_SCOPE(&s->lock);
    mem_free(s->held);
    mem_free(s->held_ns);
    s->held = s->held_ns = NULL;
}

static int lost_to(struct chart_store *s, str holder, struct err *e)
{
    AUTO(mem_free_str)
    char *why = str_printf("the release was taken over by %.*s",
                           STR_ARG(holder.len ? holder : STR("another tool")));

    {
        LOCK_SCOPE(&s->lock);
        s->is_lost = true;
    }
    if (s->lost)
        cancel_trigger(s->lost, ERR_CONFLICT, why);
    err_done(e);
    return err_set(e, ERR_CONFLICT, "%s", why);
}

static void add_op(struct doc_set *set, struct doc_node *ops, const char *op, const char *path,
                   str value)
{
    struct doc_node *map = doc_append(ops, doc_new_map(set));

    doc_set_string(set, map, STR("op"), str_of(op));
    doc_set_string(set, map, STR("path"), str_of(path));
    if (value.p)
        doc_set_string(set, map, STR("value"), value);
}

/* Only while the lease is ours: a test in front of the changes. */
static struct doc_node *held_patch(struct chart_store *s, struct doc_set *set, bool leases)
{
    struct doc_node *ops = doc_new_list(set);
    AUTO(buf_done) struct buf now = {0};

    add_op(set, ops, "test", HOLDER_PATH, str_of(s->holder));
    if (leases) {
        clock_rfc3339(clock_wall_ms(), 3, &now);
        add_op(set, ops, "add", RENEWED_PATH, buf_view(&now));
    } else {
        add_op(set, ops, "remove", HOLDER_PATH, STR_NONE);
        add_op(set, ops, "remove", RENEWED_PATH, STR_NONE);
    }
    return ops;
}

/* Why a patch did not go through. 0: it did, an answer was lost; *ret is then the object. */
static int look_why(struct chart_store *s, const struct kube_ref *ref, str text, bool leases,
                    struct cancel *cancel, struct kube_object *ret, struct err *e)
{
    AUTO(kube_object_done) struct kube_object live = {0};
    AUTO(err_done) struct err gone = {0};
    str holder;
    int64_t age_ms;

    if (kube_get(s->kube, ref, cancel, &live, &gone) < 0)
        return gone.kind == ERR_NOT_FOUND ? lost_to(s, STR_NONE, e) : -1;
    holder = kube_lease_holder(live.root, &chart_lease_keys, &age_ms);
    if (leases && str_eq(holder, str_of(s->holder)))
        return -1; /* it is ours still: the reason is another one */
    if (leases || holder.len ||
        !str_eq(doc_string(doc_at(live.root, "data/release"), STR_NONE), text))
        return lost_to(s, holder, e);
    err_done(e);
    *ret = live;
    live = (struct kube_object){0};
    return 0;
}

/* A patch that begins with a test of the holder. The client tries no JSON patch again. */
static int patch_held(struct chart_store *s, const struct kube_ref *ref, const struct doc_node *ops,
                      str text, bool leases, struct cancel *cancel, struct kube_object *ret,
                      struct err *e)
{
    static const struct kube_write_options write = {.field_manager = STR_INIT("grapnel")};

    for (int tries = 1;; tries++) {
        AUTO(err_done) struct err stopped = {0};

        if (kube_patch(s->kube, ref, KUBE_PATCH_JSON, ops, &write, cancel, ret, e) == 0)
            return 0;
        if (e->kind == ERR_INVALID || e->kind == ERR_NOT_FOUND)
            return look_why(s, ref, text, leases, cancel, ret, e);
        if ((e->kind != ERR_UNAVAILABLE && e->kind != ERR_CONFLICT) || tries == TRIES ||
            cancel_sleep(cancel, (int64_t)TRY_AGAIN_MS * tries, &stopped) < 0)
            return -1;
        err_done(e);
    }
}

static int renew(void *ctx, struct err *e)
{
    struct chart_store *s = ctx;
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(kube_object_done) struct kube_object answer = {0};
    AUTO(cancel_free) struct cancel *limit = cancel_new(NULL, clock_after(RENEW_LIMIT_MS));
    struct kube_ref ref;

    if (chart_store_ref(s, str_of(s->held_ns), limit, &ref, e) < 0)
        return -1;
    ref.name = str_of(s->held); /* changes only while this thread does not run */
    if (patch_held(s, &ref, held_patch(s, set, true), STR_NONE, true, limit, &answer, e) == 0)
        return 0;
    LOCK_SCOPE(&s->lock);
    return s->is_lost ? 1 : -1;
}

/* A record of ours from now on. */
static int hold(struct chart_store *s, const struct kube_ref *ref, struct err *e)
{
    forget(s);
    {
        LOCK_SCOPE(&s->lock);
        s->held = mem_strndup(ref->name.p, ref->name.len);
        s->held_ns = mem_strndup(ref->ns.p, ref->ns.len);
        s->is_lost = false;
    }
    s->renewer = kube_renewer_start(renew, s, e);
    return s->renewer ? 0 : -1;
}

void chart_store_free(struct chart_store *s)
{
    if (!s)
        return;
    kube_renewer_stop(TAKE(s->renewer));
    if (s->held && !s->is_lost) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(kube_object_done) struct kube_object answer = {0};
        AUTO(cancel_free) struct cancel *limit = cancel_new(NULL, clock_after(GIVE_UP_LIMIT_MS));
        AUTO(err_done) struct err ignored = {0}; /* at worst it grows stale by itself */
        struct kube_ref ref;

        if (chart_store_ref(s, str_of(s->held_ns), limit, &ref, &ignored) == 0) {
            ref.name = str_of(s->held);
            (void)patch_held(s, &ref, held_patch(s, set, false), STR_NONE, false, limit, &answer,
                             &ignored);
        }
    }
    forget(s);
    pthread_mutex_destroy(&s->lock);
    mem_free(s->ns);
    mem_free(s->holder);
    mem_free(s);
}

/* ---- creating */

static struct doc_node *new_object(struct chart_store *s, const struct chart_record *r,
                                   const struct change *c)
{
    struct doc_set *set = c->set;
    struct doc_node *object = doc_new_map(set), *metadata, *labels;

    doc_set_string(set, object, STR("apiVersion"), STR("v1"));
    doc_set_string(set, object, STR("kind"), c->ref.type->kind);
    metadata = doc_set_field(set, object, STR("metadata"), doc_new_map(set));
    doc_set_string(set, metadata, STR("name"), c->ref.name);
    doc_set_string(set, metadata, STR("namespace"), c->ref.ns);
    labels = doc_set_field(set, metadata, STR("labels"),
                           r->labels ? doc_copy(set, r->labels) : doc_new_map(set));
    doc_set_string(set, labels, STR("name"), r->name);
    doc_set_string(set, labels, STR("owner"), STR("helm"));
    doc_set_string(set, labels, STR("status"), chart_status_name(r->status));
    doc_set_string(set, labels, STR("version"),
                   arena_printf(&set->arena, "%lld", (long long)r->revision));
    doc_set_string(set, labels, STR("createdAt"), unix_time(set));
    if (c->leases)
        kube_lease_mark(set, doc_set_field(set, metadata, STR("annotations"), doc_new_map(set)),
                        &chart_lease_keys, str_of(s->holder));
    if (s->driver == CHART_SECRETS)
        doc_set_string(set, object, STR("type"), STR("helm.sh/release.v1"));
    doc_set_string(set, doc_set_field(set, object, STR("data"), doc_new_map(set)), STR("release"),
                   c->text);
    return object;
}

/* A create that was sent twice finds the object it made itself. */
static int find_own(struct chart_store *s, const struct change *c, struct cancel *cancel,
                    struct kube_object *ret, struct err *e)
{
    AUTO(err_done) struct err ignored = {0};
    int64_t age_ms;

    if (c->leases && kube_get(s->kube, &c->ref, cancel, ret, &ignored) == 0 &&
        str_eq(kube_lease_holder(ret->root, &chart_lease_keys, &age_ms), str_of(s->holder))) {
        err_done(e);
        return 0;
    }
    return -1;
}

int chart_store_create(struct chart_store *s, struct chart_record *r, struct cancel *cancel,
                       struct err *e)
{
    AUTO(change_done) struct change c = {0};
    AUTO(kube_object_done) struct kube_object answer = {0};
    struct kube_write_options write = {.field_manager = MANAGER};

    if (change_of(s, r, cancel, &c, e) < 0)
        return -1;
    if (kube_create(s->kube, &c.ref, new_object(s, r, &c), &write, cancel, &answer, e) < 0 &&
        (e->kind != ERR_EXISTS || find_own(s, &c, cancel, &answer, e) < 0))
        return e->kind == ERR_EXISTS
                   ? err_wrap(e, "another operation made revision %lld of %.*s in between",
                              (long long)r->revision, STR_ARG(r->name))
                   : -1;
    chart_store_adopt(r, answer.root);
    return c.leases ? hold(s, &c.ref, e) : 0;
}

/* ---- changing */

static void add_lease(struct chart_store *s, struct doc_set *set, struct doc_node *metadata,
                      const struct chart_record *r, bool leases)
{
    struct doc_node *annotations =
        doc_set_field(set, metadata, STR("annotations"), doc_new_map(set));

    if (leases) {
        kube_lease_mark(set, annotations, &chart_lease_keys, str_of(s->holder));
    } else {
        doc_set_field(set, annotations, chart_lease_keys.holder, doc_new_null(set));
        doc_set_field(set, annotations, chart_lease_keys.renewed, doc_new_null(set));
    }
    if (r->resource_version.len)
        doc_set_string(set, metadata, STR("resourceVersion"), r->resource_version);
}

/* Of a record that nobody holds. Who takes or breaks a lease must have seen the newest version. */
static int patch_free(struct chart_store *s, const struct chart_record *r, const struct change *c,
                      struct cancel *cancel, struct kube_object *ret, struct err *e)
{
    struct kube_write_options write = {.field_manager = MANAGER};
    struct doc_set *set = c->set;
    struct doc_node *patch = doc_new_map(set), *metadata, *labels;

    metadata = doc_set_field(set, patch, STR("metadata"), doc_new_map(set));
    labels = doc_set_field(set, metadata, STR("labels"), doc_new_map(set));
    doc_set_string(set, labels, STR("status"), chart_status_name(r->status));
    doc_set_string(set, labels, STR("modifiedAt"), unix_time(set));
    if (c->leases || r->holder.len)
        add_lease(s, set, metadata, r, c->leases);
    doc_set_string(set, doc_set_field(set, patch, STR("data"), doc_new_map(set)), STR("release"),
                   c->text);
    return kube_patch(s->kube, &c->ref, KUBE_PATCH_MERGE, patch, &write, cancel, ret, e);
}

static int patch_own(struct chart_store *s, const struct chart_record *r, const struct change *c,
                     struct cancel *cancel, struct kube_object *ret, struct err *e)
{
    struct doc_node *ops = held_patch(s, c->set, c->leases);

    add_op(c->set, ops, "add", "/metadata/labels/status", chart_status_name(r->status));
    add_op(c->set, ops, "add", "/metadata/labels/modifiedAt", unix_time(c->set));
    add_op(c->set, ops, "add", "/data/release", c->text);
    return patch_held(s, &c->ref, ops, c->text, c->leases, cancel, ret, e);
}

int chart_store_update(struct chart_store *s, struct chart_record *r, struct cancel *cancel,
                       struct err *e)
{
    AUTO(change_done) struct change c = {0};
    AUTO(kube_object_done) struct kube_object answer = {0};
    bool was_held;

    if (change_of(s, r, cancel, &c, e) < 0)
        return -1;
    was_held = is_held(s, &c.ref);
    if ((was_held ? patch_own(s, r, &c, cancel, &answer, e)
                  : patch_free(s, r, &c, cancel, &answer, e)) < 0)
        return err_wrap(e, "writing revision %lld of %.*s", (long long)r->revision,
                        STR_ARG(r->name));
    chart_store_adopt(r, answer.root);
    if (was_held && !c.leases)
        forget(s);
    return c.leases && !was_held ? hold(s, &c.ref, e) : 0;
}

/* ---- deleting */

int chart_store_delete(struct chart_store *s, const struct chart_record *r, struct cancel *cancel,
                       struct err *e)
{
    AUTO(doc_set_free) struct doc_set *scratch = doc_set_new();
    struct kube_delete_options options = {.propagation = KUBE_BACKGROUND};
    struct kube_ref ref;

    if (chart_store_ref(s, r->ns, cancel, &ref, e) < 0)
        return -1;
    ref.name = chart_store_object_name(scratch, r->name, r->revision);
    if (is_held(s, &ref))
        forget(s);
    if (kube_delete(s->kube, &ref, &options, cancel, e) == 0)
        return 0;
    if (e->kind != ERR_NOT_FOUND)
        return err_wrap(e, "deleting revision %lld of %.*s", (long long)r->revision,
                        STR_ARG(r->name));
    err_done(e);
    return 0;
}

int chart_store_prune(struct chart_store *s, const struct chart_records *history, int64_t max,
                      struct cancel *cancel, struct err *e)
{
    const struct chart_record *deployed = chart_records_deployed(history);
    int64_t surplus = (int64_t)history->len - (max - 1);

    for (size_t i = 0; max > 0 && i < history->len && surplus > 0; i++) {
        AUTO(err_done) struct err bad = {0};

        if (&history->v[i] == deployed)
            continue;
        surplus--;
        if (chart_store_delete(s, &history->v[i], cancel, &bad) == 0)
            continue;
        if (cancel_check(cancel, e) < 0)
            return -1;
        log_warn("an old release record was not deleted", LOG_STR("error", str_of(err_text(&bad))));
    }
    return 0;
}
