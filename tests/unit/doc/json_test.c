#include "base/mem.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "support/test.h"

TEST(json_reads_and_prints_the_same_text)
{
    static const char *const rows[] = {
        "{}",
        "[]",
        "null",
        "\"\"",
        "[1,-0,0.5,1e3,12345678901234567890123,-1.5E-7]",
        "{\"a\":{\"b\":[true,false,null]},\"c\":\"text longer than sixteen bytes, twice over\"}",
        "{\"\":\"empty key\",\"é\":\"日本\",\"\\\"\":\"\\\\\"}",
        "[\"\\b\\f\\n\\r\\t\\u0000\\u001f\x7f/\"]",
        "[[[[[[[[]]]]]]],{\"x\":[]}]",
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(buf_done) struct buf out = {0};
        struct doc_node *n = doc_parse_json(set, str_of(rows[i]), "t", &e);

        CHECK_OK(&e);
        doc_emit_json(n, 0, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i]), rows[i]);
    }
}

TEST(json_escapes_become_characters)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"\"\\u0041\\/\\ud83d\\ude00\"", "\"A/😀\""},
        {"\"\\ud83d\"", "\"\xef\xbf\xbd\""},
        {"\"\\ude00x\\ud83d\\u0041\"", "\"\xef\xbf\xbdx\xef\xbf\xbd"
                                       "A\""},
        {"{\"\\u0061b\":\"long enough to be copied in blocks \\n and more behind it\"}",
         "{\"ab\":\"long enough to be copied in blocks \\n and more behind it\"}"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(buf_done) struct buf out = {0};
        struct doc_node *n = doc_parse_json(set, str_of(rows[i].in), "t", &e);

        CHECK_OK(&e);
        doc_emit_json(n, 0, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].out), rows[i].in);
    }
}

/* Borrowed, with no NUL behind it, for the sanitizer to see. */
static void check_view_fails(str text, str message)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(mem_free_str) char *copy = mem_alloc(text.len ? text.len : 1);

    memcpy(copy, text.p, text.len);
    CHECK(!doc_parse_json_view(set, (str){copy, text.len}, "f", &e));
    CHECK_STR(str_of(err_text(&e)), message, text.p);
}

TEST(json_mistakes_are_named_with_their_place)
{
    static const struct {
        const char *in, *message;
    } rows[] = {
        {"", "f:1:1: the text ends where a value is expected"},
        {"\xef\xbb\xbf{}", "f:1:1: JSON must not begin with a byte-order mark"},
        {"{\"a\":1,}", "f:1:8: a key in double quotes is expected here"},
        {"{\"a\":1 \"b\"}", "f:1:8: ',' or '}' is expected here"},
        {"[1 2]", "f:1:4: ',' or ']' is expected here"},
        {"[1,\n 2", "f:1:1: this list is not closed"},
        {"{\"a\" 1}", "f:1:6: ':' is expected behind a key"},
        {"{\n  \"a\": 1,\n  \"a\": 2}", "f:3:3: duplicate key \"a\""},
        {"[01]", "f:1:2: a number must not begin with 0"},
        {"[1.]", "f:1:3: a digit is expected behind the decimal point"},
        {"[1e]", "f:1:3: a digit is expected in the exponent"},
        {"[+1]", "f:1:2: a value is expected here"},
        {"[tru]", "f:1:2: a value is expected here"},
        {"[\"a\nb\"]", "f:1:4: a control character in a string must be written as an escape"},
        {"[\"a]", "f:1:2: this string is not closed"},
        {"[\"a\\x\"]", "f:1:4: unknown escape in a string"},
        {"[\"\\u12g4\"]", "f:1:3: four hexadecimal digits are expected behind \\u"},
        {"[\"a\xff\"]", "f:1:4: a string is not UTF-8"},
        {"{} x", "f:1:4: nothing may follow the value"},
        {"{}}", "f:1:3: nothing may follow the value"},
        {"[[1] \n", "f:1:1: this list is not closed"},
        {"[{\"a\":1]", "f:1:8: ',' or '}' is expected here"},
        {"{\"a\":}", "f:1:6: a value is expected here"},
        {"{\"a\":-}", "f:1:6: a value is expected here"},
        {"{\"a}", "f:1:2: this string is not closed"},
        {"{\"a\\u\"}", "f:1:4: four hexadecimal digits are expected behind \\u"},
        {"[t]", "f:1:2: a value is expected here"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        uint32_t sources = set->source_count;

        CHECK(!doc_parse_json(set, str_of(rows[i].in), "f", &e));
        CHECK(e.kind == ERR_INVALID);
        CHECK_STR(str_of(err_text(&e)), str_of(rows[i].message), rows[i].in);
        CHECK(e.diags && e.diags->len == 1);
        CHECK_INT(set->source_count, sources, "the set is as before");
        check_view_fails(str_of(rows[i].in), str_of(rows[i].message));
    }
}

TEST(json_is_read_to_a_bounded_depth)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    buf_add_repeat(&text, '[', 10000);
    buf_add_repeat(&text, ']', 10000);
    CHECK(doc_parse_json(set, buf_view(&text), "t", &e) != NULL);
    buf_clear(&text);
    buf_add_repeat(&text, '[', 100000);
    CHECK(!doc_parse_json(set, buf_view(&text), "t", &e));
    CHECK(str_contains(str_of(err_text(&e)), STR("t:1:10001: ")));
}

TEST(json_view_reads_nothing_past_its_end)
{
    static const char text[] = "{\"name\": \"value of some length\"} ";

    for (size_t len = 0; len < sizeof(text) - 1; len++) {
        AUTO(err_done) struct err e = {0};
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(mem_free_str)
        char *copy = mem_alloc(len ? len : 1); /* no NUL behind it, for the sanitizer to see */
        struct doc_node *n;

        memcpy(copy, text, len);
        n = doc_parse_json_view(set, (str){copy, len}, "t", &e);
        CHECK_INT(n != NULL, len >= sizeof(text) - 2, "complete");
        if (n)
            CHECK(doc_string(doc_get_lit(n, "name"), STR_NONE).p == copy + 10);
    }
}

TEST(json_nodes_know_their_places)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *n =
        doc_parse_json(set, STR("{\"a\": 1,\n \"\\u0062\": [true, \"x\"]}"), "t", &e);
    struct doc_node *b = doc_get_lit(n, "b"), *x = doc_item(b, 1);

    CHECK_INT(doc_key_place(set, b).line, 2, "key line");
    CHECK_INT(doc_key_place(set, b).column, 2, "key column");
    CHECK_INT(doc_place(set, x).column, 19, "item column");
    CHECK_INT(x->end - x->begin, 3, "span with quotes");
    CHECK_INT(n->end - n->begin, 32, "span of all");
}

TEST(json_large_maps_refuse_a_repeated_key)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *n;

    buf_add_char(&text, '{');
    for (int i = 0; i < 1000; i++)
        buf_addf(&text, "\"key%d\":%d,", i, i);
    n = doc_parse_json(set, (buf_add_cstr(&text, "\"z\":0}"), buf_view(&text)), "t", &e);
    CHECK_OK(&e);
    CHECK_INT(doc_int(doc_get_lit(n, "key777"), 0), 777, "lookup");
    buf_trunc(&text, text.len - 1);
    buf_add_cstr(&text, ",\"key500\":1}");
    CHECK(!doc_parse_json(set, buf_view(&text), "t", &e));
    CHECK(str_ends(str_of(err_text(&e)), STR("duplicate key \"key500\"")));
}

TEST(json_repeated_keys_may_take_the_last_value)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};
    struct doc_node *n = doc_parse_json_flags(
        set, STR("{\"a\":{\"x\":[1,2]},\"b\":1,\"a\":{\"y\":1,\"y\":true},\"a\":[\"z\"],\"c\":0}"),
        DOC_LAST_WINS, "t", &e);

    CHECK_OK(&e);
    doc_emit_json(n, 0, &out);
    CHECK_STR(buf_view(&out), STR("{\"a\":[\"z\"],\"b\":1,\"c\":0}"), "first place, last value");
}

static void check_flags(const char *in, unsigned flags, const char *want)
{
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf out = {0};

    doc_emit_json(doc_parse_json(set, str_of(in), "t", &e), flags, &out);
    CHECK_OK(&e);
    CHECK_STR(buf_view(&out), str_of(want), in);
}

TEST(json_prints_in_the_form_asked_for)
{
    check_flags("{\"b\":1,\"a\":[{\"d\":1,\"c\":2}]}", DOC_JSON_SORTED,
                "{\"a\":[{\"c\":2,\"d\":1}],\"b\":1}");
    check_flags("{\"b\":1,\"a\":[{},[],2]}", DOC_JSON_PRETTY,
                "{\n  \"b\": 1,\n  \"a\": [\n    {},\n    [],\n    2\n  ]\n}");
    check_flags("[\"<a href='x'>&\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\"]", DOC_JSON_HTML,
                "[\"\\u003ca href='x'\\u003e\\u0026\\u2028\\u2029\xe2\x80\xaa\"]");
    check_flags("[1.0,1e3,0.1,1e-7,-0,123456789012345678901,1e21,0.30000000000000004]",
                DOC_JSON_CANON,
                "[1,1000,0.1,1e-7,0,123456789012345680000,1e+21,0.30000000000000004]");
}

TEST(json_numbers_of_yaml_become_decimal)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"0x1F", "31"},
        {"0o17", "15"},
        {"1_000", "1000"},
        {".5", "0.5"},
        {"+7", "7"},
        {"-0x10", "-16"},
        {"1.", "1"},
        {".inf", "\".inf\""},
        {"0b11", "3"},
        {"1_0.5e2", "1050"},
        {"18446744073709551615", "18446744073709551615"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(doc_set_free) struct doc_set *set = doc_set_new();
        AUTO(buf_done) struct buf out = {0};

        doc_emit_json(doc_new_number(set, str_of(rows[i].in)), 0, &out);
        CHECK_STR(buf_view(&out), str_of(rows[i].out), rows[i].in);
    }
}

TEST(json_strings_of_any_length_are_quoted_alike)
{
    for (size_t len = 0; len < 20000; len = len < 80 ? len + 1 : len * 3 / 2) {
        AUTO(buf_done) struct buf text = {0}, out = {0}, want = {0};

        for (size_t i = 0; i < len; i++) { /* "é", quotes, line ends and < in every phase */
            buf_add_cstr(&text, i % 7 == 6 ? "\n" : i % 11 == 10 ? "\"" : i % 5 == 4 ? "é" : "<");
            buf_add_cstr(&want, i % 7 == 6     ? "\\n"
                                : i % 11 == 10 ? "\\\""
                                : i % 5 == 4   ? "é"
                                               : "<");
        }
        doc_json_quote(buf_view(&text), 0, &out);
        CHECK_STR(str_sub(buf_view(&out), 1, out.len - 2), buf_view(&want), "plain");
    }
}
