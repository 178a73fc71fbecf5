/* Private keys and certificates, made and read as PEM through OpenSSL, which loads on first use.
 * Any thread. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/* "rsa" (4096 bits, PKCS#1), "dsa" (2048/256), "ecdsa" (P-256, SEC 1), "ed25519" (PKCS#8). PEM is
 * appended to out; *ret_known is false, and nothing made, for another kind. */
int key_generate(str kind, bool *ret_known, struct buf *out, struct err *e) MUST_CHECK;

struct certificate_request {
    str common_name;
    const str *ips, *dns; /* alternative names */
    size_t ip_count, dns_count;
    int64_t days;          /* from now */
    bool is_authority;     /* may sign others */
    str key;               /* PEM; empty: a new RSA key of 2048 bits */
    str ca_cert, ca_key;   /* PEM of who signs; empty: itself */
    const uint8_t *serial; /* 16 bytes */
};
/* Appends the certificate and its key as PEM. */
int certificate_make(const struct certificate_request *request, struct buf *cert, struct buf *key,
                     struct err *e) MUST_CHECK;
bool certificate_is_pem(str cert); /* can be read */
bool key_is_pem(str key);
