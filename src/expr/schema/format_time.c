#include "base/ascii.h"
#include "expr/gotmpl/zone.h"
#include "expr/schema/format.h"

bool format_date(str s, struct buf *why)
{
    struct moment m;

    return layout_parse(s, STR("2006-01-02"), NULL, &m, why);
}

/* Numbers of two characters with ':' between them; a sign may be one of the two, as Go reads it. */
static bool read_two(str s, size_t count, int64_t *ret, bool *ret_negative)
{
    AUTO(buf_done) struct buf why = {0};

    for (size_t i = 0; i < count; i++) {
        if (!format_read_int(str_sub(s, 3 * i, 2), &ret[i], &why))
            return false;
        if (ret[i] < 0) {
            *ret_negative = true;
            return false;
        }
    }
    return true;
}

/* Minutes east of UTC; *s is what stands behind the seconds. */
static bool read_offset(str s, int64_t *ret, struct buf *why)
{
    int64_t n[2];
    bool is_negative = false;

    *ret = 0;
    if (str_eq(s, STR("z")) || str_eq(s, STR("Z")))
        return true;
    if (s.len != 6)
        return format_fail(why, "offset must be 6 characters long");
    if (s.p[0] != '+' && s.p[0] != '-')
        return format_fail(why, "offset must begin with plus/minus");
    if (s.p[3] != ':')
        return format_fail(why, "missing colon in offset in correct place");
    if (!read_two(str_from(s, 1), 2, n, &is_negative))
        return format_fail(why, is_negative ? "non-positive hour/min in offset"
                                            : "invalid hour/min in offset");
    if (n[0] > 23 || n[1] > 59)
        return format_fail(why, "hour/min in offset out of range");
    *ret = (n[0] * 60 + n[1]) * (s.p[0] == '-' ? -1 : 1);
    return true;
}

bool format_time(str s, struct buf *why)
{
    enum { DAY = 24 * 60 };
    int64_t n[3], offset;
    bool is_negative = false;
    str rest = str_from(s, 8);

    if (s.len < 9)
        return format_fail(why, "less than 9 characters long");
    if (s.p[2] != ':' || s.p[5] != ':')
        return format_fail(why, "missing colon in correct place");
    if (!read_two(s, 3, n, &is_negative))
        return format_fail(why, is_negative ? "non-positive hour/min/sec" : "invalid hour/min/sec");
    if (n[0] > 23 || n[1] > 59 || n[2] > 60)
        return format_fail(why, "hour/min/sec out of range");
    if (str_drop_prefix(&rest, STR("."))) {
        if (!rest.len || !ascii_is_digit(rest.p[0]))
            return format_fail(why, "no digits in second fraction");
        while (rest.len && ascii_is_digit(rest.p[0]))
            rest = str_from(rest, 1);
    }
    if (!read_offset(rest, &offset, why))
        return false;
    return n[2] < 60 || (n[0] * 60 + n[1] - offset + DAY) % DAY == DAY - 1 ||
           format_fail(why, "invalid leap second");
}

bool format_date_time(str s, struct buf *why)
{
    AUTO(buf_done) struct buf reason = {0};

    if (s.len < 20)
        return format_fail(why, "less than 20 characters long");
    if (s.p[10] != 't' && s.p[10] != 'T')
        return format_fail(why, "11th character must be t or T");
    return format_within(why, "invalid date element", format_date(str_sub(s, 0, 10), &reason),
                         &reason) &&
           format_within(why, "invalid time element", format_time(str_from(s, 11), &reason),
                         &reason);
}

/* ---- durations */

/* "1Y2M" by the units of "YMD", in their order. */
static bool read_units(str s, const char *units, struct buf *why)
{
    const char *left = units;

    while (s.len) {
        size_t digits = 0;
        const char *at;
        char unit;

        while (digits < s.len && ascii_is_digit(s.p[digits]))
            digits++;
        if (!digits)
            return format_fail(why, "missing number");
        if (digits == s.len)
            return format_fail(why, "missing unit");
        unit = s.p[digits];
        if (!unit || !strchr(units, unit)) {
            char wide[2] = {(char)(0xc0 | (unsigned char)unit >> 6),
                            (char)(0x80 | ((unsigned char)unit & 0x3f))};

            /* One byte alone is taken for a character. */
            return format_fail_char(why, "invalid unit ",
                                    (unsigned char)unit < 0x80 ? (str){&unit, 1} : (str){wide, 2},
                                    0, "");
        }
        at = strchr(left, unit);
        if (!at)
            return format_fail(why, "unit '%c' out of order", unit);
        left = at + 1;
        s = str_from(s, digits + 1);
    }
    return true;
}

static bool is_weeks(str digits, struct buf *why)
{
    if (!digits.len)
        return format_fail(why, "no number in week");
    for (size_t i = 0; i < digits.len; i++)
        if (!ascii_is_digit(digits.p[i]))
            return format_fail(why, "invalid week");
    return true;
}

bool format_duration(str s, struct buf *why)
{
    str rest;

    if (!str_drop_prefix(&s, STR("P")))
        return format_fail(why, "must start with P");
    if (!s.len)
        return format_fail(why, "nothing after P");
    if (str_ends(s, STR("W")))
        return is_weeks(str_sub(s, 0, s.len - 1), why);
    if (!read_units(str_cut(s, 'T', &rest), "YMD", why))
        return false;
    for (size_t i = 0; rest.p; i++) {
        str part = str_cut(rest, 'T', &rest);

        if (!part.len)
            return format_fail(why, "no time elements");
        if (i)
            return format_fail(why, "more than one T");
        if (!read_units(part, "HMS", why))
            return false;
    }
    return true;
}

bool format_period(str s, struct buf *why)
{
    AUTO(buf_done) struct buf reason = {0};
    str end, start = str_cut(s, '/', &end);
    bool is_span = str_starts(start, STR("P"));

    if (!end.p)
        return format_fail(why, "missing slash");
    if (!format_within(why, is_span ? "invalid start duration" : "invalid start date-time",
                       (is_span ? format_duration : format_date_time)(start, &reason), &reason))
        return false;
    is_span = !is_span && str_starts(end, STR("P"));
    return format_within(why, is_span ? "invalid end duration" : "invalid end date-time",
                         (is_span ? format_duration : format_date_time)(end, &reason), &reason);
}
