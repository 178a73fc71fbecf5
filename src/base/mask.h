/* Replaces every occurrence of many texts in one pass: an Aho-Corasick automaton, so the time grows
 * with the text alone. Occurrences that overlap are one gap: what two secrets share never stays
 * half visible.
 *
 * {0} masks nothing. Patterns are copied. One thread at a time: even mask_apply completes the
 * automaton after an addition. */
#pragma once
#include "base/buf.h"

struct mask_node;
struct mask {
    struct mask_node *nodes; /* [0] is the root */
    size_t len, cap;
    uint32_t roots[256]; /* children of the root by byte, 0: none */
    bool is_complete;    /* fail links and lengths are up to date */
};

void mask_add(struct mask *m, str pattern); /* the empty text is ignored */
/* Appends text with "***" for each gap. */
void mask_apply(struct mask *m, str text, struct buf *out);
/* Appends text without the user:password@ of the URLs in it; an '@' in a path is no end of one. */
void mask_userinfo(str text, struct buf *out);
void mask_done(struct mask *m); /* leaves {0} */
AUTO_VALUE(struct mask, mask_done)
