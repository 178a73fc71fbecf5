/* Paths by their text alone. Pure; any thread. */
#pragma once
#include "base/buf.h"

/* Whether path is dir or lies below it; both absolute and clean. */
bool fetch_is_below(str path, str dir);
/* Appends path without ".", ".." and doubled slashes as far as the text alone tells; "." when
 * nothing is left. */
void fetch_clean_path(str path, struct buf *out);
