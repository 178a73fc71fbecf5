#include "expr/gotmpl/objects_priv.h"

#include "expr/gotmpl/fn_priv.h"

const struct tmpl_member *value_member(struct tmpl_value v, str name)
{
    const struct tmpl_member *m = v.type == TMPL_OBJECT ? v.object->class->members
                                  : v.type == TMPL_MAP && v.elem == TMPL_FILES  ? files_members
                                  : v.type == TMPL_MAP && v.elem == TMPL_VALUES ? values_members
                                  : v.type == TMPL_LIST && v.elem == TMPL_VERSIONS
                                      ? versions_members
                                      : NULL;

    if (v.flags & TMPL_IS_COPY && value_is_struct(v))
        return NULL; /* its methods are those of a pointer */
    for (; m && m->name; m++)
        if (str_eq(name, str_of(m->name)))
            return m;
    return NULL;
}

/* ---- times */

struct tmpl_value object_of_time(struct tmpl_run *r, struct moment at)
{
    struct time_object *o = ARENA_NEW(&r->arena, struct time_object);

    o->head.class = &object_time;
    o->at = at;
    return tmpl_object(&o->head);
}

static void print_time(const struct tmpl_object *o, struct buf *out)
{
    layout_format(((const struct time_object *)o)->at,
                  STR("2006-01-02 15:04:05.999999999 -0700 MST"), out);
}

static struct civil civil_self(const struct tmpl_call *c)
{
    struct civil civil;

    civil_of(time_of(c->self), &civil);
    return civil;
}

static int ret_int(struct tmpl_value *ret, int64_t i)
{
    *ret = tmpl_int(i);
    return 0;
}

static int m_year(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_int(ret, civil_self(c).year);
}

static int m_day(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_int(ret, civil_self(c).day);
}

static int m_hour(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_int(ret, civil_self(c).hour);
}

static int m_minute(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_int(ret, civil_self(c).minute);
}

static int m_second(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_int(ret, civil_self(c).second);
}

static int m_nanosecond(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_int(ret, time_of(c->self).ns);
}

static int m_year_day(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_int(ret, civil_self(c).year_day);
}

static int m_unix(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = tmpl_int64(time_of(c->self).sec);
    return 0;
}

static int m_unix_nano(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct moment m = time_of(c->self);

    *ret = tmpl_int64((int64_t)((uint64_t)m.sec * 1000000000u + (uint64_t)m.ns));
    return 0;
}

static int m_is_zero(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct moment m = time_of(c->self);

    return ret_bool(ret, m.sec == MOMENT_ZERO.sec && m.ns == 0);
}

static int format_self(struct tmpl_call *c, str layout, struct tmpl_value *ret)
{
    struct buf *b = trun_borrow(c->run);

    layout_format(time_of(c->self), layout, b);
    return ret_text(c, b, ret);
}

static int m_month(struct tmpl_call *c, struct tmpl_value *ret)
{
    return format_self(c, STR("January"), ret);
}

static int m_weekday(struct tmpl_call *c, struct tmpl_value *ret)
{
    return format_self(c, STR("Monday"), ret);
}

static int m_format(struct tmpl_call *c, struct tmpl_value *ret)
{
    return format_self(c, arg_text(c, 0), ret);
}

static int m_string(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, value_strval(c->run, c->self));
}

static int m_utc(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct moment m = time_of(c->self);

    m.zone = NULL;
    *ret = object_of_time(c->run, m);
    return 0;
}

static int m_local(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct moment m = time_of(c->self);
    bool is_known;

    m.zone = zone_find(str_of(c->run->options.host.zone), &is_known);
    *ret = object_of_time(c->run, m);
    return 0;
}

static const struct tmpl_member time_members[] = {
    {"Year", "", m_year},
    {"Month", "", m_month},
    {"Day", "", m_day},
    {"Hour", "", m_hour},
    {"Minute", "", m_minute},
    {"Second", "", m_second},
    {"Nanosecond", "", m_nanosecond},
    {"Weekday", "", m_weekday},
    {"YearDay", "", m_year_day},
    {"Unix", "", m_unix},
    {"UnixNano", "", m_unix_nano},
    {"IsZero", "", m_is_zero},
    {"UTC", "", m_utc},
    {"Local", "", m_local},
    {"Format", "S", m_format},
    {"String", "", m_string},
    {NULL, NULL, NULL},
};
const struct tmpl_class object_time = {"time.Time", "struct", time_members, print_time, NULL};

/* ---- durations */

struct tmpl_value object_of_duration(struct tmpl_run *r, int64_t ns)
{
    struct duration_object *o = ARENA_NEW(&r->arena, struct duration_object);

    o->head.class = &object_duration;
    o->ns = ns;
    return tmpl_object(&o->head);
}

static void print_duration(const struct tmpl_object *o, struct buf *out)
{
    duration_print(((const struct duration_object *)o)->ns, out);
}

double duration_in(int64_t ns, int64_t unit)
{
    int64_t whole = ns / unit, rest = ns % unit;

    return (double)whole + (double)rest / (double)unit;
}

static int ret_ratio(struct tmpl_call *c, int64_t unit, struct tmpl_value *ret)
{
    *ret = tmpl_float(duration_in(duration_of(c->self), unit));
    return 0;
}

static int m_hours(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_ratio(c, HOUR_NS, ret);
}
static int m_minutes(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_ratio(c, MINUTE_NS, ret);
}
static int m_seconds(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_ratio(c, SECOND_NS, ret);
}

static int ret_units(struct tmpl_call *c, int64_t unit, struct tmpl_value *ret)
{
    *ret = tmpl_int64(duration_of(c->self) / unit);
    return 0;
}

static int m_milli(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_units(c, 1000000, ret);
}
static int m_micro(struct tmpl_call *c, struct tmpl_value *ret) { return ret_units(c, 1000, ret); }
static int m_nano(struct tmpl_call *c, struct tmpl_value *ret) { return ret_units(c, 1, ret); }

int64_t duration_round(int64_t ns, int64_t unit, bool up)
{
    int64_t rest, below;

    if (unit <= 0)
        return ns;
    rest = ns % unit;
    below = ns - rest;
    if (!up || rest == 0)
        return below;
    /* Halves go away from zero; what does not fit stays at the end of the range. */
    if ((uint64_t)llabs(rest) * 2 < (uint64_t)unit)
        return below;
    if (__builtin_add_overflow(below, rest < 0 ? -unit : unit, &below))
        return rest < 0 ? INT64_MIN : INT64_MAX;
    return below;
}

static int m_round(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = object_of_duration(c->run,
                              duration_round(duration_of(c->self), duration_of(c->args[0]), true));
    return 0;
}

static int m_truncate(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = object_of_duration(c->run,
                              duration_round(duration_of(c->self), duration_of(c->args[0]), false));
    return 0;
}

static const struct tmpl_member duration_members[] = {
    {"Hours", "", m_hours},        {"Minutes", "", m_minutes},
    {"Seconds", "", m_seconds},    {"Milliseconds", "", m_milli},
    {"Microseconds", "", m_micro}, {"Nanoseconds", "", m_nano},
    {"Round", "N", m_round},       {"Truncate", "N", m_truncate},
    {"String", "", m_string},      {NULL, NULL, NULL},
};
const struct tmpl_class object_duration = {"time.Duration", "int64", duration_members,
                                           print_duration, NULL};

/* ---- certificates */

struct tmpl_value object_of_certificate(struct tmpl_run *r, str cert, str key)
{
    struct certificate_object *o = ARENA_NEW(&r->arena, struct certificate_object);

    o->head.class = &object_certificate;
    o->cert = cert;
    o->key = key;
    return tmpl_object(&o->head);
}

static const struct certificate_object *certificate_of(struct tmpl_value v)
{
    return (const struct certificate_object *)v.object;
}

static void print_certificate(const struct tmpl_object *o, struct buf *out)
{
    const struct certificate_object *certificate = (const struct certificate_object *)o;

    buf_add_char(out, '{');
    buf_add_str(out, certificate->cert);
    buf_add_char(out, ' ');
    buf_add_str(out, certificate->key);
    buf_add_char(out, '}');
}

static int m_cert(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, certificate_of(c->self)->cert);
}

static int m_key(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, certificate_of(c->self)->key);
}

static const struct tmpl_member certificate_members[] = {
    {"Cert", "", m_cert}, {"Key", "", m_key}, {NULL, NULL, NULL}};
const struct tmpl_class object_certificate = {"sprig.certificate", "struct", certificate_members,
                                              print_certificate, NULL};
