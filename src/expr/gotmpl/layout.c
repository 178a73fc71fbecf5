/* Go's layouts of times: the reference time written as the result is to look. */
#include "expr/gotmpl/text_priv.h"
#include "expr/gotmpl/zone.h"

enum part {
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

static const struct {
    char text[12];
    enum part part;
    bool is_word; /* no small letter follows */
} rows[] = {
    {"January", MONTH_LONG, false},
    {"Jan", MONTH_SHORT, true},
    {"Monday", WEEKDAY_LONG, false},
    {"Mon", WEEKDAY_SHORT, true},
    {"MST", ZONE_NAME, false},
    {"002", YEAR_DAY_0, false},
    {"01", MONTH_0, false},
    {"02", DAY_0, false},
    {"03", HOUR_12_0, false},
    {"04", MINUTE_0, false},
    {"05", SECOND_0, false},
    {"06", YEAR_2, false},
    {"15", HOUR, false},
    {"1", MONTH, false},
    {"2006", YEAR, false},
    {"2", DAY, false},
    {"__2", YEAR_DAY_BLANK, false},
    {"_2", DAY_BLANK, false},
    {"3", HOUR_12, false},
    {"4", MINUTE, false},
    {"5", SECOND, false},
    {"PM", PM_UPPER, false},
    {"pm", PM_LOWER, false},
    {"-07:00:00", OFFSET, false},
    {"-070000", OFFSET, false},
    {"-07:00", OFFSET, false},
    {"-0700", OFFSET, false},
    {"-07", OFFSET, false},
    {"Z07:00:00", OFFSET, false},
    {"Z070000", OFFSET, false},
    {"Z07:00", OFFSET, false},
    {"Z0700", OFFSET, false},
    {"Z07", OFFSET, false},
};

static const char *const month_names[] = {"January",   "February", "March",    "April",
                                          "May",       "June",     "July",     "August",
                                          "September", "October",  "November", "December"};
static const char *const day_names[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday"};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* ".000" or ",999" that no digit follows. */
static size_t fraction_len(str s)
{
    size_t len = 2;

    if (s.len < 2 || (s.p[0] != '.' && s.p[0] != ',') || (s.p[1] != '0' && s.p[1] != '9'))
        return 0;
    while (len < s.len && s.p[len] == s.p[1])
        len++;
    return len < s.len && is_digit(s.p[len]) ? 0 : len;
}

/* The next part of *layout: one with a meaning, or the text before it. */
static enum part next_part(str *layout, str *ret)
{
    for (size_t at = 0; at < layout->len; at++) {
        str rest = str_from(*layout, at);
        size_t len = fraction_len(rest);
        enum part part = len ? (rest.p[1] == '0' ? FRACTION_0 : FRACTION_9) : LITERAL;

        for (size_t i = 0; !len && i < ARRAY_LEN(rows); i++) {
            str t = str_of(rows[i].text);

            if (!str_starts(rest, t) ||
                (rows[i].part == DAY_BLANK && str_starts(rest, STR("_2006"))))
                continue;
            if (rows[i].is_word && rest.len > t.len && rest.p[t.len] >= 'a' && rest.p[t.len] <= 'z')
                continue;
            part = rows[i].part;
            len = t.len;
        }
        if (!len)
            continue;
        if (at) { /* the text before it comes first */
            *ret = str_sub(*layout, 0, at);
            *layout = rest;
            return LITERAL;
        }
        *ret = str_sub(rest, 0, len);
        *layout = str_from(rest, len);
        return part;
    }
    *ret = *layout;
    *layout = STR_NONE;
    return LITERAL;
}

/* ---- writing */

static void add_offset(int offset, str form, struct buf *out)
{
    int minutes = abs(offset) / 60;

    if (form.p[0] == 'Z' && offset == 0) {
        buf_add_char(out, 'Z');
        return;
    }
    buf_addf(out, "%c%02d", offset < 0 ? '-' : '+', minutes / 60);
    if (form.len > 3)
        buf_addf(out, "%s%02d", form.p[3] == ':' ? ":" : "", minutes % 60);
    if (form.len > 6)
        buf_addf(out, "%s%02d", form.p[3] == ':' ? ":" : "", abs(offset) % 60);
}

static void add_fraction(int32_t ns, str form, bool trims, struct buf *out)
{
    char digits[16];
    size_t len = MIN(form.len - 1, (size_t)9);

    snprintf(digits, sizeof(digits), "%09d", ns);
    while (trims && len && digits[len - 1] == '0')
        len--;
    if (trims && !len)
        return;
    buf_add_char(out, form.p[0]);
    buf_add(out, digits, len);
}

/* The parts that are numbers: how wide at least, and filled up with what. */
static const struct {
    unsigned char width;
    bool has_zeros;
} numbers[] = {
    [MONTH] = {1, false},     [MONTH_0] = {2, true},  [DAY] = {1, false},
    [DAY_BLANK] = {2, false}, [DAY_0] = {2, true},    [YEAR_DAY_BLANK] = {3, false},
    [YEAR_DAY_0] = {3, true}, [HOUR] = {2, true},     [HOUR_12] = {1, false},
    [HOUR_12_0] = {2, true},  [MINUTE] = {1, false},  [MINUTE_0] = {2, true},
    [SECOND] = {1, false},    [SECOND_0] = {2, true}, [YEAR_2] = {2, true},
};

static int number_of(const struct civil *c, enum part part)
{
    switch (part) {
    case MONTH:
    case MONTH_0:
        return c->month;
    case DAY:
    case DAY_BLANK:
    case DAY_0:
        return c->day;
    case YEAR_DAY_BLANK:
    case YEAR_DAY_0:
        return c->year_day;
    case HOUR:
        return c->hour;
    case HOUR_12:
    case HOUR_12_0:
        return c->hour % 12 ? c->hour % 12 : 12;
    case MINUTE:
    case MINUTE_0:
        return c->minute;
    case SECOND:
    case SECOND_0:
        return c->second;
    default:
        return (int)llabs((long long)c->year % 100);
    }
}

static void add_number(const struct civil *c, enum part part, struct buf *out)
{
    buf_addf(out, numbers[part].has_zeros ? "%0*d" : "%*d", numbers[part].width,
             number_of(c, part));
}

static void add_part(const struct civil *c, int32_t ns, enum part part, str form, struct buf *out)
{
    switch (part) {
    case LITERAL:
        buf_add_str(out, form);
        break;
    case MONTH_LONG:
        buf_add_cstr(out, month_names[c->month - 1]);
        break;
    case MONTH_SHORT:
        buf_add(out, month_names[c->month - 1], 3);
        break;
    case WEEKDAY_LONG:
        buf_add_cstr(out, day_names[c->weekday]);
        break;
    case WEEKDAY_SHORT:
        buf_add(out, day_names[c->weekday], 3);
        break;
    case YEAR:
        buf_addf(out, "%s%04lld", c->year < 0 ? "-" : "", llabs((long long)c->year));
        break;
    case PM_UPPER:
        buf_add_cstr(out, c->hour >= 12 ? "PM" : "AM");
        break;
    case PM_LOWER:
        buf_add_cstr(out, c->hour >= 12 ? "pm" : "am");
        break;
    case ZONE_NAME:
        buf_add_str(out, c->zone);
        break;
    case OFFSET:
        add_offset(c->offset, form, out);
        break;
    case FRACTION_0:
    case FRACTION_9:
        add_fraction(ns, form, part == FRACTION_9, out);
        break;
    default:
        add_number(c, part, out);
        break;
    }
}

void layout_format(struct moment m, str layout, struct buf *out)
{
    struct civil c;
    str form;

    civil_of(m, &c);
    while (layout.len) {
        enum part part = next_part(&layout, &form);

        add_part(&c, m.ns, part, form, out);
    }
}

/* ---- reading */

struct reader {
    str text;
    struct civil c;
    int32_t ns;
    int year_day; /* 0: none */
    bool is_pm, is_am, has_zone;
    const struct zone *zone;
    bool is_out_of_range;
};

/* A number of `least` to `most` digits. */
static bool read_number(struct reader *r, size_t least, size_t most, int64_t low, int64_t high,
                        int64_t *ret)
{
    size_t len = 0;

    for (*ret = 0; len < most && len < r->text.len && is_digit(r->text.p[len]); len++)
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
    for (r->ns = 0; len < r->text.len && is_digit(r->text.p[len]) && (!digits || len <= digits);
         len++, unit /= 10)
        r->ns += (r->text.p[len] - '0') * unit;
    r->text = str_from(r->text, len);
    return len > 1 && (!digits || len == digits + 1);
}

/* Seconds may have a fraction that the layout does not name. */
static bool read_seconds(struct reader *r, size_t least, str layout)
{
    if (!read_int(r, least, 2, 0, 59, &r->c.second))
        return false;
    if (r->text.len > 1 && (r->text.p[0] == '.' || r->text.p[0] == ',') && is_digit(r->text.p[1]) &&
        !fraction_len(layout))
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

static bool read_blank_number(struct reader *r, int high, int *ret)
{
    while (str_drop_prefix(&r->text, STR(" ")))
        ;
    return read_int(r, 1, high > 99 ? 3 : 2, 1, high, ret);
}

static bool read_year_2(struct reader *r)
{
    bool is_good = read_number(r, 2, 2, 0, 99, &r->c.year);

    r->c.year += r->c.year >= 69 ? 1900 : 2000;
    return is_good;
}

static bool read_part(struct reader *r, enum part part, str form, str layout)
{
    int ignored;

    switch (part) {
    case LITERAL:
        return str_drop_prefix(&r->text, form);
    case MONTH_LONG:
        return read_name(r, month_names, 12, 0, &r->c.month) && ++r->c.month;
    case MONTH_SHORT:
        return read_name(r, month_names, 12, 3, &r->c.month) && ++r->c.month;
    case MONTH:
        return read_int(r, 1, 2, 1, 12, &r->c.month);
    case MONTH_0:
        return read_int(r, 2, 2, 1, 12, &r->c.month);
    case WEEKDAY_LONG:
        return read_name(r, day_names, 7, 0, &ignored);
    case WEEKDAY_SHORT:
        return read_name(r, day_names, 7, 3, &ignored);
    case DAY:
        return read_int(r, 1, 2, 1, 31, &r->c.day);
    case DAY_BLANK:
        return read_blank_number(r, 31, &r->c.day);
    case DAY_0:
        return read_int(r, 2, 2, 1, 31, &r->c.day);
    case YEAR_DAY_BLANK:
        return read_blank_number(r, 366, &r->year_day);
    case YEAR_DAY_0:
        return read_int(r, 3, 3, 1, 366, &r->year_day);
    case HOUR:
        return read_int(r, 1, 2, 0, 23, &r->c.hour);
    case HOUR_12:
        return read_int(r, 1, 2, 0, 12, &r->c.hour);
    case HOUR_12_0:
        return read_int(r, 2, 2, 0, 12, &r->c.hour);
    case MINUTE:
        return read_int(r, 1, 2, 0, 59, &r->c.minute);
    case MINUTE_0:
        return read_int(r, 2, 2, 0, 59, &r->c.minute);
    case SECOND:
        return read_seconds(r, 1, layout);
    case SECOND_0:
        return read_seconds(r, 2, layout);
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

    return r->c.day <= next - first;
}

static const char *range_name(enum part part)
{
    switch (part) {
    case MONTH:
    case MONTH_0:
        return "month";
    case DAY:
    case DAY_BLANK:
    case DAY_0:
        return "day";
    case YEAR_DAY_BLANK:
    case YEAR_DAY_0:
        return "day-of-year";
    case MINUTE:
    case MINUTE_0:
        return "minute";
    case SECOND:
    case SECOND_0:
        return "second";
    case OFFSET:
        return "time zone offset hour";
    default:
        return "hour";
    }
}

static bool explain(str text, str layout, const struct reader *r, enum part part, str rest,
                    str form, struct buf *why)
{
    buf_add_cstr(why, "parsing time ");
    text_quote_time(text, why);
    if (r->is_out_of_range) {
        buf_addf(why, ": %s out of range", range_name(part));
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
        enum part part = next_part(&layout, &form);
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

/* ---- durations */

void duration_print(int64_t ns, struct buf *out)
{
    uint64_t left = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    static const struct {
        uint64_t below, unit;
        const char *name;
    } small[] = {{1000, 1, "ns"}, {1000000, 1000, "µs"}, {1000000000, 1000000, "ms"}};
    uint64_t unit = 1000000000, whole, rest;
    const char *name = "s";
    char digits[24];
    size_t len;

    if (ns == 0) {
        buf_add_cstr(out, "0s");
        return;
    }
    buf_add_cstr(out, ns < 0 ? "-" : "");
    for (size_t i = ARRAY_LEN(small); i-- > 0;)
        if (left < small[i].below) {
            unit = small[i].unit;
            name = small[i].name;
        }
    whole = left / unit;
    rest = left % unit;
    if (whole >= 3600 && unit == 1000000000)
        buf_addf(out, "%lluh", (unsigned long long)(whole / 3600));
    if (whole >= 60 && unit == 1000000000)
        buf_addf(out, "%llum", (unsigned long long)(whole / 60 % 60));
    buf_addf(out, "%llu", (unsigned long long)(unit == 1000000000 ? whole % 60 : whole));
    len = (size_t)snprintf(digits, sizeof(digits), "%llu", (unsigned long long)(unit + rest));
    while (len > 1 && digits[len - 1] == '0')
        len--;
    if (rest) {
        buf_add_char(out, '.');
        buf_add(out, digits + 1, len - 1);
    }
    buf_add_cstr(out, name);
}
