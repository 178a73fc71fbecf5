/* Password hashes, derived passwords, AES (template spec 14.12). */
#include <sha1.h>

#include "base/escape.h"
#include "codec/cipher.h"
#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/random_priv.h"

enum { BCRYPT_COST = 10 };

static int add_bcrypt(struct tmpl_call *c, str password, struct buf *out)
{
    uint8_t salt[BCRYPT_SALT];

    if (random_fill(c, salt, sizeof(salt)) < 0)
        return -1;
    return bcrypt_hash(password, BCRYPT_COST, salt, out, c->run->e);
}

static int f_bcrypt(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf hash = {0};

    if (add_bcrypt(c, arg_text(c, 0), &hash) < 0)
        return -1;
    *ret = trun_string(c->run, &hash);
    return 0;
}

static int f_htpasswd(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf line = {0};
    str user = arg_text(c, 0), password = arg_text(c, 1);
    uint8_t digest[SHA1_DIGEST_LENGTH];
    SHA1_CTX ctx;

    if (str_find_char(user, ':') >= 0) {
        buf_addf(&line, "invalid username: %.*s", STR_ARG(user));
    } else if (c->argc > 2 && str_eq(arg_text(c, 2), STR("sha"))) {
        SHA1Init(&ctx);
        SHA1Update(&ctx, (const uint8_t *)password.p, password.len);
        SHA1Final(digest, &ctx);
        buf_addf(&line, "%.*s:{SHA}", STR_ARG(user));
        escape_base64((str){(const char *)digest, sizeof(digest)}, true, &line);
    } else {
        buf_addf(&line, "%.*s:", STR_ARG(user));
        if (add_bcrypt(c, password, &line) < 0)
            return -1;
    }
    *ret = trun_string(c->run, &line);
    return 0;
}

/* ---- Master Password */

static const struct {
    str name;
    const char *const *patterns;
    size_t count;
} password_types[] = {
#define TYPE(name, ...)                                                 \
    {                                                                   \
        STR_INIT(name), (const char *const[]){__VA_ARGS__},             \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *) \
    }
    TYPE("maximum", "anoxxxxxxxxxxxxxxxxx", "axxxxxxxxxxxxxxxxxno"),
    TYPE("long", "CvcvnoCvcvCvcv", "CvcvCvcvnoCvcv", "CvcvCvcvCvcvno", "CvccnoCvcvCvcv",
         "CvccCvcvnoCvcv", "CvccCvcvCvcvno", "CvcvnoCvccCvcv", "CvcvCvccnoCvcv", "CvcvCvccCvcvno",
         "CvcvnoCvcvCvcc", "CvcvCvcvnoCvcc", "CvcvCvcvCvccno", "CvccnoCvccCvcv", "CvccCvccnoCvcv",
         "CvccCvccCvcvno", "CvcvnoCvccCvcc", "CvcvCvccnoCvcc", "CvcvCvccCvccno", "CvccnoCvcvCvcc",
         "CvccCvcvnoCvcc", "CvccCvcvCvccno"),
    TYPE("medium", "CvcnoCvc", "CvcCvcno"),
    TYPE("short", "Cvcn"),
    TYPE("basic", "aaanaaan", "aannaaan", "aaannaaa"),
    TYPE("pin", "nnnn"),
#undef TYPE
};

/* The characters that a letter of a pattern stands for. */
static str letters_of(char letter)
{
#define VOWELS "AEIOU"
#define SMALL_VOWELS "aeiou"
#define CONSONANTS "BCDFGHJKLMNPQRSTVWXYZ"
#define SMALL_CONSONANTS "bcdfghjklmnpqrstvwxyz"
    static const struct {
        char letter;
        str set;
    } rows[] = {
        {'V', STR_INIT(VOWELS)},
        {'C', STR_INIT(CONSONANTS)},
        {'v', STR_INIT(SMALL_VOWELS)},
        {'c', STR_INIT(SMALL_CONSONANTS)},
        {'A', STR_INIT(VOWELS CONSONANTS)},
        {'a', STR_INIT(VOWELS SMALL_VOWELS CONSONANTS SMALL_CONSONANTS)},
        {'n', STR_INIT("0123456789")},
        {'o', STR_INIT("@&%?,=[]_:-+*$#!'^~;()/.")},
        {'x', STR_INIT(VOWELS SMALL_VOWELS CONSONANTS SMALL_CONSONANTS "0123456789!@#$%^&*()")},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (rows[i].letter == letter)
            return rows[i].set;
    return STR_NONE;
}

static void add_big_endian(struct buf *out, uint32_t u)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_add_char(out, (char)(u >> shift));
}

/* The seed of a site's password: 32 bytes. */
static int site_seed(struct tmpl_call *c, uint8_t seed[HMAC_SHA256])
{
    static const char scope[] = "com.lyndir.masterpassword";
    AUTO(buf_done) struct buf salt = {0}, site = {0};
    str password = arg_text(c, 2), user = arg_text(c, 3), name = arg_text(c, 4);
    uint8_t key[64];

    buf_add_cstr(&salt, scope);
    add_big_endian(&salt, (uint32_t)user.len);
    buf_add_str(&salt, user);
    if (scrypt_key(password, buf_view(&salt), 32768, 8, 2, key, sizeof(key), c->run->e) < 0)
        return -1;
    buf_add_cstr(&site, scope);
    add_big_endian(&site, (uint32_t)name.len);
    buf_add_str(&site, name);
    add_big_endian(&site, (uint32_t)c->args[0].i);
    return hmac_sha256((str){(const char *)key, sizeof(key)}, buf_view(&site), seed, c->run->e);
}

static int f_derive_password(struct tmpl_call *c, struct tmpl_value *ret)
{
    uint8_t seed[HMAC_SHA256];
    AUTO(buf_done) struct buf out = {0};
    const char *pattern = NULL;
    size_t type = 0;

    while (type < ARRAY_LEN(password_types) && !str_eq(password_types[type].name, arg_text(c, 1)))
        type++;
    if (type == ARRAY_LEN(password_types)) {
        *ret = tmpl_string(arena_printf(&c->run->arena, "cannot find password template %.*s",
                                        STR_ARG(arg_text(c, 1))));
        return 0;
    }
    if (site_seed(c, seed) < 0)
        return -1;
    pattern = password_types[type].patterns[seed[0] % password_types[type].count];
    for (size_t i = 0; pattern[i]; i++) {
        str letters = letters_of(pattern[i]);

        buf_add_char(&out, letters.p[seed[i + 1] % letters.len]);
    }
    *ret = trun_string(c->run, &out);
    return 0;
}

/* ---- AES */

static void fill_key(str password, uint8_t key[AES_KEY])
{
    memset(key, 0, AES_KEY);
    if (password.len)
        memcpy(key, password.p, MIN(password.len, (size_t)AES_KEY));
}

static int f_encrypt_aes(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf sealed = {0};
    uint8_t key[AES_KEY], iv[AES_BLOCK];
    struct buf *b;

    if (!arg_text(c, 1).len)
        return ret_view(ret, STR(""));
    fill_key(arg_text(c, 0), key);
    if (random_fill(c, iv, sizeof(iv)) < 0)
        return -1;
    buf_add(&sealed, iv, sizeof(iv));
    if (aes_encrypt(key, iv, arg_text(c, 1), &sealed, c->run->e) < 0)
        return -1;
    b = trun_borrow(c->run);
    escape_base64(buf_view(&sealed), true, b);
    return ret_text(c, b, ret);
}

static int f_decrypt_aes(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf sealed = {0}, plain = {0};
    uint8_t key[AES_KEY], iv[AES_BLOCK];
    ssize_t bad;

    if (!arg_text(c, 1).len)
        return ret_view(ret, STR(""));
    bad = fn_decode_base64(arg_text(c, 1), &sealed);
    if (bad >= 0)
        return call_fail(c, "illegal base64 data at input byte %zd", bad);
    if (sealed.len < AES_BLOCK)
        return call_fail(c, "runtime error: slice bounds out of range [:%d] with capacity %zu",
                         AES_BLOCK, arg_text(c, 1).len / 4 * 3);
    if (sealed.len == AES_BLOCK)
        return call_fail(c, "runtime error: index out of range [-1]");
    if (sealed.len % AES_BLOCK)
        return call_fail(c, "crypto/cipher: input not full blocks");
    fill_key(arg_text(c, 0), key);
    memcpy(iv, sealed.p, sizeof(iv));
    if (aes_decrypt(key, iv, str_from(buf_view(&sealed), AES_BLOCK), &plain, c->run->e) < 0)
        return -1;
    *ret = trun_string(c->run, &plain);
    return 0;
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "bcrypt", "S", f_bcrypt, FUNC_HOST, "The bcrypt hash of a password",
             "{{ bcrypt \"secret\" | trunc 7 }}", "$2a$10$");
    func_add(to, "htpasswd", "SSS*", f_htpasswd, FUNC_HOST,
             "A line of a password file: user, password, and \"sha\" or bcrypt",
             "{{ htpasswd \"u\" \"secret\" \"sha\" }}", "u:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=");
    func_add(to, "derivePassword", "USSSS", f_derive_password, 0,
             "A password by counter, template, master password, user and site",
             "{{ derivePassword 1 \"short\" \"password\" \"user\" \"example.com\" }}", "Zed5");
    func_add(to, "encryptAES", "SS", f_encrypt_aes, FUNC_HOST,
             "A text encrypted with a password, in base64",
             "{{ encryptAES \"key\" \"text\" | decryptAES \"key\" }}", "text");
    func_add(to, "decryptAES", "SS", f_decrypt_aes, 0, "The text that encryptAES encrypted",
             "{{ decryptAES \"key\" \"\" }}", "");
}
FUNC_GROUP(func_crypto, "Passwords and ciphers", add_rows, IN_SPRIG);
