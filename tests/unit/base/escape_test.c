#include "base/escape.h"

#include "support/test.h"

TEST(base64_reads_back_what_it_wrote)
{
    static const struct {
        str in;
        const char *out;
    } rows[] = {
        {STR_INIT(""), ""},
        {STR_INIT("f"), "Zg=="},
        {STR_INIT("fo"), "Zm8="},
        {STR_INIT("foo"), "Zm9v"},
        {STR_INIT("\0\xff\xfe?"), "AP/+Pw=="},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf out = {0}, back = {0};

        escape_base64(rows[i].in, true, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].out), rows[i].out);
        CHECK(unescape_base64(buf_view(&out), &back));
        CHECK_STR(buf_view(&back), rows[i].in, rows[i].out);
    }
}

TEST(base64_skips_line_ends_and_refuses_the_rest)
{
    static const char *const bad[] = {
        "Zg", "Zg=", "Zg===", "Zg==Zg==", "Z=g=", "=", "Zm9v!", "Zm 9v"};
    AUTO(buf_done) struct buf out = {0};

    CHECK(unescape_base64(STR("Zm\r\n9v\nZg==\n"), &out));
    CHECK_STR(buf_view(&out), STR("foof"), "lines");
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        if (unescape_base64(str_of(bad[i]), &out))
            test_fail(__FILE__, __LINE__, "accepted: %s", bad[i]);
        CHECK_STR(buf_view(&out), STR("foof"), bad[i]);
    }
}

TEST(percent_leaves_the_unreserved_and_what_is_named)
{
    AUTO(buf_done) struct buf out = {0};

    escape_percent(STR("aZ9-._~ /\xc3\xa9"), "/", &out);
    CHECK_STR(buf_view(&out), STR("aZ9-._~%20/%C3%A9"), "percent");
}

TEST(json_and_quoted_escapes_of_bytes_that_are_no_text)
{
    AUTO(buf_done) struct buf out = {0};

    escape_json(STR("a\x01\n\"\\/<\xe2\x80\xa9\xc3"), true, &out);
    CHECK_STR(buf_view(&out), STR("a\\u0001\\n\\\"\\\\/\\u003c\\u2029\\ufffd"), "json");
    buf_clear(&out);
    escape_quoted(STR("a\x01\a\n\"\xc3\xa9\xc3\0"), &out);
    CHECK_STR(buf_view(&out), STR("\"a\\x01\\a\\n\\\"\xc3\xa9\\xc3\\x00\""), "quoted");
}
