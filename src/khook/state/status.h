/* What `status` prints about a record (khook spec 18.7). Pure; JSON texts are masked one by one,
 * the text is to be masked by who prints it. */
#pragma once
#include "khook/state/record.h"

struct khook_status {
    const struct khook_spec *spec; /* the present one */
    const str *hashes;             /* of its steps */
    str spec_hash;
    str secret;                        /* "namespace/name" */
    const struct khook_record *record; /* NULL: there is none */
};
void khook_status_text(const struct khook_status *s, struct buf *out);
void khook_status_json(const struct khook_status *s, struct buf *out);
