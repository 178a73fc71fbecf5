/* Points in time as text: RFC 3339. Pure; sys/clock.h says what time it is. */
#pragma once
#include "base/buf.h"

/* Microseconds since 1970 in UTC, with that many digits of a fraction: "2026-01-02T03:04:05Z". */
void time_rfc3339_us(int64_t wall_us, int fraction_digits, struct buf *out);
/* Milliseconds since 1970; any zone and fraction, digits beyond milliseconds are cut off. False on
 * text that is no such time. */
bool time_parse_rfc3339(str text, int64_t *ret_wall_ms);
bool time_parse_rfc3339_us(str text, int64_t *ret_wall_us); /* the same in microseconds */
