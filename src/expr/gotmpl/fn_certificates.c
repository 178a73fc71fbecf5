/* Keys and certificates (template spec 14.12). */
#include "base/escape.h"
#include "codec/certificate.h"
#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/objects_priv.h"
#include "expr/gotmpl/random_priv.h"

static int f_private_key(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf pem = {0};
    bool is_known;

    if (key_generate(arg_text(c, 0), &is_known, &pem, c->run->e) < 0)
        return -1;
    if (!is_known)
        buf_addf(&pem, "Unknown type %.*s", STR_ARG(arg_text(c, 0)));
    *ret = trun_string(c->run, &pem);
    return 0;
}

static int make(struct tmpl_call *c, struct certificate_request *request, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf cert = {0}, key = {0};
    uint8_t serial[16] = {0};
    int rc;

    if (random_fill(c, serial, sizeof(serial)) < 0)
        return -1;
    serial[0] &= 0x7f; /* numbers of certificates are not negative */
    request->serial = serial;
    request->common_name = arg_text(c, 0);
    rc = certificate_make(request, &cert, &key, c->run->e);
    request->serial = NULL; /* it lies in this call */
    if (rc < 0)
        return -1;
    *ret = object_of_certificate(c->run, trun_keep(c->run, &cert), trun_keep(c->run, &key));
    return 0;
}

static int make_ca(struct tmpl_call *c, str key, struct tmpl_value *ret)
{
    struct certificate_request request = {.is_authority = true, .days = c->args[1].i, .key = key};

    return make(c, &request, ret);
}

static int f_ca(struct tmpl_call *c, struct tmpl_value *ret) { return make_ca(c, STR_NONE, ret); }
static int f_ca_with_key(struct tmpl_call *c, struct tmpl_value *ret)
{
    return make_ca(c, arg_text(c, 2), ret);
}

static int add_names(struct tmpl_call *c, struct tmpl_value list, const char *what,
                     struct str_vec *names)
{
    const struct tmpl_value *items = value_items(c->run, list);

    for (size_t i = 0; i < list.len; i++) {
        if (items[i].type != TMPL_STRING)
            return call_fail(c, "error %s: %.*s is not a string", what,
                             STR_ARG(value_strval(c->run, items[i])));
        vec_push(names, tmpl_text(items[i]));
    }
    return 0;
}

/* Name, addresses, DNS names, days; then who signs it, then its key, where there are such. */
static int make_named(struct tmpl_call *c, const struct certificate_object *ca, str key,
                      struct tmpl_value *ret)
{
    AUTO(str_vec_done) struct str_vec ips = {0}, dns = {0};
    struct certificate_request request = {.days = c->args[3].i, .key = key};

    if (add_names(c, c->args[1], "parsing ip", &ips) < 0 ||
        add_names(c, c->args[2], "processing alternate dns name", &dns) < 0)
        return -1;
    request.ips = ips.v;
    request.ip_count = ips.len;
    request.dns = dns.v;
    request.dns_count = dns.len;
    if (ca) {
        request.ca_cert = ca->cert;
        request.ca_key = ca->key;
    }
    return make(c, &request, ret);
}

static const struct certificate_object *ca_of(const struct tmpl_call *c)
{
    return (const struct certificate_object *)c->args[4].object;
}

static int f_self_signed(struct tmpl_call *c, struct tmpl_value *ret)
{
    return make_named(c, NULL, STR_NONE, ret);
}

static int f_self_signed_with_key(struct tmpl_call *c, struct tmpl_value *ret)
{
    return make_named(c, NULL, arg_text(c, 4), ret);
}

static int f_signed(struct tmpl_call *c, struct tmpl_value *ret)
{
    return make_named(c, ca_of(c), STR_NONE, ret);
}

static int f_signed_with_key(struct tmpl_call *c, struct tmpl_value *ret)
{
    return make_named(c, ca_of(c), arg_text(c, 5), ret);
}

static int f_build(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(buf_done) struct buf cert = {0}, key = {0};

    if (!unescape_base64(arg_text(c, 0), &cert))
        return call_fail(c, "unable to decode base64 certificate");
    if (!unescape_base64(arg_text(c, 1), &key))
        return call_fail(c, "unable to decode base64 private key");
    if (!certificate_is_pem(buf_view(&cert)))
        return call_fail(c, "unable to decode certificate");
    if (!key_is_pem(buf_view(&key)))
        return call_fail(c, "unable to decode private key");
    *ret = object_of_certificate(c->run, trun_keep(c->run, &cert), trun_keep(c->run, &key));
    return 0;
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "genPrivateKey", "S", f_private_key, FUNC_HOST,
             "A new private key: \"rsa\", \"dsa\", \"ecdsa\" or \"ed25519\"",
             "{{ genPrivateKey \"ed25519\" | trunc 27 }}", "-----BEGIN PRIVATE KEY-----");
    func_add(to, "genCA", "SI", f_ca, FUNC_HOST,
             "A certificate authority by name and days, with the members Cert and Key",
             "{{ (genCA \"ca\" 365).Cert | trunc 27 }}", "-----BEGIN CERTIFICATE-----");
    func_add(to, "genCAWithKey", "SIS", f_ca_with_key, FUNC_HOST, "As genCA, with a private key",
             "{{ (genCAWithKey \"ca\" 365 (genPrivateKey \"ecdsa\")).Key | trunc 30 }}",
             "-----BEGIN EC PRIVATE KEY-----");
    func_add(to, "genSelfSignedCert", "SLLI", f_self_signed, FUNC_HOST,
             "A certificate by name, addresses, DNS names and days",
             "{{ (genSelfSignedCert \"a.example\" nil (list \"b.example\") 30).Cert | trunc 27 }}",
             "-----BEGIN CERTIFICATE-----");
    func_add(to, "genSelfSignedCertWithKey", "SLLIS", f_self_signed_with_key, FUNC_HOST,
             "As genSelfSignedCert, with a private key",
             "{{ (genSelfSignedCertWithKey \"a\" nil nil 30 (genPrivateKey \"ecdsa\")).Cert | "
             "trunc 27 }}",
             "-----BEGIN CERTIFICATE-----");
    func_add(to, "genSignedCert", "SLLIC", f_signed, FUNC_HOST,
             "As genSelfSignedCert, signed by an authority of genCA",
             "{{ $ca := genCA \"ca\" 30 }}{{ (genSignedCert \"a\" (list \"10.0.0.1\") nil 30 "
             "$ca).Cert | "
             "trunc 27 }}",
             "-----BEGIN CERTIFICATE-----");
    func_add(
        to, "genSignedCertWithKey", "SLLICS", f_signed_with_key, FUNC_HOST,
        "As genSignedCert, with a private key",
        "{{ $ca := genCA \"ca\" 30 }}{{ (genSignedCertWithKey \"a\" nil nil 30 $ca (genPrivateKey "
        "\"ecdsa\")).Cert | trunc 27 }}",
        "-----BEGIN CERTIFICATE-----");
    func_add(to, "buildCustomCert", "SS", f_build, 0, "A certificate object of base64 texts of PEM",
             NULL, NULL);
}
FUNC_GROUP(func_certificates, "Keys and certificates", add_rows, IN_SPRIG);
