/* What writing and reading times by Go's layouts share: the parts of a layout. Pure. */
#pragma once
#include "base/str.h"

enum layout_part {
    LITERAL,
    MONTH_LONG,
    MONTH_SHORT,
    MONTH,
    MONTH_0,
    WEEKDAY_LONG,
    WEEKDAY_SHORT,
    DAY,
    DAY_BLANK,
    DAY_0,
    YEAR_DAY_BLANK,
    YEAR_DAY_0,
    HOUR,
    HOUR_12,
    HOUR_12_0,
    MINUTE,
    MINUTE_0,
    SECOND,
    SECOND_0,
    YEAR,
    YEAR_2,
    PM_UPPER,
    PM_LOWER,
    ZONE_NAME,
    OFFSET,
    FRACTION_0,
    FRACTION_9,
};

extern const char *const layout_months[12], *const layout_days[7];

/* The next part of *layout: one with a meaning, or the text before it. */
enum layout_part layout_next(str *layout, str *ret);
/* ".000" or ",999" that no digit follows: its length, else 0. */
size_t layout_fraction_len(str s);
static inline bool layout_is_digit(char c) { return c >= '0' && c <= '9'; }
