/* What decoding into the API's types does with a document: fields nobody knows go, and values of
 * the wrong type are refused. Built-in kinds by the table in res/, custom ones by their schema. */
#pragma once
#include "sandbox/priv.h"

/* Removes unknown fields; fieldValidation says whether they fail the request (Strict), warn or go
 * silently. */
int sb_typed_admit(struct sb_req *r, const struct sb_kind *kind, struct doc_node *object);
/* For apply patches, which may not have unknown fields at all. */
int sb_typed_config(struct sb_req *r, struct doc_node *config);
