#include "res/quantity.h"

#include "support/test.h"

TEST(quantities_compare_by_value)
{
    static const struct {
        const char *a, *b;
        int order;
    } rows[] = {{"2Ki", "2048", 0},    {"0.5", "500m", 0}, {"-3", "2", -1},
                {"7e400", "7e399", 1}, {"1n", "0.3n", 0},  {"20Ei", "9223372036854775807", 0},
                {"-1.5k", "-1500", 0}, {"0", "-0.0", 0},   {"12345678901234567890123", "1E", 1},
                {"999999u", "1", -1}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct res_quantity a, b;

        CHECK(res_quantity_parse(str_of(rows[i].a), &a) == RES_QUANTITY_FINE);
        CHECK(res_quantity_parse(str_of(rows[i].b), &b) == RES_QUANTITY_FINE);
        CHECK_INT(res_quantity_compare(&a, &b), rows[i].order, rows[i].a);
        CHECK_INT(res_quantity_compare(&b, &a), -rows[i].order, rows[i].a);
    }
}

TEST(quantities_are_integers_by_how_they_are_written)
{
    static const struct {
        const char *text;
        bool is_int;
        int64_t i;
    } rows[] = {{"2.5k", true, 2500},
                {"7Mi", true, 7340032},
                {"2.0", false, 0},
                {"3000m", false, 0},
                {"5Pi", false, 0},
                {"-12", true, -12},
                {"9e18", true, 9000000000000000000},
                {"9e19", false, 0}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct res_quantity q;
        int64_t n = 0;

        CHECK(res_quantity_parse(str_of(rows[i].text), &q) == RES_QUANTITY_FINE);
        CHECK_INT(res_quantity_to_int(&q, &n), rows[i].is_int, rows[i].text);
        CHECK_INT(n, rows[i].i, rows[i].text);
    }
}

TEST(quantities_add_over_any_distance)
{
    struct res_quantity a, b, sum;

    CHECK(res_quantity_parse(STR("1e900"), &a) == RES_QUANTITY_FINE);
    CHECK(res_quantity_parse(STR("3"), &b) == RES_QUANTITY_FINE);
    sum = res_quantity_add(b, a);
    CHECK(res_quantity_compare(&sum, &a) >= 0);
    sum = res_quantity_add(b, res_quantity_negate(b));
    CHECK(sum.number == 0);
    CHECK(res_quantity_parse(STR("1e99999999999"), &a) == RES_QUANTITY_BAD_SUFFIX);
    CHECK(res_quantity_parse(STR("1 "), &a) == RES_QUANTITY_BAD_FORM);
}

/* As apimachinery prints them, and after it rounds them up to thousandths. */
TEST(quantities_print_in_one_form)
{
    static const struct {
        const char *text, *want, *in_thousandths;
    } rows[] = {
        {"0", "0", "0"},
        {"-0", "0", "0"},
        {"0.0", "0", "0"},
        {"0Ki", "0", "0"},
        {"0k", "0", "0"},
        {"1", "1", "1"},
        {"100m", "100m", "100m"},
        {"1500m", "1500m", "1500m"},
        {"1000m", "1", "1"},
        {"0.1", "100m", "100m"},
        {".5", "500m", "500m"},
        {"5.", "5.", "5."},
        {".", "0", "0"},
        {"+1", "+1", "+1"},
        {"-1.5", "-1500m", "-1500m"},
        {"1k", "1k", "1k"},
        {"1000k", "1M", "1M"},
        {"1500k", "1500k", "1500k"},
        {"1e21", "1e21", "1e21"},
        {"1e3", "1e3", "1e3"},
        {"1E3", "1E3", "1E3"},
        {"1e-3", "1e-3", "1e-3"},
        {"1e0", "1e0", "1e0"},
        {"12e1", "120", "120"},
        {"1.5e3", "1500", "1500"},
        {"100e-1", "10", "10"},
        {"1Ki", "1Ki", "1Ki"},
        {"1024", "1024", "1024"},
        {"1024Ki", "1Mi", "1Mi"},
        {"1000Ki", "1000Ki", "1000Ki"},
        {"1536Mi", "1536Mi", "1536Mi"},
        {"1.5Ki", "1536", "1536"},
        {"0.5Ki", "512", "512"},
        {"1023Ki", "1023Ki", "1023Ki"},
        {"1Ei", "1Ei", "1Ei"},
        {"8Ei", "9223372036854775807", "9223372036854775807"},
        {"99999999Ei", "9223372036854775807", "9223372036854775807"},
        {"-1Ki", "-1Ki", "-1Ki"},
        {"-512", "-512", "-512"},
        {"-1.5Gi", "-1536Mi", "-1536Mi"},
        {"-0.1Ki", "-102400m", "-102400m"},
        {"0.1Mi", "104857600m", "104857600m"},
        {"1n", "1n", "1m"},
        {"0.1n", "1n", "1m"},
        {"1.0000000001", "1000000001n", "1001m"},
        {"1.00000000001k", "1000000000010n", "1000001m"},
        {"123456789n", "123456789n", "124m"},
        {"1u", "1u", "1m"},
        {"0.0001m", "100n", "1m"},
        {"999999999999999999", "999999999999999999", "999999999999999999"},
        {"9223372036854775807", "9223372036854775807", "9223372036854775807"},
        {"9223372036854775808", "9223372036854775808", "9223372036854775808"},
        {"99999999999999999999", "99999999999999999999", "99999999999999999999"},
        {"12345678901234567890123", "12345678901234567890123", "12345678901234567890123"},
        {"123456789012345678901234567890", "123456789012345678901234567890",
         "123456789012345678901234567890"},
        {"1234567890123456789012345678901234567890", "1234567890123456789012345678901234567890",
         "1234567890123456789012345678901234567890"},
        {"1P", "1P", "1P"},
        {"1000P", "1E", "1E"},
        {"1Pi", "1Pi", "1Pi"},
        {"1.1Gi", "1181116006400m", "1181116006400m"},
        {"100.5Mi", "102912Ki", "102912Ki"},
        {"000123", "000123", "000123"},
        {"+000.500", "500m", "500m"},
        {"1e9", "1e9", "1e9"},
        {"1e10", "10e9", "10e9"},
        {"1e12", "1e12", "1e12"},
        {"1e18", "1e18", "1e18"},
        {"1e-9", "1e-9", "1e-3"},
        {"1e-10", "1e-9", "1e-3"},
        {"5e-4", "500e-6", "1e-3"},
        {"-5e-4", "-500e-6", "-1e-3"},
        {"1.5m", "1500u", "2m"},
        {"0.0015", "1500u", "2m"},
        {"64Mi", "64Mi", "64Mi"},
        {"1073741824", "1073741824", "1073741824"},
        {"512e6", "512e6", "512e6"},
        {"1.024e3", "1.024e3", "1.024e3"},
        {"4.5E", "4500P", "4500P"},
        {"1e-100", "1e-9", "1e-3"},
        {"-9Ei", "-9223372036854775807", "-9223372036854775807"},
        {"1024m", "1024m", "1024m"},
        {"1000000u", "1", "1"},
        {" 1 ", "1", "1"},
        {"1000000000000Ki", "976562500Mi", "976562500Mi"},
        {"2048Pi", "2Ei", "2Ei"},
        {"1.2345678Ki", "1264197427200n", "1264198m"},
        {"0.001Ki", "1024m", "1024m"},
        {"-0", "0", "0"},
        {"+0", "0", "0"},
        {"00", "0", "0"},
        {"0.", "0", "0"},
        {"-0.", "0", "0"},
        {"-5.", "-5.", "-5."},
        {"+5.", "+5.", "+5."},
        {"1.0", "1", "1"},
        {"1.000k", "1k", "1k"},
        {"1.500k", "1.500k", "1.500k"},
        {"1.024k", "1.024k", "1.024k"},
        {"1024e0", "1024e0", "1024e0"},
        {"1e0", "1e0", "1e0"},
        {"01Ki", "01Ki", "01Ki"},
        {"+1Ki", "+1Ki", "+1Ki"},
        {"1.e0", "1.e0", "1.e0"},
        {"012345678901234567", "012345678901234567", "012345678901234567"},
        {"0123456789012345678", "0123456789012345678", "0123456789012345678"},
        {"00000000000000000001", "00000000000000000001", "00000000000000000001"},
        {"+12345678901234567890", "12345678901234567890", "12345678901234567890"},
        {"100", "100", "100"},
        {"1000", "1k", "1k"},
        {"10000000", "10M", "10M"},
        {"01000", "1k", "1k"},
        {"1000000", "1M", "1M"},
        {"+1000", "1k", "1k"},
        {"1.000e3", "1e3", "1e3"},
        {"1.000000M", "1M", "1M"},
        {"1024.000k", "1024k", "1024k"},
        {"0.000k", "0", "0"},
        {"0.5k", "500", "500"},
        {"05", "05", "05"},
        {"5e00", "5e00", "5e00"},
        {"5E0", "5E0", "5E0"},
        {"-5", "-5", "-5"},
        {"-05", "-05", "-05"},
        {"-1.024k", "-1.024k", "-1.024k"},
        {"20", "20", "20"},
        {"500e0", "500e0", "500e0"},
        {"+", "0", "0"},
        {"-.0", "0", "0"},
        {"k", "0", "0"},
        {".k", "0", "0"},
        {"0e5", "0", "0"},
        {"000", "0", "0"},
        {"1e3", "1e3", "1e3"},
        {"1000e0", "1e3", "1e3"},
        {"1234567890123456.78", "1234567890123456780m", "1234567890123456780m"},
        {"123456789012345678", "123456789012345678", "123456789012345678"},
        {"1000000000000000000", "1E", "1E"},
        {"1e100", "1e100", "1e100"}, /* beyond 128 bits */
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0}, rough = {0};

        CHECK(res_quantity_print(str_of(rows[i].text), 9, &out) == RES_QUANTITY_FINE);
        CHECK_STR(buf_view(&out), str_of(rows[i].want), rows[i].text);
        CHECK(res_quantity_print(str_of(rows[i].text), 3, &rough) == RES_QUANTITY_FINE);
        CHECK_STR(buf_view(&rough), str_of(rows[i].in_thousandths), rows[i].text);
    }
}

TEST(quantities_are_refused_by_form_or_suffix)
{
    static const struct {
        const char *text;
        enum res_quantity_error want;
    } rows[] = {{"", RES_QUANTITY_BAD_FORM},      {"x", RES_QUANTITY_BAD_FORM},
                {"1..2", RES_QUANTITY_BAD_FORM},  {"1 k", RES_QUANTITY_BAD_FORM},
                {"1e--5", RES_QUANTITY_BAD_FORM}, {"1kk", RES_QUANTITY_BAD_SUFFIX},
                {"+-5", RES_QUANTITY_BAD_SUFFIX}, {"1e", RES_QUANTITY_BAD_SUFFIX},
                {"1e5k", RES_QUANTITY_BAD_FORM}};

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0};

        CHECK_INT(res_quantity_print(str_of(rows[i].text), 9, &out), rows[i].want, rows[i].text);
        CHECK(out.len == 0);
    }
}
