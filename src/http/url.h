/* URLs: split, percent-encode, and show without credentials. Pure. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

struct http_url {
    str scheme, userinfo, host, port, path, query,
        fragment; /* views into the text; path with its leading '/' */
};
int http_url_parse(str text, struct http_url *ret,
                   struct err *e); /* ERR_INVALID; needs scheme and host */
void http_url_encode(str text, const char *also_safe,
                     struct buf *out);           /* all but A-Z a-z 0-9 - . _ ~ and also_safe */
bool http_url_decode(str text, struct buf *out); /* false on a bad escape */
void http_url_redact(str text,
                     struct buf *out); /* the text without userinfo, in any text that holds URLs */
/* "https://host:port", for messages: no userinfo, path or query, which may hold secrets. Nothing
 * for what is no URL. */
void http_url_show(str text, struct buf *out);
str http_url_port(const struct http_url *url); /* 443 or 80 where none is written */
bool http_url_is_loopback(str host);           /* localhost, 127.x.y.z, ::1 (without brackets) */
/* Appends what `location` means in an answer from base: a URL of its own, a path of base's host, or
 * a path beside base's. */
void http_url_resolve(const struct http_url *base, str location, struct buf *out);
