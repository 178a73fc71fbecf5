#include "base/duration.h"
#include "support/test.h"

TEST(durations_are_read_as_go_reads_them)
{
    static const struct {
        const char *in;
        bool ok;
        int64_t ns;
    } rows[] = {{"300ms", true, 300000000},
                {"1.5h", true, 5400000000000},
                {"1h30m", true, 5400000000000},
                {"-2s", true, -2000000000},
                {"0", true, 0},
                {".5s", true, 500000000},
                {"1.s", true, 1000000000},
                {"1us", true, 1000},
                {"5", false, 0},
                {"s", false, 0},
                {".s", false, 0},
                {"", false, 0},
                {"1 s", false, 0},
                {"1x", false, 0},
                {"3000000h", false, 0}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        int64_t ns = 0;

        CHECK_INT(duration_parse_ns(str_of(rows[i].in), &ns), rows[i].ok, rows[i].in);
        if (rows[i].ok)
            CHECK_INT(ns, rows[i].ns, rows[i].in);
    }
}

TEST(durations_print_as_go_prints_them)
{
    static const struct {
        int64_t ms;
        const char *want;
    } rows[] = {{0, "0s"},           {5, "5ms"},          {1500, "1.5s"}, {160000, "2m40s"},
                {3600000, "1h0m0s"}, {61001, "1m1.001s"}, {-20, "-20ms"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        duration_format_ms(rows[i].ms, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].want);
    }
}
