#include "codec/certificate.h"

#include <arpa/inet.h>

#include "codec/openssl_priv.h"

enum { SERIAL = 16, LONGEST_DAYS = 3650000 };

struct maker {
    const struct openssl_dl *ssl;
    const struct certificate_request *request;
    X509 *cert, *ca;
    EVP_PKEY *key, *ca_key;
};

static int fail(const struct openssl_dl *ssl, struct err *e, const char *what)
{
    ssl->ERR_clear_error();
    return err_set(e, ERR_INVALID, "%s", what);
}

/* ---- PEM */

static void drain(const struct openssl_dl *ssl, BIO *bio, struct buf *out)
{
    char chunk[1024];
    int len;

    while ((len = ssl->BIO_read(bio, chunk, sizeof(chunk))) > 0)
        buf_add(out, chunk, (size_t)len);
}

/* RSA, DSA and EC keys in the form of their own, others as PKCS#8. */
static int write_key(const struct openssl_dl *ssl, EVP_PKEY *key, struct buf *out, struct err *e)
{
    BIO *bio = ssl->BIO_new(ssl->BIO_s_mem());
    bool is_new = ssl->EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519;
    int rc = -1;

    if (bio)
        rc = is_new
                 ? ssl->PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL)
                 : ssl->PEM_write_bio_PrivateKey_traditional(bio, key, NULL, NULL, 0, NULL, NULL);
    if (rc == 1)
        drain(ssl, bio, out);
    ssl->BIO_free(bio);
    return rc == 1 ? 0 : fail(ssl, e, "a private key cannot be written");
}

static EVP_PKEY *read_key(const struct openssl_dl *ssl, str pem)
{
    BIO *bio = ssl->BIO_new_mem_buf(pem.p, (int)pem.len);
    EVP_PKEY *key = bio ? ssl->PEM_read_bio_PrivateKey(bio, NULL, NULL, (void *)"") : NULL;

    ssl->BIO_free(bio);
    ssl->ERR_clear_error();
    return key;
}

static X509 *read_cert(const struct openssl_dl *ssl, str pem)
{
    BIO *bio = ssl->BIO_new_mem_buf(pem.p, (int)pem.len);
    X509 *cert = bio ? ssl->PEM_read_bio_X509(bio, NULL, NULL, NULL) : NULL;

    ssl->BIO_free(bio);
    ssl->ERR_clear_error();
    return cert;
}

bool certificate_is_pem(str pem)
{
    AUTO(err_done) struct err e = {0};
    const struct openssl_dl *ssl = openssl_load(&e);
    X509 *cert = ssl ? read_cert(ssl, pem) : NULL;

    if (ssl)
        ssl->X509_free(cert);
    return cert;
}

bool key_is_pem(str pem)
{
    AUTO(err_done) struct err e = {0};
    const struct openssl_dl *ssl = openssl_load(&e);
    EVP_PKEY *key = ssl ? read_key(ssl, pem) : NULL;

    if (ssl)
        ssl->EVP_PKEY_free(key);
    return key;
}

/* ---- keys */

static EVP_PKEY *make_dsa(const struct openssl_dl *ssl)
{
    EVP_PKEY_CTX *ctx = ssl->EVP_PKEY_CTX_new_from_name(NULL, "DSA", NULL), *key_ctx;
    EVP_PKEY *parameters = NULL, *key = NULL;

    if (ctx && ssl->EVP_PKEY_paramgen_init(ctx) == 1 &&
        ssl->EVP_PKEY_CTX_set_dsa_paramgen_bits(ctx, 2048) == 1 &&
        ssl->EVP_PKEY_CTX_set_dsa_paramgen_q_bits(ctx, 256) == 1)
        ssl->EVP_PKEY_paramgen(ctx, &parameters);
    ssl->EVP_PKEY_CTX_free(ctx);
    if (!parameters)
        return NULL;
    key_ctx = ssl->EVP_PKEY_CTX_new(parameters, NULL);
    if (key_ctx && ssl->EVP_PKEY_keygen_init(key_ctx) == 1)
        ssl->EVP_PKEY_keygen(key_ctx, &key);
    ssl->EVP_PKEY_CTX_free(key_ctx);
    ssl->EVP_PKEY_free(parameters);
    return key;
}

int key_generate(str kind, bool *ret_known, struct buf *out, struct err *e)
{
    const struct openssl_dl *ssl = openssl_load(e);
    EVP_PKEY *key = NULL;
    int rc;

    *ret_known = true;
    if (!ssl)
        return -1;
    if (!kind.len || str_eq(kind, STR("rsa")))
        key = ssl->EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)4096);
    else if (str_eq(kind, STR("dsa")))
        key = make_dsa(ssl);
    else if (str_eq(kind, STR("ecdsa")))
        key = ssl->EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
    else if (str_eq(kind, STR("ed25519")))
        key = ssl->EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    else
        *ret_known = false;
    if (!key)
        return *ret_known ? fail(ssl, e, "a private key cannot be made") : 0;
    rc = write_key(ssl, key, out, e);
    ssl->EVP_PKEY_free(key);
    return rc;
}

/* ---- certificates */

static bool add_extension(const struct maker *m, int nid, const char *value)
{
    X509V3_CTX ctx = {0};
    X509_EXTENSION *extension;
    bool is_good;

    m->ssl->X509V3_set_ctx(&ctx, m->ca ? m->ca : m->cert, m->cert, NULL, NULL, 0);
    extension = m->ssl->X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
    is_good = extension && m->ssl->X509_add_ext(m->cert, extension, -1) == 1;
    m->ssl->X509_EXTENSION_free(extension);
    return is_good;
}

/* Names become one text with commas between: other characters than those of names would be more
 * names. */
static bool is_dns_name(str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.p[i];

        if (!((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
              strchr("-_.*", c)) ||
            !c)
            return false;
    }
    return name.len;
}

static bool is_ip(str text)
{
    AUTO(buf_done) struct buf copy = {0};
    unsigned char address[16];

    buf_add_str(&copy, text);
    return inet_pton(AF_INET, buf_cstr(&copy), address) == 1 ||
           inet_pton(AF_INET6, buf_cstr(&copy), address) == 1;
}

static int add_alternatives(const struct maker *m, struct err *e)
{
    const struct certificate_request *request = m->request;
    AUTO(buf_done) struct buf names = {0};

    for (size_t i = 0; i < request->dns_count; i++) {
        if (!is_dns_name(request->dns[i]))
            return err_set(e, ERR_INVALID, "bad DNS name: %.*s", STR_ARG(request->dns[i]));
        buf_addf(&names, "%sDNS:%.*s", names.len ? "," : "", STR_ARG(request->dns[i]));
    }
    for (size_t i = 0; i < request->ip_count; i++) {
        if (!is_ip(request->ips[i]))
            return err_set(e, ERR_INVALID, "error parsing ip: %.*s", STR_ARG(request->ips[i]));
        buf_addf(&names, "%sIP:%.*s", names.len ? "," : "", STR_ARG(request->ips[i]));
    }
    if (names.len && !add_extension(m, NID_subject_alt_name, buf_cstr(&names)))
        return fail(m->ssl, e, "the alternative names cannot be added");
    return 0;
}

static bool set_serial(const struct maker *m)
{
    BIGNUM *number = m->ssl->BN_bin2bn(m->request->serial, SERIAL, NULL);
    ASN1_INTEGER *serial = number ? m->ssl->BN_to_ASN1_INTEGER(number, NULL) : NULL;
    bool is_good = serial && m->ssl->X509_set_serialNumber(m->cert, serial) == 1;

    m->ssl->ASN1_INTEGER_free(serial);
    m->ssl->BN_free(number);
    return is_good;
}

static bool fill(const struct maker *m)
{
    const struct certificate_request *r = m->request;
    const struct openssl_dl *ssl = m->ssl;
    X509_NAME *name = ssl->X509_get_subject_name(m->cert);
    int days = (int)MAX(MIN(r->days, (int64_t)LONGEST_DAYS), (int64_t)-LONGEST_DAYS);

    return ssl->X509_set_version(m->cert, 2) == 1 && set_serial(m) &&
           ssl->X509_time_adj_ex(ssl->X509_getm_notBefore(m->cert), 0, 0, NULL) &&
           ssl->X509_time_adj_ex(ssl->X509_getm_notAfter(m->cert), days, 0, NULL) &&
           ssl->X509_set_pubkey(m->cert, m->key) == 1 &&
           ssl->X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8,
                                           (const unsigned char *)r->common_name.p,
                                           (int)r->common_name.len, -1, 0) == 1 &&
           ssl->X509_set_issuer_name(m->cert, m->ca ? ssl->X509_get_subject_name(m->ca) : name) ==
               1 &&
           add_extension(m, NID_key_usage,
                         r->is_authority ? "critical,digitalSignature,keyEncipherment,keyCertSign"
                                         : "critical,digitalSignature,keyEncipherment") &&
           add_extension(m, NID_ext_key_usage, "serverAuth,clientAuth") &&
           add_extension(m, NID_basic_constraints,
                         r->is_authority ? "critical,CA:TRUE" : "critical,CA:FALSE") &&
           (!r->is_authority || add_extension(m, NID_subject_key_identifier, "hash"));
}

static int sign(const struct maker *m, struct buf *cert, struct buf *key, struct err *e)
{
    EVP_PKEY *signer = m->ca_key ? m->ca_key : m->key;
    bool has_digest = m->ssl->EVP_PKEY_get_base_id(signer) != EVP_PKEY_ED25519;
    BIO *bio;

    if (!fill(m))
        return fail(m->ssl, e, "the certificate cannot be filled in");
    if (add_alternatives(m, e) < 0)
        return -1;
    if (m->ssl->X509_sign(m->cert, signer, has_digest ? m->ssl->EVP_sha256() : NULL) <= 0)
        return fail(m->ssl, e, "the certificate cannot be signed");
    bio = m->ssl->BIO_new(m->ssl->BIO_s_mem());
    if (bio && m->ssl->PEM_write_bio_X509(bio, m->cert) == 1)
        drain(m->ssl, bio, cert);
    m->ssl->BIO_free(bio);
    return write_key(m->ssl, m->key, key, e);
}

static int prepare(struct maker *m, struct err *e)
{
    const struct certificate_request *r = m->request;

    m->cert = m->ssl->X509_new();
    m->key = r->key.len ? read_key(m->ssl, r->key)
                        : m->ssl->EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)2048);
    if (!m->key)
        return fail(m->ssl, e,
                    r->key.len ? "unable to decode key: no PEM data in key data"
                               : "a private key cannot be made");
    if (!r->ca_cert.len)
        return 0;
    m->ca = read_cert(m->ssl, r->ca_cert);
    m->ca_key = read_key(m->ssl, r->ca_key);
    if (!m->ca || !m->ca_key)
        return fail(m->ssl, e, "unable to decode the certificate authority");
    return 0;
}

int certificate_make(const struct certificate_request *request, struct buf *cert, struct buf *key,
                     struct err *e)
{
    struct maker m = {.ssl = openssl_load(e), .request = request};
    int rc;

    if (!m.ssl)
        return -1;
    rc = prepare(&m, e);
    if (rc == 0)
        rc = sign(&m, cert, key, e);
    m.ssl->X509_free(m.cert);
    m.ssl->X509_free(m.ca);
    m.ssl->EVP_PKEY_free(m.key);
    m.ssl->EVP_PKEY_free(m.ca_key);
    return rc;
}
