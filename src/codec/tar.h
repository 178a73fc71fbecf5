/* Writing tar archives (POSIX ustar; a name that does not fit gets a pax record). Regular files of
 * mode 0644 and owner 0 only: the same input gives the same bytes. Pure. */
#pragma once
#include "base/buf.h"

/* Appends a member; name is relative, mtime_s seconds since 1970 (negative: 0). */
void tar_add_file(struct buf *out, str name, str text, int64_t mtime_s);
void tar_end(struct buf *out); /* the two empty blocks */
