/* Short-lived certificates for loopback servers: an authority, and keys signed by it, P-256, made
 * in memory in a few milliseconds with the TLS library the server side uses (GnuTLS, loaded on
 * first use). Nothing is written to files. Any thread. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

struct cert_pair {
    struct buf cert_pem, key_pem;
};
void cert_pair_done(struct cert_pair *p);
AUTO_VALUE(struct cert_pair, cert_pair_done)

struct cert_request {
    const char *common_name, *organization; /* organization may be NULL */
    bool is_server;                         /* also names 127.0.0.1, ::1 and localhost */
    int days;
};
int cert_make_authority(const char *common_name, int days, struct cert_pair *ret, struct err *e);
int cert_make_signed(const struct cert_pair *authority, const struct cert_request *request,
                     struct cert_pair *ret, struct err *e);
