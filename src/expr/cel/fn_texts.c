/* The standard tests on strings (cel spec 7). */
#include "expr/cel/fn_priv.h"

FN(contains) { return cel_make_bool(str_contains(a[0].s, a[1].s)); }
FN(starts_with) { return cel_make_bool(str_starts(a[0].s, a[1].s)); }
FN(ends_with) { return cel_make_bool(str_ends(a[0].s, a[1].s)); }

FN(matches)
{
    AUTO(err_done) struct err e = {0};
    const struct re *re = cel_pattern(r, a[1].s, &e);

    if (!re)
        return cel_fail(r->arena, CEL_OTHER, "%s", err_text(&e));
    return cel_make_bool(re_match(re, a[0].s));
}

const struct cel_row cel_rows_texts[] = {
    {"contains", true, "string,string", "bool", contains},
    {"startsWith", true, "string,string", "bool", starts_with},
    {"endsWith", true, "string,string", "bool", ends_with},
    {"matches", true, "string,string", "bool", matches},
    {"matches", false, "string,string", "bool", matches},
};
