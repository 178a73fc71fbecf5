/* The state record of a run (khook spec 7.2 to 7.5): reading, seeding, updating and writing its
 * JSON, and which steps of a spec resume. What holds it in the cluster is state.h. Pure; texts are
 * copied into the record. */
#pragma once
#include "base/map.h"
#include "khook/spec/spec.h"

#define KHOOK_RECORD_VERSION "khook.io/state.v1"
#define KHOOK_RECORD_KEY "record.json"
enum { KHOOK_RECORD_ERROR_BYTES = 2048 };

struct khook_record_step {
    str name, type, input_hash;
    enum run_status status; /* RUN_OK, RUN_FAILED, RUN_SKIPPED; RUN_PENDING: unfinished */
    int attempts;
    int64_t duration_ms;
    str error, skip_reason, finished_at;
};
struct khook_record {
    struct arena arena;
    str spec_name, spec_hash, writer; /* writer: khookVersion */
    str run_status;                   /* "running", "ok", "failed" */
    str started_at, updated_at;       /* RFC 3339 */
    VEC(struct khook_record_step) steps;
    struct map by_name; /* to index + 1 */
};
void khook_record_done(struct khook_record *r); /* leaves {0} */
AUTO_VALUE(struct khook_record, khook_record_done)

/* 0, or 1 when it has another apiVersion and counts as absent; -1 when it is no record. Unknown
 * members are ignored. */
int khook_record_parse(str json, struct khook_record *ret, struct err *e) MUST_CHECK;
void khook_record_emit(const struct khook_record *r, struct buf *out); /* compact JSON */
struct khook_record_step *khook_record_find(const struct khook_record *r,
                                            str name); /* borrowed, or NULL */

/* Why a step is skipped that resumes. */
#define KHOOK_RESUMED "unchanged since it succeeded in a previous run (state record)"
/* Does a step resume (7.5.3)? hash: its present one, empty when none could be computed. record may
 * be NULL. */
bool khook_record_resumes(const struct khook_record *record, const struct khook_step *step,
                          str hash);
/* The record written before the first step starts (7.5.4): resumed entries as they are, all others
 * fresh. hashes: one for each step of the spec. before may be NULL. now: RFC 3339. */
void khook_record_seed(const struct khook_spec *spec, const struct khook_record *before,
                       const str *hashes, str spec_hash, str now, struct khook_record *ret);
/* Takes a step's result over; the error is masked, then cut (7.2). */
void khook_record_update(struct khook_record *r, str step, const struct run_result *result,
                         str now);
/* Clears an entry, for a step that is torn down (18.6.7). */
void khook_record_clear(struct khook_record *r, str step);
/* An error as the record keeps it: masked, then at most KHOOK_RECORD_ERROR_BYTES, cut between
 * characters. */
void khook_record_error(str error, struct buf *out);
