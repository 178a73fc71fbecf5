/* `format` of a CRD's texts: which are known, and what fits them; patterns. What is not known is
 * not judged. */
#include <arpa/inet.h>

#include "base/duration.h"
#include "re/re.h"
#include "sandbox/types/crd.h"

const struct re *sb_pattern(struct sb_compiled *compiled, str pattern)
{
    struct re *re = map_get(&compiled->patterns, pattern);
    AUTO(err_done) struct err e = {0};

    if (re)
        return re;
    re = re_compile(pattern, 0, &e);
    if (re)
        map_put(&compiled->patterns, arena_dup(&compiled->arena, pattern), re);
    return re;
}

#define HEX "[0-9a-fA-F]"
#define UUID(kind) HEX "{8}-?" HEX "{4}-?" kind HEX "{3}-?" HEX "{4}-?" HEX "{12}"
#define LABEL "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"

static const struct {
    char name[20];
    const char *pattern; /* NULL: see below, or any text fits */
} formats[] = {
    {"bsonobjectid", "^" HEX "{24}$"},
    {"uri", "^([a-zA-Z][a-zA-Z0-9+.-]*:|/)[^ \\x00-\\x1f\\x7f]*$"},
    {"email", "^[^@<>\\s]+@[^@<>\\s]+$"},
    {"hostname", "^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)*"
                 "[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$"},
    {"ipv4", NULL},
    {"ipv6", NULL},
    {"cidr", NULL},
    {"mac", "^" HEX "{2}([:-]" HEX "{2}){5}$"},
    {"uuid", "^" UUID(HEX) "$"},
    {"uuid3", "^" UUID("3") "$"},
    {"uuid4", "^" UUID("4") "$"},
    {"uuid5", "^" UUID("5") "$"},
    {"isbn", NULL},
    {"isbn10", NULL},
    {"isbn13", NULL},
    {"creditcard", NULL},
    {"ssn", "^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$"},
    {"hexcolor", "^#?(" HEX "{3}|" HEX "{6})$"},
    {"rgbcolor", "^rgb\\(\\s*[0-9]{1,3}\\s*,\\s*[0-9]{1,3}\\s*,\\s*[0-9]{1,3}\\s*\\)$"},
    {"byte", "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})?$"},
    {"password", NULL},
    {"date", "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"},
    {"duration", NULL},
    {"datetime", "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?"
                 "([Zz]|[+-][0-9]{2}:?[0-9]{2})?$"},
    {"date-time", "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt ]"
                  "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?"
                  "([Zz]|[+-][0-9]{2}:?[0-9]{2})?$"},
    {"k8s-short-name", "^" LABEL "$"},
    {"k8s-long-name", "^" LABEL "(\\." LABEL ")*$"},
    {"int32", NULL},
    {"int64", NULL},
    {"float", NULL},
    {"double", NULL},
};

static bool is_address(str text, int family)
{
    char copy[64], parsed[16];

    if (text.len >= sizeof(copy))
        return false;
    memcpy(copy, text.p, text.len);
    copy[text.len] = 0;
    return inet_pton(family, copy, parsed) == 1;
}

static bool is_cidr(str text)
{
    str bits, address = str_cut(text, '/', &bits);
    int most = is_address(address, AF_INET) ? 32 : is_address(address, AF_INET6) ? 128 : -1;
    int value = 0;

    for (size_t i = 0; i < bits.len && value < 1000; i++) {
        if (bits.p[i] < '0' || bits.p[i] > '9')
            return false;
        value = value * 10 + bits.p[i] - '0';
    }
    return bits.len > 0 && bits.len <= 3 && value <= most;
}

/* "3h", and as people write it: "5 days". */
static bool is_duration(struct sb_compiled *compiled, str text)
{
    static const char words[] =
        "^\\s*[0-9]+\\s*(ns|nanos?|nanoseconds?|us|µs|micros?|microseconds?|ms|millis?|"
        "milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)\\s*$";
    const struct re *re;
    int64_t ns;

    if (duration_parse_ns(text, &ns))
        return true;
    re = sb_pattern(compiled, str_of(words));
    return re && re_match(re, text);
}

bool sb_format_is_known(str format)
{
    for (size_t i = 0; i < ARRAY_LEN(formats); i++)
        if (str_eq(format, str_of(formats[i].name)))
            return true;
    return false;
}

bool sb_format_fits(struct sb_compiled *compiled, str format, str text)
{
    const struct re *re;

    if (str_eq(format, STR("ipv4")))
        return is_address(text, AF_INET);
    if (str_eq(format, STR("ipv6")))
        return is_address(text, AF_INET6);
    if (str_eq(format, STR("cidr")))
        return is_cidr(text);
    if (str_eq(format, STR("duration")))
        return is_duration(compiled, text);
    for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
        if (!str_eq(format, str_of(formats[i].name)) || !formats[i].pattern)
            continue;
        re = sb_pattern(compiled, str_of(formats[i].pattern));
        return !re || re_match(re, text);
    }
    return true;
}
