#include "http/cert.h"

#include <arpa/inet.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <time.h>

#include "sys/clock.h"
#include "sys/dl.h"

#define CERT_FUNCTIONS(X)                    \
    X(gnutls_strerror)                       \
    X(gnutls_rnd)                            \
    X(gnutls_free)                           \
    X(gnutls_x509_privkey_init)              \
    X(gnutls_x509_privkey_deinit)            \
    X(gnutls_x509_privkey_generate)          \
    X(gnutls_x509_privkey_export2_pkcs8)     \
    X(gnutls_x509_privkey_import_pkcs8)      \
    X(gnutls_x509_crt_init)                  \
    X(gnutls_x509_crt_deinit)                \
    X(gnutls_x509_crt_import)                \
    X(gnutls_x509_crt_export2)               \
    X(gnutls_x509_crt_set_version)           \
    X(gnutls_x509_crt_set_key)               \
    X(gnutls_x509_crt_set_serial)            \
    X(gnutls_x509_crt_set_activation_time)   \
    X(gnutls_x509_crt_set_expiration_time)   \
    X(gnutls_x509_crt_set_dn_by_oid)         \
    X(gnutls_x509_crt_set_subject_alt_name)  \
    X(gnutls_x509_crt_set_basic_constraints) \
    X(gnutls_x509_crt_set_key_usage)         \
    X(gnutls_x509_crt_set_key_purpose_oid)   \
    X(gnutls_x509_crt_sign2)
DL_LIBRARY(cert, CERT_FUNCTIONS, SONAME_gnutls, "libgnutls30")

/* A certificate being made; everything in it is the library's. */
struct making {
    const struct cert_dl *tls;
    gnutls_x509_crt_t crt, ca_crt;
    gnutls_x509_privkey_t key, ca_key;
};

static void making_done(struct making *m)
{
    if (m->crt)
        m->tls->gnutls_x509_crt_deinit(m->crt);
    if (m->ca_crt)
        m->tls->gnutls_x509_crt_deinit(m->ca_crt);
    if (m->key)
        m->tls->gnutls_x509_privkey_deinit(m->key);
    if (m->ca_key)
        m->tls->gnutls_x509_privkey_deinit(m->ca_key);
}
AUTO_VALUE(struct making, making_done)

void cert_pair_done(struct cert_pair *p)
{
    if (p->key_pem.p)
        explicit_bzero(p->key_pem.p, p->key_pem.len);
    buf_done(&p->cert_pem);
    buf_done(&p->key_pem);
}

static int check(const struct making *m, int rc, struct err *e)
{
    if (rc >= 0)
        return 0;
    return err_set(e, ERR_IO, "cannot make a certificate: %s", m->tls->gnutls_strerror(rc));
}

static int making_start(struct making *m, const struct cert_pair *authority, struct err *e)
{
    m->tls = cert_load(e);
    if (!m->tls)
        return -1;
    if (check(m, m->tls->gnutls_x509_crt_init(&m->crt), e) < 0 ||
        check(m, m->tls->gnutls_x509_privkey_init(&m->key), e) < 0 ||
        check(m,
              m->tls->gnutls_x509_privkey_generate(
                  m->key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0),
              e) < 0)
        return -1;
    if (authority) {
        gnutls_datum_t crt = {(unsigned char *)authority->cert_pem.p,
                              (unsigned)authority->cert_pem.len};
        gnutls_datum_t key = {(unsigned char *)authority->key_pem.p,
                              (unsigned)authority->key_pem.len};

        if (check(m, m->tls->gnutls_x509_crt_init(&m->ca_crt), e) < 0 ||
            check(m, m->tls->gnutls_x509_privkey_init(&m->ca_key), e) < 0 ||
            check(m, m->tls->gnutls_x509_crt_import(m->ca_crt, &crt, GNUTLS_X509_FMT_PEM), e) < 0 ||
            check(m,
                  m->tls->gnutls_x509_privkey_import_pkcs8(m->ca_key, &key, GNUTLS_X509_FMT_PEM,
                                                           NULL, GNUTLS_PKCS_PLAIN),
                  e) < 0)
            return -1;
    }
    return 0;
}

static int set_name(const struct making *m, const char *oid, const char *text, struct err *e)
{
    return text ? check(m,
                        m->tls->gnutls_x509_crt_set_dn_by_oid(m->crt, oid, 0, text,
                                                              (unsigned)strlen(text)),
                        e)
                : 0;
}

static int set_common(const struct making *m, const char *cn, const char *org, int days,
                      struct err *e)
{
    unsigned char serial[16];
    time_t now = (time_t)(clock_wall_ms() / 1000);

    if (check(m, m->tls->gnutls_rnd(GNUTLS_RND_NONCE, serial, sizeof(serial)), e) < 0)
        return -1;
    serial[0] &= 0x7f;
    if (check(m, m->tls->gnutls_x509_crt_set_version(m->crt, 3), e) < 0 ||
        check(m, m->tls->gnutls_x509_crt_set_key(m->crt, m->key), e) < 0 ||
        check(m, m->tls->gnutls_x509_crt_set_serial(m->crt, serial, sizeof(serial)), e) < 0 ||
        check(m, m->tls->gnutls_x509_crt_set_activation_time(m->crt, now - 60), e) < 0 ||
        check(m, m->tls->gnutls_x509_crt_set_expiration_time(m->crt, now + days * (time_t)86400),
              e) < 0)
        return -1;
    if (set_name(m, GNUTLS_OID_X520_ORGANIZATION_NAME, org, e) < 0)
        return -1;
    return set_name(m, GNUTLS_OID_X520_COMMON_NAME, cn, e);
}

static int set_addresses(const struct making *m, struct err *e)
{
    struct in_addr v4 = {htonl(INADDR_LOOPBACK)};
    struct in6_addr v6 = IN6ADDR_LOOPBACK_INIT;

    if (check(m,
              m->tls->gnutls_x509_crt_set_subject_alt_name(m->crt, GNUTLS_SAN_DNSNAME, "localhost",
                                                           9, GNUTLS_FSAN_APPEND),
              e) < 0 ||
        check(m,
              m->tls->gnutls_x509_crt_set_subject_alt_name(m->crt, GNUTLS_SAN_IPADDRESS, &v4,
                                                           sizeof(v4), GNUTLS_FSAN_APPEND),
              e) < 0)
        return -1;
    return check(m,
                 m->tls->gnutls_x509_crt_set_subject_alt_name(m->crt, GNUTLS_SAN_IPADDRESS, &v6,
                                                              sizeof(v6), GNUTLS_FSAN_APPEND),
                 e);
}

static int export_pair(const struct making *m, struct cert_pair *ret, struct err *e)
{
    gnutls_datum_t out = {0};

    if (check(m, m->tls->gnutls_x509_crt_export2(m->crt, GNUTLS_X509_FMT_PEM, &out), e) < 0)
        return -1;
    buf_add(&ret->cert_pem, out.data, out.size);
    (*m->tls->gnutls_free)(out.data);
    out = (gnutls_datum_t){0};
    if (check(m,
              m->tls->gnutls_x509_privkey_export2_pkcs8(m->key, GNUTLS_X509_FMT_PEM, NULL,
                                                        GNUTLS_PKCS_PLAIN, &out),
              e) < 0)
        return -1;
    buf_add(&ret->key_pem, out.data, out.size);
    explicit_bzero(out.data, out.size);
    (*m->tls->gnutls_free)(out.data);
    return 0;
}

int cert_make_authority(const char *common_name, int days, struct cert_pair *ret, struct err *e)
{
    AUTO(making_done) struct making m = {0};

    if (making_start(&m, NULL, e) < 0 || set_common(&m, common_name, NULL, days, e) < 0 ||
        check(&m, m.tls->gnutls_x509_crt_set_basic_constraints(m.crt, 1, -1), e) < 0 ||
        check(&m,
              m.tls->gnutls_x509_crt_set_key_usage(m.crt, GNUTLS_KEY_KEY_CERT_SIGN |
                                                              GNUTLS_KEY_DIGITAL_SIGNATURE),
              e) < 0 ||
        check(&m, m.tls->gnutls_x509_crt_sign2(m.crt, m.crt, m.key, GNUTLS_DIG_SHA256, 0), e) < 0)
        return -1;
    return export_pair(&m, ret, e);
}

int cert_make_signed(const struct cert_pair *authority, const struct cert_request *request,
                     struct cert_pair *ret, struct err *e)
{
    AUTO(making_done) struct making m = {0};
    const char *purpose = request->is_server ? GNUTLS_KP_TLS_WWW_SERVER : GNUTLS_KP_TLS_WWW_CLIENT;

    if (making_start(&m, authority, e) < 0 ||
        set_common(&m, request->common_name, request->organization, request->days, e) < 0 ||
        check(&m, m.tls->gnutls_x509_crt_set_basic_constraints(m.crt, 0, -1), e) < 0 ||
        check(&m, m.tls->gnutls_x509_crt_set_key_usage(m.crt, GNUTLS_KEY_DIGITAL_SIGNATURE), e) <
            0 ||
        check(&m, m.tls->gnutls_x509_crt_set_key_purpose_oid(m.crt, purpose, 0), e) < 0 ||
        (request->is_server && set_addresses(&m, e) < 0) ||
        check(&m, m.tls->gnutls_x509_crt_sign2(m.crt, m.ca_crt, m.ca_key, GNUTLS_DIG_SHA256, 0),
              e) < 0)
        return -1;
    return export_pair(&m, ret, e);
}
