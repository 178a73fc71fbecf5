#include "base/sha256.h"

void sha256_init(struct sha256 *s) { SHA256Init(&s->ctx); }

void sha256_add(struct sha256 *s, str bytes)
{
    if (bytes.len)
        SHA256Update(&s->ctx, (const uint8_t *)bytes.p, bytes.len);
}

void sha256_end_hex(struct sha256 *s, struct buf *out)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_LENGTH];

    SHA256Final(digest, &s->ctx);
    for (size_t i = 0; i < sizeof(digest); i++) {
        buf_add_char(out, digits[digest[i] >> 4]);
        buf_add_char(out, digits[digest[i] & 15]);
    }
}

void sha256_hex(str bytes, struct buf *out)
{
    struct sha256 s;

    sha256_init(&s);
    sha256_add(&s, bytes);
    sha256_end_hex(&s, out);
}

void sha256_digest(str bytes, struct buf *out)
{
    buf_add_cstr(out, "sha256:");
    sha256_hex(bytes, out);
}
