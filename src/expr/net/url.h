/* URLs as Go's net/url reads them (cel spec 11, template spec 14.11): every reader gives the same
 * verdict and the same words. Pure. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"

struct net_url {
    str scheme;   /* lower case */
    str opaque;   /* what follows a scheme without '/' */
    str user;     /* as it is written; .p NULL: none */
    str host;     /* decoded, with its port */
    str path;     /* decoded */
    str raw_path; /* as it is written */
    str escaped_path;
    str query;    /* raw */
    str fragment; /* decoded */
};

enum net_url_colons {
    NET_URL_COLONS_LOOSE,  /* only what follows the last ':' of a host must be a port */
    NET_URL_COLONS_STRICT, /* of http and https: what follows the first */
};

/* ParseRequestURI: an absolute URL or a path from '/'. False with `parse "x": ...` in why. */
bool net_url_check_request(str text, struct buf *why);
/* Parse: any reference; a fragment is split off. Texts are the arena's or text's. */
bool net_url_parse(struct arena *arena, str text, enum net_url_colons colons, struct net_url *ret,
                   struct buf *why);
/* The name of "name:port" or "[::1]:port"; a ':' of an address is none of a port. */
str net_url_split_host(str host, str *ret_port);
bool net_url_unescape_query(str text, struct buf *out); /* false: a bad escape */
