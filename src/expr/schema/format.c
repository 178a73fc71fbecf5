#include "expr/schema/format.h"

#include <stdarg.h>

#include "base/ascii.h"
#include "expr/gotmpl/text_priv.h"
#include "re/re.h"

bool format_fail(struct buf *why, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    buf_addv(why, fmt, args);
    va_end(args);
    return false;
}

bool format_fail_char(struct buf *why, const char *before, str s, size_t at, const char *behind)
{
    size_t width;
    uint32_t c = str_utf8_at(s, at, &width);

    buf_add_cstr(why, before);
    text_quote_char(c, false, why);
    buf_add_cstr(why, behind);
    return false;
}

bool format_within(struct buf *why, const char *what, bool is_met, const struct buf *reason)
{
    return is_met || format_fail(why, "%s: %s", what, buf_cstr(reason));
}

static bool is_digits(str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_digit(s.p[i]))
            return false;
    return true;
}

bool format_read_int(str s, int64_t *ret, struct buf *why)
{
    str digits = s.len && (s.p[0] == '-' || s.p[0] == '+') ? str_from(s, 1) : s;
    bool is_number = digits.len && is_digits(digits);

    if (is_number && str_to_int64(s.p[0] == '+' ? digits : s, ret))
        return true;
    buf_add_cstr(why, "strconv.Atoi: parsing ");
    text_quote(s, false, why);
    return format_fail(why, is_number ? ": value out of range" : ": invalid syntax");
}

/* ---- texts of programs */

bool format_regex(str s, struct buf *why)
{
    AUTO(err_done) struct err e = {0};
    AUTO(re_free) struct re *re = re_compile(s, 0, &e);

    return re || format_fail(why, "%s", err_text(&e));
}

bool format_pointer(str s, struct buf *why)
{
    if (s.len && s.p[0] != '/')
        return format_fail(why, "not starting with /");
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] == '~' && (i + 1 == s.len || (s.p[i + 1] != '0' && s.p[i + 1] != '1')))
            return format_fail(why, "~ must be followed by 0 or 1");
    return true;
}

bool format_relative_pointer(str s, struct buf *why)
{
    size_t digits = 0;
    str rest;

    while (digits < s.len && ascii_is_digit(s.p[digits]))
        digits++;
    if (!digits)
        return format_fail(why, "must start with non-negative integer");
    if (digits > 1 && s.p[0] == '0')
        return format_fail(why, "starts with zero");
    rest = str_from(s, digits);
    return str_eq(rest, STR("#")) || format_pointer(rest, why);
}

bool format_uuid(str s, struct buf *why)
{
    static const size_t lengths[] = {8, 4, 4, 4, 12};
    size_t dashes = 0;

    for (size_t i = 0; i < s.len; i++)
        dashes += s.p[i] == '-';
    if (dashes != ARRAY_LEN(lengths) - 1)
        return format_fail(why, "must have 5 elements");
    for (size_t n = 0; n < ARRAY_LEN(lengths); n++) {
        str element = str_cut(s, '-', &s);

        if (element.len != lengths[n])
            return format_fail(why, "element %zu must be %zu characters long", n + 1, lengths[n]);
        for (size_t i = 0; i < element.len; i++)
            if (ascii_hex_value(element.p[i]) < 0)
                return format_fail_char(why, "non-hex character ", element, i, "");
    }
    return true;
}

/* ---- versions */

static bool is_identifier(str s, const char *what, bool is_number_plain, struct buf *why)
{
    AUTO(buf_done) struct buf behind = {0};

    if (!s.len)
        return format_fail(why, "%s identifier is empty", what);
    buf_addf(&behind, " in %s identifier", what);
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alnum(s.p[i]) && s.p[i] != '-')
            return format_fail_char(why, "invalid character ", s, i, buf_cstr(&behind));
    if (is_number_plain && s.len > 1 && s.p[0] == '0' && is_digits(s))
        return format_fail(why, "%s numeric identifier starts with zero", what);
    return true;
}

static bool are_identifiers(str s, const char *what, bool is_number_plain, struct buf *why)
{
    do {
        if (!is_identifier(str_cut(s, '.', &s), what, is_number_plain, why))
            return false;
    } while (s.p);
    return true;
}

static bool is_core(str s, struct buf *why)
{
    static const char *const names[] = {"major", "minor", "patch"};
    size_t dots = 0;

    for (size_t i = 0; i < s.len; i++)
        dots += s.p[i] == '.';
    if (dots != 2)
        return format_fail(why, "versionCore must have 3 numbers separated by dot");
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        str number = str_cut(s, '.', &s);

        if (!number.len)
            return format_fail(why, "%s is empty", names[i]);
        if (number.len > 1 && number.p[0] == '0')
            return format_fail(why, "%s starts with zero", names[i]);
        if (!is_digits(number))
            return format_fail(why, "%s contains non-digit", names[i]);
    }
    return true;
}

bool format_semver(str s, struct buf *why)
{
    str build, pre;

    s = str_cut(s, '+', &build);
    s = str_cut(s, '-', &pre);
    if (build.p && !build.len)
        return format_fail(why, "build is empty");
    return (!build.p || are_identifiers(build, "build", false, why)) &&
           (!pre.p || are_identifiers(pre, "pre-release", true, why)) && is_core(s, why);
}

/* By name. Texts in place and a switch: a table of pointers would cost every start of the program.
 */
static const char names[][22] = {
#define ROW(id, name, function) name,
    SCHEMA_FORMATS(ROW)
#undef ROW
};

enum schema_format schema_format_of(str name)
{
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_eq(name, str_of(names[i])))
            return (enum schema_format)(i + 1);
    return SCHEMA_FORMAT_NONE;
}

const char *schema_format_name(enum schema_format format)
{
    return format == SCHEMA_FORMAT_NONE ? "" : names[format - 1];
}

bool schema_format_is_met(enum schema_format format, str text, struct buf *why)
{
    switch (format) {
    case SCHEMA_FORMAT_NONE:
        break;
#define ROW(id, name, function) \
    case SCHEMA_FORMAT_##id:    \
        return function(text, why);
        SCHEMA_FORMATS(ROW)
#undef ROW
    }
    return true;
}
