#include "chart/kube_version.h"

#include "base/ascii.h"
#include "base/buf.h"

static int refuse(str given, const char *what, struct err *e)
{
    return err_set(e, ERR_INVALID, "invalid kube version '%.*s': %s", STR_ARG(given), what);
}

/* The number at the beginning of *rest, which moves behind it. */
static bool take_number(str *rest, str *ret)
{
    size_t len = 0;

    while (len < rest->len && ascii_is_digit(rest->p[len]))
        len++;
    *ret = str_sub(*rest, 0, len);
    *rest = str_from(*rest, len);
    return len > 0;
}

/* Appends the numbers from the first on; false when one is too large. */
static bool read_numbers(str rest, struct buf *shown, str numbers[2], size_t *ret_count)
{
    str number;
    uint64_t value;

    *ret_count = 0;
    while (take_number(&rest, &number)) {
        if (!str_to_uint64(number, &value))
            return false;
        if (*ret_count < 2)
            numbers[*ret_count] = number;
        buf_addf(shown, "%s%llu", *ret_count ? "." : "v", (unsigned long long)value);
        ++*ret_count;
        if (rest.len < 2 || rest.p[0] != '.' || !ascii_is_digit(rest.p[1]))
            break;
        rest = str_from(rest, 1);
    }
    return true;
}

/* Without zeros in front. */
static str plain_number(str s)
{
    while (s.len > 1 && s.p[0] == '0')
        s = str_from(s, 1);
    return s;
}

int chart_kube_version_parse(struct arena *arena, str text, struct chart_kube_version *ret,
                             struct err *e)
{
    AUTO(buf_done) struct buf shown = {0}, why = {0};
    str numbers[2], rest = str_trim(text);
    bool has_v = str_drop_prefix(&rest, STR("v"));
    size_t count;

    if (!read_numbers(rest, &shown, numbers, &count) || count == 0) {
        buf_addf(&why, "could not parse \"%.*s\" as version", STR_ARG(text));
        return refuse(text, buf_cstr(&why), e);
    }
    if (count == 1) {
        buf_addf(&why, "illegal version string \"%.*s\"", STR_ARG(text));
        return refuse(text, buf_cstr(&why), e);
    }
    if (numbers[0].len > 1 && numbers[0].p[0] == '0') {
        buf_addf(&why, "illegal zero-prefixed version component \"%.*s\" in \"%.*s\"",
                 STR_ARG(numbers[0]), STR_ARG(text));
        return refuse(text, buf_cstr(&why), e);
    }
    *ret = (struct chart_kube_version){.full = has_v ? arena_dup(arena, text)
                                                     : arena_printf(arena, "v%.*s", STR_ARG(text)),
                                       .shown = arena_dup(arena, buf_view(&shown)),
                                       .major = arena_dup(arena, plain_number(numbers[0])),
                                       .minor = arena_dup(arena, plain_number(numbers[1]))};
    return 0;
}
