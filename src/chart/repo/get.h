/* Files of chart repositories over HTTP (helm spec 14): GET with basic authentication, client
 * certificates, redirects and the usual proxy variables. Blocking; any thread. */
#pragma once
#include "chart/locate.h"

enum { CHART_MAX_INDEX = 128 << 20 };

/* Appends the body at url, http or https. The user and password of access go to url only when it
 * has scheme, host and port of `owner` (the URL of the repository), or with passes_credentials.
 * "failed to fetch URL : 404 Not Found": ERR_NOT_FOUND, other answers ERR_DENIED, ERR_UNAVAILABLE
 * or ERR_IO, each with the status in code. */
int chart_get(str url, str owner, const struct chart_access *access, size_t limit, struct buf *out,
              struct err *e) MUST_CHECK;
/* Appends ref, a URL or a path relative to that of base, with base's query. */
int chart_url_resolve(str base, str ref, struct buf *out, struct err *e) MUST_CHECK;
/* Equal but for a slash at the end and the letter case of scheme and host. */
bool chart_url_is_same(str a, str b);
