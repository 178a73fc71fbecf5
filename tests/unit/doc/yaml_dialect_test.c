#include "base/base.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "support/test.h"

static const enum doc_dialect go_v2[] = {DOC_MANIFEST, DOC_KUSTOMIZATION, DOC_VALUES};
static const enum doc_dialect go_v3[] = {DOC_RESOURCE, DOC_SPEC, DOC_KYAML};

/* The only document of text as JSON, or the error. */
static void check(enum doc_dialect dialect, const char *text, const char *want)
{
    AUTO(buf_done) struct buf out = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *n = doc_parse(set, str_of(text), dialect, "t", &e);

    if (n)
        doc_emit_json(n, 0, &out);
    else
        buf_add_cstr(&out, err_text(&e));
    CHECK_STR(buf_view(&out), str_of(want), text);
}

/* Rows measured with sigs.k8s.io/yaml v1.4 (go-yaml v2) and go-yaml v3.0.1. */
TEST(yaml_scalars_mean_what_they_mean_to_the_tools)
{
    static const struct {
        const char *text, *v2, *v3;
    } rows[] = {
        {"y", "true", "\"y\""},
        {"No", "false", "\"No\""},
        {"oN", "\"oN\"", "\"oN\""},
        {"True", "true", "true"},
        {"tRue", "\"tRue\"", "\"tRue\""},
        {"~", "null", "null"},
        {"Null", "null", "null"},
        {"nULL", "\"nULL\"", "\"nULL\""},
        {"0777", "511", "511"},
        {"0o17", "15", "15"},
        {"-0o17", "-15", "-15"},
        {"0b11", "3", "3"},
        {"0x_1f", "31", "31"},
        {"0_x1f", "31", "31"},
        {"08", "8", "8"},
        {"0_8", "8", "8"},
        {"1_000", "1000", "1000"},
        {"+1", "1", "1"},
        {"1e3", "1e3", "1e3"},
        {"1.", "1", "1"},
        {".5", "0.5", "0.5"},
        {"+.5", "0.5", "0.5"},
        {"._5", "\"._5\"", "\"._5\""},
        {".5_", "\".5_\"", "\".5_\""},
        {".5_0", "0.5", "0.5"},
        {"!!timestamp x", "t:1:1: this is no !!timestamp", "t:1:1: this is no !!timestamp"},
        {"1e400", "\"1e400\"", "\"1e400\""},
        {"0.1e", "\"0.1e\"", "\"0.1e\""},
        {"0x", "\"0x\"", "\"0x\""},
        {"18446744073709551615", "18446744073709551615", "18446744073709551615"},
        {"18446744073709551616", "18446744073709551616", "18446744073709551616"},
        {"12:30:45", "\"12:30:45\"", "\"12:30:45\""},
        {"1.2.3", "\"1.2.3\"", "\"1.2.3\""},
        {"'1'", "\"1\"", "\"1\""},
        {"! 12", "\"12\"", "12"},
        {"!foo 12", "\"12\"", "\"12\""},
        {"!!str 12", "\"12\"", "\"12\""},
        {"!!int '12'", "12", "12"},
        {"!!int x", "t:1:1: this is no !!int", "t:1:1: this is no !!int"},
        {"!!null ''", "null", "null"},
        {"!!bool yes", "true", "t:1:1: this is no !!bool"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        for (size_t j = 0; j < ARRAY_LEN(go_v2); j++)
            check(go_v2[j], rows[i].text, rows[i].v2);
        for (size_t j = 0; j < ARRAY_LEN(go_v3); j++)
            check(go_v3[j], rows[i].text, rows[i].v3);
    }
}

TEST(yaml_timestamps_become_rfc_3339_in_resources_only)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"2020-01-01", "\"2020-01-01T00:00:00Z\""},
        {"2001-1-4", "\"2001-01-04T00:00:00Z\""},
        {"2001-12-14t21:59:43.10-05:00", "\"2001-12-14T21:59:43.1-05:00\""},
        {"2001-12-14  21:59:43.10", "\"2001-12-14T21:59:43.1Z\""},
        {"2001-12-14 21:59:43.10", "\"2001-12-14T21:59:43.1Z\""},
        {"2001-12-14 21:59:43.10 -5", "\"2001-12-14 21:59:43.10 -5\""},
        {"2001-02-29", "\"2001-02-29\""},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        check(DOC_RESOURCE, rows[i].text, rows[i].want);
    check(DOC_SPEC, "2020-01-01", "\"2020-01-01\"");
    check(DOC_MANIFEST, "2020-01-01", "\"2020-01-01\"");
}

TEST(yaml_keys_follow_the_dialect)
{
    check(DOC_MANIFEST, "0x10: a\nyes: b\n1.0: c\n", "{\"16\":\"a\",\"true\":\"b\",\"1\":\"c\"}");
    check(DOC_MANIFEST, "~: a\n", "t:1:1: null cannot be a key");
    check(DOC_SPEC, "0x10: a\nyes: b\n1.0: c\n", "{\"0x10\":\"a\",\"yes\":\"b\",\"1.0\":\"c\"}");
    check(DOC_RESOURCE, "a: {1: b}\n", "t:1:5: the key is not a string; put it in quotes");
    check(DOC_RESOURCE, "yes: b\n", "{\"yes\":\"b\"}");
    check(DOC_SPEC, "&k a: 1\nb: *k\n", "{\"a\":1,\"b\":\"a\"}");
}

TEST(yaml_repeated_keys_are_refused_or_the_last_wins)
{
    const char *text = "a: 1\nb: 2\na: {c: 3}\n";

    check(DOC_MANIFEST, text, "t:3:1: duplicate key \"a\", first at line 1 column 1");
    check(DOC_RESOURCE, text, "t:3:1: duplicate key \"a\", first at line 1 column 1");
    check(DOC_SPEC, text, "t:3:1: duplicate key \"a\", first at line 1 column 1");
    check(DOC_VALUES, text, "{\"a\":{\"c\":3},\"b\":2}");
    check(DOC_KUSTOMIZATION, text, "{\"a\":{\"c\":3},\"b\":2}");
}

TEST(yaml_merge_keys_take_over_what_is_missing)
{
    check(DOC_SPEC, "b: &x {a: 1, c: 2}\nd:\n  <<: *x\n  a: 9\n",
          "{\"b\":{\"a\":1,\"c\":2},\"d\":{\"a\":9,\"c\":2}}");
    check(DOC_SPEC, "b: &x {a: 1, c: 2}\nd:\n  a: 9\n  <<: *x\n",
          "{\"b\":{\"a\":1,\"c\":2},\"d\":{\"a\":9,\"c\":2}}");
    /* go-yaml v2 lets what is merged replace what was written before it */
    check(DOC_VALUES, "b: &x {a: 1, c: 2}\nd:\n  a: 9\n  <<: *x\n",
          "{\"b\":{\"a\":1,\"c\":2},\"d\":{\"a\":1,\"c\":2}}");
    check(DOC_SPEC, "<<: [{a: 1}, {a: 2, b: 3}]\nz: 1\n", "{\"a\":1,\"b\":3,\"z\":1}");
    check(DOC_VALUES, "<<: [{a: 1}, {a: 2, b: 3}]\nz: 1\n", "{\"a\":1,\"b\":3,\"z\":1}");
    check(DOC_SPEC, "<<: 1\n", "t:1:5: map merge requires map or sequence of maps as the value");
    check(DOC_SPEC, "\"<<\": {a: 1}\n", "{\"<<\":{\"a\":1}}");
    check(DOC_SPEC, "<<: {a: 1}\n<<: {b: 1}\n", "t:2:1: duplicate key \"<<\"");
}

TEST(yaml_aliases_are_bounded)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    size_t used;

    buf_add_cstr(&text, "a0: &a0 x\n");
    for (int i = 1; i < 20; i++)
        buf_addf(&text, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i,
                 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    CHECK(!doc_parse(set, buf_view(&text), DOC_MANIFEST, "t", &e));
    CHECK(strstr(err_text(&e), "aliases expand to more than") != NULL);
    used = set->arena.used;
    CHECK(used < (size_t)80 << 20);
}
