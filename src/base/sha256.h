/* SHA-256 of public data: cache keys, hashes of inputs. libmd is linked, so a build or a plan does
 * not load OpenSSL. Pure. */
#pragma once
#include <sha2.h>

#include "base/buf.h"

struct sha256 {
    SHA2_CTX ctx;
};

void sha256_init(struct sha256 *s);
void sha256_add(struct sha256 *s, str bytes);
/* Appends the digest as 64 hex digits; s is then used up. */
void sha256_end_hex(struct sha256 *s, struct buf *out);
void sha256_hex(str bytes, struct buf *out);
void sha256_digest(str bytes, struct buf *out); /* "sha256:" and the digits */
