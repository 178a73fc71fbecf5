/* Clients of OCI registries (distribution spec 1.1; helm spec 15): manifests, blobs, tags, uploads.
 * Knows nothing of what the blobs are.
 *
 * Every body is held against its size and digest and bounded. Authorization is asked for when a
 * registry wants it: Basic, or Bearer with a token of the realm it names, kept by scope until it
 * expires. Credentials come from the options, helm's and docker's config.json and the programs
 * those name (fetch/registry_login.h); they go to that registry and its realm alone, never to where
 * it redirects. 408, 429, 5xx and broken connections are tried again, five attempts in all.
 *
 * A client may be used from many threads at once. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/vec.h"
#include "http/client.h"

enum { REGISTRY_MAX_MANIFEST = 4 << 20 };

struct registry_options {   /* texts are copied */
    str username, password; /* for any host; empty: from the files */
    const char *config;     /* read before docker's; NULL: none */
    struct http_tls tls;
    bool is_plain_http;
    int64_t first_wait_ms; /* before the second attempt, then twice as long each; 0: 250 */
    struct cancel *cancel; /* borrowed; may be NULL */
};
struct registry;
struct registry *registry_new(const struct registry_options *options, struct err *e) MUST_CHECK;
void registry_free(struct registry *r); /* NULL is fine */
AUTO_PTR(struct registry, registry_free)

/* "HOST[:PORT]/PATH[:TAG][@DIGEST]": views into the text. */
struct registry_name {
    str host, path, tag, digest;
};
/* ERR_INVALID: the grammar of the distribution spec. */
int registry_name_parse(str text, struct registry_name *ret, struct err *e) MUST_CHECK;
bool registry_is_digest(str text); /* "sha256:" and 64 hexadecimal digits in lower case */
bool registry_is_tag(str text);

/* What a manifest says of a blob or another manifest; views. */
struct registry_descriptor {
    str media_type, digest;
    int64_t size;
};

struct registry_manifest {
    struct buf text;       /* as sent */
    struct buf media_type; /* as the answer says */
    struct buf digest;     /* computed */
};
void registry_manifest_done(struct registry_manifest *m);
AUTO_VALUE(struct registry_manifest, registry_manifest_done)
/* The manifest or index at reference, a tag or digest. *ret must be {0}. */
int registry_get_manifest(struct registry *r, const struct registry_name *name, str reference,
                          struct registry_manifest *ret, struct err *e) MUST_CHECK;
/* The digest that a tag has now, appended. */
int registry_resolve(struct registry *r, const struct registry_name *name, str tag, struct buf *ret,
                     struct err *e) MUST_CHECK;
/* Appends a blob of at most limit bytes. */
int registry_get_blob(struct registry *r, const struct registry_name *name,
                      const struct registry_descriptor *blob, size_t limit, struct buf *out,
                      struct err *e) MUST_CHECK;
/* Every tag, page after page, in the arena. */
int registry_get_tags(struct registry *r, const struct registry_name *name, struct arena *arena,
                      struct str_vec *ret, struct err *e) MUST_CHECK;
/* Uploads a blob unless it is there. */
int registry_put_blob(struct registry *r, const struct registry_name *name, str digest, str bytes,
                      struct err *e) MUST_CHECK;
int registry_put_manifest(struct registry *r, const struct registry_name *name, str reference,
                          str media_type, str text, struct err *e) MUST_CHECK;
/* Asks /v2/ whether the credentials are good: for logins. */
int registry_ping(struct registry *r, str host, struct err *e) MUST_CHECK;
