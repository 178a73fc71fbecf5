#include "base/time.h"

/* Days since 1970-01-01 to a date of the proleptic Gregorian calendar and back, by eras of 400
 * years that begin in March: leap days come last. */
static int64_t days_of(int64_t year, unsigned month, unsigned day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t year_of_era = y - era * 400;
    int64_t day_of_year = (153 * (int64_t)(month + (month > 2 ? -3u : 9u)) + 2) / 5 + day - 1;

    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
           719468;
}

static void date_of(int64_t days, int *year, int *month, int *day)
{
    int64_t z = days + 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t day_of_era = z - era * 146097;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t shifted = (5 * day_of_year + 2) / 153;

    *day = (int)(day_of_year - (153 * shifted + 2) / 5 + 1);
    *month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    *year = (int)(year_of_era + era * 400 + (*month <= 2));
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

void time_rfc3339_us(int64_t wall_us, int fraction_digits, struct buf *out)
{
    int64_t seconds = floor_div(wall_us, 1000000);
    int micros = (int)(wall_us - seconds * 1000000);
    int64_t days = floor_div(seconds, 86400);
    int rest = (int)(seconds - days * 86400);
    int year, month, day;

    date_of(days, &year, &month, &day);
    buf_addf(out, "%04d-%02d-%02dT%02d:%02d:%02d", year, month, day, rest / 3600, rest / 60 % 60,
             rest % 60);
    if (fraction_digits > 0) {
        AUTO(buf_done) struct buf fraction = {0};

        buf_addf(&fraction, "%06d000", micros);
        buf_add_char(out, '.');
        buf_add(out, fraction.p, (size_t)MIN(fraction_digits, 9));
    }
    buf_add_char(out, 'Z');
}

/* Takes width digits off s. */
static bool take_digits(str *s, size_t width, int *ret)
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
    return true;
}

static bool take_date(str *s, int64_t *ret_days)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day, length;

    if (!take_digits(s, 4, &year) || !str_drop_prefix(s, STR("-")) || !take_digits(s, 2, &month) ||
        !str_drop_prefix(s, STR("-")) || !take_digits(s, 2, &day))
        return false;
    if (month < 1 || month > 12)
        return false;
    length = lengths[month - 1];
    if (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0))
        length = 29;
    if (day < 1 || day > length)
        return false;
    *ret_days = days_of(year, (unsigned)month, (unsigned)day);
    return true;
}

static bool take_time(str *s, int *ret_seconds)
{
    int hour, minute, second;

    if (!take_digits(s, 2, &hour) || !str_drop_prefix(s, STR(":")) || !take_digits(s, 2, &minute) ||
        !str_drop_prefix(s, STR(":")) || !take_digits(s, 2, &second))
        return false;
    *ret_seconds = hour * 3600 + minute * 60 + second;
    return hour < 24 && minute < 60 && second < 60;
}

/* Any number of digits; what is beyond microseconds is cut off. */
static bool take_fraction(str *s, int *ret_us)
{
    int weight = 100000;

    *ret_us = 0;
    if (!str_drop_prefix(s, STR(".")))
        return true;
    if (s->len == 0 || s->p[0] < '0' || s->p[0] > '9')
        return false;
    for (; s->len && s->p[0] >= '0' && s->p[0] <= '9'; *s = str_from(*s, 1)) {
        *ret_us += (s->p[0] - '0') * weight;
        weight /= 10;
    }
    return true;
}

static bool take_zone(str *s, int *ret_seconds)
{
    int hour, minute, sign;

    *ret_seconds = 0;
    if (str_drop_prefix(s, STR("Z")))
        return true;
    sign = str_drop_prefix(s, STR("+")) ? 1 : str_drop_prefix(s, STR("-")) ? -1 : 0;
    if (!sign || !take_digits(s, 2, &hour) || !str_drop_prefix(s, STR(":")) ||
        !take_digits(s, 2, &minute))
        return false;
    *ret_seconds = sign * (hour * 3600 + minute * 60);
    return hour < 24 && minute < 60;
}

bool time_parse_rfc3339_us(str text, int64_t *ret_wall_us)
{
    int64_t days;
    int seconds, us, zone;

    if (!take_date(&text, &days) || !str_drop_prefix(&text, STR("T")) ||
        !take_time(&text, &seconds) || !take_fraction(&text, &us) || !take_zone(&text, &zone) ||
        text.len)
        return false;
    *ret_wall_us = (days * 86400 + seconds - zone) * 1000000 + us;
    return true;
}

bool time_parse_rfc3339(str text, int64_t *ret_wall_ms)
{
    int64_t us;

    if (!time_parse_rfc3339_us(text, &us))
        return false;
    *ret_wall_ms = floor_div(us, 1000);
    return true;
}
