/* Charts in OCI registries (helm spec 15): pull, push, the list of versions. Over fetch/registry.h,
 * which knows the protocol, credentials and retries; this knows what a chart is there.
 *
 * References are "oci://HOST[:PORT]/PATH/NAME[:TAG][@DIGEST]" with the chart's name in it. One
 * client serves any number of calls, from any thread; tokens are kept for its life. Passwords and
 * tokens are in no message. Errors: ERR_INVALID for a reference or an answer that is none,
 * ERR_NOT_FOUND, ERR_DENIED (401, 403, TLS), ERR_CONFLICT for digests that differ, ERR_LIMIT,
 * ERR_UNAVAILABLE after five attempts. */
#pragma once
#include "base/buf.h"
#include "base/vec.h"
#include "chart/locate.h"
#include "fetch/registry.h"

enum { CHART_OCI_MAX_ARCHIVE = 100 << 20, CHART_OCI_MAX_PROV = 1 << 20 };

struct chart_oci;
/* registry_config: helm's registry/config.json, read before docker's; NULL: none. Texts are copied.
 * NULL when a file of TLS cannot be read. */
struct chart_oci *chart_oci_new(const struct chart_access *access, const char *registry_config,
                                struct err *e) MUST_CHECK;
void chart_oci_free(struct chart_oci *oci); /* NULL is fine */
AUTO_PTR(struct chart_oci, chart_oci_free)

static inline bool chart_is_oci(str reference) { return str_starts(reference, STR("oci://")); }

/* Archives of the content cache are not fetched again. dirs is borrowed. Before any other call. */
void chart_oci_use_cache(struct chart_oci *oci, const struct chart_dirs *dirs);

struct chart_oci_pulled {
    struct buf archive, prov;  /* the .tgz; its provenance, if asked for and there */
    struct buf name, version;  /* of the reference; version is empty where a digest was asked for */
    struct buf reference;      /* "host:5000/charts/web:1.2.3" */
    struct buf digest;         /* of the manifest, "sha256:…" */
    struct buf archive_digest; /* of archive, "sha256:…" */
    bool is_recalled;          /* archive is from the content cache */
};
void chart_oci_pulled_done(struct chart_oci_pulled *pulled);
AUTO_VALUE(struct chart_oci_pulled, chart_oci_pulled_done)

/* version: empty (the newest release), an exact version, or a constraint; must agree with a tag or
 * digest of the reference. *ret must be {0}. */
int chart_oci_pull(struct chart_oci *oci, str reference, str version, bool wants_prov,
                   struct chart_oci_pulled *ret, struct err *e) MUST_CHECK;
/* The tag that chart_oci_pull would take, as a version ('+', not '_'), without pulling: appended to
 * ret. For resolving dependencies. */
int chart_oci_choose(struct chart_oci *oci, str reference, str version, struct buf *ret,
                     struct err *e) MUST_CHECK;
/* Every tag that is a version, newest first, in the arena. */
int chart_oci_tags(struct chart_oci *oci, str reference, struct arena *arena, struct str_vec *ret,
                   struct err *e) MUST_CHECK;

struct chart_oci_push {
    str archive, prov; /* prov may be empty */
    str reference;     /* oci://HOST/PATH of the folder the chart goes to: its name is appended */
    str created;       /* RFC 3339; empty: now */
};
/* Fills reference and digest of *ret, which must be {0}. */
int chart_oci_push(struct chart_oci *oci, const struct chart_oci_push *push,
                   struct chart_oci_pulled *ret, struct err *e) MUST_CHECK;
/* Whether the registry takes our credentials: for logins. */
int chart_oci_ping(struct chart_oci *oci, str host, struct err *e) MUST_CHECK;
