/* Release records as helm 4 stores them (helm spec 9.1, 9.2): one JSON object a revision.
 *
 * A record owns a document set with the whole JSON tree; members that we do not know survive a
 * reading and writing. The fields beside it repeat what the tree says: change them with the
 * functions here. Texts and nodes that accessors return live as long as the record. One thread at a
 * time. Times are microseconds since 1970; 0 is "none", as Go's zero time.
 *
 * TEXT is base64(gzip(JSON)); base64(JSON) is read too. What is read is bounded
 * (CHART_RECORD_MAX_JSON); errors are ERR_INVALID for what is no record, ERR_LIMIT for a bound. */
#pragma once
#include "base/buf.h"
#include "base/vec.h"
#include "chart/render.h"

#define CHART_RECORD_MAX_TEXT ((size_t)1 << 20) /* what a Secret or ConfigMap holds */
#define CHART_RECORD_MAX_JSON ((size_t)64 << 20)

#define CHART_STATUSES(X)                         \
    X(CHART_UNKNOWN, "unknown")                   \
    X(CHART_DEPLOYED, "deployed")                 \
    X(CHART_UNINSTALLED, "uninstalled")           \
    X(CHART_SUPERSEDED, "superseded")             \
    X(CHART_FAILED, "failed")                     \
    X(CHART_UNINSTALLING, "uninstalling")         \
    X(CHART_PENDING_INSTALL, "pending-install")   \
    X(CHART_PENDING_UPGRADE, "pending-upgrade")   \
    X(CHART_PENDING_ROLLBACK, "pending-rollback") \
    X(CHART_STATUS_COUNT, "")
enum chart_status {
#define X(name, text) name,
    CHART_STATUSES(X)
#undef X
};
str chart_status_name(enum chart_status status);
static inline bool chart_status_is_pending(enum chart_status s)
{
    return s == CHART_PENDING_INSTALL || s == CHART_PENDING_UPGRADE || s == CHART_PENDING_ROLLBACK;
}

struct chart_record {
    struct doc_set *set;   /* owned */
    struct doc_node *root; /* the JSON tree */
    str name, ns;
    int64_t revision;
    enum chart_status status;
    struct doc_node *labels; /* the user's labels, a map; stored beside the JSON */

    /* Of the object that it was read from (store.h); empty for a new record. */
    str resource_version, holder; /* holder: of the lease, or empty */
    int64_t lease_age_ms;         /* since the last renewal, when it was read */
    int64_t stored_s;             /* when the object was last written by a tool: Unix seconds */
    struct doc_node *all_labels;  /* as the object has them, reserved ones too; or NULL */
};
void chart_record_done(struct chart_record *r); /* leaves {0} */
AUTO_VALUE(struct chart_record, chart_record_done)

/* Whether records are found by this label of their object, so that none of a user may have it. */
bool chart_record_is_reserved(str label);
/* ---- text */
int chart_record_decode(str text, struct chart_record *ret, struct err *e) MUST_CHECK;
int chart_record_parse(str json, struct chart_record *ret, struct err *e) MUST_CHECK;
/* ERR_LIMIT with a hint when it does not fit in a Secret. */
int chart_record_encode(const struct chart_record *r, struct buf *ret, struct err *e) MUST_CHECK;

/* ---- making */
struct chart_record_start {
    str name, ns;
    int64_t revision;
    enum chart_status status;
    str description;
    bool is_client_side;           /* apply_method "csa" */
    int64_t first_us, now_us;      /* first_us 0: now_us */
    const struct doc_node *config; /* the user's values, or NULL */
    const struct doc_node *labels; /* the user's, or NULL */
};
/* The record of a rendered chart; everything is copied. release NULL: nothing was rendered.
 * manifest empty: that of the release, else the text given (after a post-renderer). c is as
 * chart_render left it: dependencies resolved, values those of the chart. */
void chart_record_make(const struct chart_record_start *start, const struct chart *c,
                       const struct chart_release *release, str manifest, struct chart_record *ret);
/* A copy under another revision: what rollback starts from. Chart, config, manifest, hooks
 * with their last runs (as helm does), notes and labels are those of `of`. */
void chart_record_copy(const struct chart_record *of, const struct chart_record_start *start,
                       struct chart_record *ret);

/* ---- info */
void chart_record_set_status(struct chart_record *r, enum chart_status status, str description);
str chart_record_description(const struct chart_record *r);
str chart_record_notes(const struct chart_record *r);
int64_t chart_record_first_deployed(const struct chart_record *r);
int64_t chart_record_last_deployed(const struct chart_record *r);
/* first_deployed, last_deployed or deleted as it is written; empty when it is none. */
str chart_record_time_text(const struct chart_record *r, const char *member);
void chart_record_set_deleted(struct chart_record *r, int64_t us);
void chart_record_set_notes(struct chart_record *r, str notes);
/* Which revision a rollback went back to; 0: none. */
void chart_record_set_rollback(struct chart_record *r, int64_t revision);
/* "csa", "ssa" or empty (before helm 4: client-side). */
str chart_record_apply_method(const struct chart_record *r);
void chart_record_set_apply_method(struct chart_record *r, bool is_client_side);

/* ---- what was installed */
str chart_record_manifest(const struct chart_record *r);
void chart_record_set_manifest(struct chart_record *r, str manifest);
struct doc_node *chart_record_config(const struct chart_record *r);   /* a map, or NULL */
struct doc_node *chart_record_metadata(const struct chart_record *r); /* Chart.yaml, or NULL */
str chart_record_chart_name(const struct chart_record *r);
str chart_record_chart_version(const struct chart_record *r);
str chart_record_app_version(const struct chart_record *r);
/* The stored chart, without its subcharts (records hold none), in the set given: for --reuse-values
 * and coalesced values. */
struct chart *chart_record_chart(const struct chart_record *r, struct doc_set *set,
                                 struct err *e) MUST_CHECK;
/* Config coalesced with the stored chart's defaults: what `get values --all` prints. */
struct doc_node *chart_record_values(const struct chart_record *r, struct doc_set *set,
                                     struct err *e) MUST_CHECK;

/* ---- hooks (helm spec 7) */
#define CHART_EVENTS(X)                     \
    X(CHART_PRE_INSTALL, "pre-install")     \
    X(CHART_POST_INSTALL, "post-install")   \
    X(CHART_PRE_DELETE, "pre-delete")       \
    X(CHART_POST_DELETE, "post-delete")     \
    X(CHART_PRE_UPGRADE, "pre-upgrade")     \
    X(CHART_POST_UPGRADE, "post-upgrade")   \
    X(CHART_PRE_ROLLBACK, "pre-rollback")   \
    X(CHART_POST_ROLLBACK, "post-rollback") \
    X(CHART_TEST, "test")                   \
    X(CHART_EVENT_COUNT, "")
enum chart_event {
#define X(name, text) name,
    CHART_EVENTS(X)
#undef X
};
str chart_event_name(enum chart_event event);

enum chart_hook_policy { /* bits */
                         CHART_BEFORE_HOOK_CREATION = 1 << 0,
                         CHART_HOOK_SUCCEEDED = 1 << 1,
                         CHART_HOOK_FAILED = 1 << 2,
};
struct chart_hook {
    str name, kind, path, manifest;
    int64_t weight;
    unsigned events;          /* bits: 1 << enum chart_event */
    unsigned delete_policies; /* enum chart_hook_policy; 0 in the record reads as helm runs it:
                                 BEFORE_HOOK_CREATION */
    unsigned log_policies;    /* HOOK_SUCCEEDED, HOOK_FAILED */
    int64_t started_us, completed_us;
    str phase;             /* of the last run: "", "Unknown", "Running", "Succeeded", "Failed" */
    struct doc_node *node; /* in the record */
};
struct chart_hooks {
    struct chart_hook *v;
    size_t len, cap;
};
static inline void chart_hooks_done(struct chart_hooks *hooks) { vec_done(hooks); }
AUTO_VALUE(struct chart_hooks, chart_hooks_done)
/* All hooks, in the order of the record. */
void chart_record_hooks(const struct chart_record *r, struct chart_hooks *ret);
/* Writes phase, started_us and completed_us of a hook of this record into it, and the delete policy
 * it is run by when it has none. */
void chart_record_set_run(struct chart_record *r, const struct chart_hook *hook);

/* Go's RFC 3339 with a fraction as short as it can be, UTC: how times are stored. */
void chart_time_emit(int64_t us, struct buf *out);
