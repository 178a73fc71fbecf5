/* Ciphers and key derivation through OpenSSL and libcrypt, which load on first use. Any thread.
 * Failures name what is missing: ERR_UNSUPPORTED. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

enum { AES_KEY = 32, AES_BLOCK = 16, HMAC_SHA256 = 32, BCRYPT_SALT = 16 };

/* AES-256-CBC with PKCS#7 padding, appended to out. */
int aes_encrypt(const uint8_t key[AES_KEY], const uint8_t iv[AES_BLOCK], str plain, struct buf *out,
                struct err *e) MUST_CHECK;
/* ERR_INVALID for a length or padding that is none. */
int aes_decrypt(const uint8_t key[AES_KEY], const uint8_t iv[AES_BLOCK], str sealed,
                struct buf *out, struct err *e) MUST_CHECK;
int scrypt_key(str password, str salt, uint64_t n, uint64_t r, uint64_t p, uint8_t *ret, size_t len,
               struct err *e) MUST_CHECK;
int hmac_sha256(str key, str text, uint8_t ret[HMAC_SHA256], struct err *e) MUST_CHECK;
/* "$2a$10$…", appended to out. */
int bcrypt_hash(str password, int cost, const uint8_t salt[BCRYPT_SALT], struct buf *out,
                struct err *e) MUST_CHECK;
