#include "doc/yaml/time_priv.h"

#include "base/buf.h"

struct parts {
    int year, month, day, hour, minute, second;
    str fraction; /* digits, without the zeros at their end */
    int offset;   /* of the zone, in minutes */
};

/* One or two digits up to max; fixed: just two. */
static bool take_number(str *s, size_t digits_min, size_t digits_max, int min, int max, int *ret)
{
    size_t i = 0;

    for (*ret = 0; i < s->len && i < digits_max && s->p[i] >= '0' && s->p[i] <= '9'; i++)
        *ret = *ret * 10 + (s->p[i] - '0');
    *s = str_from(*s, i);
    return i >= digits_min && *ret >= min && *ret <= max;
}

static bool take_char(str *s, char c)
{
    bool is_there = s->len && s->p[0] == c;

    if (is_there)
        *s = str_from(*s, 1);
    return is_there;
}

static int days_in(int year, int month)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days[month - 1] + (month == 2 && is_leap);
}

static bool take_date(str *s, struct parts *t)
{
    return take_number(s, 4, 4, 0, 9999, &t->year) && take_char(s, '-') &&
           take_number(s, 1, 2, 1, 12, &t->month) && take_char(s, '-') &&
           take_number(s, 1, 2, 1, days_in(t->year, t->month), &t->day);
}

static bool take_clock(str *s, struct parts *t)
{
    size_t digits = 0;

    if (!take_number(s, 1, 2, 0, 23, &t->hour) || !take_char(s, ':') ||
        !take_number(s, 1, 2, 0, 59, &t->minute) || !take_char(s, ':') ||
        !take_number(s, 1, 2, 0, 59, &t->second))
        return false;
    if (s->len < 2 || (s->p[0] != '.' && s->p[0] != ',') || s->p[1] < '0' || s->p[1] > '9')
        return true;
    *s = str_from(*s, 1);
    while (digits < s->len && s->p[digits] >= '0' && s->p[digits] <= '9')
        digits++;
    t->fraction = str_trim_right(str_sub(*s, 0, MIN(digits, (size_t)9)), "0");
    *s = str_from(*s, digits);
    return true;
}

/* Z, +hh:mm or -hh:mm. */
static bool take_zone(str *s, struct parts *t)
{
    bool is_west = s->len && s->p[0] == '-';
    int hours, minutes;

    if (take_char(s, 'Z'))
        return true;
    if (!take_char(s, '+') && !take_char(s, '-'))
        return false;
    if (!take_number(s, 2, 2, 0, 24, &hours) || !take_char(s, ':') ||
        !take_number(s, 2, 2, 0, 60, &minutes))
        return false;
    t->offset = (hours * 60 + minutes) * (is_west ? -1 : 1);
    return true;
}

static bool parse_time(str s, struct parts *t)
{
    if (s.len < 8 || s.p[4] != '-' || !take_date(&s, t))
        return false;
    if (s.len == 0)
        return true;
    if (take_char(&s, 'T') || take_char(&s, 't'))
        return take_clock(&s, t) && take_zone(&s, t) && s.len == 0;
    if (!take_char(&s, ' '))
        return false;
    while (take_char(&s, ' '))
        continue;
    return take_clock(&s, t) && s.len == 0;
}

bool yaml_time(str s, struct arena *arena, struct doc_node *n)
{
    AUTO(buf_done) struct buf out = {0};
    struct parts t = {0};
    int minutes;
    str text;

    if (!parse_time(s, &t))
        return false;
    buf_addf(&out, "%04d-%02d-%02dT%02d:%02d:%02d", t.year, t.month, t.day, t.hour, t.minute,
             t.second);
    if (t.fraction.len)
        buf_addf(&out, ".%.*s", STR_ARG(t.fraction));
    minutes = t.offset < 0 ? -t.offset : t.offset;
    if (minutes)
        buf_addf(&out, "%c%02d:%02d", t.offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
    else
        buf_add_char(&out, 'Z');
    text = arena_dup(arena, buf_view(&out));
    n->type = DOC_STRING;
    n->text = text.p;
    n->len = (uint32_t)text.len;
    return true;
}
