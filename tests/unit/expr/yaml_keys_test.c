/* Keys that JSON has none of, in helm v4.3.1's words: each was printed by fromYaml there. */
#include "expr/gotmpl/format_priv.h"
#include "support/test.h"

#define NULL_KEY \
    "error converting YAML to JSON: unsupported map key of type: %!s(<nil>), key: <nil>, value: "
#define BAD_KEY "error converting YAML to JSON: yaml: invalid map key: "

static void read_yaml(const char *text, struct buf *why)
{
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(TMPL_CHART);
    static const struct tmpl_options options;
    AUTO(tmpl_run_free) struct tmpl_run *run = tmpl_run_new(set, &options);
    struct tmpl_value v;

    CHECK(!parse_yaml(run, str_of(text), &v, why));
}

TEST(keys_that_json_has_none_of_are_told_as_go_yaml_tells_them)
{
    static const struct {
        const char *yaml, *want;
    } rows[] = {
        {"1: a\ntrue: b\n1.5: c\nnull: d", NULL_KEY "\"d\""},
        {"? [x]\n: y", BAD_KEY "[]interface {}{\"x\"}"},
        {"? {a: 1}\n: y", BAD_KEY "map[interface {}]interface {}{\"a\":1}"},
        {"? [1, 2.5, true, null, [x], {b: c, a: 1.0}]\n: y",
         BAD_KEY "[]interface {}{1, 2.5, true, interface {}(nil), []interface {}{\"x\"}, "
                 "map[interface {}]interface {}{\"a\":1, \"b\":\"c\"}}"},
        {"? []\n: y", BAD_KEY "[]interface {}{}"},
        {"? ['a]', \"b\\\"]\"]\n: y", BAD_KEY "[]interface {}{\"a]\", \"b\\\"]\"}"},
        {"~: {a: [1, 2.5, x, true, null]}",
         NULL_KEY "map[interface {}]interface {}{\"a\":[]interface {}{1, 2.5, \"x\", true, "
                  "interface {}(nil)}}"},
        {"a: {null: [x]}", NULL_KEY "[]interface {}{\"x\"}"},
        {"a: [{~: 1}]", NULL_KEY "1"},
        {"null: 1\n? [x]\n: y", BAD_KEY "[]interface {}{\"x\"}"},
        {"? [x]\n: y\nnull: 1", BAD_KEY "[]interface {}{\"x\"}"},
        {"null: 100000000000000000000", NULL_KEY "1e+20"},
        {"null: 18446744073709551615", NULL_KEY "18446744073709551615"},
        {"null: \"a\\tb\\u00e9\\u0001\"", NULL_KEY "\"a\\tb\xc3\xa9\\x01\""},
        {"null: .inf", NULL_KEY "+Inf"},
        {"null:", NULL_KEY "<nil>"},
        {"null: {}", NULL_KEY "map[interface {}]interface {}{}"},
        {"a: {? {z: 1, b: [1]} : 2}",
         BAD_KEY "map[interface {}]interface {}{\"b\":[]interface {}{1}, \"z\":1}"},
        {"? [1e21, 123456789.0, 0.00001]\n: z",
         BAD_KEY "[]interface {}{1e+21, 1.23456789e+08, 1e-05}"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf why = {0};

        read_yaml(rows[i].yaml, &why);
        CHECK_STR(buf_view(&why), str_of(rows[i].want), rows[i].yaml);
    }
}

/* Where the key is not at hand as a text of its own, our words stand: nothing is made up. */
TEST(keys_that_cannot_be_told_keep_our_words)
{
    static const char *const rows[] = {
        "? - a\n  - b\n: y",   "b: &k [x]\n*k : y",  "? [x\n: y",
        "\xc3\xa9: {null: 1}", "a: {null: 1, b: [}",
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(buf_done) struct buf why = {0};

        read_yaml(rows[i], &why);
        CHECK(str_starts(buf_view(&why), STR("error converting YAML to JSON: yaml: ")));
        CHECK(!str_contains(buf_view(&why), STR("interface {}")));
    }
}
