#include "base/duration.h"

static const struct {
    char name[4];
    int64_t ns;
} units[] = {{"ns", 1},           {"us", 1000},      {"\xc2\xb5s", 1000}, /* micro sign */
             {"\xce\xbcs", 1000},                                         /* Greek mu */
             {"ms", 1000000},     {"s", 1000000000}, {"m", 60000000000},  {"h", 3600000000000}};

static bool is_digit(str s) { return s.len && s.p[0] >= '0' && s.p[0] <= '9'; }

/* Digits before the point; false on overflow. */
static bool take_whole(str *s, int64_t *ret, bool *any)
{
    while (is_digit(*s)) {
        if (__builtin_mul_overflow(*ret, 10, ret) ||
            __builtin_add_overflow(*ret, s->p[0] - '0', ret))
            return false;
        *any = true;
        *s = str_from(*s, 1);
    }
    return true;
}

/* Digits behind the point, as value/scale; further digits than fit are dropped. */
static void take_fraction(str *s, int64_t *value, double *scale, bool *any)
{
    *s = str_from(*s, 1);
    for (; is_digit(*s); *s = str_from(*s, 1)) {
        *any = true;
        if (*value > (INT64_MAX - 9) / 10)
            continue;
        *value = *value * 10 + (s->p[0] - '0');
        *scale *= 10;
    }
}

static bool take_unit(str *s, int64_t *ret)
{
    size_t best = 0;

    for (size_t i = 0; i < ARRAY_LEN(units); i++) {
        str name = str_of(units[i].name);

        if (str_starts(*s, name) && name.len > best) {
            best = name.len;
            *ret = units[i].ns;
        }
    }
    *s = str_from(*s, best);
    return best > 0;
}

static bool take_part(str *s, int64_t *total)
{
    int64_t whole = 0, fraction = 0, unit = 0;
    double scale = 1;
    bool any = false;

    if (!take_whole(s, &whole, &any))
        return false;
    if (s->len && s->p[0] == '.')
        take_fraction(s, &fraction, &scale, &any);
    if (!any || !take_unit(s, &unit) || __builtin_mul_overflow(whole, unit, &whole))
        return false;
    if (fraction &&
        __builtin_add_overflow(whole, (int64_t)((double)fraction * ((double)unit / scale)), &whole))
        return false;
    return !__builtin_add_overflow(*total, whole, total);
}

bool duration_parse_ns(str s, int64_t *ret)
{
    bool negative = s.len && s.p[0] == '-';
    int64_t total = 0;

    if (negative || (s.len && s.p[0] == '+'))
        s = str_from(s, 1);
    if (str_eq(s, STR("0"))) {
        *ret = 0;
        return true;
    }
    if (s.len == 0)
        return false;
    while (s.len)
        if (!take_part(&s, &total))
            return false;
    *ret = negative ? -total : total;
    return true;
}

bool duration_parse_ms(str text, int64_t *ret)
{
    int64_t ns;

    if (!duration_parse_ns(text, &ns))
        return false;
    *ret = ns / 1000000 + (ns % 1000000 > 0);
    return true;
}

static void add_seconds(int64_t ms, struct buf *out)
{
    char fraction[8];
    size_t len = 3;

    buf_addf(out, "%lld", (long long)(ms / 1000));
    if (ms % 1000) {
        snprintf(fraction, sizeof(fraction), "%03d", (int)(ms % 1000));
        while (fraction[len - 1] == '0')
            len--;
        buf_addf(out, ".%.*s", (int)len, fraction);
    }
    buf_add_char(out, 's');
}

void duration_format_ms(int64_t ms, struct buf *out)
{
    int64_t minutes;

    if (ms < 0) {
        buf_add_char(out, '-');
        ms = ms == INT64_MIN ? INT64_MAX : -ms;
    }
    if (ms > 0 && ms < 1000) {
        buf_addf(out, "%lldms", (long long)ms);
        return;
    }
    minutes = ms / 60000;
    if (minutes >= 60)
        buf_addf(out, "%lldh", (long long)(minutes / 60));
    if (minutes)
        buf_addf(out, "%lldm", (long long)(minutes % 60));
    add_seconds(ms % 60000, out);
}
