/* Reading tar archives (POSIX ustar and pax, GNU, the old kind) piece by piece, with one copy of
 * what is asked for and none of the rest. Which headers are good is as Go's archive/tar has it:
 * helm reads charts with it. Sparse members are refused: nothing that we unpack has a reason for
 * them.
 *
 * One thread at a time. Errors are ERR_INVALID ("tar: ..."), or those of the source. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/* The next bytes of the archive, borrowed until the next call; empty at its end. */
typedef int untar_source(void *ctx, str *ret, struct err *e);

struct untar_member {
    str name;        /* as written; borrowed until the next member is asked for */
    bool is_folder;  /* else a file; links and devices are files without content */
    size_t size;     /* of its content */
    int64_t mtime_s; /* since 1970 */
};

struct untar { /* zero but for the first two, then untar_done */
    untar_source *source;
    void *ctx;
    str piece;                       /* what has come and is not taken */
    size_t left, padding;            /* of the member's content, and behind it */
    struct buf name, pax, long_name; /* of the member, and the headers before it */
};
void untar_done(struct untar *t);
AUTO_VALUE(struct untar, untar_done)

/* The next member: 1, or 0 at the end of the archive. What was not read of the last is skipped. */
int untar_next(struct untar *t, struct untar_member *ret, struct err *e) MUST_CHECK;
/* The content of the member where it lies in the source's piece, if all of it does: borrowed as the
 * piece is. */
bool untar_view(struct untar *t, str *ret);
/* The content of the member, all of it, into room for its size. One of both, once for a
 * member. */
int untar_read(struct untar *t, char *ret, struct err *e) MUST_CHECK;
