/* Quoted literals: as Go's strconv.Unquote, with single quotes around any number of characters. */
#pragma once
#include "base/buf.h"

/* quoted has its quotes. Appends the text; false when an escape or an unescaped quote inside is
 * wrong. */
bool jp_unquote(str quoted, struct buf *out);
