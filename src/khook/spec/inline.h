/* Texts that sources name, and how their places are told (khook spec 11.2): those of a file or URL
 * by its name, those of an inline text in the spec that it stands in.
 *
 * Borrows what it names. Pure; threads may share the spec. */
#pragma once
#include "base/buf.h"
#include "base/diag.h"
#include "doc/node.h"
#include "khook/vars/subst.h"

struct khook_origin {
    const char *name;              /* a file, a URL; of an inline text the place of its scalar */
    const struct khook_text *spec; /* of an inline text; NULL: places are the text's own */
    uint32_t scalar;               /* its offset in the substituted text */
    str text;                      /* of the scalar */
    bool is_literal;               /* "|": only then its lines stand in the spec as they are */
};

/* The origin of a scalar of the spec whose text was given inline; its name is written to name. */
struct khook_origin khook_origin_inline(const struct khook_text *spec, const struct doc_set *set,
                                        const struct doc_node *scalar, struct buf *name);

/* Where a place of an inline text is; both count from 1. In a folded or quoted scalar, whose lines
 * are not those of the text, its own place. */
struct khook_place khook_origin_spec_place(const struct khook_origin *o, uint32_t line,
                                           uint32_t column);

/* "web.yaml:9:1", "spec.yaml:14:7" */
void khook_origin_place(const struct khook_origin *o, uint32_t line, uint32_t column,
                        struct buf *out);

/* What the reader says is wrong without another place in the text ("…, first at line 3 column 1"),
 * which nobody sees. */
str khook_origin_message(const struct diag *d);

/* The reader's refusal of a text, ERR_INVALID, with its places told by the origin. Returns -1. */
int khook_origin_error(const struct khook_origin *o, const struct err *why, struct err *e);
