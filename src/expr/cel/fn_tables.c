/* All functions, by library. */
#include "expr/cel/fn_priv.h"

#define TABLE(library, rows)           \
    {                                  \
        library, rows, ARRAY_LEN(rows) \
    }

const struct cel_table cel_tables[] = {
    TABLE(L_STANDARD, cel_rows_compare),        TABLE(L_STANDARD, cel_rows_convert),
    TABLE(L_ENCODERS, cel_rows_encoders),       TABLE(L_STRINGS, cel_rows_format),
    TABLE(L_KUBERNETES, cel_rows_lists),        TABLE(L_MATH, cel_rows_math),
    TABLE(L_KUBERNETES, cel_rows_named_format), TABLE(L_KUBERNETES, cel_rows_net),
    TABLE(L_STANDARD, cel_rows_operators),      TABLE(L_KUBERNETES, cel_rows_optional),
    TABLE(L_KUBERNETES, cel_rows_ordered),      TABLE(L_KUBERNETES, cel_rows_quantity),
    TABLE(L_KUBERNETES, cel_rows_regex),        TABLE(L_KUBERNETES, cel_rows_semver),
    TABLE(L_KUBERNETES, cel_rows_sets),         TABLE(L_STRINGS, cel_rows_strings),
    TABLE(L_EXTRA, cel_rows_reverse),           TABLE(L_STANDARD, cel_rows_texts),
    TABLE(L_STANDARD, cel_rows_time),           TABLE(L_KUBERNETES, cel_rows_url),
};
const size_t cel_table_count = ARRAY_LEN(cel_tables);
