/* gzip (RFC 1952) of whole texts, through zlib, which is loaded on first use. Any thread. */
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
