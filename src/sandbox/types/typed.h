/* What decoding into the API's types does with a document: fields nobody knows go, and values of
 * the wrong type are refused. Built-in kinds by the table in res/, custom ones by their schema.
 * Under the lock; pure apart from the request. */
#pragma once
#include "sandbox/priv.h"

/* Removes unknown fields; fieldValidation says whether they fail the request (Strict), warn or go
 * silently. */
int sb_typed_admit(struct sb_req *r, const struct sb_kind *kind, struct doc_node *object);
/* Has a field of bytes what is no base64? *ret_at: where in its text. */
bool sb_typed_bad_bytes(const struct sb_kind *kind, const struct doc_node *object, size_t *ret_at);
