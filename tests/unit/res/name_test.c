#include "res/name.h"

#include "support/test.h"

TEST(names_are_labels_or_labels_joined_by_dots)
{
    static const struct {
        const char *name;
        bool is_label, is_subdomain;
    } rows[] = {{"a", true, true},      {"0", true, true},        {"a-b0", true, true},
                {"a--b", true, true},   {"", false, false},       {"-a", false, false},
                {"a-", false, false},   {"A", false, false},      {"a_b", false, false},
                {"a.b", false, true},   {"a.b-c.0", false, true}, {"a..b", false, false},
                {".a", false, false},   {"a.", false, false},     {"a.-b", false, false},
                {"a-.b", false, false}, {"a b", false, false},    {"\xc3\xa9", false, false}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        CHECK_INT(res_is_label(str_of(rows[i].name)), rows[i].is_label, rows[i].name);
        CHECK_INT(res_is_subdomain(str_of(rows[i].name)), rows[i].is_subdomain, rows[i].name);
    }
}
