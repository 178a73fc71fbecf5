#include "expr/gotmpl/zone.h"

enum { DAY = 24 * 60 * 60 };

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

int64_t days_of(int64_t year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year, era = floor_div(y, 400), of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void date_of(int64_t days, struct civil *c)
{
    int64_t z = days + 719468, era = floor_div(z, 146097), doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;

    c->day = (int)(doy - (153 * mp + 2) / 5 + 1);
    c->month = (int)(mp < 10 ? mp + 3 : mp - 9);
    c->year = yoe + era * 400 + (c->month <= 2);
    c->weekday = (int)(((days + 4) % 7 + 7) % 7);
    c->year_day = (int)(days - days_of(c->year, 1, 1) + 1);
}

void civil_of_local(int64_t sec, struct civil *c)
{
    int64_t days = floor_div(sec, DAY), rest = sec - days * DAY;

    date_of(days, c);
    c->hour = (int)(rest / 3600);
    c->minute = (int)(rest / 60 % 60);
    c->second = (int)(rest % 60);
}
