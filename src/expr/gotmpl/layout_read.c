/* Reading times by Go's layouts, with the messages of its parser. */
#include "expr/gotmpl/layout_priv.h"
#include "expr/gotmpl/text_priv.h"
#include "expr/gotmpl/zone.h"

struct reader {
    str text;
    struct civil c;
    int32_t ns;
    int year_day; /* 0: none */
    bool is_pm, is_am, has_zone;
    const struct zone *zone;
    bool is_out_of_range;
};

/* The parts that are numbers: how many digits, which values, where they go. */
static const struct number {
    unsigned char least, most;
    short low, high;
    bool skips_blanks;
    char name[14]; /* as messages call it */
    size_t at;
} numbers[FRACTION_9 + 1] = {
#define ROW(part, least, most, low, high, skips_blanks, name, member) \
    [part] = {least, most, low, high, skips_blanks, name, offsetof(struct reader, member)}
    ROW(MONTH, 1, 2, 1, 12, false, "month", c.month),
    ROW(MONTH_0, 2, 2, 1, 12, false, "month", c.month),
    /* Days are judged at the end, beside their month. */
    ROW(DAY, 1, 2, 0, 99, false, "day", c.day),
    ROW(DAY_BLANK, 1, 2, 0, 99, true, "day", c.day),
    ROW(DAY_0, 2, 2, 0, 99, false, "day", c.day),
    ROW(YEAR_DAY_BLANK, 1, 3, 1, 366, true, "day-of-year", year_day),
    ROW(YEAR_DAY_0, 3, 3, 1, 366, false, "day-of-year", year_day),
    ROW(HOUR, 1, 2, 0, 23, false, "hour", c.hour),
    ROW(HOUR_12, 1, 2, 0, 12, false, "hour", c.hour),
    ROW(HOUR_12_0, 2, 2, 0, 12, false, "hour", c.hour),
    ROW(MINUTE, 1, 2, 0, 59, false, "minute", c.minute),
    ROW(MINUTE_0, 2, 2, 0, 59, false, "minute", c.minute),
    ROW(SECOND, 1, 2, 0, 59, false, "second", c.second),
    ROW(SECOND_0, 2, 2, 0, 59, false, "second", c.second),
#undef ROW
};

/* A number of `least` to `most` digits. */
static bool read_number(struct reader *r, size_t least, size_t most, int64_t low, int64_t high,
                        int64_t *ret)
{
    size_t len = 0;

    for (*ret = 0; len < most && len < r->text.len && layout_is_digit(r->text.p[len]); len++)
        *ret = *ret * 10 + (r->text.p[len] - '0');
    if (len < least)
        return false;
    r->text = str_from(r->text, len);
    r->is_out_of_range = *ret < low || *ret > high;
    return !r->is_out_of_range;
}

static bool read_int(struct reader *r, size_t least, size_t most, int low, int high, int *ret)
{
    int64_t value;
    bool is_good = read_number(r, least, most, low, high, &value);

    *ret = (int)value;
    return is_good;
}

static bool read_row(struct reader *r, const struct number *n)
{
    while (n->skips_blanks && str_drop_prefix(&r->text, STR(" ")))
        continue;
    return read_int(r, n->least, n->most, n->low, n->high, (int *)((char *)r + n->at));
}

static bool read_name(struct reader *r, const char *const *names, int count, size_t len, int *ret)
{
    for (int i = 0; i < count; i++) {
        str name = str_of(names[i]);

        if (len)
            name.len = len;
        if (r->text.len >= name.len && str_eq_nocase(str_sub(r->text, 0, name.len), name)) {
            r->text = str_from(r->text, name.len);
            *ret = i;
            return true;
        }
    }
    return false;
}

static bool read_offset(struct reader *r, str form)
{
    int sign, hours, minutes = 0, seconds = 0;

    if (form.p[0] == 'Z' && str_drop_prefix(&r->text, STR("Z"))) {
        r->has_zone = true;
        r->zone = NULL;
        return true;
    }
    if (!r->text.len || (r->text.p[0] != '+' && r->text.p[0] != '-'))
        return false;
    sign = r->text.p[0] == '-' ? -1 : 1;
    r->text = str_from(r->text, 1);
    if (!read_int(r, 2, 2, 0, 24, &hours))
        return false;
    if (form.len > 3 && ((form.p[3] == ':' && !str_drop_prefix(&r->text, STR(":"))) ||
                         !read_int(r, 2, 2, 0, 60, &minutes)))
        return false;
    if (form.len > 6 && ((form.p[3] == ':' && !str_drop_prefix(&r->text, STR(":"))) ||
                         !read_int(r, 2, 2, 0, 60, &seconds)))
        return false;
    r->has_zone = true;
    r->zone = zone_fixed(sign * (hours * 3600 + minutes * 60 + seconds));
    return true;
}

static bool read_fraction(struct reader *r, size_t digits)
{
    int32_t unit = 100000000;
    size_t len = 1;

    if (!r->text.len || (r->text.p[0] != '.' && r->text.p[0] != ','))
        return !digits;
    for (r->ns = 0;
         len < r->text.len && layout_is_digit(r->text.p[len]) && (!digits || len <= digits);
         len++, unit /= 10)
        r->ns += (r->text.p[len] - '0') * unit;
    r->text = str_from(r->text, len);
    return len > 1 && (!digits || len == digits + 1);
}

/* Seconds may have a fraction that the layout does not name. */
static bool read_seconds(struct reader *r, const struct number *n, str layout)
{
    if (!read_row(r, n))
        return false;
    if (r->text.len > 1 && (r->text.p[0] == '.' || r->text.p[0] == ',') &&
        layout_is_digit(r->text.p[1]) && !layout_fraction_len(layout))
        return read_fraction(r, 0);
    return true;
}

static bool read_half(struct reader *r)
{
    str two = str_sub(r->text, 0, 2);

    r->is_pm = str_eq_nocase(two, STR("PM"));
    r->is_am = str_eq_nocase(two, STR("AM"));
    r->text = str_from(r->text, 2);
    return r->is_pm || r->is_am;
}

static bool read_zone_name(struct reader *r)
{
    size_t len = 0;

    while (len < r->text.len && r->text.p[len] >= 'A' && r->text.p[len] <= 'Z')
        len++;
    if (len < 3 || len > 5)
        return false;
    if (!r->has_zone) /* an offset says more than a name */
        r->zone = str_eq(str_sub(r->text, 0, len), STR("UTC"))
                      ? NULL
                      : zone_named(str_sub(r->text, 0, len));
    r->text = str_from(r->text, len);
    return true;
}

static bool read_year_2(struct reader *r)
{
    bool is_good = read_number(r, 2, 2, 0, 99, &r->c.year);

    r->c.year += r->c.year >= 69 ? 1900 : 2000;
    return is_good;
}

static bool read_part(struct reader *r, enum layout_part part, str form, str layout)
{
    int ignored;

    switch (part) {
    case LITERAL:
        return str_drop_prefix(&r->text, form);
    case MONTH_LONG:
        return read_name(r, layout_months, 12, 0, &r->c.month) && ++r->c.month;
    case MONTH_SHORT:
        return read_name(r, layout_months, 12, 3, &r->c.month) && ++r->c.month;
    case WEEKDAY_LONG:
        return read_name(r, layout_days, 7, 0, &ignored);
    case WEEKDAY_SHORT:
        return read_name(r, layout_days, 7, 3, &ignored);
    case MONTH:
    case MONTH_0:
    case DAY:
    case DAY_BLANK:
    case DAY_0:
    case YEAR_DAY_BLANK:
    case YEAR_DAY_0:
    case HOUR:
    case HOUR_12:
    case HOUR_12_0:
    case MINUTE:
    case MINUTE_0:
        return read_row(r, &numbers[part]);
    case SECOND:
    case SECOND_0:
        return read_seconds(r, &numbers[part], layout);
    case YEAR:
        return read_number(r, 4, 4, 0, 9999, &r->c.year);
    case YEAR_2:
        return read_year_2(r);
    case PM_UPPER:
    case PM_LOWER:
        return read_half(r);
    case ZONE_NAME:
        return read_zone_name(r);
    case OFFSET:
        return read_offset(r, form);
    case FRACTION_0:
        return read_fraction(r, form.len - 1);
    case FRACTION_9:
        return read_fraction(r, 0);
    }
    return false;
}

static bool is_day(struct reader *r)
{
    int64_t first = days_of(r->c.year, r->c.month, 1);
    int64_t next =
        r->c.month == 12 ? days_of(r->c.year + 1, 1, 1) : days_of(r->c.year, r->c.month + 1, 1);

    return r->c.day > 0 && r->c.day <= next - first;
}

static bool explain(str text, str layout, const struct reader *r, enum layout_part part, str rest,
                    str form, struct buf *why)
{
    buf_add_cstr(why, "parsing time ");
    text_quote_time(text, why);
    if (r->is_out_of_range) {
        buf_addf(why, ": %s out of range",
                 part == OFFSET ? "time zone offset hour" : numbers[part].name);
        return false;
    }
    buf_add_cstr(why, " as ");
    text_quote_time(layout, why);
    buf_add_cstr(why, ": cannot parse ");
    text_quote_time(rest, why);
    buf_add_cstr(why, " as ");
    text_quote_time(form, why);
    return false;
}

bool layout_parse(str text, str layout, const struct zone *local, struct moment *ret,
                  struct buf *why)
{
    struct reader r = {.text = text, .c = {.year = 0, .month = 1, .day = 1}, .zone = local};
    str whole = layout, form;

    while (layout.len) {
        enum layout_part part = layout_next(&layout, &form);
        str rest = r.text;

        if (!read_part(&r, part, form, layout))
            return explain(text, whole, &r, part, rest, form, why);
    }
    if (r.text.len) {
        buf_add_cstr(why, "parsing time ");
        text_quote_time(text, why);
        buf_add_cstr(why, ": extra text: ");
        text_quote_time(r.text, why);
        return false;
    }
    if (!is_day(&r)) {
        buf_add_cstr(why, "parsing time ");
        text_quote_time(text, why);
        buf_add_cstr(why, ": day out of range");
        return false;
    }
    if (r.year_day) {
        r.c.month = 1;
        r.c.day = r.year_day;
    }
    if (r.is_pm && r.c.hour < 12)
        r.c.hour += 12;
    if (r.is_am && r.c.hour == 12)
        r.c.hour = 0;
    *ret = (struct moment){civil_to_unix(&r.c, r.zone), r.ns, r.zone};
    return true;
}
