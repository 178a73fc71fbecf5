#include "res/name.h"

#include "base/ascii.h"

static bool is_alnum(char c) { return ascii_is_lower(c) || ascii_is_digit(c); }

bool res_is_label(str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!is_alnum(s.p[i]) && (s.p[i] != '-' || i == 0 || i + 1 == s.len))
            return false;
    return s.len > 0;
}

bool res_is_subdomain(str s)
{
    do {
        if (!res_is_label(str_cut(s, '.', &s)))
            return false;
    } while (s.p);
    return true;
}
