#include "base/utf8.h"

#include "support/test.h"

TEST(utf8_start_cuts_between_characters)
{
    static const struct {
        const char *in;
        size_t most;
        const char *want;
    } rows[] = {{"abc", 3, "abc"},
                {"abc", 4, "abc"},
                {"abc", 2, "ab"},
                {"abc", 0, ""},
                {"a\xc3\xa9z", 3, "a\xc3\xa9"},
                {"a\xc3\xa9z", 2, "a"},
                {"\xe2\x82\xac!", 2, ""},
                {"\xe2\x82\xac!", 3, "\xe2\x82\xac"},
                {"\x80\x80\x80", 2, ""}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK_STR(utf8_start(str_of(rows[i].in), rows[i].most), str_of(rows[i].want), rows[i].in);
}

TEST(utf8_count_counts_characters)
{
    static const struct {
        const char *in;
        size_t want;
    } rows[] = {{"", 0}, {"abc", 3}, {"a\xc3\xa9z", 3}, {"\xe2\x82\xac\xf0\x9f\x98\x80", 2}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK_INT(utf8_count(str_of(rows[i].in)), rows[i].want, rows[i].in);
}
