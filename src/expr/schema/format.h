/* What "format" may ask of a text, in the words of the validator that helm uses (helm spec 5).
 * Pure. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"

/* False with the reason in why. */
typedef bool schema_format_fn(str text, struct buf *why);

struct schema_format {
    const char *name;
    schema_format_fn *is_met;
};

/* NULL for a name that asks nothing. */
const struct schema_format *schema_format_of(str name);

/* ---- format.c */
bool format_fail(struct buf *why, const char *fmt, ...) PRINTF(2, 3);
/* "invalid character 'é' in …": the character at s[at], and what follows it. */
bool format_fail_char(struct buf *why, const char *before, str s, size_t at, const char *behind);
/* Adds to why in front of the reason there. */
bool format_within(struct buf *why, const char *what, bool is_met, const struct buf *reason);
bool format_read_int(str s, int64_t *ret, struct buf *why); /* as Go's strconv.Atoi */

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
