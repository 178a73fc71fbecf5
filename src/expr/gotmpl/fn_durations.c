/* Durations of charts (template spec 15.3). */
#include <math.h>

#include "base/duration.h"
#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/objects_priv.h"

static bool of_seconds(double seconds, int64_t *ret)
{
    double ns = seconds * 1e9;

    if (!(ns < 9223372036854775808.0 && ns >= -9223372036854775808.0))
        return false;
    *ret = (int64_t)ns;
    return true;
}

/* A duration, its text, or seconds as a number or text. */
static bool to_duration(struct tmpl_value v, int64_t *ret)
{
    double f;

    *ret = 0;
    if (value_is(v, &object_duration)) {
        *ret = duration_of(v);
        return true;
    }
    if (tmpl_is_int(v))
        return !__builtin_mul_overflow(v.i, (int64_t)1000000000, ret);
    if (v.type == TMPL_FLOAT)
        return of_seconds(v.f, ret);
    if (v.type != TMPL_STRING)
        return false;
    return duration_parse_ns(text_trim_space(tmpl_text(v)), ret) ||
           (text_to_float(text_trim_space(tmpl_text(v)), &f) && of_seconds(f, ret));
}

static int refuse_seconds(struct tmpl_call *c, struct tmpl_value v)
{
    AUTO(buf_done) struct buf text = {0};
    bool is_bad = v.type == TMPL_FLOAT && !isfinite(v.f);

    value_print(c->run, v, &text);
    return call_fail(c, is_bad ? "invalid duration seconds: %s" : "duration seconds overflow: %s",
                     buf_cstr(&text));
}

static int f_must(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf quoted = {0};
    double seconds;
    int64_t ns;

    if (to_duration(c->args[0], &ns)) {
        *ret = object_of_duration(c->run, ns);
        return 0;
    }
    if (tmpl_is_nil(c->args[0]))
        return call_fail(c, "invalid duration");
    if (tmpl_is_int(c->args[0]) || c->args[0].type == TMPL_FLOAT)
        return refuse_seconds(c, c->args[0]);
    if (c->args[0].type != TMPL_STRING)
        return call_fail(c, "unsupported duration type %s", value_type(c->args[0]));
    if (!text_trim_space(arg_text(c, 0)).len)
        return call_fail(c, "empty duration");
    if (text_to_float(text_trim_space(arg_text(c, 0)), &seconds))
        return refuse_seconds(c, tmpl_float(seconds));
    text_quote(arg_text(c, 0), false, &quoted);
    return call_fail(c, "could not parse duration %s", buf_cstr(&quoted));
}

static int ret_ratio(struct tmpl_call *c, int64_t unit, double of_unit, struct tmpl_value *ret)
{
    int64_t ns;

    *ret = tmpl_float(to_duration(c->args[0], &ns) ? duration_in(ns, unit) / of_unit : 0);
    return 0;
}

static int f_seconds(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_ratio(c, SECOND_NS, 1, ret);
}
static int f_minutes(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_ratio(c, MINUTE_NS, 1, ret);
}
static int f_hours(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_ratio(c, HOUR_NS, 1, ret);
}
static int f_days(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_ratio(c, HOUR_NS, 24, ret);
}
static int f_weeks(struct tmpl_call *c, struct tmpl_value *ret)
{
    int64_t ns; /* divided twice, as helm does: that rounds otherwise than once */

    *ret = tmpl_float(to_duration(c->args[0], &ns) ? duration_in(ns, HOUR_NS) / 24 / 7 : 0);
    return 0;
}

static int ret_units(struct tmpl_call *c, int64_t unit, struct tmpl_value *ret)
{
    int64_t ns;

    *ret = tmpl_int64(to_duration(c->args[0], &ns) ? ns / unit : 0);
    return 0;
}

static int f_milli(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_units(c, 1000000, ret);
}
static int f_micro(struct tmpl_call *c, struct tmpl_value *ret) { return ret_units(c, 1000, ret); }
static int f_nano(struct tmpl_call *c, struct tmpl_value *ret) { return ret_units(c, 1, ret); }

static int rounded(struct tmpl_call *c, bool up, struct tmpl_value *ret)
{
    int64_t ns, unit;

    if (!to_duration(c->args[0], &ns))
        ns = 0;
    if (!to_duration(c->args[1], &unit))
        unit = 0;
    *ret = object_of_duration(c->run, duration_round(ns, unit, up));
    return 0;
}

static int f_round(struct tmpl_call *c, struct tmpl_value *ret) { return rounded(c, true, ret); }
static int f_truncate(struct tmpl_call *c, struct tmpl_value *ret)
{
    return rounded(c, false, ret);
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "mustToDuration", "A", f_must, 0,
             "The duration of a text like 1h30m, or of seconds", "{{ mustToDuration 90 }}",
             "1m30s");
    func_add(to, "durationSeconds", "A", f_seconds, 0, "A duration in seconds; 0 for what is none",
             "{{ durationSeconds \"1m30s\" }}", "90");
    func_add(to, "durationMinutes", "A", f_minutes, 0, "A duration in minutes; 0 for what is none",
             "{{ durationMinutes \"90s\" }}", "1.5");
    func_add(to, "durationHours", "A", f_hours, 0, "A duration in hours; 0 for what is none",
             "{{ durationHours \"90m\" }}", "1.5");
    func_add(to, "durationDays", "A", f_days, 0, "A duration in days; 0 for what is none",
             "{{ durationDays \"36h\" }}", "1.5");
    func_add(to, "durationWeeks", "A", f_weeks, 0, "A duration in weeks; 0 for what is none",
             "{{ durationWeeks \"84h\" }}", "0.5");
    func_add(to, "durationMilliseconds", "A", f_milli, 0,
             "A duration in whole milliseconds; 0 for what is none",
             "{{ durationMilliseconds \"1.5s\" }}", "1500");
    func_add(to, "durationMicroseconds", "A", f_micro, 0,
             "A duration in whole microseconds; 0 for what is none",
             "{{ durationMicroseconds \"1ms\" }}", "1000");
    func_add(to, "durationNanoseconds", "A", f_nano, 0,
             "A duration in nanoseconds; 0 for what is none", "{{ durationNanoseconds \"1us\" }}",
             "1000");
    func_add(to, "durationRoundTo", "AA", f_round, 0,
             "A duration to the nearest multiple of another",
             "{{ durationRoundTo \"2h13m\" \"30m\" }}", "2h0m0s");
    func_add(to, "durationTruncateTo", "AA", f_truncate, 0,
             "A duration to the multiple of another below",
             "{{ durationTruncateTo \"2h50m\" \"1h\" }}", "2h0m0s");
}
FUNC_GROUP(func_durations, "Durations", add_rows, IN_CHART);
