/* What differs between two texts or two trees. Pure; any thread. */
#pragma once
#include "base/buf.h"
#include "doc/node.h"

/* Appends a unified diff by lines with so many lines of context, headed by "--- label_from" and
 * "+++ label_to"; nothing when the texts are equal. The diff is a shortest one unless the texts
 * differ in thousands of lines; time and memory stay bounded. A last line without its end is marked
 * as diff -u does. */
void doc_diff_unified(str from, str to, const char *label_from, const char *label_to,
                      size_t context, struct buf *out);

/* Appends the lines of such a diff with a margin before each, in a terminal's colours or not. */
void doc_diff_tint(str diff, const char *margin, bool color, struct buf *out);

/* One difference of two trees; nodes are borrowed from them. */
struct doc_change {
    str path; /* doc/path.h, dots: spec.containers.[name=app].image; empty for the roots */
    const struct doc_node *from, *to; /* from NULL: added, to NULL: removed */
};
struct doc_diff {
    struct arena arena;
    struct doc_change *v;
    size_t len, cap;
};
void doc_diff_done(struct doc_diff *d); /* leaves {0} */
AUTO_VALUE(struct doc_diff, doc_diff_done)

/* Appends the differences in the order of `from`, additions behind what stands before them. Order
 * of keys does not count. Items of lists whose maps all have an own "name" are matched by it and
 * their order does not count, others by their place. Paths live in d's arena. */
void doc_diff(const struct doc_node *from, const struct doc_node *to, struct doc_diff *d);
/* A line each: "~ path: 1 -> 2", "+ path: value", "- path: value"; values as short JSON. */
void doc_diff_print(const struct doc_diff *d, struct buf *out);
