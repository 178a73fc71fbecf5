#include "base/str.h"
#include "support/test.h"

TEST(str_cut_splits_at_first_separator)
{
    static const struct {
        const char *in, *head, *rest;
    } rows[] = {{"a=b=c", "a", "b=c"}, {"plain", "plain", ""}, {"=x", "", "x"}, {"a=", "a", ""}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        str rest, head = str_cut(str_of(rows[i].in), '=', &rest);

        CHECK_STR(head, str_of(rows[i].head), rows[i].in);
        CHECK_STR(rest, str_of(rows[i].rest), rows[i].in);
    }
}

TEST(str_to_int64_takes_the_whole_range_and_nothing_else)
{
    static const struct {
        const char *in;
        bool ok;
        int64_t value;
    } rows[] = {{"0", true, 0},
                {"-9223372036854775808", true, INT64_MIN},
                {"9223372036854775807", true, INT64_MAX},
                {"9223372036854775808", false, 0},
                {"", false, 0},
                {"-", false, 0},
                {"1x", false, 0}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        int64_t value = 0;

        CHECK_INT(str_to_int64(str_of(rows[i].in), &value), rows[i].ok, rows[i].in);
        CHECK_INT(value, rows[i].value, rows[i].in);
    }
}

TEST(str_is_utf8_refuses_overlong_forms_and_surrogates)
{
    static const struct {
        const char *in;
        bool ok;
    } rows[] = {{"plain ascii text", true}, {"h\xc3\xa9", true},      {"\xf0\x9f\x98\x80", true},
                {"\xc0\xaf", false},        {"\xed\xa0\x80", false},  {"\xf4\x90\x80\x80", false},
                {"\xe2\x82", false},        {"abcdefgh\x80ij", false}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK_INT(str_is_utf8(str_of(rows[i].in), NULL), rows[i].ok, rows[i].in);
}

TEST(str_edit_distance_counts_changes)
{
    CHECK_INT(str_edit_distance(STR("kitten"), STR("sitting"), 5), 3, "kitten");
    CHECK_INT(str_edit_distance(STR("abc"), STR("abc"), 5), 0, "same");
    CHECK_INT(str_edit_distance(STR("ste"), STR("set"), 5), 1, "neighbours swapped");
    CHECK_INT(str_edit_distance(STR("abcd"), STR("badc"), 5), 2, "twice");
    CHECK_INT(str_edit_distance(STR(""), STR("ab"), 5), 2, "from nothing");
    CHECK_INT(str_edit_distance(STR("abcdef"), STR("uvwxyz"), 2), 3, "over the limit");
}

TEST(str_contains_nocase_finds_letters_and_other_bytes)
{
    static const struct {
        const char *in, *needle;
        bool want;
    } rows[] = {{"a: .INF", ".inf", true}, {"a.b.c.Inf", ".inf", true}, {"a..in", ".inf", false},
                {"xyAbC", "aBc", true},    {"xyab", "abc", false},      {".", ".", true},
                {"", ".", false},          {"abc", "", true},           {"no dot", ".inf", false}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK_INT(str_contains_nocase(str_of(rows[i].in), str_of(rows[i].needle)), rows[i].want,
                  rows[i].in);
}
