/* What the sandbox's files share. One lock (sandbox.lock) guards the store, the kinds, watches and
 * controllers; a name ending in _locked, and everything here that says nothing else, is called with
 * it held. Requests are parsed before it is taken. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "doc/emit.h"
#include "doc/node.h"
#include "doc/parse.h"
#include "http/cert.h"
#include "http/server.h"
#include "sandbox/sandbox.h"
#include "sys/clock.h"
#include "sys/thread.h"

/* ---- kinds */

struct sb_crd;

/* Who looks after a resource type. */
enum sb_ctl {
    CTL_NONE,
    CTL_COLLECT, /* of any object: owners and dependents */
    CTL_NAMESPACE,
    CTL_DEFINITION,
    CTL_POD,
    CTL_REPLICASET,
    CTL_DEPLOYMENT,
    CTL_STATEFULSET,
    CTL_DAEMONSET,
    CTL_JOB,
    CTL_COUNT
};

/* A served version of a resource type. */
struct sb_kind {
    struct sb_res *res;
    str group, version, kind, singular;
    str short_names, categories; /* words divided by blanks */
    bool namespaced, has_status, has_scale;
    bool is_custom;      /* strategic merge patches answer 415 */
    bool is_virtual;     /* answered, not stored: reviews, bindings */
    bool put_creates;    /* an update of what is not there creates it; else it is 404 */
    bool delete_returns; /* a deletion answers with the object, not with a Status */
    bool has_rules;      /* x-kubernetes-validations, somewhere in its schema */
    bool is_served;      /* false: a CRD's version that is stored only, or a removed CRD */
    uint64_t revision;   /* which change of discovery brought it */
    struct sb_crd *crd;  /* or NULL */
    const struct doc_node *schema; /* openAPIV3Schema of a CRD's version, or NULL */
};

/* Objects of one group and plural, whatever the version. */
struct sb_res {
    str group, plural;
    VEC(struct sb_slot *) slots; /* sorted by namespace, then name */
    VEC(struct sb_kind *) kinds; /* its versions, preferred first */
    VEC(struct sb_event) events; /* oldest first */
    uint64_t dropped_rv;         /* events up to this version are gone */
    size_t event_bytes;
    struct sb_watch *watches;
    bool is_namespaced;
    enum sb_ctl ctl; /* who looks after them */
};

/* ---- objects */

struct sb_uid {
    uint64_t a, b;
};

/* One state of an object, shared by the store, the history and answers. Immutable. */
struct sb_obj {
    int refs;
    uint32_t len;
    uint16_t ns_len, name_len;
    uint64_t rv;
    char json[]; /* without apiVersion and kind: {"metadata":…; then namespace and name */
};
static inline str sb_obj_json(const struct sb_obj *o) { return (str){o->json, o->len}; }
static inline str sb_obj_ns(const struct sb_obj *o) { return (str){o->json + o->len, o->ns_len}; }
static inline str sb_obj_name(const struct sb_obj *o)
{
    return (str){o->json + o->len + o->ns_len, o->name_len};
}

/* What controllers ask of objects again and again. */
struct sb_brief {
    uint8_t phase; /* enum sb_phase of a Pod */
    bool is_ready, is_deleting, has_finalizers;
    bool is_foreground, is_orphaning; /* which finalizers of the collector it has */
    int64_t ready_since_ms;           /* wall */
    uint32_t template_hash; /* of the pod-template-hash or controller-revision-hash label */
};
enum sb_phase { SB_PENDING, SB_RUNNING, SB_SUCCEEDED, SB_FAILED };

struct sb_owner {
    struct sb_uid uid;
    bool is_controller, is_blocking;
};

/* An object that is there: its present state and what it hangs on. */
struct sb_slot {
    struct sb_res *res;
    struct sb_obj *obj;
    struct sb_uid uid;
    str ns, name; /* in the slot's own memory */
    struct sb_owner *owners;
    uint32_t owner_count;
    bool is_marked; /* to be stored */
    int pod_step;   /* of a Pod's fate: how far it is */
    clock_ms due;   /* when a Pod goes on, or 0 */
    struct sb_brief brief;
    char text[];
};

enum sb_event_type { SB_ADDED, SB_MODIFIED, SB_DELETED };
struct sb_event {
    enum sb_event_type type;
    uint64_t rv;
    struct sb_obj *obj;  /* referenced */
    struct sb_obj *prev; /* referenced; NULL for ADDED */
};

struct sb_deps { /* who names an owner */
    struct sb_uid uid;
    VEC(struct sb_slot *) v;
};

/* ---- timers: what happens later, on the controllers' thread */
typedef void sb_timer_fn(struct sandbox *sb, void *arg); /* lock held */
struct sb_timer {
    clock_ms due;
    uint64_t order;
    sb_timer_fn *fn;
    sb_timer_fn *drop; /* when the sandbox stops before; may be NULL */
    void *arg;
};

struct sb_fault {
    struct sandbox_fault f; /* texts owned */
    int left, skip;
};

struct sb_disk;

enum { SB_SERVICE_ADDRESSES = 1 << 16, SB_NODE_PORTS = 2768 };
struct sb_addresses { /* which are taken, a bit each, and which were handed out last */
    uint64_t services[SB_SERVICE_ADDRESSES / 64], ports[SB_NODE_PORTS / 64 + 1];
    uint32_t last_service, last_port, last_pod;
};

struct sandbox {
    struct sandbox_options o;
    struct http_server *server;
    struct cert_pair ca, server_cert, client_cert;

    pthread_mutex_t lock;
    struct arena arena; /* kinds and their names */
    VEC(struct sb_kind *) kinds;
    VEC(struct sb_res *) resources;
    struct map kind_by_path; /* "group/version/plural" */
    struct map kind_by_gvk;  /* "group/version/kind" */
    uint64_t rv;
    struct map deps; /* uid (16 bytes) -> struct sb_deps */
    struct map uids; /* uid (16 bytes) -> struct sb_slot: what exists */
    uint64_t discovery_changes;
    struct sb_addresses addresses;
    uint64_t next_watch;

    /* controllers and timers */
    struct thread *loop;
    pthread_cond_t loop_cond;
    bool is_stopping, is_loading; /* loading: states come from the disk as they are */
    VEC(struct sb_timer) timers;  /* heap */
    uint64_t timer_order;
    struct map queued;           /* keys of ctl tasks that wait */
    VEC(struct sb_task *) tasks; /* what waits, from task_at on */
    size_t task_at;
    atomic_int waiting; /* requests that want the lock: controllers let them pass */

    VEC(struct sb_fault) faults;
    int fault_hits;
    int64_t clock_skew_ms;
    struct sb_disk *disk;
    struct sb_crd *crds; /* all that were ever applied */
};

/* A sandbox without sockets and threads; sandbox_stop frees it. */
struct sandbox *sb_new(const struct sandbox_options *options);

/* ---- requests */

enum sb_verb {
    SB_GET,
    SB_LIST,
    SB_WATCH,
    SB_CREATE,
    SB_UPDATE,
    SB_PATCH,
    SB_DELETE,
    SB_DELETE_ALL,
    SB_OTHER
};

struct sb_req {
    struct sandbox *sb;
    struct arena arena;
    struct doc_set *set; /* documents of this request */
    str method, path;    /* decoded */
    str query;           /* as sent */
    str body, content_type, accept, user_agent, user;
    str segments[12];
    size_t segment_count;
    struct {
        str key, value;
    } params[24];
    size_t param_count;

    enum sb_verb verb;
    struct sb_kind *kind; /* NULL: no resource path */
    str ns, name, sub;

    /* the answer */
    bool is_stale; /* a fault: reads answer with the version before */
    int status;
    const char *content_type_out; /* NULL: JSON */
    struct buf out;
    int retry_after_s;
    str warnings[8]; /* texts of Warning headers */
    size_t warning_count;
    struct sb_watch *watch; /* to be streamed */
    struct sb_obj *before;  /* referenced: the state before a write, for FAULT_STALE; or NULL */
    str result_kind, result_name;
    clock_ms received;
};

str sb_param(const struct sb_req *r, const char *key); /* empty when absent */
bool sb_has_param(const struct sb_req *r, const char *key);
bool sb_param_bool(const struct sb_req *r, const char *key);
/* Splits the target into path, segments and parameters. False: a bad escape or too many. Pure. */
bool sb_req_parse(struct sb_req *r, str target);
void sb_req_done(struct sb_req *r);
/* Finds kind, namespace, name, subresource and verb. */
void sb_route(struct sb_req *r);
/* Fills r->out; no sockets, so that tests and the fuzzer call it. Takes the lock itself. */
void sb_handle(struct sb_req *r);

/* ---- status.c: answers that are a Status. All return -1. */
int sb_fail(struct sb_req *r, int code, const char *reason, const char *fmt, ...) PRINTF(4, 5);
int sb_fail_not_found(struct sb_req *r, const struct sb_kind *kind, str name);
int sb_fail_exists(struct sb_req *r, const struct sb_kind *kind, const struct sb_slot *slot);
int sb_fail_conflict(struct sb_req *r, const struct sb_kind *kind, str name, const char *why);
int sb_fail_gone(struct sb_req *r, const char *message);
void sb_status_of(int code, const char *reason, str message, struct buf *out);
const char *sb_reason_of(int code);

/* Causes of a 422, gathered. */
struct sb_causes {
    struct arena arena;
    struct {
        const char *reason; /* FieldValueRequired, FieldValueInvalid, ... */
        str field, message;
    } v[32];
    size_t len;
};
void sb_cause(struct sb_causes *c, const char *reason, str field, const char *fmt, ...)
    PRINTF(4, 5);
void sb_causes_done(struct sb_causes *c);
AUTO_VALUE(struct sb_causes, sb_causes_done)
int sb_fail_invalid(struct sb_req *r, const struct sb_kind *kind, str name, struct sb_causes *c);

/* ---- kinds.c */
void sb_kinds_init(struct sandbox *sb);
void sb_kinds_done(struct sandbox *sb);
struct sb_kind *sb_kind_add(struct sandbox *sb, const struct sb_kind *kind, str plural);
struct sb_kind *sb_kind_by_path(struct sandbox *sb, str group, str version, str plural);
struct sb_kind *sb_kind_by_gvk(struct sandbox *sb, str api_version, str kind);
struct sb_res *sb_res_of(struct sandbox *sb, str group, str plural);
/* "deployments.apps", "pods": how messages name a resource type. */
str sb_kind_resource(const struct sb_kind *kind, struct arena *a);
str sb_api_version(const struct sb_kind *kind, struct arena *a);

/* ---- store.c */
struct sb_slot *sb_find(struct sb_res *res, str ns, str name);
/* First slot at or after (ns, name). */
size_t sb_lower_bound(struct sb_res *res, str ns, str name);
/* Reads the present state as a document with apiVersion and kind in front. */
struct doc_node *sb_load(struct doc_set *set, const struct sb_kind *kind, const struct sb_obj *obj);
/* Writes a new state: resourceVersion is set, watchers, controllers and the disk are told. slot is
 * NULL for a new object. Returns the slot. */
struct sb_slot *sb_store(struct sandbox *sb, struct sb_res *res, struct sb_slot *slot,
                         struct doc_set *set, struct doc_node *object);
/* Takes the object away; doc is its last state. */
void sb_drop(struct sandbox *sb, struct sb_slot *slot, struct doc_set *set, struct doc_node *doc);
void sb_obj_print(const struct sb_kind *kind, const struct sb_obj *obj, struct buf *out);
struct sb_deps *sb_deps_of(struct sandbox *sb, struct sb_uid uid); /* NULL: none */
struct sb_slot *sb_by_uid(struct sandbox *sb, struct sb_uid uid);
struct sb_uid sb_uid_parse(str text);
void sb_uid_new(struct buf *out);
void sb_compact_res(struct sb_res *res, uint64_t rv);
void sb_store_done(struct sandbox *sb);
void sb_now(struct sandbox *sb, struct buf *out); /* RFC 3339, seconds */
int64_t sb_wall(struct sandbox *sb);

/* ---- select.c */
struct sb_selector; /* labels and fields */
/* NULL with the request failed. */
struct sb_selector *sb_selector_parse(struct sb_req *r, str labels, str fields);
void sb_selector_free(struct sb_selector *s);
AUTO_PTR(struct sb_selector, sb_selector_free)
bool sb_selector_is_all(const struct sb_selector *s);
bool sb_selector_match(const struct sb_selector *s, const struct doc_node *object);
/* metadata.name=X, when the selector asks for it. */
str sb_selector_name(const struct sb_selector *s);
/* matchLabels and matchExpressions of a LabelSelector against labels. */
bool sb_labels_match(const struct doc_node *label_selector, const struct doc_node *labels);
/* A plain map of labels, all of which must be there. */
bool sb_labels_contain(const struct doc_node *want, const struct doc_node *labels);

/* ---- read.c, table.c, watch.c, discovery.c, openapi.c */
int sb_do_get(struct sb_req *r);
int sb_do_list(struct sb_req *r);
int sb_do_watch(struct sb_req *r);
int sb_do_discovery(struct sb_req *r); /* 0: answered; 1: not a discovery path */
int sb_do_openapi(struct sb_req *r);   /* the same */
#define SB_VERSION "v1.34.3+grapnel"   /* of Kubernetes, as clients are told */
/* Whether the answer is wanted as a Table. */
bool sb_wants_table(const struct sb_req *r);
void sb_table_begin(struct sb_req *r, const struct sb_kind *kind, struct buf *out);
void sb_table_end(uint64_t rv, struct buf *out);
void sb_table_row(struct sb_req *r, const struct sb_kind *kind, const struct sb_obj *obj,
                  bool is_first, struct buf *out);
/* The oldest version any watch of res still has to read; UINT64_MAX without watches. */
uint64_t sb_watch_oldest(const struct sb_res *res);
void sb_watch_notify(struct sb_res *res);
void sb_watch_start(struct sb_watch *w, struct http_call *call);
void sb_watch_free(struct sb_watch *w);

/* ---- write.c */
int sb_do_create(struct sb_req *r);
int sb_do_update(struct sb_req *r);
int sb_do_patch(struct sb_req *r);
int sb_do_delete(struct sb_req *r);
int sb_do_delete_all(struct sb_req *r);
/* The body as a document. NULL with the request failed. */
struct doc_node *sb_body(struct sb_req *r);
/* What controllers use: create (defaulted) and delete. */
struct sb_slot *sb_internal_create(struct sandbox *sb, struct sb_kind *kind, struct doc_set *set,
                                   struct doc_node *object);
/* Starts or finishes the deletion of an object, as DELETE does. */
enum sb_propagation { SB_BACKGROUND, SB_FOREGROUND, SB_ORPHAN };
void sb_delete_slot(struct sandbox *sb, struct sb_slot *slot, enum sb_propagation how);
/* What the collector does with an object that was written, or whose owner or dependent went. */
void sb_collect(struct sandbox *sb, struct sb_slot *slot);
void sb_end_namespace(struct sandbox *sb, struct sb_slot *slot);
void sb_end_definition(struct sandbox *sb, struct sb_slot *slot);
void sb_answer(struct sb_req *r, int status, const struct sb_obj *obj);

/* ---- types/defaults.c, types/validate.c */
void sb_default(const struct sb_kind *kind, struct doc_set *set, struct doc_node *object,
                const struct doc_node *old);
/* types/prepare.c: what is added once it is known who set what. */
void sb_prepare(struct sandbox *sb, const struct sb_kind *kind, struct doc_set *set,
                struct doc_node *object, const struct doc_node *old);
void sb_validate(const struct sb_kind *kind, const struct doc_node *object,
                 const struct doc_node *old, struct sb_causes *c);
bool sb_is_dns_label(str s);
bool sb_is_dns_subdomain(str s);

/* ---- controllers: one thread, woken by writes and timers */
int sb_loop_start(struct sandbox *sb, struct err *e);
void sb_loop_stop(struct sandbox *sb); /* also without a start */
/* Does one thing that is due: a timer or a turn. False: nothing is. */
bool sb_loop_step(struct sandbox *sb);
/* Calls fn on the loop's thread, once, not before due; or drop (may be NULL) when the sandbox stops
 * before. */
void sb_timer(struct sandbox *sb, clock_ms due, sb_timer_fn *fn, sb_timer_fn *drop, void *arg);
void sb_timers_drop(struct sandbox *sb);
/* An object was written or is about to go: whoever looks after it, its owners or what it owns is
 * queued. */
void sb_ctl_notify(struct sandbox *sb, struct sb_slot *slot, bool is_gone);
/* The same when the time has come. */
void sb_ctl_enqueue_at(struct sandbox *sb, enum sb_ctl ctl, const struct sb_slot *slot,
                       clock_ms due);

/* ---- disk.c: nothing happens without a data file */
int sb_disk_open(struct sandbox *sb, struct err *e);
void sb_disk_close(struct sandbox *sb);
/* The state of slot has changed, or it is about to go. */
void sb_disk_mark(struct sandbox *sb, struct sb_slot *slot);
/* Stores all that was marked, or nothing: ERR_IO, it stays marked. Nothing is told to anybody
 * before that: whoever changes objects does this before the lock is released. */
int sb_disk_flush(struct sandbox *sb, struct err *e);
/* 0, or, when that failed, the time of the next try: until one succeeds, requests to write are
 * refused and controllers rest. */
clock_ms sb_disk_stuck(struct sandbox *sb);
