#include <math.h>

#include "base/num.h"

#include "support/test.h"

TEST(doubles_print_as_short_as_they_read_back)
{
    static const struct {
        double value;
        const char *go, *json;
    } rows[] = {
        {0, "0", "0"},
        {1, "1", "1"},
        {-2.5, "-2.5", "-2.5"},
        {0.1, "0.1", "0.1"},
        {20.01, "20.01", "20.01"},
        {1e20, "100000000000000000000", "100000000000000000000"},
        {1e21, "1e+21", "1e+21"},
        {1.25e-5, "1.25e-05", "0.0000125"},
        {1.25e-7, "1.25e-07", "1.25e-7"},
        {5e-324, "5e-324", "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308", "1.7976931348623157e+308"},
        {9007199254740993.0, "9007199254740992", "9007199254740992"},
        {0.30000000000000004, "0.30000000000000004", "0.30000000000000004"},
        {0, "0", "0"},
        {-7, "-7", "-7"},
        {-999999999999999, "-999999999999999", "-999999999999999"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        num_add_double(&out, rows[i].value, NUM_GO);
        CHECK_STR(buf_view(&out), str_of(rows[i].go), rows[i].go);
        buf_clear(&out);
        num_add_double(&out, rows[i].value, NUM_JSON);
        CHECK_STR(buf_view(&out), str_of(rows[i].json), rows[i].json);
    }
}

TEST(doubles_in_short_notation_turn_to_an_exponent_early)
{
    static const struct {
        double value;
        const char *want;
    } rows[] = {
        {0, "0"}, {123456.789, "123456.789"}, {1234567.5, "1.2345675e+06"}, {-1.5e-10, "-1.5e-10"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        num_add_double(&out, rows[i].value, NUM_G);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].want);
    }
}

TEST(powers_of_ten_are_the_nearest_doubles)
{
    static const struct {
        int64_t exponent;
        double want;
    } rows[] = {{0, 1},     {3, 1000},    {22, 1e22},      {23, 1e23}, {-1, 0.1},
                {-9, 1e-9}, {308, 1e308}, {309, INFINITY}, {-400, 0},  {INT64_MIN, 0}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        CHECK(num_pow10(rows[i].exponent) == rows[i].want);
}

TEST(code_points_are_read_one_by_one_and_bad_bytes_skipped)
{
    static const struct {
        const char *text;
        uint32_t want;
        size_t width;
    } rows[] = {{"a", 'a', 1},
                {"\xc3\xa9", 0xe9, 2},
                {"\xe6\x97\xa5", 0x65e5, 3},
                {"\xf0\x9f\x98\x80", 0x1f600, 4},
                {"\xff", 0xfffd, 1},
                {"\xed\xa0\x80", 0xfffd, 1},
                {"\xe6\x97", 0xfffd, 1}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        size_t width = 0;

        CHECK_INT(str_utf8_at(str_of(rows[i].text), 0, &width), rows[i].want, rows[i].text);
        CHECK_INT((long long)width, (long long)rows[i].width, rows[i].text);
    }
}
