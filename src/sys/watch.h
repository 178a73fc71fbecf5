/* Folders that are watched for changes of their files (inotify). One thread. */
#pragma once
#include "base/err.h"
#include "sys/cancel.h"

struct watch;
struct watch *watch_new(struct err *e) MUST_CHECK;
void watch_free(struct watch *w); /* NULL is fine */
AUTO_PTR(struct watch, watch_free)
/* A folder and those below it, without names that begin with a dot; what is watched already stays
 * so. A folder that cannot be watched is ERR_LIMIT (too many) or ERR_IO. */
int watch_add(struct watch *w, const char *folder, struct err *e) MUST_CHECK;
/* Waits until a file there was written, made, renamed or removed. 1; 0 when cancelled (NULL:
 * never); -1 with e. */
int watch_wait(struct watch *w, struct cancel *cancel, struct err *e) MUST_CHECK;
