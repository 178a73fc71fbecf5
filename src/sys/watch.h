/* Folders that are watched for changes of their files (inotify). One thread. */
#pragma once
#include "base/err.h"
#include "base/str.h"
#include "sys/cancel.h"

struct watch;
struct watch *watch_new(struct err *e) MUST_CHECK;
void watch_free(struct watch *w); /* NULL is fine */
AUTO_PTR(struct watch, watch_free)
/* A folder, absolute or as its events shall name it, and with_below those below it without names
 * that begin with a dot. 1 when one of them was not watched before, 0 when all were or the folder
 * is not there; a folder that cannot be watched is ERR_LIMIT (too many) or ERR_IO. */
int watch_add(struct watch *w, const char *folder, bool with_below, struct err *e) MUST_CHECK;
/* A name in a folder was written, made, renamed or removed; an empty name: the folder itself. Both
 * texts are empty when events were lost. A file that is being made is told when it is closed. */
typedef void watch_told_fn(void *ctx, str folder, str name);
/* Waits until something happened and tells it, with all that happened since. What only went away is
 * given a moment to come back: tools that replace a file do so in two steps. 1; 0 when cancelled
 * (NULL: never); -1 with e. told may be NULL. */
int watch_wait(struct watch *w, struct cancel *cancel, watch_told_fn *told, void *ctx,
               struct err *e) MUST_CHECK;
