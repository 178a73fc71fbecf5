/* Fetching a text from an http or https URL (khook spec 5.4): redirects are followed (10 at most),
 * the usual proxy variables and the system's trust store count, any status but 200 is an error.
 * Blocking; any thread. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "sys/cancel.h"

/* Appends the body, limit bytes at most. Errors show the URL without its userinfo: "fetching URL:
 * HTTP 404". */
int fetch_url(str url, size_t limit, struct cancel *cancel, struct buf *out, struct err *e);
void fetch_url_display(str url, struct buf *out); /* without userinfo */
