/* Provenance of archives (helm spec 17): X.tgz.prov is a clear-signed text. Blocking; any thread.
 */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/* Judges the signature of prov (its text) by the keyring (a path) and holds the archive's digest
 * against what prov says of name ("web-1.2.0.tgz"). Appends what helm prints: "Signed by: …",
 * "Using Key With Fingerprint: …", "Chart Hash Verified: …" lines; ret_report may be NULL.
 * ERR_DENIED when it does not hold. */
int chart_verify(str archive, str name, str prov, const char *keyring, struct buf *ret_report,
                 struct err *e) MUST_CHECK;
