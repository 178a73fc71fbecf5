/* Points in time, zones, and Go's layouts of them (template spec 14.6). Any thread; zones are read
 * once and live until the process ends. */
#pragma once
#include "base/buf.h"

struct zone;
struct moment {
    int64_t sec; /* since 1970, UTC */
    int32_t ns;
    const struct zone *zone; /* NULL: UTC */
};
struct civil {
    int64_t year;
    int month, day, hour, minute, second; /* month and day from 1 */
    int weekday, year_day;                /* Sunday is 0; from 1 */
    int offset;                           /* seconds east of UTC */
    str zone;                             /* its short name */
};

/* By its name in the zone database; NULL for UTC and for what is not there (*ret_known false). */
const struct zone *zone_find(str name, bool *ret_known);
/* A zone of one offset. */
const struct zone *zone_fixed(int offset);
/* One that is only a name, for abbreviations that nobody knows: its offset is 0. */
const struct zone *zone_named(str name);
void civil_of(struct moment m, struct civil *ret);
/* Seconds since 1970 of a date and time of day in a zone. */
int64_t civil_to_unix(const struct civil *c, const struct zone *zone);
/* ---- calendar.c: without zones */
int64_t days_of(int64_t year, int month, int day); /* since 1970 */
/* Fills in date and time of day of seconds since 1970 by a local clock; not offset and zone. */
void civil_of_local(int64_t sec, struct civil *ret);
#define MOMENT_ZERO ((struct moment){.sec = -62135596800}) /* year 1 */

void layout_format(struct moment m, str layout, struct buf *out);
/* False with Go's message in why. */
bool layout_parse(str text, str layout, const struct zone *local, struct moment *ret,
                  struct buf *why);
void duration_print(int64_t ns, struct buf *out); /* "1h2m3.5s" */
