/* The Secret that holds a spec's record, and the lease of a run on it (khook spec 7.2, 7.5).
 *
 * A store is locked inside: the run's events save from any thread while the lease is renewed on a
 * thread of its own. Writes replace the record and keep everything else of the Secret; one retry
 * after a conflict or a lost race. Writes are not cancelled by the run's cancel: each has a time
 * limit of its own. */
#pragma once
#include "khook/state/record.h"
#include "kube/client.h"

struct khook_store;

/* No request yet. Texts are copied. */
struct khook_store *khook_store_new(struct kube *k, str ns, str name);
/* Ends the renewal; a lease that is still held is given up, as far as the cluster answers. NULL is
 * fine. */
void khook_store_free(struct khook_store *s);
AUTO_PTR(struct khook_store, khook_store_free)

/* 1 when there is a record, 0 when there is none (or one of another version), -1: a foreign or
 * damaged Secret, no answer. */
int khook_store_load(struct khook_store *s, struct cancel *cancel, struct khook_record *ret,
                     struct err *e);
/* Writes the record and takes the lease: ERR_CONFLICT names the holder of one younger than 30 s and
 * since when; an older one is taken over with a warning. From then on the lease is renewed every 10
 * s; when it was taken by another run, lost is triggered. */
int khook_store_begin(struct khook_store *s, const struct khook_record *record,
                      struct cancel *cancel, struct cancel *lost, struct err *e);
int khook_store_save(struct khook_store *s, const struct khook_record *record, struct err *e);
/* The last write of a run: the record, and the lease given up. */
int khook_store_end(struct khook_store *s, const struct khook_record *record, struct err *e);
/* Deletes the Secret; one that is gone is fine, a foreign one is an error. */
int khook_store_delete(struct khook_store *s, struct cancel *cancel, struct err *e);
