/* Differences between two texts, as people read them (khook spec 18.5). Pure. */
#pragma once
#include "base/buf.h"

/* Appends a unified diff of the lines of two texts with `context` lines around each change and the
 * labels behind "---" and
 * "+++"; nothing when the texts are equal. A last line without its end is marked as diff(1) does.
 */
void doc_diff_unified(str from, str to, const char *from_label, const char *to_label,
                      size_t context, struct buf *out);
