#include "khook/state/state.h"

#include <pthread.h>

#include "base/escape.h"
#include "base/log.h"
#include "base/mem.h"
#include "khook/act/deliver.h"
#include "kube/lease.h"
#include "sys/thread.h"

enum { WRITE_MS = 30000, LOOK_MS = 3000 };

#define MANAGED_BY STR("app.kubernetes.io/managed-by")
#define DATA_KEY STR("record.json")

static const struct kube_lease_keys lease_keys = {STR_INIT("khook.io/holder"),
                                                  STR_INIT("khook.io/renewed")};

struct khook_store {
    struct kube *kube;
    char *ns, *name, *holder;  /* holder: this run */
    pthread_mutex_t lock;      /* of live and is_held */
    struct kube_object live;   /* the Secret as last seen; root NULL: it does not exist */
    bool is_held, may_be_held; /* may: the answer to the first write was an error */
    _Atomic bool is_lost;      /* also read without the lock */
    struct cancel *lost;
    struct kube_renewer *renewer;
};

struct khook_store *khook_store_new(struct kube *k, str ns, str name)
{
    struct khook_store *s = NEW(struct khook_store);

    s->kube = k;
    s->ns = mem_strndup(ns.p, ns.len);
    s->name = mem_strndup(name.p, name.len);
    s->holder = kube_lease_holder_new();
    pthread_mutex_init(&s->lock, NULL);
    return s;
}

static int secret_ref(struct khook_store *s, struct cancel *cancel, struct kube_ref *ret,
                      struct err *e)
{
    *ret = (struct kube_ref){.type = kube_type_of(s->kube, STR("v1"), STR("Secret"), cancel, e),
                             .ns = str_of(s->ns),
                             .name = str_of(s->name)};
    return ret->type ? 0 : -1;
}

static int wrap(const struct khook_store *s, const char *verb, struct err *e)
{
    return err_wrap(e, "%s the state record, secret/%s@%s", verb, s->name, s->ns);
}

static bool is_own(const struct doc_node *secret)
{
    return str_eq(doc_text(doc_get(doc_at(secret, "metadata/labels"), MANAGED_BY), STR_NONE),
                  STR(KHOOK_MANAGER));
}

static int foreign(const struct khook_store *s, struct err *e)
{
    return err_set(e, ERR_EXISTS,
                   "secret/%s@%s exists but is not managed by khook; delete it or set state.name "
                   "to another name",
                   s->name, s->ns);
}

/* ---- reading */

/* Reads the Secret into live; root stays NULL when there is none. Under the lock. */
static int refresh(struct khook_store *s, struct cancel *cancel, struct err *e)
{
    struct kube_ref ref;

    kube_object_done(&s->live);
    if (secret_ref(s, cancel, &ref, e) < 0)
        return -1;
    if (kube_get(s->kube, &ref, cancel, &s->live, e) == 0)
        return is_own(s->live.root) ? 0 : foreign(s, e);
    if (e->kind != ERR_NOT_FOUND)
        return -1;
    err_done(e);
    return 0;
}

static int damaged(const struct khook_store *s, const char *what, struct err *e)
{
    return err_set(e, ERR_INVALID,
                   "%s; delete secret/%s@%s to start anew: every step then runs again", what,
                   s->name, s->ns);
}

static int parse_live(const struct khook_store *s, struct khook_record *ret, struct err *e)
{
    AUTO(buf_done) struct buf json = {0};
    const struct doc_node *data = doc_get(doc_get_lit(s->live.root, "data"), DATA_KEY);
    int rc;

    if (!data)
        return damaged(s, "the Secret has no record.json", e);
    if (!unescape_base64(doc_text(data, STR_NONE), &json))
        return damaged(s, "record.json is no base64", e);
    rc = khook_record_parse(buf_view(&json), ret, e);
    if (rc < 0) {
        AUTO(mem_free_str) char *why = str_printf("record.json cannot be read: %s", err_text(e));

        return damaged(s, why, e);
    }
    return rc == 0;
}

int khook_store_load(struct khook_store *s, struct cancel *cancel, struct khook_record *ret,
                     struct err *e)
{
    LOCK_SCOPE(&s->lock);
    int rc = refresh(s, cancel, e);

    if (rc == 0 && s->live.root)
        rc = parse_live(s, ret, e);
    if (rc < 0 && e->kind == ERR_INVALID)
        e->kind = ERR_IO; /* not the user's input: exit status 1 */
    return rc < 0 ? wrap(s, "reading", e) : rc;
}

/* ---- the lease */

static int lease_check(struct khook_store *s, struct err *e)
{
    int64_t age_ms;
    str holder = kube_lease_holder(s->live.root, &lease_keys, &age_ms);

    if (!holder.len || str_eq(holder, str_of(s->holder)))
        return 0;
    if (age_ms < KUBE_LEASE_STALE_MS)
        return err_set(e, ERR_CONFLICT,
                       "another run holds this spec: %.*s, last seen %lld s ago; wait for it to "
                       "end, or until it has been "
                       "silent for %d s",
                       STR_ARG(holder), (long long)(MAX(age_ms, (int64_t)0) / 1000),
                       KUBE_LEASE_STALE_MS / 1000);
    if (!s->is_held)
        log_warn("taking over the lease of a run that went silent", LOG_STR("holder", holder));
    return 0;
}

/* ---- writing */

enum { KEEP_LEASE, GIVE_UP_LEASE };

/* The Secret to be written: the live one with the record, or a new one. Under the lock. */
static struct doc_node *secret_build(struct khook_store *s, struct doc_set *set,
                                     const struct khook_record *record, int lease)
{
    struct doc_node *secret = s->live.root ? doc_copy(set, s->live.root) : doc_new_map(set);
    struct doc_node *metadata = doc_ensure_map(set, secret, STR("metadata")), *annotations;
    AUTO(buf_done) struct buf json = {0}, base64 = {0};

    doc_set_string(set, secret, STR("apiVersion"), STR("v1"));
    doc_set_string(set, secret, STR("kind"), STR("Secret"));
    doc_set_string(set, metadata, STR("name"), str_of(s->name));
    doc_set_string(set, metadata, STR("namespace"), str_of(s->ns));
    doc_set_string(set, doc_ensure_map(set, metadata, STR("labels")), MANAGED_BY,
                   STR(KHOOK_MANAGER));
    doc_remove(metadata, STR("managedFields"));
    if (!s->live.root)
        doc_set_string(set, secret, STR("type"), STR("Opaque"));
    if (record) {
        struct doc_node *data = doc_set_field(set, secret, STR("data"), doc_new_map(set));

        khook_record_emit(record, &json);
        escape_base64(buf_view(&json), true, &base64);
        doc_set_string(set, data, DATA_KEY, buf_view(&base64));
    }
    annotations = doc_ensure_map(set, metadata, STR("annotations"));
    if (lease == KEEP_LEASE) {
        kube_lease_mark(set, annotations, &lease_keys, str_of(s->holder));
    } else {
        doc_remove(annotations, lease_keys.holder);
        doc_remove(annotations, lease_keys.renewed);
        if (doc_len(annotations) == 0)
            doc_remove(metadata, STR("annotations"));
    }
    return secret;
}

static int write_once(struct khook_store *s, const struct khook_record *record, int lease,
                      struct cancel *cancel, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct kube_write_options write = {.field_manager = STR(KHOOK_MANAGER)};
    struct doc_node *secret = secret_build(s, set, record, lease);
    struct kube_object answer = {0};
    struct kube_ref ref;
    int rc;

    if (secret_ref(s, cancel, &ref, e) < 0)
        return -1;
    rc = s->live.root ? kube_update(s->kube, &ref, secret, &write, cancel, &answer, e)
                      : kube_create(s->kube, &ref, secret, &write, cancel, &answer, e);
    if (rc == 0) {
        kube_object_done(&s->live);
        s->live = answer;
    }
    return rc;
}

static bool may_retry(const struct err *e)
{
    return e->kind == ERR_CONFLICT || e->kind == ERR_EXISTS || e->kind == ERR_NOT_FOUND;
}

static int explain(const struct khook_store *s, struct err *e)
{
    if (e->kind == ERR_NOT_FOUND)
        return err_set(e, ERR_NOT_FOUND,
                       "%s; the namespace \"%s\" must exist: name another with state.namespace, or "
                       "create it before the "
                       "run",
                       err_text(e), s->ns);
    return -1;
}

/* The record in memory wins over a change in between, a lease that somebody else took does not.
 * Under the lock. */
static int write_record(struct khook_store *s, const struct khook_record *record, int lease,
                        struct cancel *cancel, struct err *e)
{
    if (write_once(s, record, lease, cancel, e) == 0)
        return 0;
    if (!may_retry(e))
        return -1;
    err_done(e);
    if (refresh(s, cancel, e) < 0)
        return -1;
    if (lease_check(s, e) < 0) {
        s->is_lost = s->is_held;
        return -1;
    }
    return write_once(s, record, lease, cancel, e) < 0 ? explain(s, e) : 0;
}

static int write_bounded(struct khook_store *s, const struct khook_record *record, int lease,
                         struct err *e)
{
    AUTO(cancel_free) struct cancel *limit = cancel_new(NULL, clock_after(WRITE_MS));
    LOCK_SCOPE(&s->lock);

    if (s->is_lost)
        return err_set(e, ERR_CONFLICT, "the lease was taken over by another run");
    return write_record(s, record, lease, limit, e) < 0 ? wrap(s, "writing", e) : 0;
}

/* A failing renewal is tried again at the next turn: only one that finds another holder ends it. */
static int renew(void *ctx, struct err *e)
{
    struct khook_store *s = ctx;
    AUTO(err_done) struct err why = {0};

    if (write_bounded(s, NULL, KEEP_LEASE, &why) == 0)
        return 0;
    if (s->is_lost)
        cancel_trigger(s->lost, ERR_CONFLICT, err_text(&why));
    err_move(e, &why);
    return s->is_lost ? 1 : -1;
}

int khook_store_begin(struct khook_store *s, const struct khook_record *record,
                      struct cancel *cancel, struct cancel *lost, struct err *e)
{
    int rc;

    {
        LOCK_SCOPE(&s->lock);

        if (lease_check(s, e) < 0)
            return -1;
        rc = write_record(s, record, KEEP_LEASE, cancel, e);
        s->is_held = rc == 0;
        s->may_be_held = rc < 0;
    }
    if (rc < 0)
        return wrap(s, "writing", e);
    s->lost = lost;
    s->renewer = kube_renewer_start(renew, s, e);
    return s->renewer ? 0 : -1;
}

int khook_store_save(struct khook_store *s, const struct khook_record *record, struct err *e)
{
    return write_bounded(s, record, KEEP_LEASE, e);
}

static void stop_renewing(struct khook_store *s) { kube_renewer_stop(TAKE(s->renewer)); }

int khook_store_end(struct khook_store *s, const struct khook_record *record, struct err *e)
{
    stop_renewing(s);
    if (write_bounded(s, record, GIVE_UP_LEASE, e) < 0)
        return -1;
    s->is_held = false;
    return 0;
}

int khook_store_delete(struct khook_store *s, struct cancel *cancel, struct err *e)
{
    struct kube_ref ref;
    struct kube_delete_options options = {.propagation = KUBE_BACKGROUND};

    stop_renewing(s);
    LOCK_SCOPE(&s->lock);
    if (refresh(s, cancel, e) < 0 || secret_ref(s, cancel, &ref, e) < 0)
        return wrap(s, "deleting", e);
    s->is_held = false;
    if (!s->live.root)
        return 0;
    if (kube_delete(s->kube, &ref, &options, cancel, e) < 0 && e->kind != ERR_NOT_FOUND)
        return wrap(s, "deleting", e);
    err_done(e);
    return 0;
}

/* Is the lease of a begin that failed there nevertheless? */
static bool was_taken(struct khook_store *s)
{
    AUTO(cancel_free) struct cancel *limit = cancel_new(NULL, clock_after(LOOK_MS));
    AUTO(err_done) struct err ignored = {0};
    int64_t age_ms;
    LOCK_SCOPE(&s->lock);

    return refresh(s, limit, &ignored) == 0 && s->live.root &&
           str_eq(kube_lease_holder(s->live.root, &lease_keys, &age_ms), str_of(s->holder));
}

void khook_store_free(struct khook_store *s)
{
    AUTO(err_done) struct err ignored = {0};

    if (!s)
        return;
    stop_renewing(s);
    if ((s->is_held && !s->is_lost) || (s->may_be_held && was_taken(s)))
        (void)write_bounded(s, NULL, GIVE_UP_LEASE,
                            &ignored); /* at worst it grows stale by itself */
    kube_object_done(&s->live);
    pthread_mutex_destroy(&s->lock);
    mem_free(s->ns);
    mem_free(s->name);
    mem_free(s->holder);
    mem_free(s);
}
