/* Provenance of archives (helm spec 17): X.tgz.prov is a clear-signed text. Blocking; any thread.
 */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/* Judges the signature of prov (a path) by the keyring and holds the archive's digest against it.
 * Appends what helm prints: "Signed by: …", "Using Key With Fingerprint: …", "Chart Hash Verified:
 * …" lines; ret_report may be NULL. ERR_DENIED when it does not hold. */
int chart_verify(const char *archive, const char *prov, const char *keyring, struct buf *ret_report,
                 struct err *e) MUST_CHECK;
