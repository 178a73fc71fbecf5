/* Chart.lock: the versions that the dependencies of a chart were resolved to (helm spec 16). */
#pragma once
#include "chart/chart.h"

struct chart_locked {
    str name, version, repository;
};
struct chart_lock {
    struct chart_locked *v; /* texts live in a document set */
    size_t len, cap;
};
static inline void chart_lock_done(struct chart_lock *lock) { vec_done(lock); }
AUTO_VALUE(struct chart_lock, chart_lock_done)

/* Reads the text of Chart.lock or requirements.lock; appends. ret_digest may be NULL. */
int chart_lock_read(struct doc_set *set, str text, struct chart_lock *ret, str *ret_digest,
                    struct err *e) MUST_CHECK;
/* Appends "sha256:…" of what is asked for (a list of entries of "dependencies" in helm's JSON) and
 * what is locked. */
void chart_lock_digest(const struct doc_node *requests, const struct chart_lock *lock,
                       struct buf *out);
/* The digest of helm 2, of {"dependencies": requests}. */
void chart_lock_old_digest(const struct doc_node *requests, struct buf *out);
/* Appends the text of the file. */
void chart_lock_write(const struct chart_lock *lock, str digest, int64_t now_us, struct buf *out);
