/* Provenance of archives (helm spec 17): X.tgz.prov is a clear-signed text that holds Chart.yaml,
 * "..." and the digest of X.tgz.
 *
 * Signatures are made and judged by the installed gpg and gpgv; digests by us, against the text
 * that the program says was signed. Passphrases reach gpg through a pipe. ERR_NOT_FOUND without the
 * programs. Blocking; any thread. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "sys/cancel.h"

/* Judges the signature of prov (its text) by the keyring (a path) and holds the archive's digest
 * against what prov says of name ("web-1.2.0.tgz"). Appends what helm prints: "Signed by: …",
 * "Using Key With Fingerprint: …", "Chart Hash Verified: …" lines; ret_report may be NULL.
 * ERR_DENIED when it does not hold. */
int chart_verify(str archive, str name, str prov, const char *keyring, struct buf *ret_report,
                 struct err *e) MUST_CHECK;
/* The same of a file and the one called like it with ".prov" behind. */
int chart_verify_file(const char *path, const char *keyring, struct buf *ret_report,
                      struct err *e) MUST_CHECK;

struct chart_signer {
    const char *key;     /* a name or fingerprint, as gpg takes it */
    const char *keyring; /* a file of secret keys, as gpg exports them; NULL: gpg's own home */
    str passphrase;      /* of the key */
    bool has_passphrase; /* else gpg's agent asks, if it must */
    struct cancel *cancel;
};
/* Appends the text of the provenance file of an archive called name. ERR_DENIED: no such key, or a
 * passphrase that does not fit. */
int chart_sign(str archive, str name, const struct chart_signer *signer, struct buf *ret,
               struct err *e) MUST_CHECK;
