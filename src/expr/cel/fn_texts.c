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

void cel_rows_texts(const struct cel_rows *to)
{
    cel_add_row(to, "contains", true, "string,string", "bool", contains);
    cel_add_row(to, "startsWith", true, "string,string", "bool", starts_with);
    cel_add_row(to, "endsWith", true, "string,string", "bool", ends_with);
    cel_add_row(to, "matches", true, "string,string", "bool", matches);
    cel_add_row(to, "matches", false, "string,string", "bool", matches);
}
