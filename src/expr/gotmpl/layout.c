/* Go's layouts of times: the reference time written as the result is to look. */
#include "expr/gotmpl/layout_priv.h"
#include "expr/gotmpl/zone.h"

static const struct {
    char text[12];
    enum layout_part part;
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

const char *const layout_months[12] = {"January",   "February", "March",    "April",
                                       "May",       "June",     "July",     "August",
                                       "September", "October",  "November", "December"};
const char *const layout_days[7] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                    "Thursday", "Friday", "Saturday"};

size_t layout_fraction_len(str s)
{
    size_t len = 2;

    if (s.len < 2 || (s.p[0] != '.' && s.p[0] != ',') || (s.p[1] != '0' && s.p[1] != '9'))
        return 0;
    while (len < s.len && s.p[len] == s.p[1])
        len++;
    return len < s.len && layout_is_digit(s.p[len]) ? 0 : len;
}

enum layout_part layout_next(str *layout, str *ret)
{
    for (size_t at = 0; at < layout->len; at++) {
        str rest = str_from(*layout, at);
        size_t len = layout_fraction_len(rest);
        enum layout_part part = len ? (rest.p[1] == '0' ? FRACTION_0 : FRACTION_9) : LITERAL;

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

static int number_of(const struct civil *c, enum layout_part part)
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

static void add_number(const struct civil *c, enum layout_part part, struct buf *out)
{
    buf_addf(out, numbers[part].has_zeros ? "%0*d" : "%*d", numbers[part].width,
             number_of(c, part));
}

static void add_part(const struct civil *c, int32_t ns, enum layout_part part, str form,
                     struct buf *out)
{
    switch (part) {
    case LITERAL:
        buf_add_str(out, form);
        break;
    case MONTH_LONG:
        buf_add_cstr(out, layout_months[c->month - 1]);
        break;
    case MONTH_SHORT:
        buf_add(out, layout_months[c->month - 1], 3);
        break;
    case WEEKDAY_LONG:
        buf_add_cstr(out, layout_days[c->weekday]);
        break;
    case WEEKDAY_SHORT:
        buf_add(out, layout_days[c->weekday], 3);
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
        enum layout_part part = layout_next(&layout, &form);

        add_part(&c, m.ns, part, form, out);
    }
}

/* ---- durations */

void duration_print(int64_t ns, struct buf *out)
{
    uint64_t left = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    static const struct {
        uint64_t below, unit;
        char name[4];
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
