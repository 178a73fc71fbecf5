/* Times and durations: texts, ranges, parts (cel spec 8). */
#include "base/duration.h"
#include "base/num.h"
#include "expr/cel/fn_priv.h"
#include "expr/gotmpl/zone.h"
#include "sys/env.h"

enum { SECOND = 1000000000 };
#define FIRST_SECOND INT64_C(-62135596800) /* 0001-01-01T00:00:00Z */
#define LAST_SECOND INT64_C(253402300799)  /* 9999-12-31T23:59:59Z */

bool cel_time_in_range(const struct cel_time *t)
{
    return t->seconds >= FIRST_SECOND && t->seconds <= LAST_SECOND;
}

bool cel_time_add(struct cel_time *t, __int128 ns)
{
    __int128 total = (__int128)t->seconds * SECOND + t->nanos + ns;

    if (total < (__int128)FIRST_SECOND * SECOND || total >= (__int128)(LAST_SECOND + 1) * SECOND)
        return false;
    t->seconds = (int64_t)(total / SECOND - (total % SECOND < 0));
    t->nanos = (int32_t)(total - (__int128)t->seconds * SECOND);
    return true;
}

/* ---- code points */

static bool is_start(char c) { return ((unsigned char)c & 0xC0) != 0x80; }

int64_t cel_code_points(str s)
{
    int64_t n = 0;

    for (size_t i = 0; i < s.len; i++)
        n += is_start(s.p[i]);
    return n;
}

size_t cel_offset_of(str s, int64_t code_point)
{
    int64_t seen = -1;

    for (size_t i = 0; i < s.len; i++) {
        seen += is_start(s.p[i]);
        if (seen == code_point)
            return i;
    }
    return s.len;
}

/* ---- texts of times */

static bool take(str *s, char c)
{
    if (!s->len || s->p[0] != c)
        return false;
    *s = str_from(*s, 1);
    return true;
}

static bool take_number(str *s, size_t width, int low, int high, int *ret)
{
    *ret = 0;
    if (s->len < width)
        return false;
    for (size_t i = 0; i < width; i++) {
        if (s->p[i] < '0' || s->p[i] > '9')
            return false;
        *ret = *ret * 10 + (s->p[i] - '0');
    }
    *s = str_from(*s, width);
    return *ret >= low && *ret <= high;
}

static bool take_fraction(str *s, int32_t *ret)
{
    int32_t unit = SECOND / 10;
    size_t digits = 0;

    if (!take(s, '.') && !take(s, ','))
        return true;
    for (; digits < s->len && s->p[digits] >= '0' && s->p[digits] <= '9'; digits++) {
        *ret += (s->p[digits] - '0') * unit;
        unit /= 10;
    }
    *s = str_from(*s, digits);
    return digits > 0;
}

/* As Go reads it: up to 24 hours and 60 minutes. */
static bool take_offset(str *s, int32_t *ret)
{
    int hours, minutes, sign = 1;

    if (take(s, 'Z'))
        return true;
    if (take(s, '-'))
        sign = -1;
    else if (!take(s, '+'))
        return false;
    if (!take_number(s, 2, 0, 24, &hours) || !take(s, ':') || !take_number(s, 2, 0, 60, &minutes))
        return false;
    *ret = sign * (hours * 3600 + minutes * 60);
    return true;
}

static int month_length(int64_t year, int month)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leaps = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

    return lengths[month - 1] + (month == 2 && leaps);
}

bool cel_time_parse(str s, struct cel_time *ret)
{
    struct civil c = {0};
    int year;

    *ret = (struct cel_time){0};
    if (!take_number(&s, 4, 0, 9999, &year) || !take(&s, '-') ||
        !take_number(&s, 2, 1, 12, &c.month) || !take(&s, '-') ||
        !take_number(&s, 2, 1, month_length(year, c.month), &c.day) || !take(&s, 'T') ||
        !take_number(&s, 2, 0, 23, &c.hour) || !take(&s, ':') ||
        !take_number(&s, 2, 0, 59, &c.minute) || !take(&s, ':') ||
        !take_number(&s, 2, 0, 59, &c.second) || !take_fraction(&s, &ret->nanos) ||
        !take_offset(&s, &ret->offset) || s.len)
        return false;
    c.year = year;
    ret->seconds = civil_to_unix(&c, NULL) - ret->offset;
    return true;
}

static void add_fraction(uint32_t nanos, struct buf *out)
{
    if (!nanos)
        return;
    buf_addf(out, ".%09u", nanos);
    while (out->p[out->len - 1] == '0')
        buf_trunc(out, out->len - 1);
}

void cel_time_print(const struct cel_time *t, struct buf *out)
{
    struct civil c = {0};
    int minutes = abs(t->offset) / 60;

    civil_of((struct moment){.sec = t->seconds + t->offset}, &c);
    buf_addf(out, "%04lld-%02d-%02dT%02d:%02d:%02d", (long long)c.year, c.month, c.day, c.hour,
             c.minute, c.second);
    add_fraction((uint32_t)t->nanos, out);
    if (t->offset)
        buf_addf(out, "%c%02d:%02d", t->offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
    else
        buf_add_char(out, 'Z');
}

bool cel_duration_parse(str text, int64_t *ret_ns) { return duration_parse_ns(text, ret_ns); }

/* Seconds as a double prints them, never with an exponent: digits beyond its precision are lost, as
 * in the reference. */
void cel_duration_print(int64_t ns, struct buf *out)
{
    int64_t whole = ns / SECOND, rest = ns % SECOND;

    if (ns > -SECOND && ns < SECOND) {
        buf_add_cstr(out, ns < 0 ? "-0" : "0");
        add_fraction((uint32_t)(ns < 0 ? -ns : ns), out);
    } else {
        num_add_double(out, (double)whole + (double)rest / 1e9, NUM_JSON);
    }
    buf_add_char(out, 's');
}

/* ---- zones */

/* Go's Atoi, as far as hours and minutes need it. */
static bool to_int(str s, int64_t *ret)
{
    str digits = s;

    if (digits.len && (digits.p[0] == '+' || digits.p[0] == '-'))
        digits = str_from(digits, 1);
    if (!digits.len || digits.p[0] < '0' || digits.p[0] > '9')
        return false;
    if (!str_to_int64(digits, ret) || *ret > INT32_MAX)
        return false;
    *ret = s.p[0] == '-' ? -*ret : *ret;
    return true;
}

static struct cel_value no_number(struct cel_run *r, str s)
{
    return cel_fail(r->arena, CEL_OTHER, "strconv.Atoi: parsing \"%.*s\": invalid syntax",
                    STR_ARG(s));
}

/* The moment as its parts in a zone, by name or as hours and minutes; CEL_ERROR or something else.
 */
static struct cel_value civil_at(struct cel_run *r, const struct cel_time *t, str zone,
                                 struct civil *ret)
{
    struct moment m = {.sec = t->seconds};
    ssize_t colon = str_find_char(zone, ':');
    int64_t hours, minutes;
    bool is_known;

    if (str_eq(zone, STR("Local"))) /* where the program runs, as in Go */
        zone = env_get("TZ") ? str_of(env_get("TZ")) : STR("");
    if (colon < 0) {
        m.zone = zone_find(zone, &is_known);
        if (!is_known)
            return cel_fail(r->arena, CEL_OTHER, "unknown time zone %.*s", STR_ARG(zone));
    } else {
        if (!to_int(str_sub(zone, 0, (size_t)colon), &hours))
            return no_number(r, str_sub(zone, 0, (size_t)colon));
        if (!to_int(str_from(zone, (size_t)colon + 1), &minutes))
            return no_number(r, str_from(zone, (size_t)colon + 1));
        m.sec += hours * 3600 + (zone.p[0] == '-' ? -minutes : minutes) * 60;
    }
    civil_of(m, ret);
    return cel_make_null();
}

/* ---- parts */

enum part { YEAR, MONTH, DAY_OF_MONTH, DATE, DAY_OF_YEAR, DAY_OF_WEEK, HOURS, MINUTES, SECONDS };

static int64_t part_of(const struct civil *c, enum part part)
{
    switch (part) {
    case YEAR:
        return c->year;
    case MONTH:
        return c->month - 1;
    case DAY_OF_MONTH:
        return c->day - 1;
    case DATE:
        return c->day;
    case DAY_OF_YEAR:
        return c->year_day - 1;
    case DAY_OF_WEEK:
        return c->weekday;
    case HOURS:
        return c->hour;
    case MINUTES:
        return c->minute;
    case SECONDS:
        return c->second;
    }
    return 0;
}

static struct cel_value get_part(struct cel_run *r, const struct cel_value *a, size_t count,
                                 enum part part)
{
    struct civil c = {0};
    struct cel_value v = civil_at(r, &a[0].time, count > 1 ? a[1].s : STR(""), &c);

    return v.kind == CEL_ERROR ? v : cel_make_int(part_of(&c, part));
}

FN(get_year) { return get_part(r, a, count, YEAR); }
FN(get_month) { return get_part(r, a, count, MONTH); }
FN(get_day_of_month) { return get_part(r, a, count, DAY_OF_MONTH); }
FN(get_date) { return get_part(r, a, count, DATE); }
FN(get_day_of_year) { return get_part(r, a, count, DAY_OF_YEAR); }
FN(get_day_of_week) { return get_part(r, a, count, DAY_OF_WEEK); }
FN(get_hours) { return get_part(r, a, count, HOURS); }
FN(get_minutes) { return get_part(r, a, count, MINUTES); }
FN(get_seconds) { return get_part(r, a, count, SECONDS); }

FN(get_milliseconds)
{
    struct cel_value v = get_part(r, a, count, SECONDS);

    return v.kind == CEL_ERROR ? v : cel_make_int(a[0].time.nanos / 1000000);
}

FN(duration_hours) { return cel_make_int(a[0].i / SECOND / 3600); }
FN(duration_minutes) { return cel_make_int(a[0].i / SECOND / 60); }
FN(duration_seconds) { return cel_make_int(a[0].i / SECOND); }
FN(duration_milliseconds) { return cel_make_int(a[0].i / 1000000); }

static void add_part(const struct cel_rows *to, const char *name, cel_function_fn *fn)
{
    cel_add_row(to, name, true, "timestamp", "int", fn);
    cel_add_row(to, name, true, "timestamp,string", "int", fn);
}

void cel_rows_time(const struct cel_rows *to)
{
    add_part(to, "getFullYear", get_year);
    add_part(to, "getMonth", get_month);
    add_part(to, "getDayOfMonth", get_day_of_month);
    add_part(to, "getDate", get_date);
    add_part(to, "getDayOfYear", get_day_of_year);
    add_part(to, "getDayOfWeek", get_day_of_week);
    add_part(to, "getHours", get_hours);
    add_part(to, "getMinutes", get_minutes);
    add_part(to, "getSeconds", get_seconds);
    add_part(to, "getMilliseconds", get_milliseconds);
    cel_add_row(to, "getHours", true, "duration", "int", duration_hours);
    cel_add_row(to, "getMinutes", true, "duration", "int", duration_minutes);
    cel_add_row(to, "getSeconds", true, "duration", "int", duration_seconds);
    cel_add_row(to, "getMilliseconds", true, "duration", "int", duration_milliseconds);
}
