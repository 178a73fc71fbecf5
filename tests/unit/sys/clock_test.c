#include "sys/clock.h"

#include "support/test.h"

static clock_ms fixed(void) { return 5000; }

TEST(clock_after_and_left_do_not_overflow)
{
    clock_replace(fixed);
    CHECK_INT(clock_after(20), 5020, "20 ms");
    CHECK_INT(clock_after(-1), 5000, "the past is now");
    CHECK_INT(clock_after(INT64_MAX), CLOCK_NEVER, "never");
    CHECK_INT(clock_after(INT64_MAX - 10), CLOCK_NEVER, "almost never");
    CHECK_INT(clock_left(5030), 30, "left");
    CHECK_INT(clock_left(4000), 0, "past");
    CHECK(clock_left(CLOCK_NEVER) == CLOCK_NEVER);
    CHECK(!clock_is_real());
    clock_replace(NULL);
    CHECK(clock_is_real());
    CHECK(clock_now() > 0);
}

TEST(clock_writes_and_reads_rfc3339)
{
    static const struct {
        int64_t ms;
        int digits;
        const char *text;
    } rows[] = {
        {0, 0, "1970-01-01T00:00:00Z"},
        {1767323045000, 0, "2026-01-02T03:04:05Z"},
        {1767323045067, 3, "2026-01-02T03:04:05.067Z"},
        {1767323045067, 6, "2026-01-02T03:04:05.067000Z"},
        {951782400000, 0, "2000-02-29T00:00:00Z"},
        {4107542399999, 3, "2100-02-28T23:59:59.999Z"},
        {-1, 3, "1969-12-31T23:59:59.999Z"},
        {-62135596800000, 0, "0001-01-01T00:00:00Z"},
        {253402300799000, 0, "9999-12-31T23:59:59Z"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};
        int64_t back = 0;

        clock_rfc3339(rows[i].ms, rows[i].digits, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].text), rows[i].text);
        CHECK(clock_parse_rfc3339(buf_view(&out), &back));
        CHECK_INT(back, rows[i].ms, rows[i].text);
    }
}

TEST(clock_reads_zones_and_long_fractions)
{
    int64_t ms = 0;

    CHECK(clock_parse_rfc3339(STR("2026-01-02T05:04:05.123456789+02:00"), &ms));
    CHECK_INT(ms, 1767323045123, "+02:00");
    CHECK(clock_parse_rfc3339(STR("2026-01-01T22:34:05-04:30"), &ms));
    CHECK_INT(ms, 1767323045000, "-04:30");
}

TEST(clock_refuses_what_is_no_time)
{
    static const char *const rows[] = {
        "",
        "2026-01-02",
        "2026-1-02T03:04:05Z",
        "2026-13-02T03:04:05Z",
        "2026-02-29T03:04:05Z",
        "2026-00-02T03:04:05Z",
        "2026-01-02T24:04:05Z",
        "2026-01-02T03:60:05Z",
        "2026-01-02T03:04:05",
        "2026-01-02T03:04:05.Z",
        "2026-01-02T03:04:05Zx",
        "2026-01-02T03:04:05+0200",
        "2026-01-02 03:04:05Z",
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        int64_t ms;

        if (clock_parse_rfc3339(str_of(rows[i]), &ms))
            test_fail(__FILE__, __LINE__, "accepted: %s", rows[i]);
    }
}
