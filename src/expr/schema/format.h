/* What "format" may ask of a text, in the words of the validator that helm uses (helm spec 5).
 * Pure. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"

#define SCHEMA_FORMATS(ROW)                                                 \
    ROW(DATE, "date", format_date)                                          \
    ROW(DATE_TIME, "date-time", format_date_time)                           \
    ROW(DURATION, "duration", format_duration)                              \
    ROW(EMAIL, "email", format_email)                                       \
    ROW(HOSTNAME, "hostname", format_hostname)                              \
    ROW(IPV4, "ipv4", format_ipv4)                                          \
    ROW(IPV6, "ipv6", format_ipv6)                                          \
    ROW(IRI, "iri", format_uri)                                             \
    ROW(IRI_REFERENCE, "iri-reference", format_uri_reference)               \
    ROW(POINTER, "json-pointer", format_pointer)                            \
    ROW(PERIOD, "period", format_period)                                    \
    ROW(REGEX, "regex", format_regex)                                       \
    ROW(RELATIVE_POINTER, "relative-json-pointer", format_relative_pointer) \
    ROW(SEMVER, "semver", format_semver)                                    \
    ROW(TIME, "time", format_time)                                          \
    ROW(URI, "uri", format_uri)                                             \
    ROW(URI_REFERENCE, "uri-reference", format_uri_reference)               \
    ROW(URI_TEMPLATE, "uri-template", format_uri_template)                  \
    ROW(UUID, "uuid", format_uuid)

enum schema_format {
    SCHEMA_FORMAT_NONE, /* asks nothing */
#define ROW(id, name, function) SCHEMA_FORMAT_##id,
    SCHEMA_FORMATS(ROW)
#undef ROW
};

enum schema_format schema_format_of(str name);
const char *schema_format_name(enum schema_format format);
/* False with the reason in why. */
bool schema_format_is_met(enum schema_format format, str text, struct buf *why);

/* ---- format.c */
bool format_fail(struct buf *why, const char *fmt, ...) PRINTF(2, 3);
/* "invalid character 'é' in …": the character at s[at], and what follows it. */
bool format_fail_char(struct buf *why, const char *before, str s, size_t at, const char *behind);
/* Adds to why in front of the reason there. */
bool format_within(struct buf *why, const char *what, bool is_met, const struct buf *reason);
bool format_read_int(str s, int64_t *ret, struct buf *why); /* as Go's strconv.Atoi */

bool format_regex(str s, struct buf *why);
bool format_pointer(str s, struct buf *why);
bool format_relative_pointer(str s, struct buf *why);
bool format_uuid(str s, struct buf *why);
bool format_semver(str s, struct buf *why);

/* ---- format_time.c */
bool format_date(str s, struct buf *why);
bool format_time(str s, struct buf *why);
bool format_date_time(str s, struct buf *why);
bool format_duration(str s, struct buf *why);
bool format_period(str s, struct buf *why);

/* ---- format_net.c */
bool format_ipv4(str s, struct buf *why);
bool format_ipv6(str s, struct buf *why);
bool format_hostname(str s, struct buf *why);
bool format_email(str s, struct buf *why);
bool format_uri(str s, struct buf *why);
bool format_uri_reference(str s, struct buf *why);
bool format_uri_template(str s, struct buf *why);
