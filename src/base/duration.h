/* Durations in Go's notation ("300ms", "1.5h", "1h30m"; khook spec 4). Pure. */
#pragma once
#include "base/buf.h"

/* Nanoseconds. False on text that is no duration, a bare number other than 0 included, or out of
 * int64's range. A sign is accepted: callers judge ranges. */
bool duration_parse_ns(str text, int64_t *ret);
/* The same in milliseconds, rounded up, so that what is longer than nothing stays so. */
bool duration_parse_ms(str text, int64_t *ret);
/* As Go prints it: "1.5s", "2m40s", "0s". */
void duration_format_ms(int64_t ms, struct buf *out);
