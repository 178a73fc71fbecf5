/* Unicode classes by name and simple case folding, from a generated table (tools/gen_unicode.go).
 * Pure; any thread. */
#pragma once
#include "base/str.h"

struct re_range {
    uint32_t lo, hi;
};
struct re_unicode_class {
    char name[24];         /* "Lu", "Greek" */
    uint32_t first, count; /* into re_unicode_ranges */
};
/* The code points lo, lo + stride … hi fold to themselves plus delta: the next of their orbit. */
struct re_fold {
    uint32_t lo, hi;
    int32_t delta;
    uint32_t stride;
};
extern const struct re_unicode_class re_unicode_classes[]; /* sorted by name */
extern const size_t re_unicode_class_count;
extern const struct re_range re_unicode_ranges[];
extern const struct re_fold re_folds[]; /* sorted */
extern const size_t re_fold_count;

/* The ranges of a category or script, sorted; false when there is none of that name. Letter case,
 * blanks, '-' and '_' in names do not count. */
bool re_unicode_class(str name, const struct re_range **ret_ranges, size_t *ret_count);
bool re_unicode_is(const char *class_name, uint32_t code_point);
/* The next code point that differs from this one only in case, in a circle; itself when there is
 * none. */
uint32_t re_unicode_fold(uint32_t code_point);
/* The first row of re_folds that ends at or behind a code point; re_fold_count when there is none.
 */
size_t re_unicode_fold_row(uint32_t code_point);
