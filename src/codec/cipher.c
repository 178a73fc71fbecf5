#include "codec/cipher.h"

#include <crypt.h>

#include "base/mem.h"
#include "codec/openssl_priv.h"

#define CRYPT_FUNCTIONS(X) X(crypt_gensalt_rn) X(crypt_rn)
DL_LIBRARY(crypt, CRYPT_FUNCTIONS, SONAME_crypt, "libcrypt1")

enum { LARGEST = 1 << 28 };

static int run_cipher(const struct openssl_dl *ssl, EVP_CIPHER_CTX *ctx, bool is_encrypt,
                      const uint8_t *key, const uint8_t *iv, str in, struct buf *out)
{
    int len = 0, last = 0;

    buf_grow(out, in.len + AES_BLOCK);
    if (ssl->EVP_CipherInit_ex(ctx, ssl->EVP_aes_256_cbc(), NULL, key, iv, is_encrypt) != 1 ||
        ssl->EVP_CipherUpdate(ctx, (unsigned char *)out->p + out->len, &len,
                              (const unsigned char *)in.p, (int)in.len) != 1 ||
        ssl->EVP_CipherFinal_ex(ctx, (unsigned char *)out->p + out->len + len, &last) != 1)
        return -1;
    out->len += (size_t)(len + last);
    out->p[out->len] = '\0';
    return 0;
}

static int run_aes(bool is_encrypt, const uint8_t *key, const uint8_t *iv, str in, struct buf *out,
                   struct err *e)
{
    const struct openssl_dl *ssl = openssl_load(e);
    EVP_CIPHER_CTX *ctx;
    int rc = -1;

    if (!ssl)
        return -1;
    if (in.len > LARGEST)
        return err_set(e, ERR_LIMIT, "a text of more than %d bytes", LARGEST);
    ctx = ssl->EVP_CIPHER_CTX_new();
    if (ctx)
        rc = run_cipher(ssl, ctx, is_encrypt, key, iv, in, out);
    ssl->EVP_CIPHER_CTX_free(ctx);
    ssl->ERR_clear_error();
    return rc < 0 ? err_set(e, ERR_INVALID, "the text cannot be %s",
                            is_encrypt ? "encrypted" : "decrypted")
                  : 0;
}

int aes_encrypt(const uint8_t key[AES_KEY], const uint8_t iv[AES_BLOCK], str plain, struct buf *out,
                struct err *e)
{
    return run_aes(true, key, iv, plain, out, e);
}

int aes_decrypt(const uint8_t key[AES_KEY], const uint8_t iv[AES_BLOCK], str sealed,
                struct buf *out, struct err *e)
{
    return run_aes(false, key, iv, sealed, out, e);
}

int scrypt_key(str password, str salt, uint64_t n, uint64_t r, uint64_t p, uint8_t *ret, size_t len,
               struct err *e)
{
    const struct openssl_dl *ssl = openssl_load(e);

    if (!ssl)
        return -1;
    if (ssl->EVP_PBE_scrypt(password.p ? password.p : "", password.len,
                            (const unsigned char *)salt.p, salt.len, n, r, p, LARGEST, ret,
                            len) == 1)
        return 0;
    ssl->ERR_clear_error();
    return err_set(e, ERR_UNSUPPORTED, "scrypt is not available");
}

int hmac_sha256(str key, str text, uint8_t ret[HMAC_SHA256], struct err *e)
{
    const struct openssl_dl *ssl = openssl_load(e);
    unsigned len = HMAC_SHA256;

    if (!ssl)
        return -1;
    if (ssl->HMAC(ssl->EVP_sha256(), key.p, (int)key.len, (const unsigned char *)text.p, text.len,
                  ret, &len))
        return 0;
    ssl->ERR_clear_error();
    return err_set(e, ERR_UNSUPPORTED, "HMAC is not available");
}

int bcrypt_hash(str password, int cost, const uint8_t salt[BCRYPT_SALT], struct buf *out,
                struct err *e)
{
    const struct crypt_dl *crypt = crypt_load(e);
    AUTO(mem_free_str) char *phrase = mem_strndup(password.p ? password.p : "", password.len);
    AUTO(mem_free) void *data = mem_zalloc(sizeof(struct crypt_data));
    char setting[CRYPT_GENSALT_OUTPUT_SIZE];
    const char *hash = NULL;

    if (!crypt)
        return -1;
    if (crypt->crypt_gensalt_rn("$2a$", (unsigned long)cost, (const char *)salt, BCRYPT_SALT,
                                setting, sizeof(setting)))
        hash = crypt->crypt_rn(phrase, setting, data, sizeof(struct crypt_data));
    if (!hash)
        return err_set(e, ERR_UNSUPPORTED, "this libcrypt has no bcrypt");
    buf_add_cstr(out, hash);
    return 0;
}
