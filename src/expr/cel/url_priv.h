/* URLs as Go's net/url reads them (cel spec 11). Pure. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"

struct cel_url {
    str scheme; /* lower case */
    str host;   /* decoded, with its port */
    str path;   /* escaped */
    str query;  /* raw */
};
/* ParseRequestURI: an absolute URL or a path from '/'. False with `parse "x": ...` in why. */
bool cel_url_check(str text, struct buf *why);
/* Parse, after that check: a fragment is split off. */
bool cel_url_parse(struct arena *arena, str text, struct cel_url *ret, struct buf *why);
bool cel_url_unescape_query(str text, struct buf *out); /* false: a bad escape */
