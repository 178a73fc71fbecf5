/* Dates (template spec 14.6). */
#include "base/duration.h"
#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/objects_priv.h"

enum { NS_PER_S = 1000000000 };

static const struct zone *local_zone(const struct tmpl_call *c)
{
    bool is_known;

    return zone_find(str_of(c->run->options.host.zone), &is_known);
}

static int now(struct tmpl_call *c, struct moment *ret)
{
    int64_t ns;

    if (!c->run->options.host.now_ns)
        return call_fail(c, "there is no clock here: only what is given may count");
    ns = c->run->options.host.now_ns(c->run->options.host.ctx);
    *ret = (struct moment){ns / NS_PER_S, (int32_t)(ns % NS_PER_S), local_zone(c)};
    if (ret->ns < 0) {
        ret->ns += NS_PER_S;
        ret->sec--;
    }
    return 0;
}

/* A time, or seconds since 1970; anything else means now. */
static int date_of(struct tmpl_call *c, struct tmpl_value v, struct moment *ret)
{
    if (value_is(v, &object_time)) {
        *ret = time_of(v);
        return 0;
    }
    if (v.type == TMPL_INT || v.type == TMPL_INT64) {
        *ret = (struct moment){.sec = v.i};
        return 0;
    }
    return now(c, ret);
}

static int format_in(struct tmpl_call *c, str layout, struct tmpl_value date,
                     const struct zone *zone, struct tmpl_value *ret)
{
    struct moment m = {0};
    struct buf *b;

    if (date_of(c, date, &m) < 0)
        return -1;
    m.zone = zone;
    b = trun_borrow(c->run);
    layout_format(m, layout, b);
    return ret_text(c, b, ret);
}

static const struct zone *named_zone(str name)
{
    bool is_known;

    return zone_find(name, &is_known);
}

static int f_now(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct moment m = {0};

    if (now(c, &m) < 0)
        return -1;
    *ret = object_of_time(c->run, m);
    return 0;
}

static int f_date(struct tmpl_call *c, struct tmpl_value *ret)
{
    return format_in(c, arg_text(c, 0), c->args[1], local_zone(c), ret);
}

static int f_date_in_zone(struct tmpl_call *c, struct tmpl_value *ret)
{
    return format_in(c, arg_text(c, 0), c->args[1], named_zone(arg_text(c, 2)), ret);
}

static int f_html_date(struct tmpl_call *c, struct tmpl_value *ret)
{
    return format_in(c, STR("2006-01-02"), c->args[0], local_zone(c), ret);
}

static int f_html_date_in_zone(struct tmpl_call *c, struct tmpl_value *ret)
{
    return format_in(c, STR("2006-01-02"), c->args[0], named_zone(arg_text(c, 1)), ret);
}

static bool is_of_number(char c) { return c == '.' || (c >= '0' && c <= '9'); }

/* Go's words for a text that is no duration. */
static void explain_duration(str s, struct buf *why)
{
    static const char units[][4] = {"ns", "us", "µs", "μs", "ms", "s", "m", "h"};
    str rest = s, unit;

    if (rest.len && strchr("+-", rest.p[0]))
        rest = str_from(rest, 1);
    buf_add_cstr(why, "time: ");
    while (rest.len && is_of_number(rest.p[0])) {
        size_t end = 0, known = 0;

        while (rest.len && is_of_number(rest.p[0]))
            rest = str_from(rest, 1);
        while (end < rest.len && !is_of_number(rest.p[end]))
            end++;
        unit = str_sub(rest, 0, end);
        rest = str_from(rest, end);
        while (known < ARRAY_LEN(units) && !str_eq(unit, str_of(units[known])))
            known++;
        if (known < ARRAY_LEN(units))
            continue;
        if (unit.len) {
            buf_add_cstr(why, "unknown unit ");
            text_quote_time(unit, why);
            buf_add_cstr(why, " in duration ");
        } else {
            buf_add_cstr(why, "missing unit in duration ");
        }
        text_quote_time(s, why);
        return;
    }
    buf_add_cstr(why, "invalid duration ");
    text_quote_time(s, why);
}

static int modify(struct tmpl_call *c, bool must, struct tmpl_value *ret)
{
    struct moment m = time_of(c->args[1]);
    int64_t ns;

    if (!duration_parse_ns(arg_text(c, 0), &ns)) {
        AUTO(buf_done) struct buf why = {0};

        *ret = c->args[1];
        explain_duration(arg_text(c, 0), &why);
        return must ? call_fail(c, "%s", buf_cstr(&why)) : 0;
    }
    m.sec += ns / NS_PER_S;
    m.ns += (int32_t)(ns % NS_PER_S);
    if (m.ns < 0 || m.ns >= NS_PER_S) {
        m.sec += m.ns < 0 ? -1 : 1;
        m.ns += m.ns < 0 ? NS_PER_S : -NS_PER_S;
    }
    *ret = object_of_time(c->run, m);
    return 0;
}

static int f_modify(struct tmpl_call *c, struct tmpl_value *ret) { return modify(c, false, ret); }
static int f_must_modify(struct tmpl_call *c, struct tmpl_value *ret)
{
    return modify(c, true, ret);
}

static int to_date(struct tmpl_call *c, bool must, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf why = {0};
    struct moment m = MOMENT_ZERO;
    bool is_good = layout_parse(arg_text(c, 1), arg_text(c, 0), local_zone(c), &m, &why);

    if (!is_good && must)
        return call_fail(c, "%s", buf_cstr(&why));
    *ret = object_of_time(c->run, is_good ? m : MOMENT_ZERO);
    return 0;
}

static int f_to_date(struct tmpl_call *c, struct tmpl_value *ret) { return to_date(c, false, ret); }
static int f_must_to_date(struct tmpl_call *c, struct tmpl_value *ret)
{
    return to_date(c, true, ret);
}

static int f_unix_epoch(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = tmpl_string(arena_printf(&c->run->arena, "%lld", (long long)time_of(c->args[0]).sec));
    return 0;
}

static int ret_duration(struct tmpl_call *c, int64_t ns, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);

    duration_print(ns, b);
    return ret_text(c, b, ret);
}

static int64_t seconds_to_ns(int64_t seconds) { return (int64_t)((uint64_t)seconds * NS_PER_S); }

static int f_ago(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct moment at = {0}, m = {0};

    if (now(c, &m) < 0 || date_of(c, c->args[0], &at) < 0)
        return -1;
    return ret_duration(
        c, duration_round(seconds_to_ns(m.sec - at.sec) + m.ns - at.ns, NS_PER_S, true), ret);
}

/* Go's ParseInt with its failure ignored: what does not fit is the nearest that does. */
static int64_t whole_seconds(str s)
{
    int64_t seconds;
    bool is_signed = s.len && (s.p[0] == '-' || s.p[0] == '+');
    str digits = str_from(s, is_signed);

    if (text_to_int(s, 10, &seconds))
        return seconds;
    if (!digits.len)
        return 0;
    for (size_t i = 0; i < digits.len; i++)
        if (digits.p[i] < '0' || digits.p[i] > '9')
            return 0;
    return s.p[0] == '-' ? INT64_MIN : INT64_MAX;
}

static int f_duration(struct tmpl_call *c, struct tmpl_value *ret)
{
    int64_t seconds = 0;

    if (c->args[0].type == TMPL_INT64)
        seconds = c->args[0].i;
    else if (c->args[0].type == TMPL_STRING)
        seconds = whole_seconds(arg_text(c, 0));
    return ret_duration(c, seconds_to_ns(seconds), ret);
}

/* Text, nanoseconds, or how long ago a time is. */
static int any_duration(struct tmpl_call *c, struct tmpl_value v, int64_t *ret)
{
    struct moment m = {0};

    *ret = 0;
    if (v.type == TMPL_INT64) {
        *ret = v.i;
    } else if (v.type == TMPL_STRING) {
        if (!duration_parse_ns(tmpl_text(v), ret))
            *ret = 0;
    } else if (value_is(v, &object_time)) {
        if (now(c, &m) < 0)
            return -1;
        *ret = seconds_to_ns(m.sec - time_of(v).sec) + m.ns - time_of(v).ns;
    }
    return 0;
}

static int f_duration_round(struct tmpl_call *c, struct tmpl_value *ret)
{
    static const struct {
        int64_t seconds;
        char name[3];
    } units[] = {{(int64_t)365 * 24 * 3600, "y"},
                 {(int64_t)30 * 24 * 3600, "mo"},
                 {(int64_t)24 * 3600, "d"},
                 {3600, "h"},
                 {60, "m"},
                 {1, "s"}};
    int64_t ns, seconds;

    if (any_duration(c, c->args[0], &ns) < 0)
        return -1;
    ns = ns < 0 ? (int64_t)(0 - (uint64_t)ns) : ns; /* the sign is not shown */
    seconds = ns / NS_PER_S;
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (ns > seconds_to_ns(units[i].seconds)) {
            *ret = tmpl_string(arena_printf(
                &c->run->arena, "%lld%s", (long long)(seconds / units[i].seconds), units[i].name));
            return 0;
        }
    return ret_view(ret, STR("0s"));
}

#define CLOCK (FUNC_IMPURE | FUNC_NO_PIPELINE)
static void add_rows(struct func_rows *to)
{
    func_add(to, "now", "", f_now, CLOCK, "The current time", NULL, NULL);
    func_add(to, "date", "SA", f_date, CLOCK, "A time in a layout, in the local zone",
             "{{ date \"2006-01-02\" (toDate \"02.01.2006\" \"24.12.2024\") }}", "2024-12-24");
    func_add(to, "dateInZone", "SAS", f_date_in_zone, FUNC_NO_PIPELINE,
             "A time in a layout, in the named zone", "{{ dateInZone \"15:04\" 0 \"UTC\" }}",
             "00:00");
    func_add(to, "date_in_zone", "SAS", f_date_in_zone, FUNC_NO_PIPELINE, "The same as dateInZone",
             "{{ date_in_zone \"2006\" 0 \"UTC\" }}", "1970");
    func_add(to, "htmlDate", "A", f_html_date, CLOCK,
             "The date as year-month-day, in the local zone", "{{ htmlDate 0 }}", "1970-01-01");
    func_add(to, "htmlDateInZone", "AS", f_html_date_in_zone, FUNC_NO_PIPELINE,
             "The date as year-month-day, in the named zone", "{{ htmlDateInZone 0 \"UTC\" }}",
             "1970-01-01");
    func_add(to, "dateModify", "ST", f_modify, FUNC_NO_PIPELINE,
             "The time plus a duration; unchanged when that is none",
             "{{ toDate \"2006\" \"2024\" | dateModify \"24h\" | htmlDate }}", "2024-01-02");
    func_add(to, "date_modify", "ST", f_modify, FUNC_NO_PIPELINE, "The same as dateModify",
             "{{ toDate \"2006\" \"2024\" | date_modify \"-24h\" | htmlDate }}", "2023-12-31");
    func_add(to, "mustDateModify", "ST", f_must_modify, FUNC_NO_PIPELINE,
             "The time plus a duration",
             "{{ toDate \"2006\" \"2024\" | mustDateModify \"24h\" | htmlDate }}", "2024-01-02");
    func_add(to, "must_date_modify", "ST", f_must_modify, FUNC_NO_PIPELINE,
             "The same as mustDateModify",
             "{{ toDate \"2006\" \"2024\" | must_date_modify \"24h\" | htmlDate }}", "2024-01-02");
    func_add(to, "toDate", "SS", f_to_date, FUNC_NO_PIPELINE,
             "The time that a text in a layout means; year 1 when it means none",
             "{{ (toDate \"2006-01-02\" \"2024-12-24\").Year }}", "2024");
    func_add(to, "mustToDate", "SS", f_must_to_date, FUNC_NO_PIPELINE,
             "The time that a text in a layout means",
             "{{ (mustToDate \"2006-01-02\" \"2024-12-24\").Day }}", "24");
    func_add(to, "unixEpoch", "T", f_unix_epoch, FUNC_NO_PIPELINE,
             "The seconds since 1970, as text", "{{ toDate \"2006\" \"1971\" | unixEpoch }}",
             "31536000");
    func_add(to, "ago", "A", f_ago, CLOCK, "How long ago a time is", NULL, NULL);
    func_add(to, "duration", "A", f_duration, 0, "Seconds as a duration", "{{ duration \"95\" }}",
             "1m35s");
    func_add(to, "durationRound", "A", f_duration_round, CLOCK, "The largest unit of a duration",
             "{{ durationRound \"2h10m\" }}", "2h");
}
FUNC_GROUP(func_dates, "Dates", add_rows, IN_SPRIG);
