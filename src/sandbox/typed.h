/* What decoding into the API's types does with a document: fields nobody knows go, and values of
 * the wrong type are refused. Built-in kinds by the table in res/, custom ones by their schema. */
#pragma once
#include "sandbox/priv.h"

struct sb_typed {
    struct str_vec unknown; /* paths, "spec.foo"; in the arena */
    str mismatch;           /* the first value of a wrong type: message, or empty */
    struct arena arena;
};
void sb_typed_done(struct sb_typed *t);
AUTO_VALUE(struct sb_typed, sb_typed_done)

/* Removes unknown fields (when prunes is set) and tells about them. */
void sb_typed_check(const struct sb_kind *kind, struct doc_node *object, bool prunes,
                    struct sb_typed *ret);
/* The same as part of a request: fieldValidation says whether unknown fields fail it (Strict), warn
 * or go silently. */
int sb_typed_admit(struct sb_req *r, const struct sb_kind *kind, struct doc_node *object);
/* For apply patches, which may not have unknown fields at all. */
int sb_typed_config(struct sb_req *r, struct doc_node *config);
