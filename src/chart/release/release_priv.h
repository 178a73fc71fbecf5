/* What the operations on releases share: the objects of a manifest, sending them, waiting for
 * them, running hooks. All functions block and end early with the run's cancel. */
#pragma once
#include "chart/each.h"
#include "chart/release/operations.h"
#include "kube/status.h"

#define CHART_MANAGER STR("helm") /* another field manager would conflict with the helm CLI */
#define CHART_TIMEOUT_MS (INT64_C(5) * 60 * 1000)

/* ---- coming.c */
struct chart_coming {
    struct doc_set *set;
    VEC(struct kube_type *) types; /* in the set's arena */
};
/* The types of CRDs in a file, those of versions that are served. */
int chart_coming_add(struct chart_coming *coming, const struct chart_file *crds, struct err *e);
/* NULL: none. */
const struct kube_type *chart_coming_find(const struct chart_coming *coming, str api_version,
                                          str kind);
void chart_coming_done(struct chart_coming *coming); /* leaves {0} */
AUTO_VALUE(struct chart_coming, chart_coming_done)

/* ---- reasons.c */
struct chart_reasons {
    struct buf text; /* lines, a newline before each */
    size_t count;
};

/* ---- run.c */
struct chart_run { /* one operation */
    const struct chart_operation *op;
    struct kube *kube;
    struct chart_store *store;
    struct cancel *cancel; /* the operation's, or the lease was lost */
    bool server_side;
    struct chart_reasons *reasons; /* of what was waited for in vain, or NULL */
    struct chart_coming *coming;   /* kinds that are not served yet but count as if; or NULL */
};
/* How long it may wait: as the user has it, or five minutes. */
int64_t chart_run_timeout(const struct chart_run *run);
/* To the operation's listener, on the calling thread; without one, warnings go to the log. */
void chart_run_tell(const struct chart_run *run, enum chart_tale tale, const char *fmt, ...)
    PRINTF(3, 4);

/* ---- reasons.c */
struct chart_object;
/* Adds what Pods and events say about an object that is not ready; asks the server for some seconds
 * at most, and nothing once the operation was cancelled. */
void chart_reason_add(const struct chart_run *run, const struct chart_object *o);
/* Adds a text that is known already. */
void chart_reason_note(const struct chart_run *run, const struct chart_object *o, str text);
/* Tells the listener the reasons and puts them on lines behind the message, once. Returns -1. */
int chart_reasons_tell(const struct chart_run *run, struct err *e);

/* ---- objects.c */
struct chart_object {
    struct doc_node *node; /* as it is sent */
    str api_version, kind, name;
    struct kube_ref ref;   /* ref.ns: where it lives */
    bool is_generated;     /* metadata.generateName: always created */
    bool exists;           /* ownership was looked at, and it was there */
    bool is_new;           /* this operation created it */
    enum kube_state state; /* after it was sent, or as last seen */
};
struct chart_objects {
    struct doc_set *set; /* owned */
    struct chart_object *v;
    size_t len, cap;
};
void chart_objects_done(struct chart_objects *o); /* leaves {0} */
AUTO_VALUE(struct chart_objects, chart_objects_done)

/* The objects of a manifest; lists are expanded, ns goes into namespaced objects that name none.
 * ERR_INVALID and ERR_NOT_FOUND (a kind that is not served) in helm's words. */
int chart_objects_parse(const struct chart_run *run, str manifest, struct chart_objects *ret,
                        struct err *e);
/* The release's label and annotations, into every object. */
void chart_objects_own(const struct chart_run *run, struct chart_objects *objects);
/* ---- ownership.c */
#define CHART_MANAGED_BY STR("app.kubernetes.io/managed-by")
#define CHART_RELEASE_NAME STR("meta.helm.sh/release-name")
#define CHART_RELEASE_NAMESPACE STR("meta.helm.sh/release-namespace")
/* Looks which objects exist; those must carry the release's metadata (unless `adopts`). Objects
 * that are in `known` (or NULL) are not looked at. */
int chart_objects_check(const struct chart_run *run, struct chart_objects *objects,
                        const struct chart_objects *known, bool adopts, struct err *e);
/* Appends why the object is not the release's; nothing when it is. */
void chart_object_strangeness(const struct chart_run *run, const struct doc_node *live,
                              struct buf *out);
/* ---- objects.c */
/* The same object, by group, kind, namespace and name; NULL. */
struct chart_object *chart_objects_find(const struct chart_objects *objects,
                                        const struct chart_object *like);
/* One past the last object from start on that is of the same kind. */
size_t chart_batch_end(const struct chart_objects *objects, size_t start);

/* ---- deliver.c */
/* Creates and updates, kind by kind; baseline: what the release had before (empty for installs).
 * migrates: the baseline was applied by a client. */
int chart_deliver(const struct chart_run *run, struct chart_objects *objects,
                  const struct chart_objects *baseline, bool migrates, struct err *e);
/* Deletes what is in the baseline and not among the objects; ret: what was deleted. */
int chart_delete_rest(const struct chart_run *run, const struct chart_objects *baseline,
                      const struct chart_objects *objects, struct chart_objects *ret,
                      struct err *e);
/* Deletes these, kind by kind; 404 is fine. */
int chart_delete_objects(const struct chart_run *run, const struct chart_objects *objects,
                         enum kube_propagation cascade, struct err *e);
/* POST or apply of one object; for hooks and namespaces. */
int chart_create_object(const struct chart_run *run, struct chart_object *o, struct err *e);

/* ---- foresee.c */
/* Asks the server what chart_deliver and chart_delete_rest would make of the objects, and tells the
 * operation's listener, if it has one. */
int chart_foresee(const struct chart_run *run, struct chart_objects *objects,
                  const struct chart_objects *baseline, bool migrates, struct err *e);

/* ---- patch.c */
/* The patch that client-side mode sends: strategic for built-in kinds, else JSON merge; an empty
 * map when nothing is to do. baseline: the object as it was installed, or NULL. */
struct doc_node *chart_patch_make(struct doc_set *set, const struct chart_object *o,
                                  const struct doc_node *baseline, const struct doc_node *live,
                                  bool three_way, enum kube_patch *ret_kind, struct err *e);
/* The JSON patch that turns managed fields of Update entries of manager helm into its Apply entry;
 * NULL when there are none (12.2). */
struct doc_node *chart_migration_make(struct doc_set *set, const struct doc_node *live);

/* ---- wait.c, legacy.c */
enum chart_wait_for {
    CHART_UNTIL_READY, /* kstatus */
    CHART_UNTIL_DONE,  /* and Jobs complete */
    CHART_UNTIL_RAN,   /* hooks: Jobs and Pods ended well, others are there */
    CHART_UNTIL_GONE,
};
int chart_wait_watching(const struct chart_run *run, struct chart_objects *objects,
                        enum chart_wait_for what, struct err *e);
int chart_wait_polling(const struct chart_run *run, struct chart_objects *objects, bool for_jobs,
                       struct err *e);
/* By the strategy of the operation. */
int chart_wait_ready(const struct chart_run *run, struct chart_objects *objects, struct err *e);
int chart_wait_gone(const struct chart_run *run, struct chart_objects *objects, struct err *e);
/* Pods that legacy waiting counts, by the object; pure but for what `newest` knows. ready_replicas:
 * of the Deployment's newest ReplicaSet, -1: there is none. */
bool chart_legacy_is_ready(const struct doc_node *object, int64_t ready_replicas, bool for_jobs);

/* ---- hooks.c */
/* Runs the hooks of an event, writing the record as it goes. filter: of chart_test, or NULL; its
 * logs are filled before any hook is deleted. */
int chart_run_hooks(const struct chart_run *run, struct chart_record *r, enum chart_event event,
                    const struct chart_test_options *filter, struct err *e);
/* ---- cluster.c, post_render.c */
/* Renders the chart of the operation into a record that is not stored yet. */
int chart_render_record(const struct chart_run *run, const struct doc_node *values,
                        struct chart_record_start *start, struct chart_record *ret, struct err *e);
/* ---- install.c: also of upgrades */
/* Labels with others over them; "null" takes one away. A new map in the set. */
struct doc_node *chart_labels_merge(struct doc_set *set, const struct doc_node *before,
                                    const struct doc_node *given);
void chart_hide_secrets(struct chart_record *r); /* in its manifest */

int chart_post_render(const struct chart_operation *op, struct doc_set *set,
                      struct chart_files *outputs, struct cancel *cancel, struct err *e);

/* ---- operation.c: what operations begin and end with */
struct chart_begun {
    struct chart_run run;
    struct chart_coming coming; /* of dry runs */
    struct chart_reasons reasons;
    struct chart_store *store;
    struct cancel *cancel;
    struct chart_records history; /* oldest first */
    struct chart_record *last;    /* of it, NULL when there is none */
    bool took_over;               /* last was left behind by somebody who was lost */
};
/* Opens the store, reads the history, and claims the last record (9.3) unless it is a dry run. */
int chart_begin(struct chart_begun *b, const struct chart_operation *op, struct err *e);
void chart_begun_done(struct chart_begun *b);
AUTO_VALUE(struct chart_begun, chart_begun_done)

/* Hooks, objects, what the baseline has more, waiting, hooks. */
struct chart_course {
    struct chart_record *record;
    struct chart_objects *objects;
    struct chart_objects *baseline;
    int64_t baseline_revision; /* superseded in the end; 0: only what is deployed */
    bool migrates;
    enum chart_event before, after;
    const char *before_fails, *after_fails; /* put before the message of hooks; NULL: nothing */
    bool updated;                           /* set: the objects were sent, whatever came then */
};
int chart_carry_out(struct chart_begun *b, struct chart_course *course, struct err *e);

/* Creates the record in the cluster. */
int chart_store_first(struct chart_begun *b, struct chart_record *r, struct err *e);
/* Marks the record failed: "WHAT "NAME" failed: …", with a cancel of its own; the reasons of Pods
 * go to the message only. Returns -1. */
int chart_fail(struct chart_begun *b, struct chart_record *r, const char *what, struct err *e);
/* Every other deployed record becomes superseded, and that revision (0: none), deployed or not. */
int chart_supersede(struct chart_begun *b, const struct chart_record *but, int64_t also,
                    struct err *e);
/* Stores the record as deployed and supersedes the others. */
int chart_complete(struct chart_begun *b, struct chart_record *r, str description, int64_t also,
                   struct err *e);
/* Server or client, from the flag and how the baseline was applied (NULL: there is none). */
bool chart_picks_server(const struct chart_operation *op, const struct chart_record *baseline);
/* The newest revision that was good: superseded or deployed, other than of `but`; 0: none. */
int64_t chart_last_good(const struct chart_begun *b);
/* The operation without those flags that make it undo itself, under a cancel that a signal does
 * not reach: for undoing. */
struct chart_operation chart_undo_of(const struct chart_operation *op, struct cancel *cancel);
