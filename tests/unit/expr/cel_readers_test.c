/* What the functions of CEL read from texts: times, quantities, addresses, URLs. */
#include "expr/cel/cel_priv.h"
#include "expr/net/address.h"
#include "expr/net/url.h"

#include "support/test.h"

TEST(cel_times_print_as_they_were_read)
{
    static const char *const rows[][2] = {
        {"2031-04-05T06:07:08Z", "2031-04-05T06:07:08Z"},
        {"2031-04-05T06:07:08.250+02:30", "2031-04-05T06:07:08.25+02:30"},
        {"1960-02-29T00:00:00,000000001Z", "1960-02-29T00:00:00.000000001Z"},
        {"2031-02-29T00:00:00Z", NULL},
        {"2031-04-05 06:07:08Z", NULL},
        {"2031-04-05T06:07:08.Z", NULL},
        {"2031-04-05T06:07:08", NULL},
        {"2031-04-05T06:07:08+25:00", NULL}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};
        struct cel_time t;
        bool is_time = cel_time_parse(str_of(rows[i][0]), &t);

        CHECK_INT(is_time, rows[i][1] != NULL, rows[i][0]);
        if (is_time)
            cel_time_print(&t, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i][1]), rows[i][0]);
    }
}

TEST(cel_times_stay_between_the_years_1_and_9999)
{
    struct cel_time t;

    CHECK(cel_time_parse(STR("9999-12-31T23:59:59Z"), &t));
    CHECK(cel_time_add(&t, 999999999));
    CHECK(!cel_time_add(&t, 1));
    CHECK_INT(t.nanos, 999999999, "as before");
    CHECK(cel_time_parse(STR("0001-01-01T00:00:00Z"), &t));
    CHECK(!cel_time_add(&t, -1));
}

TEST(cel_durations_print_in_seconds)
{
    static const struct {
        int64_t ns;
        const char *text;
    } rows[] = {{0, "0s"},
                {1, "0.000000001s"},
                {-250000000, "-0.25s"},
                {61000000000, "61s"},
                {-1500000000, "-1.5s"}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        cel_duration_print(rows[i].ns, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].text), rows[i].text);
    }
}

TEST(cel_positions_count_code_points)
{
    CHECK_INT(cel_code_points(STR("x\xc3\xa9\xe6\x97\xa5z")), 4, "of mixed widths");
    CHECK_INT((int64_t)cel_offset_of(STR("x\xc3\xa9\xe6\x97\xa5z"), 2), 3, "the third");
    CHECK_INT((int64_t)cel_offset_of(STR("xy"), 7), 2, "behind the end");
}

TEST(cel_addresses_print_in_one_form)
{
    static const char *const rows[][2] = {{"172.16.0.9", "172.16.0.9"},
                                          {"FD00:0:0:0:5:0:0:A", "fd00::5:0:0:a"},
                                          {"1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"},
                                          {"::", "::"},
                                          {"5::", "5::"},
                                          {"64:ff9b::198.51.100.7", "64:ff9b::c633:6407"},
                                          {"172.16.0", NULL},
                                          {"172.16.0.09", NULL},
                                          {"1::2::3", NULL},
                                          {"1:2:3:4:5:6:7", NULL},
                                          {"1:2:3:4:5:6:7:8::", NULL},
                                          {"1:2:3:4:5:6:7:8:9", NULL},
                                          {"1.2.3.4::", NULL},
                                          {"::1.2.3.4.5", NULL},
                                          {"", NULL}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0}, why = {0};
        struct net_address a;
        bool is_address = net_address_parse(str_of(rows[i][0]), &a, &why);

        CHECK_INT(is_address, rows[i][1] != NULL, rows[i][0]);
        CHECK_INT(why.len == 0, is_address, rows[i][0]);
        if (is_address)
            net_address_print(&a, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i][1]), rows[i][0]);
    }
}

TEST(cel_urls_come_apart)
{
    AUTO(arena_done) struct arena arena = {0};
    AUTO(buf_done) struct buf why = {0};
    struct net_url url;

    CHECK(net_url_parse(&arena, STR("HTTPS://me:x@Host.test:81/a c/%2f?q=1#end"),
                        NET_URL_COLONS_LOOSE, &url, &why));
    CHECK_STR(url.scheme, STR("https"), "scheme");
    CHECK_STR(url.host, STR("Host.test:81"), "host");
    CHECK_STR(url.escaped_path, STR("/a%20c//"), "path");
    CHECK_STR(url.query, STR("q=1"), "query");
}

TEST(cel_urls_are_refused_with_the_reason)
{
    static const char *const rows[][2] = {
        {"", "parse \"\": empty url"},
        {"here", "parse \"here\": invalid URI for request"},
        {"x://h:p/", "parse \"x://h:p/\": invalid port \":p\" after host"},
        {"x://[::1", "parse \"x://[::1\": missing ']' in host"},
        {"x://[1.2.3.4]", "parse \"x://[1.2.3.4]\": invalid IP-literal"},
        {"x://[a]:1", "parse \"x://[a]:1\": invalid host: ParseAddr(\"a\"): unable to parse IP"},
        {"x://[::1%25]",
         "parse \"x://[::1%25]\": invalid host: ParseAddr(\"::1%\"): zone must be a "
         "non-empty string"},
        {"/%4", "parse \"/%4\": invalid URL escape \"%4\""}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf why = {0};

        CHECK(!net_url_check_request(str_of(rows[i][0]), &why));
        CHECK_STR(buf_view(&why), str_of(rows[i][1]), rows[i][0]);
    }
}
