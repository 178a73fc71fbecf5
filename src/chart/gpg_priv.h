/* The gpg programs. Nothing secret is in their arguments; the user's configuration of gpg has no
 * say when a keyring is named. */
#pragma once
#include "chart/provenance.h"

struct gpg_signature {
    struct buf text;        /* what was signed, as the program gives it out */
    struct buf user;        /* "Ann <ann@example.org>" */
    struct buf fingerprint; /* of the primary key, hexadecimal */
};
void gpg_signature_done(struct gpg_signature *s);
AUTO_VALUE(struct gpg_signature, gpg_signature_done)

/* A clear-signed text with one good signature by a key of keyring (a path); else ERR_DENIED. */
int gpg_verify(str text, const char *keyring, struct gpg_signature *ret, struct err *e) MUST_CHECK;
/* Appends text, clear-signed. */
int gpg_sign(str text, const struct chart_signer *signer, struct buf *ret,
             struct err *e) MUST_CHECK;
/* Reads lines "[GNUPG:] KEYWORD ..." among others: 0 for one good signature. */
int gpg_status_judge(str lines, struct gpg_signature *ret, struct err *e) MUST_CHECK;
