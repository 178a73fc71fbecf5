/* Amounts of resources ("1500m", "2Gi", "1e3") in the one form the API server answers with. Pure.
 */
#pragma once
#include "base/buf.h"
#include "base/str.h"

enum sb_quantity { SB_QUANTITY_FINE, SB_QUANTITY_BAD_FORM, SB_QUANTITY_BAD_SUFFIX };

/* Appends the canonical form of text: no trailing zeros, the largest suffix that needs no fraction,
 * finer than 10^-scale rounded up (3 where resources are counted, else 9). Amounts that need more
 * digits than 128 bits hold stay as they are written. */
enum sb_quantity sb_quantity_print(str text, int scale, struct buf *out);
