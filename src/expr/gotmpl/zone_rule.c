#include "expr/gotmpl/zone_rule_priv.h"

#include "expr/gotmpl/zone.h"

enum { DAY = 86400 };

/* ---- reading */

static bool take(str *s, char c) { return str_drop_prefix(s, (str){&c, 1}); }

static int take_number(str *s)
{
    int n = 0;

    for (; s->len && s->p[0] >= '0' && s->p[0] <= '9' && n < 10000; *s = str_from(*s, 1))
        n = n * 10 + (s->p[0] - '0');
    return n;
}

/* "CEST", or "<+03>" */
static str take_name(str *s)
{
    bool is_quoted = take(s, '<');
    size_t len = 0;
    str name;

    while (len < s->len &&
           (is_quoted ? s->p[len] != '>' : (s->p[len] | 0x20) >= 'a' && (s->p[len] | 0x20) <= 'z'))
        len++;
    name = str_sub(*s, 0, len);
    *s = str_from(*s, len + is_quoted);
    return name;
}

/* "[+-]h[:mm[:ss]]" in seconds. */
static int take_time(str *s)
{
    int sign = take(s, '-') ? -1 : 1, seconds;

    take(s, '+');
    seconds = take_number(s) * 3600;
    if (take(s, ':'))
        seconds += take_number(s) * 60;
    if (take(s, ':'))
        seconds += take_number(s);
    return sign * seconds;
}

/* ",M3.5.0/2" */
static bool take_change(str *s, struct zone_change *ret)
{
    if (!str_drop_prefix(s, STR(",M")))
        return false;
    ret->month = take_number(s);
    take(s, '.');
    ret->week = take_number(s);
    take(s, '.');
    ret->weekday = take_number(s);
    ret->seconds = take(s, '/') ? take_time(s) : 7200;
    return ret->month >= 1 && ret->month <= 12 && ret->week >= 1 && ret->week <= 5 &&
           ret->weekday <= 6;
}

bool zone_rule_parse(str s, struct zone_rule *ret)
{
    *ret = (struct zone_rule){.standard_name = take_name(&s)};
    if (!ret->standard_name.len || !s.len)
        return false;
    ret->standard = -take_time(&s);
    if (!s.len)
        return true;
    ret->has_summer = true;
    ret->summer_name = take_name(&s);
    ret->summer = s.len && s.p[0] != ',' ? -take_time(&s) : ret->standard + 3600;
    return take_change(&s, &ret->begin) && take_change(&s, &ret->end) && !s.len;
}

/* ---- applying */

/* Local seconds since 1970 of a change in a year; week 5 is the last one. */
static int64_t change_in(int64_t year, const struct zone_change *c)
{
    int64_t first = days_of(year, c->month, 1);
    int64_t next = c->month == 12 ? days_of(year + 1, 1, 1) : days_of(year, c->month + 1, 1);
    int64_t weekday = ((first + 4) % 7 + 7) % 7;
    int64_t day = first + (c->weekday - weekday + 7) % 7 + (int64_t)(c->week - 1) * 7;

    return (day >= next ? day - 7 : day) * DAY + c->seconds;
}

bool zone_rule_is_summer(const struct zone_rule *rule, int64_t sec)
{
    struct civil c;
    int64_t begin, end;

    if (!rule->has_summer)
        return false;
    civil_of_local(sec + rule->standard, &c);
    begin = change_in(c.year, &rule->begin) - rule->standard;
    end = change_in(c.year, &rule->end) - rule->summer;
    return begin < end ? sec >= begin && sec < end : sec >= begin || sec < end;
}
