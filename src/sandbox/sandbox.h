/* The embedded API server (design 6): one process, loopback only, in memory or in a SQLite file.
 *
 * It answers as a Kubernetes API server does: discovery, objects, every patch kind, watches, CRDs;
 * simple controllers make Deployments roll out and Jobs finish. Where it differs from a real server
 * it is wrong (docs/manual names the known differences). All functions from any thread unless they
 * say otherwise. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

struct sandbox;

/* One request, as the hooks see it; everything is borrowed during the call. */
struct sandbox_call {
    str method; /* "GET" */
    str path;   /* decoded, without the query */
    str query;  /* as sent */
    str content_type;
    str body;
    str group, version, plural;   /* of the resource type; empty for other paths */
    str ns, name, subresource;    /* empty when not in the path */
    bool is_watch;                /* GET with watch=true */
    bool is_list;                 /* GET of a collection */
    str object_kind, object_name; /* of the object written, generated names too (after only) */
    int status;                   /* of the answer (after only) */
};

/* For tests: sees requests, and may change the store between them with the functions below.
 * `before` runs before a request is looked at; a non-zero return is answered with that HTTP status
 * (a Status object with a fitting reason). `after` runs when the answer has been made up and not
 * been sent; for a watch: when it has started. Both on a server thread, no lock held. */
struct sandbox_hooks {
    int (*before)(void *ctx, const struct sandbox_call *call);
    void (*after)(void *ctx, const struct sandbox_call *call);
    void *ctx;
};

struct sandbox_options {
    uint16_t port; /* 0: any free one */
    /* SQLite file, made when absent; NULL: memory only. A write is answered once it is stored. One
     * that cannot be (a full disk) is answered with 500 and the reason, and is kept in memory;
     * until it is stored, which is tried again each second and before each write, further writes
     * are refused in the same way with nothing done, and controllers rest. Reads are answered. */
    const char *data_file;
    bool is_plain;       /* plain HTTP without certificates; default: TLS, certificate required */
    bool no_controllers; /* objects change only by requests and hooks; no Node either */
    /* A bare object store: namespaces are not checked, nothing is validated or defaulted (khook
     * conformance README, "What stands in for the cluster"). Implies no_controllers. */
    bool is_bare;
    int latency_ms;   /* every answer comes so much later */
    unsigned threads; /* 0: 2 */
    /* Versions count on from here, as those of a server with a history; 0: 1. */
    uint64_t first_version;
    struct sandbox_hooks hooks;
};

/* Returns when the server answers. ERR_UNSUPPORTED: a library is missing; ERR_IO: port or file. */
struct sandbox *sandbox_start(const struct sandbox_options *options, struct err *e);
void sandbox_stop(struct sandbox *sb); /* NULL is fine */
AUTO_PTR(struct sandbox, sandbox_stop)
uint16_t sandbox_port(const struct sandbox *sb);
/* Appends "https://127.0.0.1:PORT" or, plain, "http://…". */
void sandbox_url(const struct sandbox *sb, struct buf *out);
/* Appends a kubeconfig with the authority, certificate and key embedded. Holds a private key. */
void sandbox_kubeconfig(const struct sandbox *sb, struct buf *out);
/* PEM texts, borrowed; empty when plain. */
str sandbox_ca_pem(const struct sandbox *sb);
str sandbox_cert_pem(const struct sandbox *sb);
str sandbox_key_pem(const struct sandbox *sb);

/* ---- for tests and hooks: the store without the API in between */

/* Creates or replaces an object (JSON with apiVersion and kind) as it is, status included; watchers
 * see it. Nothing is validated or defaulted; uid, resourceVersion, creationTimestamp are filled in.
 */
int sandbox_put(struct sandbox *sb, str json, struct err *e);
/* Sets members of an object by a merge patch, status included. ERR_NOT_FOUND. */
int sandbox_merge(struct sandbox *sb, str api_version, str kind, str ns, str name, str patch_json,
                  struct err *e);
/* Appends the object as JSON. ERR_NOT_FOUND. */
int sandbox_get(struct sandbox *sb, str api_version, str kind, str ns, str name, struct buf *out,
                struct err *e);
/* Removes it at once, finalizers or not. ERR_NOT_FOUND. */
int sandbox_remove(struct sandbox *sb, str api_version, str kind, str ns, str name, struct err *e);
/* Calls fn with each object (JSON) of the store; a lock is held, so fn must not call back. */
typedef void sandbox_object_fn(void *ctx, str json);
void sandbox_each(struct sandbox *sb, sandbox_object_fn *fn, void *ctx);
/* Serves one more kind without a CRD. is_custom: strategic merge patches answer 415. */
int sandbox_add_kind(struct sandbox *sb, str api_version, str kind, str plural, bool namespaced,
                     bool is_custom, struct err *e);
/* The server comes back on its port with another certificate of its own, signed by its authority or
 * by another one that nobody knows; all connections end. Not from a hook, not while answers are
 * late or slow, not beside other functions of this header. When it fails, nobody answers any more.
 */
int sandbox_swap_certificate(struct sandbox *sb, bool other_authority, struct err *e) MUST_CHECK;
/* Drops the watch history: watches and pages that start before now are answered with 410. */
void sandbox_compact(struct sandbox *sb);
/* The log of a Pod, for all its containers; without it the Pod's fate/message is its log. */
int sandbox_set_log(struct sandbox *sb, str ns, str pod, str text, struct err *e);

/* ---- faults (reliability 4 C)
 *
 * Also over the API: POST /sandbox/faults with {"fault": "reset", "point": "header", "method":
 * "GET", "path": "/api/v1/pods*", "count": 1, "skip": 0, "delayMs": 100, "retryAfter": 1,
 * "status": 403, "message": "exceeded quota"};
 * GET shows what is armed, DELETE drops all. */
#define SANDBOX_FAULTS(X)                                                                       \
    X(FAULT_RESET, "reset")               /* the connection is cut */                           \
    X(FAULT_HALF_EVENT, "half-event")     /* half of the answer or event, then cut */           \
    X(FAULT_GONE, "gone")                 /* 410, in a watch an ERROR event */                  \
    X(FAULT_TOO_MANY, "too-many")         /* 429 with Retry-After */                            \
    X(FAULT_SERVER_ERROR, "server-error") /* 500 to 504 in turn */                              \
    X(FAULT_UNAUTHORIZED, "unauthorized") /* 401 */                                             \
    X(FAULT_CONFLICT, "conflict")         /* 409 */                                             \
    X(FAULT_STALE, "stale")               /* a read answers with the version before */          \
    X(FAULT_DUPLICATE, "duplicate")       /* each event twice */                                \
    X(FAULT_BOOKMARK, "bookmark")         /* a bookmark more */                                 \
    X(FAULT_COMPACT, "compact")           /* the history is dropped, in a list between pages */ \
    X(FAULT_SLOW, "slow")                 /* bytes dribble */                                   \
    X(FAULT_LATE, "late")                 /* the answer waits delay_ms */                       \
    X(FAULT_RESTART, "restart")           /* all connections cut, versions start lower */       \
    X(FAULT_CLOCK, "clock")               /* the server's clock jumps by an hour */
enum sandbox_fault_kind {
#define X(name, text) name,
    SANDBOX_FAULTS(X)
#undef X
};
#define SANDBOX_POINTS(X)                                                           \
    X(POINT_CONNECT, "connect")         /* before a byte is read */                 \
    X(POINT_REQUEST, "request")         /* the request is read, nothing was done */ \
    X(POINT_HEADER, "header")           /* it was done, nothing was answered */     \
    X(POINT_LIST_PAGE, "list-page")     /* in a page of a list after the first */   \
    X(POINT_FIRST_EVENT, "first-event") /* at a watch's first event */              \
    X(POINT_MID_EVENT, "mid-event")     /* at a later event */                      \
    X(POINT_IDLE, "idle")               /* in a watch that waits for events */      \
    X(POINT_CLOSE, "close")             /* at the end of an answer */
enum sandbox_point {
#define X(name, text) name,
    SANDBOX_POINTS(X)
#undef X
};
struct sandbox_fault {
    enum sandbox_fault_kind kind;
    enum sandbox_point point;
    str method; /* empty: any */
    str path;   /* '*' stands for any text; empty: any path */
    int count;  /* how often; 0: once; -1: until cleared */
    int skip;   /* matches that pass before the first */
    int delay_ms;
    int retry_after_s;
    int status;  /* 0: the kind's own */
    str message; /* of that answer; empty: the sandbox's own */
};
/* Copied. ERR_INVALID for a kind that cannot happen at that point. */
int sandbox_fault_add(struct sandbox *sb, const struct sandbox_fault *fault, struct err *e);
void sandbox_fault_clear(struct sandbox *sb);
int sandbox_fault_hits(struct sandbox *sb); /* how many happened since the start */
