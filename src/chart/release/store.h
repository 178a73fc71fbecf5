/* Release records in the cluster: a Secret or ConfigMap a revision (helm spec 9.1, 9.3, 9.4), where
 * the helm CLI finds them too.
 *
 * The lease: a record that is written while its status is pending or uninstalling is held by this
 * store: holder and time stand in annotations of its object and are renewed every 10 s on a thread
 * of the store's. A later write of it with another status gives the lease up. Only one record is
 * held at a time. Writes of a held record fail with ERR_CONFLICT once somebody else took it over,
 * and the cancel given by chart_store_on_lost is triggered.
 *
 * A store is used by one thread; its own thread for the lease is locked against it. Errors: those
 * of the client; ERR_INVALID for objects that are no records. */
#pragma once
#include "chart/release/record.h"
#include "kube/client.h"

struct chart_store;

enum chart_driver { CHART_SECRETS, CHART_CONFIGMAPS };
/* The word of HELM_DRIVER: "", "secret", "secrets", "configmap", "configmaps". ERR_USAGE for
 * "sql" and "memory" (says why) and other words. */
int chart_driver_of(str word, enum chart_driver *ret, struct err *e) MUST_CHECK;

/* ns: where the objects lie; empty: all namespaces, for lists only. No request yet. */
struct chart_store *chart_store_new(struct kube *k, str ns, enum chart_driver driver);
/* Ends the renewal. A lease that is held is given up, as far as the cluster answers. */
void chart_store_free(struct chart_store *s); /* NULL is fine */
AUTO_PTR(struct chart_store, chart_store_free)
/* What is triggered when the lease is lost to somebody else; must outlive the store. */
void chart_store_on_lost(struct chart_store *s, struct cancel *lost);

struct chart_records {
    struct chart_record *v; /* owned */
    size_t len, cap;
};
void chart_records_done(struct chart_records *records); /* leaves {0} */
AUTO_VALUE(struct chart_records, chart_records_done)

/* All records, page by page; selector: of labels, besides owner=helm, or empty. Objects that are
 * damaged are left out with a warning in the log. In no order. */
int chart_store_list(struct chart_store *s, str selector, struct cancel *cancel,
                     struct chart_records *ret, struct err *e) MUST_CHECK;
/* The records of a name, oldest first. None is not an error. */
int chart_store_history(struct chart_store *s, str name, struct cancel *cancel,
                        struct chart_records *ret, struct err *e) MUST_CHECK;
/* revision 0: the newest. ERR_NOT_FOUND: "release: not found". */
int chart_store_get(struct chart_store *s, str name, int64_t revision, struct cancel *cancel,
                    struct chart_record *ret, struct err *e) MUST_CHECK;
/* The newest record, or the newest deployed one, of a history; NULL when there is none. */
struct chart_record *chart_records_last(const struct chart_records *history);
struct chart_record *chart_records_deployed(const struct chart_records *history);
/* What an upgrade starts from: the deployed record, or what was left of a failed one; or NULL. */
struct chart_record *chart_records_baseline(const struct chart_records *history);

/* ERR_EXISTS: somebody else made that revision in between. */
int chart_store_create(struct chart_store *s, struct chart_record *r, struct cancel *cancel,
                       struct err *e) MUST_CHECK;
int chart_store_update(struct chart_store *s, struct chart_record *r, struct cancel *cancel,
                       struct err *e) MUST_CHECK;
/* One that is gone is fine. */
int chart_store_delete(struct chart_store *s, const struct chart_record *r, struct cancel *cancel,
                       struct err *e) MUST_CHECK;
/* Before a new record is created: deletes the oldest, so that at most max - 1 remain; never the
 * last deployed one. max 0: no limit. Records that could not be deleted are told in the log. */
int chart_store_prune(struct chart_store *s, const struct chart_records *history, int64_t max,
                      struct cancel *cancel, struct err *e) MUST_CHECK;

/* May an operation go on from this last record (9.3)? 0: yes; a record that was pending and is
 * given up is failed now, in the cluster and in r. ERR_CONFLICT: somebody works on it, with helm's
 * message and the holder. timeout_ms: of the operation; at_once: `unlock`, which does not wait
 * until a record without a lease (the helm CLI's) is old. */
int chart_store_claim(struct chart_store *s, struct chart_record *r, int64_t timeout_ms,
                      bool at_once, struct cancel *cancel, struct err *e) MUST_CHECK;
