/* Lock files: what the remote sources of a build were, so that a later build gets the same or fails
 * (threat T8). YAML, written for people to read in a diff:
 *
 *     sources:
 *     - commit: 0d1f...                             a repository at a ref
 *       ref: v1
 *       url: https://host/org/repo
 *     - sha256: 9a0c...                             a file
 *       url: https://host/deployment.yaml
 *
 * Locked; any thread. */
#pragma once
#include "base/err.h"
#include "base/str.h"

struct fetch_lock;

/* An empty lock when there is no such file. ERR_INVALID with the place of what is wrong in it. */
struct fetch_lock *fetch_lock_load(const char *path, struct err *e) MUST_CHECK;
void fetch_lock_free(struct fetch_lock *lock); /* NULL is fine */
AUTO_PTR(struct fetch_lock, fetch_lock_free)
/* Holds digest against what the lock knows of url at ref (empty: a file), both without credentials.
 * What it does not know is added. ERR_CONFLICT with both digests and the remedy. */
int fetch_lock_check(struct fetch_lock *lock, str url, str ref, str digest,
                     struct err *e) MUST_CHECK;
/* Writes the file when something was added, sorted by url and ref. */
int fetch_lock_save(struct fetch_lock *lock, struct err *e) MUST_CHECK;
