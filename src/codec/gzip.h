/* gzip (RFC 1952). libdeflate unpacks what fits into memory at once, zlib, which is loaded on first
 * use, the rest; zlib packs. Any thread. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/* Does the text begin as gzip does? */
bool gzip_is(str text);
/* Appends the compressed text; no name, no time inside. level: 1 (fast) to 9 (small). */
int gzip_pack(str text, int level, struct buf *ret, struct err *e) MUST_CHECK;
/* Appends the text of all members. ERR_INVALID for what is none, broken or cut off; ERR_LIMIT as
 * soon as there are more than limit bytes. *ret is then as before. */
int gzip_unpack(str packed, size_t limit, struct buf *ret, struct err *e) MUST_CHECK;

/* The text of one member that says it has at most 16 MiB, or NULL for all else (more, several
 * members, broken): the stream tells. Yours to mem_free; a NUL that does not count is behind it. */
char *gzip_unpack_small(str packed, size_t *ret_len);

/* Unpacking piece by piece. */
struct gzip_stream;
/* packed is borrowed until the stream is freed. NULL only without zlib. */
struct gzip_stream *gzip_stream_new(str packed, size_t limit, struct err *e) MUST_CHECK;
void gzip_stream_free(struct gzip_stream *s); /* NULL is fine */
AUTO_PTR(struct gzip_stream, gzip_stream_free)
/* The next bytes, borrowed until the next call; empty at the end of the last member. What came
 * before a fault is given first, then the errors are those of gzip_unpack. */
int gzip_stream_next(struct gzip_stream *s, str *ret, struct err *e) MUST_CHECK;
