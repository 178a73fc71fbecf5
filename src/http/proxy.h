/* Which proxy a request takes by the environment: HTTPS_PROXY for https, HTTP_PROXY for http, then
 * ALL_PROXY, in either letter case, as Go's programs choose it; none for this machine and for what
 * NO_PROXY names. Views into the environment or the caller's text. Any thread, as long as nobody
 * changes the environment. */
#pragma once
#include "http/url.h"

struct http_proxy {
    str url;            /* empty: none; may lack its scheme, then it is http */
    const char *source; /* "HTTPS_PROXY", for messages */
};

struct http_proxy http_proxy_of_env(const struct http_url *to);

/* Whether a list as NO_PROXY is names the host: "*", names (those below them, too), addresses and
 * ranges of them ("10.0.0.0/8"), each with ":port" where only that is meant. */
bool http_proxy_is_excepted(str list, const struct http_url *to);

/* ERR_INVALID for what no proxy can be: no host, a bad port, a scheme that is not spoken. Never
 * tells a password. */
int http_proxy_check(const struct http_proxy *proxy, struct err *e);

/* "http://host:port": neither userinfo nor path. */
void http_proxy_show(str url, struct buf *out);
