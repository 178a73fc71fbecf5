/* All functions, by library. */
#include "expr/cel/fn_priv.h"

void cel_add_row(const struct cel_rows *to, const char *name, bool is_member, const char *params,
                 const char *result, cel_function_fn *run)
{
    to->take(to->ctx, &(struct cel_row){name, is_member, params, result, run});
}

const struct cel_table cel_tables[] = {
    {L_STANDARD, cel_rows_compare},    {L_STANDARD, cel_rows_convert},
    {L_ENCODERS, cel_rows_encoders},   {L_STRINGS, cel_rows_format},
    {L_EXTRA, cel_rows_reverse},       {L_KUBERNETES, cel_rows_lists},
    {L_MATH, cel_rows_math},           {L_KUBERNETES, cel_rows_named_format},
    {L_KUBERNETES, cel_rows_net},      {L_STANDARD, cel_rows_operators},
    {L_KUBERNETES, cel_rows_optional}, {L_KUBERNETES, cel_rows_ordered},
    {L_KUBERNETES, cel_rows_quantity}, {L_KUBERNETES, cel_rows_regex},
    {L_KUBERNETES, cel_rows_semver},   {L_KUBERNETES, cel_rows_sets},
    {L_STRINGS, cel_rows_strings},     {L_STANDARD, cel_rows_texts},
    {L_STANDARD, cel_rows_time},       {L_KUBERNETES, cel_rows_url},
};
const size_t cel_table_count = ARRAY_LEN(cel_tables);
