/* Time. Intervals and deadlines are monotonic milliseconds (CLOCK_MONOTONIC); wall time is for
 * people and records. Tests replace the clock with clock_replace before threads start. Any thread.
 */
#pragma once
#include "base/buf.h"

typedef int64_t clock_ms; /* a point on the monotonic clock */
#define CLOCK_NEVER INT64_MAX

clock_ms clock_now(void);
int64_t clock_now_us(void);            /* monotonic microseconds, for measuring */
clock_ms clock_after(int64_t ms);      /* now + ms without overflow; CLOCK_NEVER stays */
int64_t clock_left(clock_ms deadline); /* ms until deadline, 0 when past; CLOCK_NEVER stays */
int64_t clock_wall_ms(void);           /* milliseconds since 1970 */
int64_t clock_wall_us(void);           /* microseconds since 1970, for MicroTime */
/* RFC 3339 UTC: seconds ("2026-01-02T03:04:05Z"), or with digits of a fraction (3, 6). */
void clock_rfc3339(int64_t wall_ms, int fraction_digits, struct buf *out);
/* With any zone and fraction; digits beyond milliseconds are cut off. */
bool clock_parse_rfc3339(str text, int64_t *ret_wall_ms);
/* Tests: monotonic time then comes from this function (NULL: the real clock again). */
void clock_replace(clock_ms (*now)(void));
bool clock_is_real(void); /* false: waits must look at clock_now again and again */
