/* The rule for times behind the last change of a zone's file (RFC 8536, 3.3; POSIX TZ):
 * "CET-1CEST,M3.5.0,M10.5.0/3". Days counted without months are not read: nobody uses them. */
#pragma once
#include "base/str.h"

struct zone_change {
    int month, week, weekday, seconds; /* seconds of the local day */
};
struct zone_rule {
    int standard, summer; /* seconds east of UTC */
    str standard_name, summer_name;
    bool has_summer;
    struct zone_change begin, end;
};
bool zone_rule_parse(str text, struct zone_rule *ret); /* views into text */
bool zone_rule_is_summer(const struct zone_rule *rule, int64_t sec);
